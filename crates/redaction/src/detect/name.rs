//! Names of people who introduce themselves or are asked for their name.

use super::{DetectorInput, flags};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::word_set::{COMMON_WORD_SET, GIVEN_NAME_SET, HashedWord, ORDINARY_GIVEN_NAME_SET, SURNAME_SET};
use crate::tagger::is_form_of_address;
use crate::tokenize::lexicon::word_id;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};
use std::borrow::Cow;

/// Maximum words of a name.
const MAX_NAME_WORDS: usize = 3;

/// Looks after cues such as "name is", after "this is" and "I am" if `has_introduction`, and at answers to a question
/// for a name.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, has_introduction: bool, out: &mut Candidates) {
    if !out.is_any_active(Entity::PERSON_NAME.bit()) {
        return;
    }
    let tokens = input.tokens;
    for cue in input.cues().iter().filter(|c| c.entities.contains(Entity::PERSON_NAME)) {
        let first = after_connectors(tokens, cue.end_token as usize);
        if let Some(first) = first.filter(|first| !cue.needs_connector || *first > cue.end_token as usize) {
            push(tokens, first, NameCue::Explicit, DetectionReason::Cue, out);
        }
    }
    if has_introduction {
        detect_introductions(tokens, out);
    }
    if input.expected_entities.contains(Entity::PERSON_NAME)
        && let Some(first) = super::word_value::answer_word(tokens)
    {
        push(tokens, first, NameCue::Explicit, DetectionReason::EarlierCue, out);
    }
}

/// Looks after "this is" and "I am".
pub(crate) fn detect_introductions(tokens: &Tokens<'_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::PERSON_NAME.bit()) {
        return;
    }
    for (at, token) in tokens.as_slice().iter().enumerate() {
        if flags(*token) & flag::INTRODUCTION != 0
            && let Some(first) = introduction_end(tokens, at)
        {
            push(tokens, first, NameCue::Introduction, DetectionReason::Cue, out);
        }
    }
}

/// The kind of words before a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameCue {
    /// A cue such as "my name is".
    Explicit,
    /// "This is" or "I am".
    Introduction,
}

/// The token where a value begins after "is", ":" and the like.
fn after_connectors(tokens: &Tokens<'_>, mut at: usize) -> Option<usize> {
    for _ in 0..4 {
        let token = tokens.at(at);
        let is_connector = flags(token) & flag::COPULA != 0
            || token.is_mark(b':')
            || token.is_mark(b'=')
            || token.is_mark(b'"')
            || token.is_mark(b'\'')
            || tokens.str(token) == "s";
        if !is_connector {
            break;
        }
        at += 1;
    }
    let token = tokens.at(at);
    (token.kind == TokenKind::Word && token.gap <= Gap::Line).then_some(at)
}

/// The token after "this is", "I am" or "I'm", where `at` is the "this", "am" or "m".
fn introduction_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    if is_word(tokens.at(at), THIS) {
        return is_word(tokens.at(at + 1), IS).then_some(at + 2);
    }
    let before = tokens.before(at);
    let is_full = is_word(tokens.at(at), AM) && is_word(before, I);
    let is_contracted = || {
        is_word(tokens.at(at), M)
            && before.is_mark(b'\'')
            && at.checked_sub(2).is_some_and(|first| is_word(tokens.at(first), I))
    };
    (is_full || is_contracted()).then_some(at + 1)
}

/// A word as its index in the lexicon and its byte length. The length excludes spellings with non-ASCII letters.
type LexiconKey = (u16, usize);

const THIS: LexiconKey = lexicon_key("this");
const IS: LexiconKey = lexicon_key("is");
const I: LexiconKey = lexicon_key("i");
const AM: LexiconKey = lexicon_key("am");
const M: LexiconKey = lexicon_key("m");

const fn lexicon_key(word: &str) -> LexiconKey {
    let id = word_id(word);
    assert!(id != 0);
    (id, word.len())
}

fn is_word(token: Token, (slot, length): LexiconKey) -> bool {
    token.kind == TokenKind::Word && token.slot() == slot && token.byte_len() == length
}

fn push(tokens: &Tokens<'_>, first: usize, name_cue: NameCue, reason: DetectionReason, out: &mut Candidates) {
    let mut after = first;
    let mut confirmed = name_cue == NameCue::Explicit;
    while after < first + MAX_NAME_WORDS && is_name(tokens, after, after == first, name_cue, &mut confirmed) {
        after += 1;
    }
    if after > first && confirmed {
        out.push_fully_masked(
            tokens.at(first).start,
            tokens.before(after).end,
            Entity::PERSON_NAME,
            reason,
            EvidenceRank::Cue,
        );
    }
}

/// Whether a word can be part of a name.
fn is_name(tokens: &Tokens<'_>, at: usize, first: bool, name_cue: NameCue, confirmed: &mut bool) -> bool {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word
        || !first && token.gap != Gap::Space
        || first && super::is_contraction(tokens, at)
        || is_form_of_address(tokens, at)
        || tokens.at(at + 1).is_mark(b'@') && tokens.at(at + 1).gap == Gap::None
    {
        return false;
    }
    let word = tokens.str(token);
    let lower = if word.is_ascii() { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) };
    let capital = word.starts_with(char::is_uppercase);
    let lookup = HashedWord::new(lower.as_bytes());
    let given = GIVEN_NAME_SET.contains_hashed(lookup);
    let listed = given || (!first || capital) && SURNAME_SET.contains_hashed(lookup);
    let ordinary = given && ORDINARY_GIVEN_NAME_SET.contains_hashed(lookup);
    if listed && !(ordinary && !capital && name_cue == NameCue::Introduction) {
        *confirmed |= given && !ordinary || capital && !first;
        return true;
    }
    if flags(token)
        & (flag::STOPWORD | flag::CONNECTOR | flag::STATUS | flag::AND | flag::CUE_HEAD | flag::FILLER | flag::NUMBER)
        != 0
    {
        return capital && !first && word.len() == 1;
    }
    if name_cue == NameCue::Introduction && first {
        return false;
    }
    let length = word.chars().take(2).count();
    length >= 2 && (capital && at > 0 || !COMMON_WORD_SET.contains_hashed(lookup)) || !first && length == 1
}
