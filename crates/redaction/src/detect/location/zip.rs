//! Postal codes beside the name of a state, and after a street.

use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::{flags, is_one_of};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::us_states::{US_STATES, UsState};
use crate::tagger::is_street_word;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};
use crate::validate::number;
use std::iter;

/// Whether the name or abbreviation of a state begins at a token, and the number of its tokens.
pub(super) fn state_at(tokens: &Tokens<'_>, at: usize) -> (bool, usize) {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word {
        return (false, 0);
    }
    let word = tokens.str(token);
    let next = tokens.at(at + 1);
    for state in states_by_initial(word) {
        let upper = word.bytes().all(|b| b.is_ascii_uppercase());
        if word.len() == 2
            && word.eq_ignore_ascii_case(state.abbreviation)
            && (upper || !state.abbreviation_is_word || next.kind == TokenKind::Digits && next.digit_count() == 5)
        {
            return (true, 1);
        }
        if word.eq_ignore_ascii_case(state.name) {
            return (true, 1);
        }
        if let Some((head, rest)) = state.name.split_once(' ')
            && word.eq_ignore_ascii_case(head)
            && next.kind == TokenKind::Word
            && tokens.str(next).eq_ignore_ascii_case(rest)
        {
            return (true, 2);
        }
    }
    (false, 0)
}

/// The states whose name or abbreviation begins with each letter, one bit per state; index 0 is "a".
static STATES_BY_LETTER: [u64; 26] = {
    assert!(US_STATES.len() <= 64);
    let (mut sets, mut at) = ([0; 26], 0);
    while at < US_STATES.len() {
        sets[(US_STATES[at].name.as_bytes()[0] - b'a') as usize] |= 1 << at;
        sets[(US_STATES[at].abbreviation.as_bytes()[0] - b'a') as usize] |= 1 << at;
        at += 1;
    }
    sets
};

/// The states whose name or abbreviation begins with the first letter of a word.
fn states_by_initial(word: &str) -> impl Iterator<Item = &'static UsState> {
    let letter = word.bytes().next().map_or(0, |byte| byte.to_ascii_lowercase().wrapping_sub(b'a'));
    let mut rest = STATES_BY_LETTER.get(usize::from(letter)).copied().unwrap_or(0);
    iter::from_fn(move || {
        let state = US_STATES.get(rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(state)
    })
}

/// Reports five digits, from 00500 on, after the name or abbreviation of a state, with the four digits after a hyphen.
pub(super) fn detect(tokens: &Tokens<'_>, at: usize, out: &mut Candidates) {
    let token = tokens.at(at);
    let mut before = at;
    if token.digit_count() != 5 || token.gap == Gap::None && tokens.before(at).is_alphanumeric() {
        return;
    }
    if before > 0 && tokens.before(before).is_mark(b',') {
        before -= 1;
    }
    let one_word_state = before > 0 && state_at(tokens, before - 1) == (true, 1);
    let two_word_state = before > 1 && state_at(tokens, before - 2) == (true, 2);
    let is_in_range = number(tokens.str(token).as_bytes()).is_some_and(|n| n >= 500);
    if (one_word_state || two_word_state) && is_in_range && tokens.at(before).gap <= Gap::Space {
        let has_plus_four = tokens.at(at + 1).is_mark(b'-')
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 2).kind == TokenKind::Digits
            && tokens.at(at + 2).digit_count() == 4;
        let last = if has_plus_four { at + 2 } else { at };
        out.push_fully_masked(
            token.start,
            tokens.at(last).end,
            Entity::ZIP_CODE,
            DetectionReason::Cue,
            EvidenceRank::Cue,
        );
    }
}

/// Maximum tokens between the word for a street and the postal code, of which at most [`MAX_CITY_WORDS`] name a city.
const MAX_FROM_STREET: usize = 14;
const MAX_CITY_WORDS: usize = 4;
/// Maximum tokens between a house number and the word for the street after it.
const MAX_TO_STREET: usize = 6;

/// Whether the number that begins at a token follows a street with a house number, with nothing but a dwelling, a city
/// and a state between: "12 Elm Road, Springfield 62704", "Ringstraße 8, 50667 Köln". A post box is a street too.
pub(crate) fn follows_street(tokens: &Tokens<'_>, first: usize) -> bool {
    let (mut words, mut has_number) = (0, false);
    for at in (first.saturating_sub(MAX_FROM_STREET)..first).rev() {
        let token = tokens.at(at);
        if tokens.at(at + 1).gap >= Gap::Paragraph {
            return false;
        }
        if token.kind == TokenKind::Word && (is_street_word(tokens, at) || is_one_of(tokens, token, &["box"])) {
            let before = at.saturating_sub(MAX_TO_STREET)..at;
            return has_number || before.rev().any(|near| is_number(tokens.at(near)));
        }
        has_number |= is_number(token);
        let is_part = match token.kind {
            TokenKind::Digits => token.digit_count() <= 5,
            TokenKind::Mark => !ends_sentence(tokens, at),
            TokenKind::Word if is_number(token) || flags(token) & flag::DWELLING != 0 || token.byte_len() <= 2 => true,
            TokenKind::Word => {
                words += 1;
                words <= MAX_CITY_WORDS && flags(token) & NOT_CITY == 0
            }
            TokenKind::Mask | TokenKind::Edge => false,
        };
        if !is_part {
            return false;
        }
    }
    false
}

/// Words that no name of a city has.
const NOT_CITY: u32 = flag::STOPWORD | flag::COPULA | flag::AND | flag::CUE_HEAD | flag::CONNECTOR | flag::UNIT;

fn is_number(token: Token) -> bool {
    token.kind == TokenKind::Digits || flags(token) & flag::NUMBER != 0
}

/// Whether a mark ends a sentence or leads to another value. A dot after an abbreviation does not: "Elm St. 12".
fn ends_sentence(tokens: &Tokens<'_>, at: usize) -> bool {
    /// Bytes of the longest abbreviation.
    const MAX_ABBREVIATION: usize = 5;
    let token = tokens.at(at);
    let is_dot = token.is_mark(b'.') && tokens.at(at + 1).gap != Gap::None;
    let ends_abbreviation =
        || tokens.before(at).byte_len() <= MAX_ABBREVIATION || at > 0 && is_street_word(tokens, at - 1);
    is_dot && !ends_abbreviation() || [b':', b';', b'?', b'!', b'='].iter().any(|mark| token.is_mark(*mark))
}
