//! Card numbers that other digits touch: padded with zeros, before another card number, or before the expiry date and
//! the code. The border of a group does not show where such a number ends, so the rest must be one of these.

use super::reader::FloorDigit;
use super::window::is_card_number;

/// Digits of the card numbers that are found among others. Shorter and longer ones are rare.
const CARD_DIGITS: [usize; 2] = [16, 15];
/// Digits of the shortest and of the longest run that has more than a card number.
const RUN_DIGITS: std::ops::RangeInclusive<usize> = 16..=40;
/// Groups of four before the last group of a card number to which one digit or two were added.
const FOUR_GROUPS: [usize; 3] = [4, 4, 4];

/// Calls `found` with each range of digits that touch each other, and are a card number and what was added to it.
pub(super) fn for_each(digits: &[FloorDigit], mut found: impl FnMut(&[FloorDigit])) {
    if digits.len() < *RUN_DIGITS.start() {
        return;
    }
    for run in digits.chunk_by(|_, next| !next.starts_group) {
        if RUN_DIGITS.contains(&run.len()) && is_card_with_more(run) {
            found(run);
        }
    }
    let groups: Vec<_> = digits.chunk_by(|_, next| !next.starts_group).collect();
    let mut from = 0;
    for (at, group) in groups.iter().enumerate() {
        let is_quartet = groups.get(at..at + 4).is_some_and(|groups| {
            let lengths = groups.iter().map(|group| group.len());
            lengths.take(3).eq(FOUR_GROUPS) && matches!(groups[3].len(), 5 | 6)
        });
        if is_quartet && is_card_number(&digits[from..from + CARD_DIGITS[0]]) {
            found(&digits[from..from + groups[at..at + 4].iter().map(|group| group.len()).sum::<usize>()]);
        }
        from += group.len();
    }
}

fn is_card_with_more(run: &[FloorDigit]) -> bool {
    CARD_DIGITS.iter().any(|length| {
        let at_start = run.get(..*length).zip(run.get(*length..));
        let at_end = run.len().checked_sub(*length).and_then(|rest| run.split_at_checked(rest));
        at_start.is_some_and(|(card, rest)| !rest.is_empty() && is_card_number(card) && is_added(rest))
            || at_end.is_some_and(|(rest, card)| !rest.is_empty() && are_zeros(rest) && is_card_number(card))
    })
}

/// Whether digits after a card number are padding, its expiry date with or without its code, or another card number.
fn is_added(rest: &[FloorDigit]) -> bool {
    let is_date = matches!(rest.len(), 4 | 7 | 8) && is_expiry(&rest[..4]);
    are_zeros(rest) || is_date || CARD_DIGITS.contains(&rest.len()) && is_card_number(rest)
}

fn are_zeros(digits: &[FloorDigit]) -> bool {
    digits.iter().all(|digit| digit.value == 0)
}

/// Whether four digits are month and year of a card that is valid now, or was not long ago.
fn is_expiry(digits: &[FloorDigit]) -> bool {
    let number = |from: usize| {
        digits.get(from..from + 2).map_or(0, |two| two.iter().fold(0, |n, digit| n * 10 + u32::from(digit.value)))
    };
    (1..=12).contains(&number(0)) && (20..=45).contains(&number(2))
}
