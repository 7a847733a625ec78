//! Postal codes beside the name of a state.

use crate::candidate::{Candidates, Proof};
use crate::check::number;
use crate::entity::Entity;
use crate::scan::{Gap, Kind, Tokens};
use crate::span::Reason;
use crate::table::us_states::US_STATES;

/// Whether the name or abbreviation of a state begins at a token, and its tokens.
pub(super) fn state_at(tokens: &Tokens<'_>, at: usize) -> (bool, usize) {
    let token = tokens.at(at);
    if token.kind != Kind::Word {
        return (false, 0);
    }
    let word = tokens.str(token);
    let next = tokens.at(at + 1);
    let first = word.bytes().next().map_or(0, |b| b | 0x20);
    for state in US_STATES
        .iter()
        .filter(|s| s.name.as_bytes().first() == Some(&first) || s.abbreviation.as_bytes().first() == Some(&first))
    {
        let upper = word.bytes().all(|b| b.is_ascii_uppercase());
        if word.len() == 2
            && word.eq_ignore_ascii_case(state.abbreviation)
            && (upper || !state.abbreviation_is_word || next.kind == Kind::Digits && next.code == 5)
        {
            return (true, 1);
        }
        if word.eq_ignore_ascii_case(state.name) {
            return (true, 1);
        }
        if let Some((head, rest)) = state.name.split_once(' ')
            && word.eq_ignore_ascii_case(head)
            && next.kind == Kind::Word
            && tokens.str(next).eq_ignore_ascii_case(rest)
        {
            return (true, 2);
        }
    }
    (false, 0)
}

/// Five digits after a state whose codes begin like them.
pub(super) fn detect(tokens: &Tokens<'_>, at: usize, out: &mut Candidates) {
    let token = tokens.at(at);
    let mut before = at;
    if token.code != 5 || token.gap == Gap::None && tokens.before(at).is_value() {
        return;
    }
    if before > 0 && tokens.before(before).is_mark(b',') {
        before -= 1;
    }
    let one = before > 0 && state_at(tokens, before - 1) == (true, 1);
    let two = before > 1 && state_at(tokens, before - 2) == (true, 2);
    let known = number(tokens.str(token).as_bytes()).is_some_and(|n| n >= 500);
    if (one || two) && known && tokens.at(before).gap <= Gap::Space {
        let plus = tokens.at(at + 1).is_mark(b'-')
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 2).kind == Kind::Digits
            && tokens.at(at + 2).code == 4;
        let last = if plus { at + 2 } else { at };
        out.whole(token.start, tokens.at(last).end, Entity::ZIP_CODE, Reason::Cue, Proof::Cue);
    }
}
