//! Feeds and vocabularies in a directory or a bucket, through `object_store`.
//!
//! [`ObjectFeeds`] opens a store and implements two ports: [`FeedStore`](parlance_domain::feed::FeedStore) reads feeds,
//! and [`FeedSink`](parlance_domain::feed::FeedSink) writes them. `layout.rs` defines the paths, `file/` the encoding
//! of rows. [`ObjectVocabularies`] writes vocabularies into a bucket. [`SingleObject`] is one object in a bucket.

mod error;
mod error_summary;
mod feed_sink;
mod feed_store;
mod feeds;
mod file;
mod file_access;
mod layout;
mod metadata_json;
mod readiness;
mod single_object;
mod store_handle;
mod vocabularies;

pub use feeds::ObjectFeeds;
pub use single_object::SingleObject;
pub use store_handle::StoreOpenError;
pub use vocabularies::{DocumentEncoder, ObjectVocabularies};
