//! Names of people where they introduce themselves or are asked for their name.

use super::{Page, flags};
use crate::candidate::{Candidates, Proof};
use crate::entity::Entity;
use crate::span::Reason;
use crate::tables::index::{COMMON, FAMILY, GIVEN, ORDINARY_GIVEN, Sought};
use crate::tokenize::lexicon::id_of;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens};
use std::borrow::Cow;

/// Words of a name at most.
const WORDS: usize = 3;

/// Looks after "name is", after "this is" and "I am" where the text has such words, and at answers to a question for a
/// name.
pub(crate) fn detect(page: &Page<'_, '_>, introduced: bool, out: &mut Candidates) {
    if !out.wants(Entity::PERSON_NAME.bit()) {
        return;
    }
    let tokens = page.tokens;
    for cue in page.cues().iter().filter(|c| c.set.contains(Entity::PERSON_NAME)) {
        let first = after_links(tokens, cue.after as usize);
        if let Some(first) = first.filter(|first| !cue.shy || *first > cue.after as usize) {
            push(tokens, first, Trust::Named, Reason::Cue, out);
        }
    }
    if introduced {
        detect_introduced(tokens, out);
    }
    if page.armed.contains(Entity::PERSON_NAME)
        && let Some(first) = super::word_value::answer_word(tokens)
    {
        push(tokens, first, Trust::Named, Reason::EarlierCue, out);
    }
}

/// Looks after "this is", "I am".
pub(crate) fn detect_introduced(tokens: &Tokens<'_>, out: &mut Candidates) {
    if !out.wants(Entity::PERSON_NAME.bit()) {
        return;
    }
    for (at, token) in tokens.all().iter().enumerate() {
        if flags(*token) & flag::INTRODUCES != 0
            && let Some(first) = introduction(tokens, at)
        {
            push(tokens, first, Trust::Said, Reason::Cue, out);
        }
    }
}

/// How much the words before say that a name follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// "My name is".
    Named,
    /// "This is", "I am".
    Said,
}

/// The token where a value begins after "is", ":" and the like.
fn after_links(tokens: &Tokens<'_>, mut at: usize) -> Option<usize> {
    for _ in 0..4 {
        let token = tokens.at(at);
        let link = flags(token) & flag::IS != 0
            || token.is_mark(b':')
            || token.is_mark(b'=')
            || token.is_mark(b'"')
            || token.is_mark(b'\'')
            || tokens.str(token) == "s";
        if !link {
            break;
        }
        at += 1;
    }
    let token = tokens.at(at);
    (token.kind == Kind::Word && token.gap <= Gap::Line).then_some(at)
}

/// The token after "this is", "I am", "I'm", told by its "this", "am" or "m".
fn introduction(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    if is(tokens.at(at), THIS) {
        return is(tokens.at(at + 1), IS).then_some(at + 2);
    }
    let before = tokens.before(at);
    let said = is(tokens.at(at), AM) && is(before, I);
    let shortened = || {
        is(tokens.at(at), M) && before.is_mark(b'\'') && at.checked_sub(2).is_some_and(|first| is(tokens.at(first), I))
    };
    (said || shortened()).then_some(at + 1)
}

/// A word by its place in the lexicon and its length, which it has in bytes where all its letters are ASCII.
type Plain = (u16, usize);

const THIS: Plain = plain("this");
const IS: Plain = plain("is");
const I: Plain = plain("i");
const AM: Plain = plain("am");
const M: Plain = plain("m");

const fn plain(word: &str) -> Plain {
    let id = id_of(word);
    assert!(id != 0);
    (id, word.len())
}

fn is(token: Token, (code, length): Plain) -> bool {
    token.kind == Kind::Word && token.code == code && token.bytes() == length
}

fn push(tokens: &Tokens<'_>, first: usize, trust: Trust, reason: Reason, out: &mut Candidates) {
    let mut after = first;
    let mut sure = trust == Trust::Named;
    while after < first + WORDS && is_name(tokens, after, after == first, trust, &mut sure) {
        after += 1;
    }
    if after > first && sure {
        out.whole(tokens.at(first).start, tokens.before(after).end, Entity::PERSON_NAME, reason, Proof::Cue);
    }
}

/// Whether a word can be part of a name.
fn is_name(tokens: &Tokens<'_>, at: usize, first: bool, trust: Trust, sure: &mut bool) -> bool {
    let token = tokens.at(at);
    if token.kind != Kind::Word
        || !first && token.gap != Gap::Space
        || first && super::is_shortened(tokens, at)
        || tokens.at(at + 1).is_mark(b'@') && tokens.at(at + 1).gap == Gap::None
    {
        return false;
    }
    let word = tokens.str(token);
    let lower = if word.is_ascii() { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) };
    let capital = word.starts_with(char::is_uppercase);
    let sought = Sought::new(lower.as_bytes());
    let given = GIVEN.holds(sought);
    let listed = given || (!first || capital) && FAMILY.holds(sought);
    let ordinary = given && ORDINARY_GIVEN.holds(sought);
    if listed && !(ordinary && !capital && trust == Trust::Said) {
        *sure |= given && !ordinary || capital && !first;
        return true;
    }
    if flags(token) & (flag::PLAIN | flag::LINK | flag::STATUS | flag::AND | flag::CUE | flag::FILLER | flag::NUMBER)
        != 0
    {
        return capital && !first && word.len() == 1;
    }
    if trust == Trust::Said && first {
        return false;
    }
    let length = word.chars().take(2).count();
    length >= 2 && (capital && at > 0 || !COMMON.holds(sought)) || !first && length == 1
}
