//! Coordinates: latitude and longitude in decimal degrees.

use crate::tokenize::{Gap, TokenKind, Tokens};
use crate::validate::number;

/// The token after a latitude and a longitude in decimal degrees, both in range.
pub(super) fn coordinates_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let mut after = hemisphere_end(tokens, decimal(tokens, at, 90)?, &["N", "S"]);
    let comma = tokens.at(after).is_mark(b',') || tokens.at(after).is_mark(b';');
    after += usize::from(comma);
    let gap = tokens.at(after).gap;
    if !comma && gap == Gap::None || gap > Gap::Space {
        return None;
    }
    after += usize::from(tokens.at(after).is_mark(b'-') && tokens.at(after + 1).gap == Gap::None);
    Some(hemisphere_end(tokens, decimal(tokens, after, 180)?, &["E", "W"]))
}

/// The token after the sign of a degree and the letter of a hemisphere, if they follow: "° N".
fn hemisphere_end(tokens: &Tokens<'_>, at: usize, letters: &[&str]) -> usize {
    let is_degree = tokens.at(at).gap == Gap::None && tokens.str(tokens.at(at)) == "°";
    let letter = at + usize::from(is_degree);
    let is_letter = tokens.at(letter).gap <= Gap::Space && letters.contains(&tokens.str(tokens.at(letter)));
    if is_letter { letter + 1 } else { letter }
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
