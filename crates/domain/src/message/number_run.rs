//! Numbers that a speaker dictates over many messages: how many stored messages must be read to mask them.
//!
//! Most messages need at most [`MAX_CONTEXT`] messages as context. A card number can be dictated one digit a message,
//! with a read-back by the other speaker after each. Then the messages of the last [`NUMBER_RUN_MINUTES`] minutes are the
//! context, at most [`MAX_NUMBER_RUN`].

use crate::{
    limits::NUMBER_RUN_MINUTES,
    message::Message,
    redaction::{Entity, EntitySet, MAX_CONTEXT, MAX_NUMBER_RUN, NumberRunPart},
    time::{MICROS_PER_SECOND, Timestamp},
};

/// How many of the messages before a message belong to the number that it may continue; 0 if it continues none.
pub(super) fn context_length(message: &Message, before: &[Message], active: EntitySet) -> usize {
    if !may_continue_number(message, active) {
        return 0;
    }
    let recent = before.iter().rev().take_while(|earlier| is_in_run(earlier.sent_at, message.sent_at));
    recent.take(MAX_NUMBER_RUN).count()
}

/// Whether the newest stored messages are all part of a number that one of `messages` may continue, so that more of them
/// must be read. `newest` holds the newest messages, oldest first.
pub(super) fn needs_long_tail(messages: &[Message], newest: &[Message], active: EntitySet) -> bool {
    newest.len() >= MAX_CONTEXT && messages.iter().any(|message| continues_all(message, newest, active))
}

fn continues_all(message: &Message, newest: &[Message], active: EntitySet) -> bool {
    let is_part = |stored: &Message| {
        is_in_run(stored.sent_at, message.sent_at)
            && (stored.sender.role != message.sender.role
                || NumberRunPart::of(stored.text.as_str()) != NumberRunPart::Other)
    };
    may_continue_number(message, active) && newest.iter().all(is_part)
}

fn may_continue_number(message: &Message, active: EntitySet) -> bool {
    active.contains(Entity::CREDIT_CARD_NUMBER) && NumberRunPart::of(message.text.as_str()) == NumberRunPart::Digits
}

/// Whether a message that was sent at `earlier` is near enough to one that was sent at `later`. The order of arrival can
/// differ from the order of sending, so that `earlier` can be the later time.
fn is_in_run(earlier: Timestamp, later: Timestamp) -> bool {
    later.as_micros().saturating_sub(earlier.as_micros()) <= NUMBER_RUN_MINUTES * 60 * MICROS_PER_SECOND
}
