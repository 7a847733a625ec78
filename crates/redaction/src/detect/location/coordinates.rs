//! Coordinates: latitude and longitude in decimal degrees.

use crate::tokenize::{Gap, TokenKind, Tokens};
use crate::validate::number;

/// The token after a latitude and a longitude in decimal degrees, both in range.
pub(super) fn coordinates_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let mut after = decimal(tokens, at, 90)?;
    let comma = tokens.at(after).is_mark(b',') || tokens.at(after).is_mark(b';');
    after += usize::from(comma);
    after += usize::from(tokens.at(after).is_mark(b'-') && tokens.at(after + 1).gap == Gap::None);
    if !comma && tokens.at(after).gap == Gap::None || tokens.at(after).gap > Gap::Space {
        return None;
    }
    decimal(tokens, after, 180)
}

/// The token after degrees such as "37.7749", with three to fifteen decimals and up to `max_degrees`.
fn decimal(tokens: &Tokens<'_>, at: usize, max_degrees: u64) -> Option<usize> {
    let dot = tokens.at(at + 1);
    if !(dot.is_mark(b'.') && dot.gap == Gap::None) {
        return None;
    }
    let (whole, part) = (tokens.at(at), tokens.at(at + 2));
    let is_decimal = whole.kind == TokenKind::Digits && part.kind == TokenKind::Digits && part.gap == Gap::None;
    let next = tokens.at(at + 3);
    let ends = !(next.is_mark(b'.')
        && next.gap == Gap::None
        && tokens.at(at + 4).kind == TokenKind::Digits
        && tokens.at(at + 4).gap == Gap::None);
    (is_decimal
        && ends
        && (3..=15).contains(&part.digit_count())
        && number(tokens.str(whole).as_bytes())? <= max_degrees)
        .then_some(at + 3)
}

/// Whether a minus is right before a number.
pub(super) fn follows_minus(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.before(at).is_mark(b'-') && tokens.at(at).gap == Gap::None && at > 0
}
