//! Postal codes beside the name of a state.

use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::us_states::{US_STATES, UsState};
use crate::tokenize::{Gap, TokenKind, Tokens};
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
