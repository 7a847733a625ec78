//! PINs and card codes whose cue is elsewhere in the sentence: "the pin was on a note, it said 4821", "i put 162 where it
//! says cvc".
//!
//! The nearest cue of the text must be for such a code, and the words beside the digits must introduce a value.

use super::code_format::{CARD_TALK, CODES, distance, fits};
use super::quantity::is_money;
use super::report::push_named;
use super::sole_code;
use crate::candidate::Candidates;
use crate::cues::{self, Cue, is_bare_code};
use crate::detect::credential::{WordRole, word_role};
use crate::detect::cue_scope::is_aside;
use crate::detect::{DetectorInput, cue_link, flags, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};

/// Maximum tokens of a message that begins with a code as its answer.
const MAX_ANSWER_TOKENS: usize = 20;
const PREPOSITIONS: [&str; 13] = ["over", "on", "of", "for", "in", "at", "to", "del", "de", "von", "auf", "sur", "do"];
/// Maximum tokens between a cue and a code.
const MAX_DISTANCE: usize = 24;
/// Maximum tokens before a code in which a verb introduces it.
const MAX_SKIPPED: usize = 4;

/// Reports a code by a cue that is not directly beside it; false if the slice is none.
pub(super) fn detect(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    if !has_code_format(slice) {
        return false;
    }
    if !input.named_entities.intersects(CODES) {
        return sole_code::detect(input, slice, out);
    }
    let named = nearest_codes(input, slice);
    let (entities, reason) = match named {
        Some(entities) => (entities, DetectionReason::Cue),
        None if input.is_of_unnamed_code => {
            (Entity::PIN.bit().and(input.expected_entities), DetectionReason::EarlierCue)
        }
        None => (input.expected_entities, DetectionReason::EarlierCue),
    };
    let Some(entity) = entities.and(CODES).iter().find(|entity| fits(*entity, slice)) else {
        return sole_code::detect(input, slice, out);
    };
    let is_bare_cue = entity == Entity::CVV && slice.len() == 4 && named.is_some();
    let is_keyed = || named.is_some() && cues::is_keyed(input.tokens, slice.first_token());
    let is_told = || !is_bare_cue && (is_introduced(input, slice) || is_keyed());
    if !is_told() && !is_described(input, slice) {
        return sole_code::detect(input, slice, out);
    }
    if reason == DetectionReason::EarlierCue {
        out.record_answer();
    }
    push_named(input, slice, entity.bit(), reason, out);
    true
}

/// Maximum tokens of a message that is one digit or two of a code.
const MAX_PART_TOKENS: usize = 18;
/// Maximum tokens before such digits.
const MAX_WORDS_BEFORE_PART: usize = 6;

/// Whether an earlier message asks for a code and nothing else, and the message is so short that it can be a digit of it.
pub(super) fn expects_digit(input: &DetectorInput<'_, '_>) -> bool {
    expects_code(input) && !input.is_of_length && input.cues().is_empty() && input.tokens.len() <= MAX_PART_TOKENS
}

/// Whether an earlier message asks for a code and for nothing else.
pub(super) fn expects_code(input: &DetectorInput<'_, '_>) -> bool {
    let asked = input.expected_entities;
    !asked.is_empty() && asked.is_subset(CODES) || asked == EntitySet::all()
}

/// Whether digits are the code that another one in the text replaces: "it's 4821 now, not 7730".
pub(super) fn is_contrasted(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, after_last: usize) -> bool {
    const CONTRASTS: [&str; 12] =
        ["not", "no", "old", "nicht", "statt", "pas", "non", "não", "nao", "viejo", "sino", "instead"];
    after_last > 0
        && expects_code(input)
        && is_one_of(input.tokens, slice.token_before(), &CONTRASTS)
        && flags(slice.token_after()) & flag::UNIT == 0
}

/// Reports up to three digits that are a whole message, as the part of a code that is said digit by digit; false if the
/// slice is none.
pub(super) fn detect_part(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    // Three digits can be a part of a PIN, not of the code of a card.
    let most = if input.expected_entities.contains(Entity::CVV) { 2 } else { 3 };
    let is_part = slice.len() <= most
        && expects_digit(input)
        && flags(slice.token_after()) & flag::UNIT == 0
        && !is_money(slice)
        && (cue_link::is_whole_message(input.tokens, slice.first_token(), slice.end_token(), true)
            || begins_message(input, slice));
    if is_part {
        out.record_answer();
        push_named(input, slice, input.expected_entities.and(CODES), DetectionReason::EarlierCue, out);
    }
    is_part
}

/// Whether only words of grammar are before a slice, and the slice counts nothing: "then five", "and six it's very faded".
fn begins_message(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const GRAMMAR: u32 = flag::CONNECTOR | flag::FILLER | flag::STOPWORD | flag::AND | flag::COPULA;
    const OPENINGS: [&str; 6] = ["then", "oops", "alors", "puis", "dann", "luego"];
    // "which three?", "not one"
    const OTHERS: [&str; 10] = ["which", "what", "how", "why", "not", "no", "n't", "t", "all", "am"];
    let (tokens, first, after) = (input.tokens, slice.first_token(), slice.token_after());
    let is_grammar = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Mark
            || is_one_of(tokens, token, &OPENINGS)
            || flags(token) & GRAMMAR != 0 && flags(token) & flag::NUMBER == 0 && !is_one_of(tokens, token, &OTHERS)
    };
    // "okay it's one"
    let is_told = first > 0 && flags(tokens.before(first)) & flag::COPULA != 0 && after.kind == TokenKind::Edge
        || first > 0 && flags(tokens.before(first)) & flag::AND != 0;
    let is_pronoun = slice.len() == 1 && is_one_of(tokens, tokens.at(first), &["one"]) && !is_told;
    // "5am", "2:30"
    let is_decimal = after.is_mark(b'.') && tokens.at(slice.end_token() + 1).gap == Gap::None;
    // "twenty something"
    let is_about = is_one_of(tokens, after, &["something", "odd", "ish"]);
    // "three? i can only see two", "three on mine"
    let is_echo = slice.len() == 1
        && (after.is_mark(b'?') || is_one_of(tokens, after, &["on", "of", "digits", "numbers", "only"]));
    let is_joined = after.gap == Gap::None && (after.kind == TokenKind::Word || after.is_mark(b':') || is_decimal);
    let line = (1..=first).rev().find(|at| tokens.at(*at).gap >= Gap::Line).unwrap_or(0);
    first <= MAX_WORDS_BEFORE_PART
        && !is_pronoun
        && !is_joined
        && !is_echo
        && !is_about
        && (line..first).all(is_grammar)
        && (after.kind != TokenKind::Word || after.gap >= Gap::Line || is_grammar(slice.end_token()))
}

/// Whether digits are one group, or all said aloud.
fn has_code_format(slice: RunSlice<'_, '_>) -> bool {
    (3..=8).contains(&slice.len()) && (slice.groups().len() == 1 || slice.all_spoken()) && !slice.follows_letter()
}

/// The codes of the cue that is nearest to a slice; `None` if the text has no cue, or if the nearest one is for another
/// entity.
fn nearest_codes(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> Option<EntitySet> {
    // "the unlock code on the phone is 4821": the noun after a preposition is no subject.
    let is_modifier = |cue: &Cue| {
        let first = cue.first_token as usize;
        (1..=2).any(|n| first >= n && is_one_of(input.tokens, input.tokens.at(first - n), &PREPOSITIONS))
    };
    let counts = |cue: &&Cue| {
        let is_code = cue.entities.intersects(CODES) && !is_bare_code(cue);
        is_code
            || !is_modifier(cue)
                && (cue.entities.is_empty() || !is_bare_code(cue) && !cue.entities.is_subset(CARD_TALK))
    };
    let is_near = |cue: &&Cue| counts(cue) && !is_aside(input, cue, slice.first_token());
    let nearest = input.cues_near(slice.first_token()).iter().filter(is_near).min_by_key(|cue| distance(cue, slice))?;
    (distance(nearest, slice) <= MAX_DISTANCE && nearest.entities.intersects(CODES)).then_some(nearest.entities)
}

/// Whether the words before a slice introduce a value: "it said", "i typed", "changed it to", "it is".
fn is_introduced(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (tokens, first) = (input.tokens, slice.first_token());
    for at in (first.saturating_sub(MAX_SKIPPED)..first).rev() {
        let token = tokens.at(at);
        if tokens.at(at + 1).gap >= Gap::Line {
            return false;
        }
        match token.kind {
            TokenKind::Mark if matches!(token.mark(), b':' | b'=') => return true,
            TokenKind::Mark if matches!(token.mark(), b'"' | b'\'' | b'(' | b',') => {}
            TokenKind::Word => match word_role(tokens, token) {
                WordRole::Introduces => return true,
                WordRole::Origin => return follows_change(input, at),
                WordRole::Skipped => {}
                WordRole::Other => return false,
            },
            TokenKind::Mark | TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => return false,
        }
    }
    let is_answer = input.expected_entities.intersects(CODES) && tokens.len() <= MAX_ANSWER_TOKENS;
    first <= MAX_SKIPPED && is_answer
}

/// Whether a verb of change is before the "from" at a token.
fn follows_change(input: &DetectorInput<'_, '_>, from: usize) -> bool {
    const REACH: usize = 10;
    const VERBS: [&str; 12] = [
        "change", "changed", "changing", "switch", "update", "cambiar", "mudar", "trocar", "alterar", "changer",
        "cambiare", "andern",
    ];
    (from.saturating_sub(REACH)..from).any(|at| is_one_of(input.tokens, input.tokens.at(at), &VERBS))
}

/// Whether the words after a slice say what it is: "4821 a bad pin", "061 where it says cvc".
fn is_described(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const REACH: usize = 4;
    let (tokens, after) = (input.tokens, slice.end_token());
    let begins = slice.first_token() <= 1 || flags(slice.token_before()) & flag::COPULA != 0;
    begins
        && input.cues_near(after).iter().any(|cue| {
            let first = cue.first_token as usize;
            cue.entities.intersects(CODES)
                && (after..after + REACH).contains(&first)
                && (after..first).all(|at| tokens.at(at).kind == TokenKind::Word && tokens.at(at).gap < Gap::Line)
        })
}
