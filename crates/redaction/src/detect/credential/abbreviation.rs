//! Abbreviations and contractions, which are words of more than one token.

use super::piece_kind::PieceKind;
use super::word_class::classes;
use super::word_list::{SET_PHRASES, class};
use crate::detect::{WordList, is_one_of};
use crate::entity::Entity;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Two words that are one interjection: "of course", "bien sûr".
pub(super) fn set_phrase(tokens: &Tokens<'_>, at: usize) -> Option<(usize, PieceKind, u32)> {
    static SECOND: WordList =
        WordList::new(&["course", "supuesto", "luego", "sûr", "sur", "klar", "certeza", "bene", "problem"]);
    let is = |at: usize, word: &str| is_one_of(tokens, tokens.at(at), &[word]);
    let is_phrase = tokens.at(at + 1).gap == Gap::Space
        && SECOND.contains(tokens.str(tokens.at(at + 1)))
        && SET_PHRASES.iter().any(|(first, second)| is(at, first) && is(at + 1, second));
    is_phrase.then_some((at + 2, PieceKind::Word, class::INTERJECTION))
}

/// "p/w", "u/n", "n/a", "w/" and contractions.
pub(super) fn abbreviation(tokens: &Tokens<'_>, at: usize) -> Option<(usize, PieceKind, u32)> {
    let (token, mark, next) = (tokens.at(at), tokens.at(at + 1), tokens.at(at + 2));
    if token.kind != TokenKind::Word || mark.gap != Gap::None {
        return None;
    }
    let is = |word: &str| tokens.str(token).eq_ignore_ascii_case(word);
    let then = |word: &str| next.gap == Gap::None && tokens.str(next).eq_ignore_ascii_case(word);
    if mark.is_mark(b'/') {
        return match () {
            () if is("p") && then("w") => Some((at + 3, PieceKind::Cue(Entity::PASSWORD), 0)),
            () if is("u") && then("n") => Some((at + 3, PieceKind::Cue(Entity::USERNAME), 0)),
            () if is("n") && then("a") => Some((at + 3, PieceKind::Word, class::STATE)),
            () if is("w") && next.gap != Gap::None => Some((at + 2, PieceKind::Word, class::PREPOSITION | class::WITH)),
            () if is("w") && then("o") => Some((at + 3, PieceKind::Word, class::PREPOSITION)),
            () => None,
        };
    }
    if !mark.is_mark(b'\'')
        || next.gap != Gap::None
        || tokens.at(at + 3).gap == Gap::None && at + 3 < tokens.len() && tokens.at(at + 3).is_alphanumeric()
    {
        return None;
    }
    if is("ma") && then("am") {
        return Some((at + 3, PieceKind::Word, class::INTERJECTION));
    }
    let token_classes = classes(tokens, token);
    if is_one_of(tokens, next, &["t"]) {
        return Some((at + 3, PieceKind::Word, class::AUXILIARY | class::NEGATION));
    }
    // The ending of "it's" or of "c'est" is a piece of its own.
    let is_elided = token.byte_len() <= 2 || is_one_of(tokens, token, &["dell", "nell", "all", "quell", "qu", "jusqu"]);
    if is_one_of(tokens, next, &["s", "re", "m"]) {
        let kind = if token_classes == 0 { return None } else { PieceKind::Word };
        return Some((at + 1, kind, token_classes));
    }
    if is_one_of(tokens, next, &["ve", "ll", "d"]) {
        return Some((at + 3, PieceKind::Word, class::PRONOUN | class::AUXILIARY));
    }
    is_elided.then_some((at + 1, PieceKind::Word, class::PRONOUN))
}

/// Whether the mark at a token begins the "'s" of "it's".
pub(super) fn is_contracted_verb(tokens: &Tokens<'_>, at: usize) -> bool {
    let (mark, next) = (tokens.at(at), tokens.at(at + 1));
    mark.is_mark(b'\'')
        && mark.gap == Gap::None
        && tokens.before(at).kind == TokenKind::Word
        && next.gap == Gap::None
        && is_one_of(tokens, next, &["s", "re", "m"])
        && tokens.at(at + 2).gap != Gap::None
}
