//! A message after masking: its text and its stored ranges change together.

use crate::{
    error::{StoreError, StoreErrorKind},
    message::Message,
    redaction::{Redaction, Span, mask_spans},
    text::MessageText,
};

/// The message after a redaction of its text.
pub(super) fn redacted_message(message: &Message, redaction: Redaction<'_>) -> Result<Message, StoreError> {
    let redactions = message.redactions.after_masking(message.text.as_str(), &redaction.spans);
    Ok(Message { text: parse(redaction.text.into_owned())?, redactions, ..message.clone() })
}

/// The message with these spans of its text masked.
pub(super) fn masked_message(message: &Message, spans: &[Span]) -> Result<Message, StoreError> {
    let redactions = message.redactions.after_masking(message.text.as_str(), spans);
    Ok(Message { text: parse(mask_spans(message.text.as_str(), spans))?, redactions, ..message.clone() })
}

/// Parses a masked text. A mask never makes a text empty and never adds a NUL.
fn parse(masked: String) -> Result<MessageText, StoreError> {
    MessageText::parse(masked).map_err(|broken| StoreError::new(StoreErrorKind::Unexpected, broken))
}
