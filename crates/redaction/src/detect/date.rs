//! Calendar dates written in digits.

use crate::numbers::Joint;
use crate::numbers::slice::Slice;
use crate::validate::number;

/// Whether a slice is a date in digits with separators: "03/15/1989", "2024-11-01", "21.5.21".
pub(crate) fn is_numeric(slice: Slice<'_, '_>) -> bool {
    let parts = slice.parts();
    if parts.len() == 2
        && slice.joined_by(b'/')
        && parts[0].count <= 2
        && parts[1].count == 4
        && slice.loosest() == Joint::Tight
        && !slice.spoken()
    {
        let month = number(slice.sub(slice.from, slice.from + 1).compact()).unwrap_or(0);
        return (1..=12).contains(&month)
            && number(slice.sub(slice.from + 1, slice.to).compact()).is_some_and(is_year)
            && !slice.touches_word();
    }
    let same = || [b'/', b'-', b'.'].into_iter().any(|m| slice.joined_by(m));
    if parts.len() != 3
        || !same()
        || slice.loosest() > Joint::Tight
        || slice.spoken()
        || slice.touches_word() && !iso_time(slice)
    {
        return false;
    }
    let value = |at: usize| number(slice.sub(slice.from + at, slice.from + at + 1).compact()).unwrap_or(0);
    let length = |at: usize| parts[at].count;
    let (a, b, c) = (value(0), value(1), value(2));
    let month_day = |m: u64, d: u64| (1..=12).contains(&m) && (1..=31).contains(&d);
    match (length(0), length(1), length(2)) {
        (4, 1..=2, 1..=2) => is_year(a) && month_day(b, c),
        (1..=2, 1..=2, 4) => is_year(c) && (month_day(a, b) || month_day(b, a)),
        (1..=2, 1..=2, 2) => parts[0].mark != b'.' && (month_day(a, b) || month_day(b, a)),
        _ => false,
    }
}

/// Whether a slice is a date by its separators whatever its numbers: people mistype dates of birth.
pub(crate) fn is_loose(slice: Slice<'_, '_>) -> bool {
    let marks = [b'/', b'-', b'.'].into_iter().any(|m| slice.joined_by(m));
    marks
        && !slice.spoken()
        && slice.loosest() <= Joint::Tight
        && matches!(slice.len(), 6..=8)
        && slice.parts().len() == 3
        && slice.parts().iter().all(|p| matches!(p.count, 1 | 2 | 4))
}

/// "2024-03-15T14:30": the letter belongs to the time.
fn iso_time(slice: Slice<'_, '_>) -> bool {
    !slice.follows_letter() && matches!(slice.tokens.str(slice.next()), "T" | "t")
}

/// Years that people date things by.
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

/// Whether a slice is a date said in numbers: "nine fifteen nineteen forty", "two twenty nine nineteen eighty".
pub(crate) fn is_said(slice: Slice<'_, '_>) -> bool {
    let parts = slice.parts();
    if !(3..=4).contains(&parts.len())
        || !slice.all_spoken()
        || slice.loosest() > Joint::Space
        || parts[..2].iter().any(|p| p.count > 2)
    {
        return false;
    }
    let value = |from: usize, to: usize| number(slice.sub(slice.from + from, slice.from + to).compact()).unwrap_or(0);
    let (month, day, year) = (value(0, 1), value(1, 2), value(2, parts.len()));
    let tens = parts[2].tens;
    tens && is_year(year)
        && ((1..=12).contains(&month) && (1..=31).contains(&day)
            || (1..=12).contains(&day) && (1..=31).contains(&month))
}
