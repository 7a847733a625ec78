//! Telephone numbers by their shape.

use crate::numbers::Joint;
use crate::numbers::slice::Slice;
use crate::tables::phone_countries::PHONE_COUNTRIES;
use crate::tokenize::{Gap, Kind};

/// How sure a shape is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// Only where it is all there is to the message.
    Weak,
    /// Anywhere.
    Sure,
}

/// Whether digits are written or said as a telephone number.
pub(crate) fn likeness(slice: Slice<'_, '_>) -> Option<Likeness> {
    let (n, compact) = (slice.len(), slice.compact());
    if !(7..=15).contains(&n)
        || (slice.touches_word() && extension(slice).is_none())
        || slice.follows_letter()
        || slice.loosest() >= Joint::Break
    {
        return None;
    }
    if plus(slice) {
        return international(compact).then_some(Likeness::Sure);
    }
    if compact.windows(9).any(|w| w == b"123456789") {
        return None;
    }
    if slice.spoken() {
        return spoken_shape(slice);
    }
    let digit_by_digit = slice.parts().iter().all(|p| p.count == 1);
    if slice.parts().len() == 1 || digit_by_digit {
        return plain_shape(compact);
    }
    if separated_shape(slice) {
        return Some(Likeness::Sure);
    }
    let spaced = slice.parts().iter().skip(1).all(|p| p.mark == 0 && p.joint == Joint::Space);
    (spaced && (9..=12).contains(&n)).then_some(Likeness::Weak)
}

/// Digits in one piece, or each by itself.
fn plain_shape(compact: &[u8]) -> Option<Likeness> {
    match (compact.len(), compact) {
        (10 | 11, [b'2'..=b'9', _, _, b'2'..=b'9', ..])
        | (11, [b'1', b'2'..=b'9', _, _, b'2'..=b'9', ..] | [b'0', b'1'..=b'9', ..] | [b'2'..=b'9', ..]) => {
            Some(Likeness::Sure)
        }
        (9 | 10 | 12, [b'2'..=b'9', ..]) | (11, [b'1', b'3'..=b'9', ..]) | (12, [b'0', b'1'..=b'9', ..]) => {
            Some(Likeness::Weak)
        }
        _ => None,
    }
}

fn spoken_shape(slice: Slice<'_, '_>) -> Option<Likeness> {
    let small = slice.parts().iter().all(|p| p.count <= 4);
    match slice.len() {
        10..=12 if small => Some(Likeness::Sure),
        9..=12 => Some(Likeness::Weak),
        _ => None,
    }
}

/// Whether a plus stands before the digits.
pub(crate) fn plus(slice: Slice<'_, '_>) -> bool {
    let mut before = slice.before();
    let mut at = slice.token();
    if before.is_mark(b'(') && before.gap == Gap::None {
        at -= 1;
        before = slice.tokens.before(at);
    }
    before.is_mark(b'+') && slice.tokens.at(at).gap == Gap::None
        || before.kind == Kind::Word && slice.spoken() && slice.tokens.str(before).eq_ignore_ascii_case("plus")
}

/// Whether digits begin with a country calling code and have as many digits as numbers there (ITU-T E.164), a nought before
/// them that is dialled within the country aside.
fn international(compact: &[u8]) -> bool {
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

/// Groups of a number written with separators, without a plus.
fn separated_shape(slice: Slice<'_, '_>) -> bool {
    let (n, compact) = (slice.len(), slice.compact());
    let bracket = slice.before().is_mark(b'(') && slice.parts().get(1).is_some_and(|p| p.mark == b')');
    if slice.parts().iter().any(|p| p.joint >= Joint::Pause && p.joint != Joint::Start) && !bracket {
        return false;
    }
    let area = !matches!(compact.first(), Some(b'0' | b'1'));
    let three = [&[3u8, 3, 4][..], &[3, 7], &[3, 4, 3], &[6, 4]].iter().any(|g| slice.grouped(g));
    let one = [&[1u8, 3, 3, 4][..], &[1, 10]].iter().any(|g| slice.grouped(g)) && compact.first() == Some(&b'1');
    let trunk = matches!(compact, [b'0', b'1'..=b'9', ..])
        && (9..=11).contains(&n)
        && slice.parts().len() <= 5
        && !slice.joined_by(b'.');
    let prefix = compact.starts_with(b"00") && n >= 11;
    let mobile =
        n == 11 && compact.first() == Some(&b'1') && [&[3u8, 4, 4][..], &[3, 8]].iter().any(|g| slice.grouped(g));
    let pairs = n == 10 && slice.grouped(&[3, 3, 2, 2]);
    bracket && (8..=11).contains(&n)
        || three && area
        || one
        || trunk
        || prefix
        || mobile
        || pairs
        || country_first(slice)
}

/// "91-415-555-0132": a calling code, then a grouped number.
fn country_first(slice: Slice<'_, '_>) -> bool {
    let parts = slice.parts();
    (11..=13).contains(&slice.len())
        && parts.len() == 4
        && parts[0].count <= 3
        && slice.sub(slice.from + 1, slice.to).grouped(&[3, 3, 4])
        && international(slice.compact())
}

/// The end of an extension after a number ("x92556", "ext. 12"), if one follows.
pub(crate) fn extension(slice: Slice<'_, '_>) -> Option<u32> {
    let tokens = slice.tokens;
    let mut at = slice.after();
    let word = tokens.at(at);
    if word.kind != Kind::Word
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
    (digits.kind == Kind::Digits && digits.code <= 5 && digits.gap <= Gap::Space).then_some(digits.end)
}

/// The bracket and plus before a telephone number belong to it.
pub(super) fn start(slice: Slice<'_, '_>) -> u32 {
    let (mut start, mut at) = (slice.start(), slice.token());
    while let Some(before) = at.checked_sub(1) {
        let token = slice.tokens.at(before);
        let joined = slice.tokens.at(at).gap == Gap::None;
        let bracket = token.is_mark(b'(') && slice.raw().contains(')') && joined;
        let said = token.kind == Kind::Word && slice.spoken() && slice.tokens.str(token).eq_ignore_ascii_case("plus");
        if !(bracket || said || token.is_mark(b'+') && joined) {
            break;
        }
        (start, at) = (token.start, before);
    }
    start
}
