//! The feeds in a directory or a bucket, through `object_store`.
//!
//! [`ObjectFeeds`] opens a store at an address and implements both sides of it: [`FeedStore`](parlance_domain::feed::FeedStore)
//! for whoever collects, [`FeedSink`](parlance_domain::feed::FeedSink) for production. `layout.rs` says where everything
//! is, `file/` how rows become bytes. [`ObjectVocabularies`] brings vocabularies to a bucket.

mod error;
mod feeds;
mod file;
mod handing_over;
mod layout;
mod listing;
mod notes;
mod place;
mod producing;
mod readiness;
mod refusal;
mod single;
mod vocabularies;

pub use feeds::ObjectFeeds;
pub use place::OpenError;
pub use single::SingleObject;
pub use vocabularies::{Document, ObjectVocabularies};
