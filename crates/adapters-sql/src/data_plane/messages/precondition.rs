//! The precondition of an append: the newest messages of the conversation that the redaction used as context.
//!
//! SQLite compares the messages themselves. PostgreSQL compares digests, because the rows of a batch have different
//! preconditions. The digest is SHA-256 of the tail, newest message first. Of each message the tail has the time in
//! microseconds, a space, the identifier, a space, the length of the text in bytes, a space, and the text. The length
//! makes the tail unambiguous: no two lists of messages have the same tail. [`TAIL_DIGEST`] is the same format in SQL.

use std::fmt::Write;

use parlance_domain::{
    message::{MaskUpdate, Message},
    redaction::MAX_CONTEXT,
};
use sha2::{Digest, Sha256};

/// The digest of the rows with the columns `sent_at`, `id` and `text`, newest first, as an aggregate of PostgreSQL.
pub(crate) const TAIL_DIGEST: &str = "sha256(convert_to(coalesce(string_agg(\
    sent_at || ' ' || id || ' ' || octet_length(text) || ' ' || text, ''), ''), 'UTF8'))";

/// The newest messages that the redaction used as context, and the mask updates that result from it.
pub(super) struct Precondition {
    /// The newest messages of the conversation, newest first.
    expected_tail: Vec<SeenMessage>,
    /// Sorted by position, so that two writers cannot deadlock.
    pub(super) mask_updates: Vec<MaskUpdate>,
}

/// A message as the redaction saw it.
#[derive(PartialEq, Eq)]
pub(super) struct SeenMessage {
    pub(super) sent_at: i64,
    pub(super) id: String,
    pub(super) text: String,
}

impl Precondition {
    /// A precondition on the newest messages, oldest first.
    pub(super) fn new(tail: &[Message], mask_updates: &[MaskUpdate]) -> Self {
        let tail = tail.iter().rev().map(|message| SeenMessage {
            sent_at: message.sent_at.as_micros(),
            id: message.id.as_str().to_owned(),
            text: message.text.as_str().to_owned(),
        });
        let mut masks = mask_updates.to_vec();
        masks.sort_by(|one, other| one.position.cmp(&other.position));
        Self { expected_tail: tail.collect(), mask_updates: masks }
    }

    /// The number of newest messages that are compared.
    pub(super) fn tail_limit(&self) -> usize {
        self.expected_tail.len().max(MAX_CONTEXT)
    }

    /// Whether the precondition holds for these newest messages, newest first.
    pub(super) fn is_met_by(&self, newest: &[SeenMessage]) -> bool {
        self.expected_tail == newest && self.masks_apply()
    }

    /// The digest of the expected tail. If a mask update does not apply to the tail, the result is empty, which is the
    /// digest of no conversation.
    pub(super) fn digest(&self) -> Vec<u8> {
        if self.masks_apply() { Sha256::digest(self.tail_text()).to_vec() } else { Vec::new() }
    }

    /// Whether every mask update changes a message of the expected tail, and expects its text.
    fn masks_apply(&self) -> bool {
        self.mask_updates.iter().all(|mask| {
            let (sent_at, id) = (mask.position.sent_at.as_micros(), mask.position.id.as_str());
            let target = self.expected_tail.iter().find(|message| message.sent_at == sent_at && message.id == id);
            target.is_some_and(|message| message.text == mask.expected.as_str())
        })
    }

    fn tail_text(&self) -> String {
        self.expected_tail.iter().fold(String::new(), |mut tail, SeenMessage { sent_at, id, text }| {
            // Writing to a String cannot fail.
            let _ = write!(tail, "{sent_at} {id} {} {text}", text.len());
            tail
        })
    }
}
