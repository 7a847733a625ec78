//! Magnetic stripe data of a payment card (ISO/IEC 7813): what follows the card number on its track is card data too.
//!
//! Track 1 is `%B`, number, `^`, name, `^`, expiry and the rest, `?`; track 2 is `;`, number, `=`, expiry and the rest,
//! `?`. Chip data writes `D` for the `=` of track 2.

use crate::numbers::slice::Slice;
use crate::tokenize::{Gap, Kind, Tokens};

/// Characters of a track at most, and of the name on track 1.
const LONGEST: usize = 79;
const NAME: usize = 30;
/// Digits after the number on track 2 at least: year and month.
const EXPIRY: usize = 4;

/// Whether a slice stands between the marks that begin a track and end its number, whatever its check digit.
pub(super) fn is_number(slice: Slice<'_, '_>) -> bool {
    let (before, next) = (slice.before(), slice.next());
    let (first, second) = (next.is_mark(b'^'), next.is_mark(b'='));
    let begins = first
        && slice.tokens.str(before).eq_ignore_ascii_case("b")
        && slice.tokens.before(slice.token() - 1).is_mark(b'%')
        || second && before.is_mark(b';');
    begins
        && slice.parts().len() == 1
        && (13..=19).contains(&slice.len())
        && rest(slice.tokens, slice.after()).is_some()
}

/// The bytes of what follows the number of a track that ends before a token.
pub(super) fn rest(tokens: &Tokens<'_>, after: usize) -> Option<(u32, u32)> {
    let (separator, next) = (tokens.at(after), tokens.at(after + 1));
    if separator.gap != Gap::None {
        return None;
    }
    let text = tokens.text.get(separator.start as usize..)?;
    let digits = next.kind == Kind::Digits && next.gap == Gap::None && usize::from(next.code) >= EXPIRY;
    let chip = separator.kind == Kind::Word && tokens.str(separator).eq_ignore_ascii_case("d");
    let length = if separator.is_mark(b'^') {
        first_track(text)
    } else if digits && (chip || separator.is_mark(b'=') && separator.bytes() == 1) {
        end(text)
    } else {
        return None;
    };
    let length = u32::try_from(text[..length].trim_end_matches(|c: char| !c.is_alphanumeric()).len()).ok()?;
    (length > 0).then_some((separator.start, separator.start + length))
}

/// The name may hold spaces where a second `^` follows it.
fn first_track(text: &str) -> usize {
    let name: usize =
        text.chars().skip(1).take(NAME).take_while(|c| !matches!(c, '^' | '?' | '\n')).map(char::len_utf8).sum();
    let named = text[1 + name..].starts_with('^');
    if named { 1 + name + end(&text[1 + name..]) } else { end(text) }
}

fn end(text: &str) -> usize {
    text.chars()
        .take(LONGEST)
        .take_while(|c| !c.is_whitespace() && !matches!(c, '?' | '"' | '<' | '>' | ';'))
        .map(char::len_utf8)
        .sum()
}
