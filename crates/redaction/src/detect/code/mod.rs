//! Codes of letters and digits after a cue: booking references, policy and order numbers, licences, member ids.

mod plate;
mod prefixed;
mod reference;

pub(super) use plate::is_of_vehicle;

use super::{DetectorInput, flags, is_connector};
use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// Entities whose values are any mix of letters and digits.
pub(crate) const CODE_ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::BOOKING_REFERENCE,
    Entity::POLICY_NUMBER,
    Entity::ORDER_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::HEALTH_PLAN_ID,
    Entity::PASSPORT_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::ONE_TIME_PASSCODE,
    Entity::LICENSE_PLATE,
    Entity::VIN,
    Entity::IN_VOTER_ID,
    Entity::SWIFT_BIC,
    Entity::PASSWORD,
]);

/// Maximum tokens between a cue and its code, and of a code.
const MAX_CONNECTOR_TOKENS: usize = 8;
const MAX_CODE_TOKENS: usize = 14;
/// Maximum tokens of an answer.
const MAX_ANSWER_TOKENS: usize = 20;
/// Maximum letters and digits of a code.
const MAX_CODE_LENGTH: usize = 24;

/// Looks for a code after every cue for one, in an answer to an earlier question, and by its form.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(CODE_ENTITIES).and(out.active());
        if !set.is_empty() {
            detect_after_cue(input, cue, set, out);
        }
    }
    let set = input.expected_entities.and(CODE_ENTITIES).and(out.active());
    if !set.is_empty() {
        detect_answer(input, set, out);
    }
    plate::detect(input, out);
    prefixed::detect(input, out);
    reference::detect(input, out);
}

fn detect_after_cue(input: &DetectorInput<'_, '_>, cue: &Cue, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let mut at = cue.end_token as usize;
    let limit = at + MAX_CONNECTOR_TOKENS;
    while at < limit && !begins_code(tokens, at) {
        if !is_connector(tokens, at) || tokens.at(at).gap >= Gap::Paragraph {
            return;
        }
        at += 1;
    }
    let Some(after) = code_end(tokens, at) else { return };
    let is_bare = at == cue.end_token as usize && !super::is_one_of(tokens, tokens.before(at), &NUMBER_WORDS);
    if at < limit && !(is_bare && is_prose_word(tokens, at)) {
        push(tokens, at, after, set, DetectionReason::Cue, EvidenceRank::Cue, out);
    }
}

/// Reports the code of a message that is a code and little else, as the answer to an earlier question.
fn detect_answer(input: &DetectorInput<'_, '_>, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let Some(first) = answer_start(tokens) else { return };
    if let Some(after) = code_end(tokens, first) {
        push(tokens, first, after, set, DetectionReason::EarlierCue, EvidenceRank::Cue, out);
    }
}

/// The first token of a code that can answer a question: the code is in one segment, or is the whole message.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    if tokens.len() > MAX_ANSWER_TOKENS {
        return None;
    }
    (0..tokens.len()).find(|at| begins_code(tokens, *at)).filter(|first| {
        let (token, next) = (tokens.at(*first), tokens.at(first + 1));
        let is_stopword = flags(token) & (flag::STOPWORD | flag::CONNECTOR) != 0 && token.byte_len() > 1;
        let is_unbroken = next.gap == Gap::None && next.kind != TokenKind::Edge
            || token.kind == TokenKind::Word && next.kind != TokenKind::Digits;
        let is_message = code_end(tokens, *first)
            .is_some_and(|after| super::cue_link::is_whole_message(tokens, *first, after, false));
        !is_stopword && (is_unbroken || is_message)
    })
}

/// Whether a code begins at a token: letters right before digits, or digits, or capitals alone.
fn begins_code(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind == TokenKind::Digits {
        return !super::is_digit_count(tokens, at);
    }
    // The "s" of "it's 20-45-18" is no part of the code.
    let is_contracted = token.gap == Gap::None && tokens.before(at).is_mark(b'\'');
    if token.kind != TokenKind::Word || is_contracted {
        return false;
    }
    let touches_digits = next.kind == TokenKind::Digits && next.gap == Gap::None;
    let is_hyphenated = next.is_mark(b'-')
        && next.gap == Gap::None
        && tokens.at(at + 2).gap == Gap::None
        && tokens.at(at + 2).is_alphanumeric();
    let is_spaced = next.kind == TokenKind::Digits
        && next.gap <= Gap::Space
        && token.byte_len() <= 5
        && !is_non_code_word(tokens, token);
    let is_digits = token.kind == TokenKind::Digits;
    let is_spelled = is_digits
        || token.byte_len() == 1
            && next.kind == TokenKind::Word
            && next.byte_len() <= 2
            && next.gap == Gap::Space
            && tokens.at(at + 2).kind == TokenKind::Digits
            && !matches!(tokens.str(token), "s" | "a" | "i");
    touches_digits
        || is_hyphenated && (next.kind == TokenKind::Mark && token.byte_len() <= 5)
        || is_spaced
        || is_spelled
        || is_uppercase_code(tokens, token)
}

/// Last words of a cue that a code follows.
const NUMBER_WORDS: [&str; 6] = ["number", "no", "num", "id", "code", "reference"];

/// Whether a token is a common word before a number: the "limit" of "policy limit 5000", but not the "LINE" of "LINE
/// 5000".
fn is_prose_word(tokens: &Tokens<'_>, at: usize) -> bool {
    let (word, next) = (tokens.str(tokens.at(at)), tokens.at(at + 1));
    next.gap == Gap::Space
        && next.kind == TokenKind::Digits
        && word.len() >= 3
        && !word.bytes().all(|b| b.is_ascii_uppercase())
        && COMMON_WORD_SET.contains(word)
}

/// Whether a word such as "QWRTZU" is a code in capitals. The text must have small letters too.
fn is_uppercase_code(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    matches!(word.len(), 5 | 6 | 8 | 11)
        && word.bytes().all(|b| b.is_ascii_uppercase())
        && token.slot() == 0
        && tokens.text.bytes().any(|b| b.is_ascii_lowercase())
}

/// Words before a number that are never part of it. [`is_non_code_word`] checks flags for the others.
const NON_CODE_WORDS: [&str; 42] = [
    "no", "num", "nr", "nbr", "number", "id", "code", "of", "the", "to", "for", "with", "in", "on", "digit", "last",
    "my", "your", "its", "it", "as", "at", "from", "these", "this", "that", "ends", "about", "value", "or", "by",
    "than", "past", "until", "till", "under", "over", "only", "since", "has", "have", "had",
];

/// The letters of these words as integers, to compare a word at once. No word has more than eight letters.
static NON_CODE_KEYS: [u64; NON_CODE_WORDS.len()] = {
    let mut keys = [0; NON_CODE_WORDS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = lexicon::word_key_head(NON_CODE_WORDS[at].as_bytes());
        at += 1;
    }
    keys
};

fn is_non_code_word(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    flags(token) & (flag::COPULA | flag::AND | flag::FILLER | flag::UNIT | flag::MONTH) != 0
        || flags(token) & flag::CUE_HEAD != 0 && word.len() > 2
        || word.len() <= 8 && NON_CODE_KEYS.contains(&lexicon::word_key_head(word.as_bytes()))
}

/// The token after a code that begins at `first`; `None` if there is no digit and the word is not a code in capitals.
fn code_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let (mut at, mut length, mut digits) = (first, 0, 0);
    while at < first + MAX_CODE_TOKENS {
        let token = tokens.at(at);
        let is_inner_mark = token.kind == TokenKind::Mark
            && token.byte_len() == 1
            && token.gap == Gap::None
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 1).is_alphanumeric()
            && matches!(token.mark(), b'-' | b'/' | b'.' | b'_');
        let is_spaced = token.gap == Gap::Space && at > first;
        let is_part = match token.kind {
            TokenKind::Digits => true,
            TokenKind::Word => at == first || token.gap == Gap::None || is_spaced && continues_code(tokens, at),
            TokenKind::Mark => at > first && is_inner_mark,
            TokenKind::Mask | TokenKind::Edge => false,
        };
        if !is_part || at > first && token.gap > Gap::Space || length + token.byte_len() > MAX_CODE_LENGTH {
            break;
        }
        if token.is_alphanumeric() {
            length += token.byte_len();
        }
        digits += if token.kind == TokenKind::Digits { token.byte_len() } else { 0 };
        at += 1;
    }
    let is_ordinal = (first..at)
        .any(|t| flags(tokens.at(t)) & flag::DIGIT_SUFFIX != 0 && tokens.before(t).kind == TokenKind::Digits);
    let is_code = !is_ordinal && at > first && (digits > 0 || is_uppercase_code(tokens, tokens.at(first)));
    let is_quantity = at == first + 1 && flags(tokens.at(at)) & flag::UNIT != 0 || has_decimals(tokens, at);
    let is_masked = crate::masking::mask_tokens::is_mask_tail(tokens, first, at);
    (is_code && !is_quantity && !is_masked).then_some(at)
}

/// Whether a decimal comma or dot with digits follows: "über 349,90 €".
fn has_decimals(tokens: &Tokens<'_>, at: usize) -> bool {
    let (mark, next) = (tokens.at(at), tokens.at(at + 1));
    mark.is_mark(b',') && mark.gap == Gap::None && next.gap == Gap::None && next.kind == TokenKind::Digits
}

/// Whether a word after a space belongs to the code: short letters with digits behind, or a short end.
fn continues_code(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let digits_next = next.kind == TokenKind::Digits && next.gap <= Gap::Space;
    if is_non_code_word(tokens, token)
        || flags(token) & (flag::NUMBER | flag::FILLER) != 0 && token.byte_len() > 1
        || token.flags & flag::DIGIT_SUFFIX != 0
    {
        return false;
    }
    let is_stopword = flags(token) & (flag::STOPWORD | flag::CONNECTOR) != 0;
    if digits_next {
        token.byte_len() <= 3 && (!is_stopword || token.byte_len() == 1)
    } else {
        token.byte_len() <= 4
            && !is_stopword
            && (tokens.len() <= at + 1 || token.byte_len() <= 2 || !next.is_alphanumeric())
    }
}

fn push(
    tokens: &Tokens<'_>,
    first: usize,
    after: usize,
    set: EntitySet,
    reason: DetectionReason,
    evidence: EvidenceRank,
    out: &mut Candidates,
) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let (mut letters, mut digits) = (0, 0);
    for token in &tokens.as_slice()[first..after.min(tokens.len())] {
        match token.kind {
            TokenKind::Word => letters += token.byte_len(),
            TokenKind::Digits => digits += usize::from(token.digit_count()),
            TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => {}
        }
    }
    if letters == 0 {
        return;
    }
    // The numbers of bank accounts have no letters.
    let set = if set.contains(Entity::ACCOUNT_NUMBER) { set.without(Entity::BANK_ACCOUNT_NUMBER.bit()) } else { set };
    let matches_plate = || plate::has_plate_groups(&tokens.as_slice()[first..after.min(tokens.len())]);
    if let Some(entity) =
        set.iter().find(|e| matches_length(*e, letters, digits) && (*e != Entity::LICENSE_PLATE || matches_plate()))
    {
        out.push_fully_masked(start, end, entity, reason, evidence);
    }
}

/// Whether a code of an entity can have this number of letters and digits.
pub(super) fn matches_length(entity: Entity, letters: usize, digits: usize) -> bool {
    let n = letters + digits;
    match entity {
        Entity::BOOKING_REFERENCE => (4..=13).contains(&n),
        Entity::POLICY_NUMBER | Entity::ORDER_NUMBER => (4..=20).contains(&n),
        Entity::ACCOUNT_NUMBER => (5..=17).contains(&n) && digits >= 2,
        Entity::BANK_ACCOUNT_NUMBER => (8..=17).contains(&n) && digits >= 5,
        Entity::MEDICAL_RECORD_NUMBER => (5..=12).contains(&n) && digits >= 2,
        Entity::HEALTH_PLAN_ID => (6..=15).contains(&n) && digits >= 2,
        Entity::PASSPORT_NUMBER => (7..=9).contains(&n) && digits >= 4,
        Entity::US_DRIVER_LICENSE => (5..=16).contains(&n) && digits >= 3,
        Entity::ONE_TIME_PASSCODE => (4..=8).contains(&n) && digits >= 2,
        Entity::LICENSE_PLATE => (5..=10).contains(&n) && digits >= 2 && letters >= 1,
        Entity::VIN => n == 17,
        Entity::IN_VOTER_ID => n == 10 && letters == 3,
        Entity::SWIFT_BIC => matches!(n, 8 | 11) && letters >= 6,
        _ => false,
    }
}
