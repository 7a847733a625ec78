//! Calendar dates in digits.

use crate::numbers::Separator;
use crate::numbers::slice::RunSlice;
use crate::validate::number;

/// Whether a slice is a date in digits with separators: "03/15/1989", "2024-11-01", "21.5.21".
pub(crate) fn is_numeric(slice: RunSlice<'_, '_>) -> bool {
    let parts = slice.groups();
    if parts.len() == 2
        && slice.is_joined_by(b'/')
        && parts[0].digit_count <= 2
        && parts[1].digit_count == 4
        && slice.loosest_separator() == Separator::Punctuation
        && !slice.any_spoken()
    {
        let month = number(slice.subslice(slice.first_group, slice.first_group + 1).compact()).unwrap_or(0);
        return (1..=12).contains(&month)
            && number(slice.subslice(slice.first_group + 1, slice.end_group).compact()).is_some_and(is_year)
            && !slice.touches_word();
    }
    let has_one_mark = || [b'/', b'-', b'.'].into_iter().any(|m| slice.is_joined_by(m));
    if parts.len() != 3
        || !has_one_mark()
        || slice.loosest_separator() > Separator::Punctuation
        || slice.any_spoken()
        || slice.touches_word() && !is_iso_time(slice)
    {
        return false;
    }
    let value =
        |at: usize| number(slice.subslice(slice.first_group + at, slice.first_group + at + 1).compact()).unwrap_or(0);
    let length = |at: usize| parts[at].digit_count;
    let (a, b, c) = (value(0), value(1), value(2));
    let month_day = |m: u64, d: u64| (1..=12).contains(&m) && (1..=31).contains(&d);
    match (length(0), length(1), length(2)) {
        (4, 1..=2, 1..=2) => is_year(a) && month_day(b, c),
        (1..=2, 1..=2, 4) => is_year(c) && (month_day(a, b) || month_day(b, a)),
        (1..=2, 1..=2, 2) => parts[0].mark != b'.' && (month_day(a, b) || month_day(b, a)),
        _ => false,
    }
}

/// Whether a slice has the separators and group lengths of a date. Its numbers are not checked, because people mistype
/// dates of birth.
pub(crate) fn is_date_like(slice: RunSlice<'_, '_>) -> bool {
    let has_one_mark = [b'/', b'-', b'.'].into_iter().any(|m| slice.is_joined_by(m));
    has_one_mark
        && !slice.any_spoken()
        && slice.loosest_separator() <= Separator::Punctuation
        && matches!(slice.len(), 6..=8)
        && slice.groups().len() == 3
        && slice.groups().iter().all(|p| matches!(p.digit_count, 1 | 2 | 4))
}

/// Whether the letter after a slice belongs to a time, as in "2024-03-15T14:30".
fn is_iso_time(slice: RunSlice<'_, '_>) -> bool {
    !slice.follows_letter() && matches!(slice.tokens.str(slice.token_after()), "T" | "t")
}

/// Whether a year is from 1900 to 2099.
pub(crate) fn is_year(year: u64) -> bool {
    (1900..=2099).contains(&year)
}

/// Whether digits without separators can be a date of birth: "15091940", "091540", "2 29 1980".
pub(crate) fn is_compact(compact: &[u8]) -> bool {
    let month_day = |md: &[u8]| {
        let (Some(a), Some(b)) = (number(&md[..md.len() / 2]), number(&md[md.len() / 2..])) else { return false };
        (1..=12).contains(&a) && (1..=31).contains(&b) || (1..=12).contains(&b) && (1..=31).contains(&a)
    };
    match compact.len() {
        8 => {
            number(&compact[4..]).is_some_and(is_year) && month_day(&compact[..4])
                || number(&compact[..4]).is_some_and(is_year) && month_day(&compact[4..])
        }
        7 | 6 if number(&compact[compact.len() - 4..]).is_some_and(is_year) => true,
        6 => month_day(&compact[..4]),
        _ => false,
    }
}

/// Whether a slice is a date in spoken numbers: "nine fifteen nineteen forty", "two twenty nine nineteen eighty".
pub(crate) fn is_spoken(slice: RunSlice<'_, '_>) -> bool {
    let parts = slice.groups();
    if !(3..=4).contains(&parts.len())
        || !slice.all_spoken()
        || slice.loosest_separator() > Separator::Space
        || parts[..2].iter().any(|p| p.digit_count > 2)
    {
        return false;
    }
    let value = |from: usize, to: usize| {
        number(slice.subslice(slice.first_group + from, slice.first_group + to).compact()).unwrap_or(0)
    };
    let (month, day, year) = (value(0, 1), value(1, 2), value(2, parts.len()));
    let tens = parts[2].compound;
    tens && is_year(year)
        && ((1..=12).contains(&month) && (1..=31).contains(&day)
            || (1..=12).contains(&day) && (1..=31).contains(&month))
}
