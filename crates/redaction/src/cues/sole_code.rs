//! The one number of a message that can be a code: as long as a PIN or the code of a card, without words that give it
//! another meaning. A message that names one code and holds one such number tells that code, whatever words are between.

use super::code_number::{CodeNumber, masked, spoken};
use super::other_meaning::{has_other_meaning, has_scale};
use super::words::{OR, is, is_number_word};
use crate::numbers::is_number_among_numbers;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Tokens of the longest message that is read so.
const MAX_TOKENS: usize = 90;
/// Digits of a code.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=8;
/// Maximum tokens between a code and its correction.
const MAX_BETWEEN: usize = 14;
/// Words between two codes of which one replaces the other, or between which somebody is in doubt.
const ALTERNATIVES: [&str; 60] = [
    "or", "not", "no", "nope", "sorry", "wait", "mean", "meant", "actually", "old", "new", "now", "then", "was",
    "instead", "from", "to", "changed", "before", "but", "rather", "again", "o", "perdon", "digo", "ahora", "antes",
    "vieja", "nueva", "ou", "pardon", "non", "nouveau", "ancien", "oder", "nein", "nicht", "sondern", "neu", "alt",
    "jetzt", "nao", "desculpa", "agora", "antiga", "oppure", "scusi", "anzi", "vecchio", "nuovo", "right", "correct",
    "wrong", "richtig", "falsch", "juste", "correcto", "certo", "errado", "giusto",
];

/// The one code of a message.
pub(crate) struct SoleCode {
    pub(crate) number: CodeNumber,
    /// Whether the message has no correction of it.
    pub(crate) is_single: bool,
}

/// The code of a message whose only number it is, apart from a correction of it. With `at`, the one of both that holds
/// this token.
pub(crate) fn sole_code(tokens: &Tokens<'_>, at: Option<usize>) -> Option<SoleCode> {
    if tokens.len() > MAX_TOKENS {
        return None;
    }
    let mut found: [Option<CodeNumber>; 2] = [None; 2];
    let mut from = 0;
    while from < tokens.len() {
        let Some((code, after)) = number_at(tokens, from) else {
            from += 1;
            continue;
        };
        from = after;
        let may_be_code = |code: &CodeNumber| {
            DIGITS.contains(&code.digits) && !has_scale(tokens, code) && !has_other_meaning(tokens, code)
        };
        if let Some(code) = code.filter(may_be_code) {
            *found.iter_mut().find(|slot| slot.is_none())? = Some(code);
        }
    }
    let [first, second] = found;
    let first = first?;
    if second.is_some_and(|second| !is_alternative(tokens, &first, &second)) {
        return None;
    }
    let holds = |code: &CodeNumber| at.is_none_or(|at| (code.first..code.after).contains(&at));
    let number = Some(first).filter(holds).or_else(|| second.filter(holds))?;
    Some(SoleCode { number, is_single: second.is_none() })
}

/// The number that begins at a token and the token after it; no number if its form is that of a date, a time, an amount
/// with cents or a longer identifier.
fn number_at(tokens: &Tokens<'_>, first: usize) -> Option<(Option<CodeNumber>, usize)> {
    let token = tokens.at(first);
    let (mut after, digits) = match token.kind {
        TokenKind::Digits => (first + 1, usize::from(token.digit_count())),
        TokenKind::Mask => masked(tokens, first),
        TokenKind::Word if is_number_word(token) || is_number_among_numbers(tokens, first) => spoken(tokens, first),
        TokenKind::Word | TokenKind::Mark | TokenKind::Edge => return None,
    };
    // The "one" of "the new one 907" is no digit.
    if token.kind == TokenKind::Word && digits < 2 {
        return None;
    }
    let touches = |at: usize| tokens.at(at).gap == Gap::None;
    let is_part = |at: usize| matches!(tokens.at(at).kind, TokenKind::Digits | TokenKind::Mask);
    let mut is_joined = first > 0 && touches(first) && tokens.before(first).kind == TokenKind::Word;
    loop {
        let next = tokens.at(after);
        let is_mark = next.kind == TokenKind::Mark && next.gap == Gap::None && touches(after + 1) && is_part(after + 1);
        let continues = is_mark || is_part(after) && next.gap <= Gap::Space;
        if !continues {
            is_joined |= next.kind == TokenKind::Word && next.gap == Gap::None;
            break;
        }
        is_joined = true;
        after += 1 + usize::from(is_mark);
    }
    let code = CodeNumber { first, after, digits };
    Some(((!is_joined).then_some(code), after.max(first + 1)))
}

/// Whether one of two codes replaces the other, or somebody is in doubt between them.
fn is_alternative(tokens: &Tokens<'_>, first: &CodeNumber, second: &CodeNumber) -> bool {
    let between = first.after..second.first;
    let same_length = first.digits.abs_diff(second.digits) <= 1;
    // "either 5554 or 774 727 72"
    let is_or = between.len() == 1 && is(tokens, tokens.at(first.after), &OR);
    is_or
        || same_length
            && between.len() <= MAX_BETWEEN
            && between.into_iter().any(|at| is(tokens, tokens.at(at), &ALTERNATIVES))
}
