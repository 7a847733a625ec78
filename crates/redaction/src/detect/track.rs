//! Magnetic stripe data of a payment card (ISO/IEC 7813). The track data after the card number is card data too.
//!
//! Track 1 is `%B`, number, `^`, name, `^`, expiry and the rest, `?`. Track 2 is `;`, number, `=`, expiry and the rest,
//! `?`. Chip data has `D` instead of the `=` of track 2.

use crate::numbers::slice::RunSlice;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum characters of a track, and of the name on track 1.
const MAX_TRACK_CHARS: usize = 79;
const MAX_NAME_CHARS: usize = 30;
/// Minimum digits after the number on track 2: year and month.
const MIN_EXPIRY_DIGITS: usize = 4;

/// Whether a slice is between the marks that begin a track and end its number. The check digit is not checked.
pub(super) fn is_track_number(slice: RunSlice<'_, '_>) -> bool {
    let (before, next) = (slice.token_before(), slice.token_after());
    let (track1, track2) = (next.is_mark(b'^'), next.is_mark(b'='));
    let begins = track1
        && slice.tokens.str(before).eq_ignore_ascii_case("b")
        && slice.tokens.before(slice.first_token() - 1).is_mark(b'%')
        || track2 && before.is_mark(b';');
    begins
        && slice.groups().len() == 1
        && (13..=19).contains(&slice.len())
        && track_data(slice.tokens, slice.end_token()).is_some()
}

/// The byte range of the track data after a number that ends before token `after`.
pub(super) fn track_data(tokens: &Tokens<'_>, after: usize) -> Option<(u32, u32)> {
    let (separator, next) = (tokens.at(after), tokens.at(after + 1));
    if separator.gap != Gap::None {
        return None;
    }
    let text = tokens.text.get(separator.start as usize..)?;
    let digits =
        next.kind == TokenKind::Digits && next.gap == Gap::None && usize::from(next.digit_count()) >= MIN_EXPIRY_DIGITS;
    let is_chip = separator.kind == TokenKind::Word && tokens.str(separator).eq_ignore_ascii_case("d");
    let length = if separator.is_mark(b'^') {
        track1_length(text)
    } else if digits && (is_chip || separator.is_mark(b'=') && separator.byte_len() == 1) {
        track_length(text)
    } else {
        return None;
    };
    let length = u32::try_from(text[..length].trim_end_matches(|c: char| !c.is_alphanumeric()).len()).ok()?;
    (length > 0).then_some((separator.start, separator.start + length))
}

/// The length of track 1 data. The name can have spaces if a second `^` follows it.
fn track1_length(text: &str) -> usize {
    let name: usize = text
        .chars()
        .skip(1)
        .take(MAX_NAME_CHARS)
        .take_while(|c| !matches!(c, '^' | '?' | '\n'))
        .map(char::len_utf8)
        .sum();
    let has_name = text[1 + name..].starts_with('^');
    if has_name { 1 + name + track_length(&text[1 + name..]) } else { track_length(text) }
}

fn track_length(text: &str) -> usize {
    text.chars()
        .take(MAX_TRACK_CHARS)
        .take_while(|c| !c.is_whitespace() && !matches!(c, '?' | '"' | '<' | '>' | ';'))
        .map(char::len_utf8)
        .sum()
}
