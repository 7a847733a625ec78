//! Names of people that name a thing: a brand, a place, a work, an illness.

use super::folded_word::FoldedWord;
use super::view::View;
use super::word_class::WordClass as C;
use crate::tables::eponyms::{EPONYMS, MAX_EPONYM_WORDS};
use crate::tokenize::{Gap, TokenKind, Tokens};
use std::ops::Range;

/// Whether a found name names a thing: it is a part of a name of [`EPONYMS`], as the "Hugo" of "Hugo Boss" is, or one word longer
/// that no list has, unless a word for people introduces it; or it has two words or more and follows "the". It never does where
/// an earlier message asks for a name.
pub(super) fn names_thing(view: &mut View<'_, '_>, found: &Range<usize>) -> bool {
    if view.asked.name {
        return false;
    }
    let first = found.start.saturating_sub(2 * MAX_EPONYM_WORDS);
    let Some((start, end)) = (first..=found.start).find_map(|start| {
        let end = eponym_end(view.tokens, start)?;
        (end > found.start).then_some((start, end))
    }) else {
        return is_whole_name_after_the(view, found);
    };
    let covers = end >= found.end || found.end - end == 1 && !view.at(end).lexical.is_listed();
    covers && !is_introduced(view, start)
}

/// Whether a whole name follows "the", as that of a room or product does: "the Ada Byron wing".
fn is_whole_name_after_the(view: &mut View<'_, '_>, found: &Range<usize>) -> bool {
    let tokens = view.tokens;
    let words = found.clone().filter(|at| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at).byte_len() > 1);
    found.start > 0
        && crate::detect::is_one_of(tokens, tokens.before(found.start), &["the"])
        && tokens.at(found.start).gap == Gap::Space
        && words.count() >= 2
}

/// Whether a word that introduces people stands before a name, directly or before "is" or a colon: a title, relation, role,
/// greeting, sign-off, or a word for a name or a contact.
fn is_introduced(view: &mut View<'_, '_>, start: usize) -> bool {
    let before = view.before(start);
    let class = view.class(before);
    let named = |class: C| {
        matches!(class, C::NameWord | C::Relation | C::Title | C::Greeting | C::SignOff | C::Contact | C::Role)
    };
    if named(class) {
        return true;
    }
    let earlier = view.before(before);
    let is_copula = class == C::Copula || view.tokens.at(before).is_mark(b':');
    is_copula && named(view.class(earlier))
}

/// The token after the longest name of a thing that begins at a token.
fn eponym_end(tokens: &Tokens<'_>, start: usize) -> Option<usize> {
    let (mut name, mut longest) = (String::new(), None);
    let mut words = 0;
    for at in start..start + 2 * MAX_EPONYM_WORDS {
        let token = tokens.at(at);
        match token.kind {
            TokenKind::Word if words < MAX_EPONYM_WORDS => {
                if words > 0 {
                    name.push(' ');
                }
                words += 1;
                name.extend(FoldedWord::new(tokens.text, token).letters().iter().map(|byte| char::from(*byte)));
            }
            TokenKind::Mark if words > 0 && joins_words(token.mark()) => continue,
            TokenKind::Word | TokenKind::Digits | TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => break,
        }
        if token.gap > Gap::Line && words > 1 {
            break;
        }
        let next = EPONYMS.partition_point(|known| *known < name.as_str());
        match EPONYMS.get(next) {
            Some(known) if *known == name => longest = Some(at + 1),
            Some(known) if known.starts_with(&name) => {}
            _ => break,
        }
    }
    longest
}

/// Whether a mark can stand inside a name: "Levi's", "Dr. Scholl", "Mercedes-Benz", "Marks & Spencer".
fn joins_words(mark: u8) -> bool {
    matches!(mark, b'\'' | b'.' | b'-' | b'&')
}
