//! Words between two cues, or between a cue and a value, that say to which cue the value refers.

use super::{flags, is_connector, is_one_of};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, Tokens};

/// Whether a cue only describes the one before it further.
pub(crate) fn describes(tokens: &Tokens<'_>, head: &Cue, cue: &Cue) -> bool {
    const PREPOSITIONS: [&str; 10] = ["on", "of", "for", "from", "in", "de", "del", "von", "do", "della"];
    const NOT_HEADS: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::PERSON_NAME]);
    // "i'm calling for my son his social is 123": a verb is no head.
    const CALLS: [&str; 4] = ["call", "calls", "called", "calling"];
    let (from, first) = (head.end_token as usize, cue.first_token as usize);
    (1..=4).contains(&first.saturating_sub(from))
        && !head.entities.is_empty()
        && !is_one_of(tokens, tokens.at(head.first_token as usize), &CALLS)
        && !head.entities.intersects(NOT_HEADS)
        && is_one_of(tokens, tokens.at(from), &PREPOSITIONS)
        && (from..first).all(|at| is_connector(tokens, at) || flags(tokens.at(at)) & flag::STOPWORD != 0)
}

/// Whether the words before a value refer back to what was named: "it says", "it's", "the last four are".
pub(crate) fn refers_back(tokens: &Tokens<'_>, value: usize) -> bool {
    const VERBS: [&str; 9] = ["is", "s", "was", "said", "says", "reads", "shows", "looks", "are"];
    const SUBJECTS: [&str; 7] = ["it", "its", "that", "this", "four", "4", "digits"];
    let mut at = value;
    while at > 0 && (flags(tokens.before(at)) & flag::FILLER != 0 || tokens.before(at).is_mark(b':')) {
        at -= 1;
    }
    let is = |token: Token, words: &[&str]| token.is_alphanumeric() && words.contains(&tokens.str(token));
    if at == 0 {
        return false;
    }
    if is(tokens.before(at), &["its"]) {
        return true;
    }
    let subject = at - 1 - usize::from(at > 1 && tokens.before(at - 1).is_mark(b'\''));
    is(tokens.before(at), &VERBS) && is(tokens.before(subject), &SUBJECTS)
}
