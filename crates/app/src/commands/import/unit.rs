//! What the thread that reads a file hands to the import.

use std::fmt;

use parlance_adapters_http::records::RecordError;
use parlance_domain::{conversation::UpsertRequest, import::ConversationRecord};
use tokio::sync::OwnedSemaphorePermit;

/// Some lines of a file.
#[derive(Default)]
pub(super) struct Unit {
    pub(super) records: Vec<NumberedRecord>,
    pub(super) refused: Vec<RefusedRecord>,
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

/// The lines of a record.
#[derive(Debug, Clone)]
pub(super) enum RecordLines {
    /// The number of the line of a conversation with all its messages.
    Conversation(u64),
    /// The lines of each message.
    Messages(MessageLines),
}

/// The lines of the messages of a conversation. Each line describes the conversation too.
#[derive(Debug, Clone)]
pub(super) struct MessageLines {
    /// What the lines say of the conversation. Equal descriptions may be repeated.
    pub(super) conversations: Vec<UpsertRequest>,
    /// For each message its lines, and the index of their description of the conversation.
    pub(super) messages: Vec<(LineNumbers, usize)>,
}

/// The numbers of the first and the last line of a record, starting at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineNumbers {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl LineNumbers {
    /// A record of one line.
    pub(super) fn one(number: u64) -> Self {
        Self { first: number, last: number }
    }

    /// How many lines these are.
    pub(super) fn count(self) -> u64 {
        self.last - self.first + 1
    }
}

impl fmt::Display for LineNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last { write!(f, "{first}") } else { write!(f, "{first}-{last}") }
    }
}

/// A record that is not imported.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedRecord {
    pub(super) lines: LineNumbers,
    pub(super) errors: Vec<RecordError>,
}

impl RefusedRecord {
    /// A record that is wrong as a whole.
    pub(super) fn whole(lines: LineNumbers, rule: &'static str, message: impl Into<String>) -> Self {
        Self { lines, errors: vec![RecordError { field: String::new(), rule, message: message.into() }] }
    }
}

/// The rule of a line that is too long.
pub(super) const MAX_LINE_BYTES_RULE: &str = "max_bytes";
