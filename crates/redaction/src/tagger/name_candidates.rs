//! The tokens that can be part of the name of a person. The tagger decides which of them are.

use super::attributes::KIND_FILLER;
use super::candidate_set::{CandidateSet, NAME};
use super::view::{Position, View};
use super::word_class::WordClass as C;
use super::word_lists::Lexical;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind};

/// Marks the candidates of a text.
pub(super) fn mark(view: &mut View<'_, '_>, set: &mut CandidateSet) {
    let tokens = view.tokens.as_slice();
    let bytes = view.tokens.text.as_bytes();
    let mut letters = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Word {
            continue;
        }
        if token.byte_len() == 1 {
            letters += 1;
        } else if may_be_name(bytes, *token) && is_candidate(view, set, at) {
            set.add(at, NAME);
        }
    }
    if letters >= MIN_SPELLED {
        mark_spelled(view, set);
    }
    if !set.is_empty() {
        extend_right(view, set);
        extend_left(view, set);
    }
}

/// Single letters in a row from which they may spell a name.
const MIN_SPELLED: usize = 3;

/// Whether a word has a capital or is outside the lexicon. This check is cheap.
#[inline]
fn may_be_name(text: &[u8], token: Token) -> bool {
    token.slot() == 0 || text.get(token.start as usize).is_some_and(u8::is_ascii_uppercase)
}

fn is_candidate(view: &mut View<'_, '_>, set: &CandidateSet, at: usize) -> bool {
    let attributes = view.at(at);
    if attributes.lexical == Lexical::Common && !attributes.is_capital {
        return false;
    }
    let flags = view.tokens.at(at).flags;
    let is_listed = attributes.lexical.is_listed();
    if attributes.class != C::Other && !is_listed || flags & (flag::NUMBER | flag::FILLER | flag::COPULA) != 0 {
        return false;
    }
    // The lexicon has the words of cues, which are no names unless a list says so.
    if attributes.lexical == Lexical::Unknown && view.tokens.at(at).slot() != 0 || is_glued(view, at) {
        return false;
    }
    match attributes.lexical {
        Lexical::Common => attributes.is_capital && set.has(at.wrapping_sub(1), NAME) && is_after_space(view, at),
        Lexical::Unknown | Lexical::CommonName if !attributes.is_capital => is_introduced(view, set, at),
        Lexical::Unknown | Lexical::CommonName | Lexical::GivenName | Lexical::Surname | Lexical::GivenAndSurname => {
            true
        }
    }
}

fn is_after_space(view: &View<'_, '_>, at: usize) -> bool {
    view.tokens.at(at).gap == Gap::Space
}

/// Whether a word is part of an e-mail address, a URL, a file name or a code.
fn is_glued(view: &View<'_, '_>, at: usize) -> bool {
    let tokens = view.tokens;
    let joins = |token: Token| {
        matches!(token.kind, TokenKind::Digits | TokenKind::Mask)
            || [b'@', b'_', b'/', b'\\', b'=', b'&', b'#'].iter().any(|mark| token.is_mark(*mark))
    };
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let dotted = |mark: Token, beyond: Token| {
        mark.is_mark(b'.') && mark.gap == Gap::None && beyond.gap == Gap::None && beyond.kind == TokenKind::Word
    };
    token.gap == Gap::None && joins(tokens.before(at))
        || next.gap == Gap::None && joins(next) && !next.is_mark(b'/')
        || dotted(next, tokens.at(at + 2))
        || token.gap == Gap::None && dotted(tokens.before(at), token)
}

/// Whether the token before a word in small letters makes it a possible name.
fn is_introduced(view: &mut View<'_, '_>, set: &CandidateSet, at: usize) -> bool {
    let before = view.before(first_part(view, at));
    if set.has(before, NAME) || view.asked.name {
        return true;
    }
    if matches!(view.tokens.at(before).kind, TokenKind::Digits | TokenKind::Mark | TokenKind::Edge) {
        return true;
    }
    let class = view.class(before);
    matches!(
        class,
        C::NameWord
            | C::Relation
            | C::Title
            | C::Greeting
            | C::SignOff
            | C::Contact
            | C::Role
            | C::Particle
            | C::Copula
            | C::Preposition
            | C::Conjunction
            | C::AnswerStart
            | C::Pronoun
            | C::AfterName
    ) || view.position(at) == Position::Line
}

/// The index of the first part of a word with an apostrophe or hyphen after one or two letters: "o'malley".
fn first_part(view: &View<'_, '_>, at: usize) -> usize {
    let tokens = view.tokens;
    let (mark, part) = (tokens.before(at), tokens.before(at.wrapping_sub(1)));
    let is_joined =
        tokens.at(at).gap == Gap::None && mark.gap == Gap::None && (mark.is_mark(b'\'') || mark.is_mark(b'-'));
    if is_joined && part.kind == TokenKind::Word && part.byte_len() <= 2 { at - 2 } else { at }
}

/// Marks single letters in a row, with hyphens between them or not.
fn mark_spelled(view: &View<'_, '_>, set: &mut CandidateSet) {
    let tokens = view.tokens;
    let is_letter = |at: usize| tokens.at(at).kind == TokenKind::Word && tokens.at(at).byte_len() == 1;
    let (mut at, mut count, mut first) = (0, 0, 0);
    while at <= tokens.len() {
        let joins = tokens.at(at).is_mark(b'-') && is_letter(at + 1)
            || tokens.at(at).flags & flag::REPEAT != 0 && is_letter(at + 1);
        if is_letter(at) {
            if count == 0 {
                first = at;
            }
            count += 1;
        } else if !(joins && count > 0) {
            if count >= MIN_SPELLED {
                (first..at).for_each(|at| set.add(at, NAME));
            }
            count = 0;
        }
        at += 1;
    }
}

/// Adds initials, second parts after a hyphen or apostrophe, and commas between two candidates.
fn extend_right(view: &mut View<'_, '_>, set: &mut CandidateSet) {
    let mut at = 0;
    while let Some(before) = set.next(at, NAME) {
        at = before + 1;
        if at < view.tokens.len() && !set.has(at, NAME) {
            extend_to(view, set, at);
        }
    }
}

/// Adds the token after a candidate, or the part of a word after it, if it belongs to the candidate.
fn extend_to(view: &mut View<'_, '_>, set: &mut CandidateSet, at: usize) {
    let tokens = view.tokens;
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let is_initial = token.kind == TokenKind::Word
        && token.byte_len() == 1
        && token.gap == Gap::Space
        && token.flags & flag::COPULA == 0;
    let is_joint = joins_words(token, next)
        && (view.at(at + 1).lexical != Lexical::Common || view.at(at + 1).is_capital)
        && next.byte_len() > 1;
    let ends_initial = token.is_mark(b'.') && token.gap == Gap::None && tokens.before(at).byte_len() <= 2;
    let is_after_initial = tokens.before(at).is_mark(b'.')
        && token.kind == TokenKind::Word
        && token.gap == Gap::Space
        && view.at(at).lexical != Lexical::Common;
    let is_comma = token.is_mark(b',') && set.has(at + 1, NAME);
    if is_joint {
        set.add(at + 1, NAME);
    }
    let is_suffix = token.gap == Gap::Space
        && token.flags & flag::COPULA == 0
        && view.class(at) == C::Particle
        && view.at(at).is_capital;
    if is_initial || is_joint || ends_initial || is_comma || is_suffix || is_after_initial {
        set.add(at, NAME);
    }
}

fn joins_words(mark: Token, next: Token) -> bool {
    (mark.is_mark(b'-') || mark.is_mark(b'\''))
        && mark.gap == Gap::None
        && next.gap == Gap::None
        && next.kind == TokenKind::Word
}

/// Adds particles, first parts before a hyphen or apostrophe, and first names before a surname.
fn extend_left(view: &mut View<'_, '_>, set: &mut CandidateSet) {
    let tokens = view.tokens;
    let mut end = tokens.len();
    while let Some(after) = set.last(end, NAME) {
        end = after;
        let Some(at) = after.checked_sub(1) else { break };
        if set.has(at, NAME) || tokens.at(after).gap > Gap::Space {
            continue;
        }
        let (token, next) = (tokens.at(at), tokens.at(at + 1));
        let attributes = view.at(at);
        let is_particle = attributes.class == C::Particle && token.kind == TokenKind::Word;
        let is_initial = token.kind == TokenKind::Word && token.byte_len() == 1;
        let is_joint = (token.is_mark(b'-') || token.is_mark(b'\'') || token.is_mark(b'.'))
            && token.gap == Gap::None
            && tokens.before(at).kind == TokenKind::Word
            && (next.gap == Gap::None || token.is_mark(b'.') && tokens.before(at).byte_len() <= 2)
            || token.is_mark(b'\'') && next.gap == Gap::None && next.byte_len() == 1;
        let is_before_joint = token.kind == TokenKind::Word
            && next.kind == TokenKind::Mark
            && !next.is_mark(b',')
            && next.gap == Gap::None
            && (attributes.lexical != Lexical::Common || attributes.is_capital || token.byte_len() <= 2);
        let is_first_name = token.kind == TokenKind::Word
            && next.kind == TokenKind::Word
            && attributes.lexical == Lexical::CommonName
            && (attributes.is_capital || view.at(at + 1).lexical != Lexical::Unknown)
            && attributes.kind != KIND_FILLER
            && token.flags & (flag::NUMBER | flag::COPULA) == 0;
        if is_particle || is_initial || is_joint || is_before_joint || is_first_name {
            set.add(at, NAME);
        }
    }
}
