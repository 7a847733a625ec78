//! Telephone numbers by their shape.

use crate::numbers::Separator;
use crate::numbers::slice::RunSlice;
use crate::tables::phone_countries::PHONE_COUNTRIES;
use crate::tokenize::{Gap, TokenKind};

/// How certain a shape is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PhoneConfidence {
    /// Certain only if the number is the whole message.
    Low,
    /// Certain in any text.
    High,
}

/// Whether digits are written or spoken as a telephone number.
pub(crate) fn confidence(slice: RunSlice<'_, '_>) -> Option<PhoneConfidence> {
    let (n, compact) = (slice.len(), slice.compact());
    if !(7..=15).contains(&n)
        || (slice.touches_word() && extension_end(slice).is_none())
        || slice.follows_letter()
        || slice.loosest_separator() >= Separator::Break
    {
        return None;
    }
    if has_plus(slice) {
        return is_international(compact).then_some(PhoneConfidence::High);
    }
    if compact.windows(9).any(|w| w == b"123456789") {
        return None;
    }
    if slice.any_spoken() {
        return spoken_shape(slice);
    }
    let digit_by_digit = slice.groups().iter().all(|p| p.digit_count == 1);
    if slice.groups().len() == 1 || digit_by_digit {
        return plain_shape(compact);
    }
    if is_separated(slice) {
        return Some(PhoneConfidence::High);
    }
    let spaced = slice.groups().iter().skip(1).all(|p| p.mark == 0 && p.separator == Separator::Space);
    (spaced && (9..=12).contains(&n)).then_some(PhoneConfidence::Low)
}

/// The confidence for digits in one group, or in groups of one digit.
fn plain_shape(compact: &[u8]) -> Option<PhoneConfidence> {
    match (compact.len(), compact) {
        (10 | 11, [b'2'..=b'9', _, _, b'2'..=b'9', ..])
        | (11, [b'1', b'2'..=b'9', _, _, b'2'..=b'9', ..] | [b'0', b'1'..=b'9', ..] | [b'2'..=b'9', ..]) => {
            Some(PhoneConfidence::High)
        }
        (9 | 10 | 12, [b'2'..=b'9', ..]) | (11, [b'1', b'3'..=b'9', ..]) | (12, [b'0', b'1'..=b'9', ..]) => {
            Some(PhoneConfidence::Low)
        }
        _ => None,
    }
}

fn spoken_shape(slice: RunSlice<'_, '_>) -> Option<PhoneConfidence> {
    let small = slice.groups().iter().all(|p| p.digit_count <= 4);
    match slice.len() {
        10..=12 if small => Some(PhoneConfidence::High),
        9..=12 => Some(PhoneConfidence::Low),
        _ => None,
    }
}

/// Whether a plus is before the digits.
pub(crate) fn has_plus(slice: RunSlice<'_, '_>) -> bool {
    let mut before = slice.token_before();
    let mut at = slice.first_token();
    if before.is_mark(b'(') && before.gap == Gap::None {
        at -= 1;
        before = slice.tokens.before(at);
    }
    before.is_mark(b'+') && slice.tokens.at(at).gap == Gap::None
        || before.kind == TokenKind::Word && slice.any_spoken() && slice.tokens.str(before).eq_ignore_ascii_case("plus")
}

/// Whether digits begin with a country calling code and have the number of digits of that country (ITU-T E.164). A
/// trunk prefix of zero after the code is not counted.
fn is_international(compact: &[u8]) -> bool {
    (1..=3).any(|length| {
        let (code, national) = compact.split_at(length.min(compact.len()));
        let code = crate::validate::number(code).unwrap_or(0);
        let Ok(at) = PHONE_COUNTRIES.binary_search_by_key(&code, |c| u64::from(c.code)) else { return false };
        let fits = |national: &[u8]| {
            (PHONE_COUNTRIES[at].min.into()..=PHONE_COUNTRIES[at].max.into()).contains(&national.len())
        };
        fits(national) || national.strip_prefix(b"0").is_some_and(fits)
    })
}

/// Whether the groups of a number with separators and without a plus are those of a telephone number.
fn is_separated(slice: RunSlice<'_, '_>) -> bool {
    let (n, compact) = (slice.len(), slice.compact());
    let bracket = slice.token_before().is_mark(b'(') && slice.groups().get(1).is_some_and(|p| p.mark == b')');
    if slice.groups().iter().any(|p| p.separator >= Separator::Pause && p.separator != Separator::Start) && !bracket {
        return false;
    }
    let area = !matches!(compact.first(), Some(b'0' | b'1'));
    let three = [&[3u8, 3, 4][..], &[3, 7], &[3, 4, 3], &[6, 4]].iter().any(|g| slice.has_group_lengths(g));
    let one =
        [&[1u8, 3, 3, 4][..], &[1, 10]].iter().any(|g| slice.has_group_lengths(g)) && compact.first() == Some(&b'1');
    let trunk = matches!(compact, [b'0', b'1'..=b'9', ..])
        && (9..=11).contains(&n)
        && slice.groups().len() <= 5
        && !slice.is_joined_by(b'.');
    let prefix = compact.starts_with(b"00") && n >= 11;
    let mobile = n == 11
        && compact.first() == Some(&b'1')
        && [&[3u8, 4, 4][..], &[3, 8]].iter().any(|g| slice.has_group_lengths(g));
    let pairs = n == 10 && slice.has_group_lengths(&[3, 3, 2, 2]);
    bracket && (8..=11).contains(&n)
        || three && area
        || one
        || trunk
        || prefix
        || mobile
        || pairs
        || begins_with_country_code(slice)
}

/// Whether digits are a calling code and a grouped number, as in "91-415-555-0132".
fn begins_with_country_code(slice: RunSlice<'_, '_>) -> bool {
    let parts = slice.groups();
    (11..=13).contains(&slice.len())
        && parts.len() == 4
        && parts[0].digit_count <= 3
        && slice.subslice(slice.first_group + 1, slice.end_group).has_group_lengths(&[3, 3, 4])
        && is_international(slice.compact())
}

/// The end of an extension after a number ("x92556", "ext. 12"), if there is one.
pub(crate) fn extension_end(slice: RunSlice<'_, '_>) -> Option<u32> {
    let tokens = slice.tokens;
    let mut at = slice.end_token();
    let word = tokens.at(at);
    if word.kind != TokenKind::Word
        || !["x", "ext", "extension"].iter().any(|w| tokens.str(word).eq_ignore_ascii_case(w))
        || word.gap > Gap::Space
    {
        return None;
    }
    at += 1;
    while tokens.at(at).is_mark(b'.') || tokens.at(at).is_mark(b':') {
        at += 1;
    }
    let digits = tokens.at(at);
    (digits.kind == TokenKind::Digits && digits.digit_count() <= 5 && digits.gap <= Gap::Space).then_some(digits.end)
}

/// The start of a telephone number, with the bracket and plus before it.
pub(super) fn number_start(slice: RunSlice<'_, '_>) -> u32 {
    let (mut start, mut at) = (slice.start(), slice.first_token());
    while let Some(before) = at.checked_sub(1) {
        let token = slice.tokens.at(before);
        let is_joined = slice.tokens.at(at).gap == Gap::None;
        let is_bracket = token.is_mark(b'(') && slice.text().contains(')') && is_joined;
        let is_plus_word =
            token.kind == TokenKind::Word && slice.any_spoken() && slice.tokens.str(token).eq_ignore_ascii_case("plus");
        if !(is_bracket || is_plus_word || token.is_mark(b'+') && is_joined) {
            break;
        }
        (start, at) = (token.start, before);
    }
    start
}
