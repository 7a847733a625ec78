//! Imports conversations with their messages from files. A file that was imported before adds nothing.

mod error;
mod record;
mod service;

pub use error::ImportError;
pub use record::{ConversationRecord, ImportOptions, ImportOutcome};
pub use service::Import;

pub use crate::{conversation::ImportedAs, message::ImportDay};
