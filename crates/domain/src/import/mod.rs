//! Imports conversations with their messages from files. A file that was imported before adds nothing.

mod dry_run;
mod error;
mod record;
mod service;
mod store;

pub use error::ImportError;
pub use record::{ConversationRecord, ImportOptions, ImportOutcome};
pub use service::Import;
pub use store::{CreateOutcome, ImportStore};

#[cfg(feature = "mocks")]
pub use store::MockImportStore;

pub use crate::{conversation::ImportedAs, message::ImportDay};
