//! What an earlier message says about the values of the messages after it: what it asks for, and which values it holds.

mod bag;
mod card_code;
mod secret;
mod value;
mod words;

use super::reply;
use crate::cues::{Cue, Cues, LAST_FOUR, is_bare_code};
use crate::detect::{self, cue_link};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenBuffer, TokenizedText};
use bag::Bag;
use secret::{SecretQuestion, secret_question};
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
    /// Whether the code that it asks for may be a PIN.
    pub(super) is_code_unnamed: bool,
    /// Whether it asks for an amount, a count or a time, and for no entity.
    pub(super) asks_for_amount: bool,
    /// Whether it only states something: it has the form of no question or request.
    pub(super) is_statement: bool,
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
    /// Whether it rejects an answer if it is a reply to one: a negation, or a few words that accept nothing.
    pub(super) rejects: bool,
}

impl Message {
    pub(super) fn has_value(&self) -> bool {
        self.values.after > 0
    }
}

/// Entities of which a message about a card speaks.
const CARD_TALK: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);

/// Reads an earlier message.
pub(super) fn read(text: &str) -> Message {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(tail(text), &mut buffer);
    let tokens = tokenized.tokens();
    let mut cues = Cues::new();
    cues.read_to(&tokens, tokens.len());
    let cues = cues.as_slice();
    let values = Values::of(&tokens);
    let after = values.after;
    let bag = Bag::of(&tokens, after);
    let is_bare = |cue: &&Cue| is_bare_code(cue);
    let has_bare_code = cues.iter().filter(is_bare).any(|cue| cue.first_token as usize >= after)
        || cues.is_empty() && bag.has_small_code && !bag.has(class::OTHER_THING);
    let has_question_mark = tokens.text.contains('?');
    let is_question =
        has_question_mark || tokens.as_slice().iter().any(|t| detect::is_one_of(&tokens, *t, &ASKING_WORDS));
    let named = cue_link::requested_entities(&tokens, cues, after, is_question);
    let asks_for_tail = named == LAST_FOUR;
    let named = if asks_for_tail { EntitySet::empty() } else { named };
    let is_short_question = has_question_mark && tokens.len() <= MAX_SHORT_QUESTION_TOKENS;
    let asks_for_back = after == 0 && card_code::asks_for_card_code(&bag, named, is_short_question);
    let of_code = cues.iter().filter(|cue| !is_bare(cue)).fold(EntitySet::empty(), |set, cue| set.or(cue.entities));
    let names_other = !named.is_subset(WITH_SECRET);
    let secret = if after == 0 && !names_other { secret_question(&bag, named) } else { SecretQuestion::default() };
    let requested = match () {
        () if asks_for_back => named.or(Entity::CVV.bit()).without(NOT_ON_BACK),
        () if has_bare_code && !of_code.contains(Entity::CVV) => named.without(Entity::CVV.bit()),
        () => named,
    };
    let requested = requested.or(secret.entities);
    // "what do you dial to open the gate" names no telephone number.
    let requested = if secret.is_of_device { requested.without(Entity::PHONE_NUMBER.bit()) } else { requested };
    // A passcode and a password of digits are a number or a word.
    let is_passcode = (bag.has_passcode || bag.has(class::CODE)) && requested.contains(Entity::PASSWORD)
        || after == 0 && bag.asks_for_keyed_code() && requested.is_subset(WITH_SECRET);
    let is_nip = after == 0 && bag.has_nip && !named.contains(Entity::PIN) && named.is_subset(WITH_SECRET);
    let requested = if is_passcode || is_nip { requested.or(Entity::PIN.bit()) } else { requested };
    // "the security number on your account" is the code of a card or a PIN.
    let is_of_account = requested.contains(Entity::CVV)
        && !asks_for_back
        && bag.has_account
        && !bag.has(class::CARD | class::PLACE)
        && !bag.has_noun_place;
    let requested = if is_of_account { requested.or(Entity::PIN.bit()) } else { requested };
    let has_flag = |word: u32| tokenized.features.word_flags & word != 0;
    Message {
        requested,
        named: of_code,
        asks_for_tail: asks_for_tail && !asks_for_back,
        asks_for_code: has_bare_code && !asks_for_back && secret.entities.is_empty() && !bag.is_one_time,
        is_code_unnamed: is_of_account,
        asks_for_amount: named.is_empty() && !has_bare_code && bag.asks_for_amount,
        is_statement: !has_question_mark && bag.is_statement,
        mentions_card: of_code.intersects(CARD_TALK) || bag.has(class::CARD) || has_card_mask(&tokens),
        holds_card: has_card_mask(&tokens)
            || values.has_card && of_code.is_empty()
            || after > 0 && of_code.contains(Entity::CARD_EXPIRATION_DATE),
        has_code: asks_for_back || of_code.contains(Entity::CVV),
        tokens: tokens.len(),
        names_secret: of_code.contains(Entity::PASSWORD) || has_flag(flag::SECRET_WORD) || secret.is_hint,
        asks_again: named.is_empty() && after == 0 && reply::asks_again(&tokens),
        rejects: (named.is_empty() || bag.is_statement)
            && after == 0
            && !bag.has(class::ACCEPT)
            && (bag.has(class::NEGATION) || reply::is_short_retort(&tokens)),
        values,
    }
}

/// Entities that a question for what stands on the back of a card does not ask for.
const NOT_ON_BACK: EntitySet = LAST_FOUR.or(Entity::ONE_TIME_PASSCODE.bit());
/// Entities beside whose names a message can ask for a secret that it does not name.
const WITH_SECRET: EntitySet = EntitySet::from_slice(&[
    Entity::PASSWORD,
    Entity::PIN,
    Entity::USERNAME,
    Entity::SECURITY_ANSWER,
    Entity::CREDIT_CARD_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::PHONE_NUMBER,
    Entity::ONE_TIME_PASSCODE,
]);

/// Tokens of a question that is little more than a place: "and on the back?".
const MAX_SHORT_QUESTION_TOKENS: usize = 8;

/// Words of a question or request.
const ASKING_WORDS: [&str; 13] =
    ["what", "which", "your", "enter", "please", "cual", "cuál", "su", "tu", "qual", "sua", "quelle", "welche"];

/// Bytes at the end of a long message that are read: a question is at the end of a message.
const TAIL_BYTES: usize = 600;

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}
