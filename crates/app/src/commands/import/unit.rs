//! What the thread that reads a file hands to the import.

use parlance_adapters_http::records::RecordError;
use parlance_domain::import::ConversationRecord;
use tokio::sync::OwnedSemaphorePermit;

/// Some lines of a file.
#[derive(Default)]
pub(super) struct Unit {
    pub(super) records: Vec<NumberedRecord>,
    pub(super) refused: Vec<RefusedLine>,
    /// The bytes of the lines.
    pub(super) bytes: u64,
    /// The room that the lines take of the buffer.
    pub(super) permit: Option<OwnedSemaphorePermit>,
}

impl Unit {
    /// Keeps further room of the buffer.
    pub(super) fn add_room(&mut self, room: Option<OwnedSemaphorePermit>) {
        match (&mut self.permit, room) {
            (Some(permit), Some(room)) => permit.merge(room),
            (permit, room) => *permit = permit.take().or(room),
        }
    }
}

/// A record of a file.
pub(super) struct NumberedRecord {
    pub(super) record: ConversationRecord,
    pub(super) lines: RecordLines,
}

/// The numbers of the lines of a record, starting at 1.
#[derive(Debug, Clone)]
pub(super) enum RecordLines {
    /// The line of a conversation with all its messages.
    Conversation(u64),
    /// The line of each message.
    Messages(Vec<u64>),
}

/// A line that is not imported.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedLine {
    /// The number of the line, starting at 1. A record of several lines has the number of its first line.
    pub(super) number: u64,
    pub(super) errors: Vec<RecordError>,
}

impl RefusedLine {
    /// A line that is wrong as a whole.
    pub(super) fn whole(number: u64, rule: &'static str, message: impl Into<String>) -> Self {
        Self { number, errors: vec![RecordError { field: String::new(), rule, message: message.into() }] }
    }
}

/// The rule of a line that is too long.
pub(super) const MAX_LINE_BYTES_RULE: &str = "max_bytes";
