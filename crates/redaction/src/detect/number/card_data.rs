//! The code of a card by its position among the data of the card: number, expiry date, code. "4111 1111 1111 1111 exp
//! 09/27 code 123", "4111111111111111|09|27|123", "123 4111 1111 1111 1111 09/27"

use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::{DetectorInput, flags};
use crate::entity::Entity;
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind};

/// Maximum tokens between two parts of the data of a card.
const MAX_BETWEEN: usize = 5;
/// Maximum signs between two parts.
const MAX_SIGNS: usize = 3;
/// Marks that separate the parts of exported data.
const SEPARATORS: [u8; 4] = [b'|', b':', b';', b','];
/// Marks after which digits are an amount, or are no more said.
const OTHER_MARKS: [u8; 6] = [b'$', b'(', b'?', b'%', b'#', b'+'];
/// Years of the expiry date of a card, without the century.
const YEARS: std::ops::RangeInclusive<u32> = 20..=45;

/// Reports the code that stands after a card number and its expiry date, or before the number.
pub(super) fn detect(input: &DetectorInput<'_, '_>, card: RunSlice<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::CVV.bit()) {
        return;
    }
    let is_amex = card.len() == 15 && card.compact().first() == Some(&b'3');
    let lengths = if is_amex { 3..=4 } else { 3..=3 };
    let is_code = |at: usize| {
        let (token, next) = (input.tokens.at(at), input.tokens.at(at + 1));
        let touches = |next: Token| next.gap == Gap::None && !matches!(next.kind, TokenKind::Mark | TokenKind::Edge);
        let is_decimal = (next.is_mark(b'.') || next.is_mark(b'-') || next.is_mark(b'/'))
            && next.gap == Gap::None
            && input.tokens.at(at + 2).gap == Gap::None
            && input.tokens.at(at + 2).kind == TokenKind::Digits;
        token.kind == TokenKind::Digits
            && lengths.contains(&usize::from(token.digit_count()))
            && !touches(next)
            && !is_decimal
            && !next.is_mark(b'%')
            && flags(next) & (flag::UNIT | flag::HUGE) == 0
    };
    let push = |at: usize, out: &mut Candidates| {
        let token = input.tokens.at(at);
        out.push_fully_masked(token.start, token.end, Entity::CVV, DetectionReason::Shape, EvidenceRank::PaymentCard);
    };
    let date = next_digits(input, card.end_token()).and_then(|at| expiry_end(input, at));
    let after_date = date.and_then(|end| next_digits(input, end));
    let after_number =
        || next_digits(input, card.end_token()).filter(|at| is_amex && is_direct(input, card.end_token(), *at));
    if let Some(at) = after_date.or_else(after_number).filter(|at| is_code(*at)) {
        push(at, out);
    } else if let Some(before) = card.first_token().checked_sub(1)
        && date.is_some()
        && (before == 0 || input.tokens.at(before).gap >= Gap::Line)
        && is_code(before)
    {
        push(before, out);
    }
}

/// The token of the next digits, if only signs and a few words without another meaning are before them.
fn next_digits(input: &DetectorInput<'_, '_>, from: usize) -> Option<usize> {
    let mut signs = 0;
    for at in from..=from + MAX_BETWEEN {
        let token = input.tokens.at(at);
        if token.gap >= Gap::Paragraph {
            return None;
        }
        match token.kind {
            TokenKind::Digits => return Some(at),
            TokenKind::Mark if signs < MAX_SIGNS && !OTHER_MARKS.contains(&token.mark()) => signs += 1,
            TokenKind::Word if flags(token) & (flag::UNIT | flag::HUGE | flag::NUMBER) == 0 => {}
            TokenKind::Mark | TokenKind::Word | TokenKind::Mask | TokenKind::Edge => return None,
        }
    }
    None
}

/// Whether only marks and "and" are between two tokens.
fn is_direct(input: &DetectorInput<'_, '_>, from: usize, to: usize) -> bool {
    (from..to).all(|at| {
        let token = input.tokens.at(at);
        token.kind == TokenKind::Mark || flags(token) & (flag::AND | flag::FILLER) != 0
    })
}

/// The token after an expiry date that begins at a token: "09/27", "09 / 2027", "09|27", "0927".
fn expiry_end(input: &DetectorInput<'_, '_>, at: usize) -> Option<usize> {
    let tokens = input.tokens;
    let number = |at: usize| {
        let token = tokens.at(at);
        (token.kind == TokenKind::Digits).then(|| tokens.str(token).parse::<u32>().ok())?
    };
    let first = number(at)?;
    if tokens.at(at).digit_count() == 4 {
        return ((1..=12).contains(&(first / 100)) && YEARS.contains(&(first % 100))).then_some(at + 1);
    }
    let mark = tokens.at(at + 1);
    let is_separator = mark.byte_len() == 1
        && mark.kind == TokenKind::Mark
        && (matches!(mark.mark(), b'/' | b'-' | b'.') || SEPARATORS.contains(&mark.mark()));
    let year = if is_separator { at + 2 } else { at + 1 };
    let last = number(year)?;
    let is_year = match tokens.at(year).digit_count() {
        2 => YEARS.contains(&last),
        4 => last > 2000 && YEARS.contains(&(last - 2000)),
        _ => false,
    };
    (tokens.at(at).digit_count() <= 2 && (1..=12).contains(&first) && is_year).then_some(year + 1)
}
