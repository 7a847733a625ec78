//! Codes that no message asks for by name, by what the messages speak of: "are you at the panel now", "yep, 4821".

use super::utterance::{Utterance, newest};
use crate::cues::{Topic, unexplained_number};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{CARD_CODE_DIGITS, SSN_DIGITS};
use crate::tokenize::{TokenBuffer, TokenizedText, Tokens};

/// Earlier messages that are read.
const MAX_MESSAGES: usize = 3;
/// Bytes of the longest of them.
const MAX_BYTES: usize = 300;
/// Tokens of the longest message that gives such a code.
const MAX_TOKENS: usize = 30;
/// Digits of the longest such code.
const MAX_DIGITS: usize = 6;
/// Entities that a message about a card names beside its code.
const CARD_TALK: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);

/// The code that a text gives by the topic of the earlier messages. `expected` is what they ask for.
pub(super) fn code_of_topic(tokens: &Tokens<'_>, context: &[Utterance<'_>], expected: EntitySet) -> EntitySet {
    if !expected.is_subset(CARD_TALK) || tokens.len() > MAX_TOKENS {
        return EntitySet::empty();
    }
    let Some(number) = unexplained_number(tokens) else { return EntitySet::empty() };
    let code = number.code;
    if code.digits > MAX_DIGITS && code.digits != SSN_DIGITS {
        return EntitySet::empty();
    }
    let mut topic = Topic::default();
    let mut is_repeated = false;
    for (age, message) in newest(context).iter().rev().take(MAX_MESSAGES).enumerate() {
        if message.text.len() > MAX_BYTES {
            break;
        }
        let mut buffer = TokenBuffer::new();
        let tokenized = TokenizedText::new(message.text, &mut buffer);
        let tokens = tokenized.tokens();
        topic.add(&tokens, 0..0);
        is_repeated |= age == 0 && topic.asks_to_repeat();
    }
    topic.add(tokens, code.first..code.after);
    let by_length = || (is_repeated && expected.is_empty() && code.digits <= MAX_DIGITS).then(|| code.entity());
    let entity = topic.entity(number).or_else(by_length);
    let entity =
        entity.filter(|entity| expected.is_empty() || *entity == Entity::CVV && code.digits == CARD_CODE_DIGITS);
    entity.map_or(EntitySet::empty(), Entity::bit)
}
