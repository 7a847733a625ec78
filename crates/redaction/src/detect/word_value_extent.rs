//! Whether a value in words begins at a token, and where it ends.

use super::credential::is_grammar_word;
use super::{flags, is_contraction, is_one_of};
use crate::entity::Entity;
use crate::masking::mask_tokens;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Whether a connector is between a cue and its value. A connector makes the value more certain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connector {
    /// The value follows the cue itself.
    Absent,
    /// "is", ":" or "=" is between.
    Present,
}

/// The token after the value that begins at `first`; `None` if no value begins there.
pub(super) fn value_end(tokens: &Tokens<'_>, first: usize, entity: Entity, connector: Connector) -> Option<usize> {
    let token = tokens.at(first);
    if token.kind == TokenKind::Edge
        || token.kind == TokenKind::Mask
        || token.gap >= Gap::Paragraph
        || touches_mask(tokens, first)
    {
        return None;
    }
    let is_count = token.kind == TokenKind::Digits && flags(tokens.at(first + 1)) & flag::UNIT != 0;
    if is_contraction(tokens, first) || is_count && tokens.at(first + 1).gap == Gap::Space {
        return None;
    }
    let mut after = segment_end(tokens, first);
    let has_digit = (first..after).any(|at| tokens.at(at).kind == TokenKind::Digits);
    let is_one_word = token.kind == TokenKind::Word && after == first + 1;
    if is_one_word && !is_word_value(tokens, first, entity, connector) {
        return None;
    }
    if entity == Entity::SECURITY_ANSWER && !token.is_alphanumeric() {
        return None;
    }
    if entity == Entity::SECURITY_ANSWER {
        return Some(answer_end(tokens, first, after));
    }
    let is_masked = || {
        (first..after).all(|at| !tokens.at(at).is_alphanumeric())
            && (first..after).any(|at| tokens.at(at).kind == TokenKind::Mask && tokens.at(at).byte_len() > 3)
    };
    if !token.is_alphanumeric() && !has_digit && after == first + 1 || is_masked() {
        return None;
    }
    while after < first + 8 && continues_value(tokens, after, has_digit || tokens.at(after).kind == TokenKind::Digits) {
        after = segment_end(tokens, after);
    }
    let length = tokens.before(after).end - token.start;
    (length >= 3
        && !touches_mask(tokens, after)
        && !(after == first + 1 && flags(tokens.at(after)) & flag::UNIT != 0 && has_digit))
        .then_some(after)
}

pub(super) fn touches_mask(tokens: &Tokens<'_>, at: usize) -> bool {
    let masked = |at: usize| tokens.at(at).kind == TokenKind::Mask && !mask_tokens::is_emphasis(tokens, at);
    masked(at) || at.checked_sub(1).is_some_and(masked)
}

/// The token after a segment, which is tokens without a space between, without the marks that close a sentence.
pub(super) fn segment_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut after = first + 1;
    while after < first + 40 && tokens.at(after).gap == Gap::None && tokens.at(after).kind != TokenKind::Edge {
        after += 1;
    }
    while after > first + 1 && is_closing_mark(tokens, after - 1) {
        after -= 1;
    }
    after
}

/// Whether a token closes a sentence, quotation or emphasis.
fn is_closing_mark(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == TokenKind::Mark
        && matches!(token.mark(), b'.' | b',' | b'?' | b';' | b':' | b'"' | b'\'' | b')' | b'}' | b']')
        || mask_tokens::is_emphasis(tokens, at)
}

/// Whether a word alone can be the value.
fn is_word_value(tokens: &Tokens<'_>, at: usize, entity: Entity, connector: Connector) -> bool {
    let token = tokens.at(at);
    let word = tokens.str(token);
    if flags(token) & flag::NUMBER != 0 {
        return entity == Entity::PASSWORD
            && flags(tokens.at(at + 1)) & flag::NUMBER != 0
            && flags(tokens.at(at + 2)) & flag::NUMBER != 0;
    }
    if number_follows(tokens, at) && (connector == Connector::Present || !COMMON_WORD_SET.contains(word)) {
        return true;
    }
    if entity != Entity::SECURITY_ANSWER && is_grammar_word(tokens, token) {
        return false;
    }
    if flags(token) & (flag::STATUS | flag::STOPWORD | flag::UNIT | flag::CUE_HEAD) != 0 || is_passive_verb(tokens, at)
    {
        return false;
    }
    if word.len() < 3 {
        return false;
    }
    let is_common = COMMON_WORD_SET.contains(word);
    let has_suffix = word.ends_with("ing") || word.ends_with("ed") || word.ends_with("ly");
    match connector {
        Connector::Present => {
            !(sentence_continues(tokens, at) && (has_suffix || is_common && entity != Entity::SECURITY_ANSWER))
        }
        Connector::Absent => {
            !is_common
                && !has_suffix
                && entity != Entity::SECURITY_ANSWER
                && (entity == Entity::PASSWORD || token.slot() == 0)
        }
    }
}

/// Whether a number that is not a quantity follows a word, so that both can be the value.
fn number_follows(tokens: &Tokens<'_>, at: usize) -> bool {
    const NO_VALUE: u32 = flag::COPULA | flag::AND | flag::UNIT | flag::STATUS;
    let (number, counted) = (tokens.at(at + 1), tokens.at(at + 2));
    let is_count = counted.gap <= Gap::Space && flags(counted) & flag::UNIT != 0;
    number.kind == TokenKind::Digits && number.gap == Gap::Space && !is_count && flags(tokens.at(at)) & NO_VALUE == 0
}

/// Whether a token is the verb of "was declined" or "being processed", which is not a value.
fn is_passive_verb(tokens: &Tokens<'_>, at: usize) -> bool {
    const PASSIVE: [&str; 5] = ["was", "were", "been", "being", "got"];
    tokens.str(tokens.at(at)).ends_with("ed") && is_one_of(tokens, tokens.before(at), &PASSIVE)
}

/// Whether another word follows a word, so that the word is part of a sentence, not a value.
fn sentence_continues(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    next.kind == TokenKind::Word && next.gap <= Gap::Space && flags(next) & flag::AND == 0
}

/// Whether the token after a value belongs to it: digits after letters, short letters after digits.
fn continues_value(tokens: &Tokens<'_>, at: usize, has_digit: bool) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.gap != Gap::Space {
        return false;
    }
    match token.kind {
        TokenKind::Digits => tokens.before(at).kind != TokenKind::Mark,
        TokenKind::Word => {
            has_digit
                && token.byte_len() <= 6
                && (token.byte_len() == 1 && !matches!(tokens.str(token), "i" | "a")
                    || flags(token)
                        & (flag::STOPWORD | flag::CONNECTOR | flag::CUE_HEAD | flag::AND | flag::UNIT | flag::FILLER)
                        == 0)
                && tokens.before(at).kind == TokenKind::Digits
                && (next.kind == TokenKind::Digits || !next.is_alphanumeric())
        }
        TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => false,
    }
}

/// The token after an answer of up to four words.
fn answer_end(tokens: &Tokens<'_>, first: usize, mut after: usize) -> usize {
    while after < first + 4 {
        let token = tokens.at(after);
        if token.gap != Gap::Space
            || !token.is_alphanumeric()
            || flags(token) & (flag::AND | flag::CUE_HEAD | flag::STOPWORD) != 0
        {
            break;
        }
        after += 1;
    }
    after
}
