//! Feeds, vocabularies and the ledger of erasures in a directory or a bucket, through `object_store`.
//!
//! [`ObjectFeeds`] opens a store and implements two ports: [`FeedStore`](parlance_domain::feed::FeedStore) reads feeds,
//! and [`FeedSink`](parlance_domain::feed::FeedSink) writes them. `layout.rs` defines the paths, `file/` the encoding
//! of rows. [`ObjectVocabularies`] writes vocabularies into a bucket. [`ObjectLedger`] holds the ledger of erasures.
//! [`SingleObject`] is one object in a bucket.
//! [`StoredEncoding`] decodes files for searches through their bytes.

mod error;
mod error_summary;
mod feed_sink;
mod feed_store;
mod feeds;
mod file;
mod file_access;
mod layout;
mod ledger;
mod ledger_json;
mod links;
mod locked_manifest;
mod manifest_comparison;
mod manifest_update;
mod metadata_json;
mod readiness;
mod single_object;
mod store_handle;
mod stored_content;
mod tenant_files;
mod vocabularies;

pub use feeds::ObjectFeeds;
pub use ledger::ObjectLedger;
pub use single_object::SingleObject;
pub use store_handle::StoreOpenError;
pub use stored_content::{SIGNATURE_BYTES, StoredEncoding};
pub use vocabularies::{DocumentEncoder, ObjectVocabularies};
