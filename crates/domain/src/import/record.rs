//! The records of an imported file, and what becomes of them.

use crate::{
    conversation::{ImportedAs, UpsertRequest},
    message::{ImportDay, NewMessage},
};

/// A conversation of an imported file with messages of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRecord {
    /// Creates or updates the conversation.
    pub conversation: UpsertRequest,
    /// Whether the record updates an existing conversation. A conversation has one record that does: its first.
    pub updates: bool,
    /// The messages, in the order of the file.
    pub messages: Vec<NewMessage>,
}

/// How records are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// The feed day of each message.
    pub feed_day: ImportDay,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportOutcome {
    /// What became of the conversation. In a dry run: what would become of it.
    pub conversation: ImportedAs,
    /// How many messages were added, or would be added.
    pub added: usize,
    /// How many messages were stored already.
    pub present: usize,
}
