//! What an earlier message says about the values of the messages after it: what it asks for, and which values it holds.

mod access_code;
mod bag;
mod card_code;
mod outcome;
mod request;
mod secret;
mod secret_hint;
mod secret_words;
mod sent_code;
mod social;
mod value;
mod words;

use super::reply;
use crate::cues::Cues;
use crate::detect::cue_link::SECRET_ENTITIES;
use crate::detect::{dictated_part, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenBuffer, TokenizedText, Tokens};
use bag::Bag;
use request::Request;
pub(super) use value::Values;
use value::has_card_mask;
use words::class;

/// What an earlier message says about the values of the messages after it.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(super) struct Message {
    /// The entities that it asks for.
    pub(super) requested: EntitySet,
    /// The entities that its cues name.
    pub(super) named: EntitySet,
    /// Whether it asks for the last four digits of a number that it does not name.
    pub(super) asks_for_tail: bool,
    /// Whether it asks for "the code", which is the code of a card only if the messages speak of one.
    pub(super) asks_for_code: bool,
    /// Whether it asks for what stands below something.
    pub(super) asks_for_next_field: bool,
    /// Whether the code that it asks for may be a PIN.
    pub(super) is_code_unnamed: bool,
    /// Whether it asks for an amount, a count or a time, and for no value of an entity.
    pub(super) asks_for_amount: bool,
    /// Whether it asks how many digits "the code" has.
    pub(super) asks_for_length: bool,
    /// Whether it asks how many digits or letters a named value has.
    pub(super) asks_for_named_length: bool,
    /// Whether it only states something: it has the form of no question or request.
    pub(super) is_statement: bool,
    /// Whether it has the form of a question: "where do i find that".
    pub(super) asks_openly: bool,
    /// Whether it speaks to the other side: "your", or a request as a question.
    pub(super) is_addressed: bool,
    /// The values that it holds.
    pub(super) values: Values,
    /// Whether it speaks of a card or holds the number of one.
    pub(super) mentions_card: bool,
    /// Whether it holds the number of a card or its expiry date.
    pub(super) holds_card: bool,
    /// Whether it speaks of the code of a card.
    pub(super) has_code: bool,
    pub(super) tokens: usize,
    /// Whether it names a password or speaks of entering one.
    pub(super) names_secret: bool,
    /// Whether it rejects an answer or asks to repeat it, and asks for nothing itself.
    pub(super) asks_again: bool,
    /// Whether it asks for the next part of a value, and for nothing else.
    pub(super) asks_for_next_part: bool,
    /// Whether it is nothing but a part of a value that is read out in several messages.
    pub(super) is_part: bool,
    /// The entities of a value of which it names and gives a part, at its end.
    pub(super) begun: EntitySet,
    /// Whether it rejects an answer if it is a reply to one: a negation, or a few words that accept nothing.
    pub(super) rejects: bool,
}

impl Message {
    pub(super) fn has_value(&self) -> bool {
        self.values.after > 0
    }

    /// Whether it has few words, holds no value, asks for nothing and rejects nothing, unless it asks for the next part.
    pub(super) fn is_nod(&self, max_tokens: usize) -> bool {
        let is_neutral = !self.asks_openly && !self.rejects && !self.asks_again;
        self.tokens <= max_tokens
            && !self.has_value()
            && self.requested.is_empty()
            && self.named.is_empty()
            && (is_neutral || self.asks_for_next_part)
    }
}

/// Entities of which a message about a card speaks.
const CARD_TALK: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);
/// Tokens of the longest reply that is taken for a rejection unless it accepts or asks to wait.
const MAX_RETORT_TOKENS: usize = 6;

/// Reads an earlier message.
pub(super) fn read(text: &str) -> Message {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(tail(text), &mut buffer);
    let tokens = tokenized.tokens();
    let mut cues = Cues::new();
    cues.read_to(&tokens, tokens.len());
    let values = Values::of(&tokens);
    let bag = Bag::of(&tokens, values.after);
    let request = Request::of(&tokens, cues.as_slice(), &values, &bag);
    let is_question = tokens.text.contains('?');
    let asks_nothing = values.after == 0 && request.named.is_empty();
    let is_statement = bag.is_statement && !is_question;
    let is_retort = || tokens.len() <= MAX_RETORT_TOKENS && !bag.has(class::NEUTRAL);
    let all_named = request.all_named;
    Message {
        requested: request.entities,
        named: all_named,
        asks_for_tail: request.is_of_tail,
        asks_for_code: request.is_of_bare_code,
        asks_for_next_field: values.after == 0 && bag.has_next_field,
        is_code_unnamed: request.is_code_unnamed,
        asks_for_amount: !request.has_bare_code
            && (request.named.is_empty() && bag.asks_for_amount
                || request.named.is_subset(SECRET_ENTITIES) && bag.asks_only_for_amount()),
        asks_for_length: values.after == 0 && request.is_of_bare_code && bag.asks_for_length,
        asks_for_named_length: values.after == 0 && !request.named.is_empty() && bag.asks_for_length,
        is_statement,
        asks_openly: is_question || bag.has(class::WHAT | class::HOW | class::REQUEST) || asks_where(&tokens),
        is_addressed: bag.has(class::YOUR) || is_question && bag.has(class::REQUEST),
        mentions_card: all_named.intersects(CARD_TALK) || bag.has(class::CARD) || has_card_mask(&tokens),
        holds_card: has_card_mask(&tokens)
            || values.has_card && all_named.is_empty()
            || values.after > 0 && all_named.contains(Entity::CARD_EXPIRATION_DATE),
        has_code: request.is_of_back || all_named.contains(Entity::CVV),
        tokens: tokens.len(),
        names_secret: all_named.contains(Entity::PASSWORD)
            || tokenized.features.word_flags & flag::SECRET_WORD != 0
            || request.is_hint
            || bag.has_secret(secret_words::class::LIKELY) && secret_hint::hints_at_secret(&tokens),
        asks_again: asks_nothing && reply::asks_again(&tokens),
        begun: dictated_part::entities_begun(&tokens, cues.as_slice()),
        is_part: dictated_part::is_part(&tokens),
        asks_for_next_part: asks_nothing && reply::asks_for_next_part(&tokens),
        rejects: (asks_nothing || values.after == 0 && (bag.is_statement || reply::denies_answer(&tokens)))
            && (!bag.has(class::ACCEPT) || reply::denies_answer(&tokens))
            && (bag.has(class::NEGATION) || is_retort()),
        values,
    }
}

/// Whether a message begins by asking for a place.
fn asks_where(tokens: &Tokens<'_>) -> bool {
    const WORDS: [&str; 8] = ["where", "wheres", "donde", "dónde", "wo", "onde", "dove", "où"];
    (0..3).any(|at| is_one_of(tokens, tokens.at(at), &WORDS))
}

/// Bytes at the end of a long message that are read: a question is at the end of a message.
const TAIL_BYTES: usize = 600;

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}
