//! Issuer ranges of payment cards, with the lengths of their card numbers.

/// A card scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// American Express.
    Amex,
    /// Dankort (Denmark).
    Dankort,
    /// Diners Club International and its national franchises.
    DinersClub,
    /// Discover.
    Discover,
    /// Hipercard (Brazil).
    Hipercard,
    /// Humo (Uzbekistan).
    Humo,
    /// `InstaPayment`.
    InstaPayment,
    /// `InterPayment`.
    InterPayment,
    /// JCB.
    Jcb,
    /// Maestro and other debit schemes of the ISO ranges 50, 56-58, 63-64 and 66-69.
    Maestro,
    /// Mastercard.
    Mastercard,
    /// Mir (Russia).
    Mir,
    /// `RuPay` (India).
    RuPay,
    /// Troy (Turkey).
    Troy,
    /// Universal Air Travel Plan.
    Uatp,
    /// `UkrCard` (Ukraine).
    UkrCard,
    /// China `UnionPay`.
    UnionPay,
    /// Uzcard (Uzbekistan).
    Uzcard,
    /// Verve (Nigeria).
    Verve,
    /// Visa.
    Visa,
}

/// A range of issuer identification numbers (ISO/IEC 7812-1) that one scheme uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IssuerRange {
    /// The first six digits of the lowest card number.
    pub(crate) low: u32,
    /// The first six digits of the highest card number (inclusive).
    pub(crate) high: u32,
    /// Possible lengths of a card number in digits.
    pub(crate) lengths: &'static [u8],
    /// The scheme that uses the range.
    #[cfg_attr(not(test), expect(dead_code, reason = "names the range for readers of the list and for the tests"))]
    pub(crate) scheme: Scheme,
}

const fn range(low: u32, high: u32, lengths: &'static [u8], scheme: Scheme) -> IssuerRange {
    IssuerRange { low, high, lengths, scheme }
}

const TWELVE_UP: &[u8] = &[12, 13, 14, 15, 16, 17, 18, 19];
const THIRTEEN_UP: &[u8] = &[13, 14, 15, 16, 17, 18, 19];
const SIXTEEN_UP: &[u8] = &[16, 17, 18, 19];
const DINERS: &[u8] = &[14, 16, 19];

/// Issuer ranges, sorted and without overlap.
///
/// Compiled by hand in November 2026 from the publications of the schemes for merchants and processors. Ranges like
/// those of Maestro are not divided, since their sub-ranges change often. Numbers of 12 digits count as card numbers
/// only in the ranges that Maestro lists for them (5018, 5020, 5038, 5893, 6304, 6759, 6761 to 6763), since order
/// numbers of 12 digits are common. JCB numbers of 15 digits begin with 2131, or with 1800, which is inside the UATP
/// range.
pub(crate) const ISSUER_RANGES: &[IssuerRange] = &[
    range(100_000, 199_999, &[15], Scheme::Uatp),
    range(213_100, 213_199, &[15], Scheme::Jcb),
    range(220_000, 220_499, SIXTEEN_UP, Scheme::Mir),
    range(222_100, 272_099, &[16], Scheme::Mastercard),
    range(300_000, 305_999, DINERS, Scheme::DinersClub),
    range(308_800, 309_499, &[16], Scheme::Jcb),
    range(309_500, 309_599, DINERS, Scheme::DinersClub),
    range(309_600, 310_299, &[16], Scheme::Jcb),
    range(311_200, 312_099, &[16], Scheme::Jcb),
    range(315_800, 315_999, &[16], Scheme::Jcb),
    range(333_700, 334_999, &[16], Scheme::Jcb),
    range(340_000, 349_999, &[15], Scheme::Amex),
    range(352_800, 358_999, SIXTEEN_UP, Scheme::Jcb),
    range(360_000, 369_999, DINERS, Scheme::DinersClub),
    range(370_000, 379_999, &[15], Scheme::Amex),
    range(380_000, 399_999, DINERS, Scheme::DinersClub),
    range(400_000, 499_999, &[13, 16, 18, 19], Scheme::Visa),
    range(500_000, 501_799, THIRTEEN_UP, Scheme::Maestro),
    range(501_800, 501_899, TWELVE_UP, Scheme::Maestro),
    range(501_900, 501_999, &[16], Scheme::Dankort),
    range(502_000, 502_099, TWELVE_UP, Scheme::Maestro),
    range(502_100, 503_799, THIRTEEN_UP, Scheme::Maestro),
    range(503_800, 503_899, TWELVE_UP, Scheme::Maestro),
    range(503_900, 506_098, THIRTEEN_UP, Scheme::Maestro),
    range(506_099, 506_198, &[16, 18, 19], Scheme::Verve),
    range(506_199, 507_864, THIRTEEN_UP, Scheme::Maestro),
    range(507_865, 507_964, &[16, 18, 19], Scheme::Verve),
    range(507_965, 507_999, THIRTEEN_UP, Scheme::Maestro),
    range(508_000, 508_999, &[16], Scheme::RuPay),
    range(509_000, 509_999, THIRTEEN_UP, Scheme::Maestro),
    range(510_000, 559_999, &[16], Scheme::Mastercard),
    range(560_000, 589_299, THIRTEEN_UP, Scheme::Maestro),
    range(589_300, 589_399, TWELVE_UP, Scheme::Maestro),
    range(589_400, 589_999, THIRTEEN_UP, Scheme::Maestro),
    range(600_000, 600_999, &[16], Scheme::RuPay),
    range(601_100, 601_199, SIXTEEN_UP, Scheme::Discover),
    range(601_200, 603_999, &[16], Scheme::RuPay),
    range(604_001, 604_200, SIXTEEN_UP, Scheme::UkrCard),
    range(604_201, 606_199, &[16], Scheme::RuPay),
    range(606_282, 606_282, &[13, 16, 19], Scheme::Hipercard),
    range(606_300, 609_999, &[16], Scheme::RuPay),
    range(620_000, 629_999, SIXTEEN_UP, Scheme::UnionPay),
    range(630_000, 630_399, THIRTEEN_UP, Scheme::Maestro),
    range(630_400, 630_499, TWELVE_UP, Scheme::Maestro),
    range(630_500, 635_999, THIRTEEN_UP, Scheme::Maestro),
    range(636_000, 636_999, SIXTEEN_UP, Scheme::InterPayment),
    range(637_000, 639_999, &[16], Scheme::InstaPayment),
    range(640_000, 643_999, THIRTEEN_UP, Scheme::Maestro),
    range(644_000, 659_999, SIXTEEN_UP, Scheme::Discover),
    range(660_000, 675_899, THIRTEEN_UP, Scheme::Maestro),
    range(675_900, 675_999, TWELVE_UP, Scheme::Maestro),
    range(676_000, 676_099, THIRTEEN_UP, Scheme::Maestro),
    range(676_100, 676_399, TWELVE_UP, Scheme::Maestro),
    range(676_400, 699_999, THIRTEEN_UP, Scheme::Maestro),
    range(810_000, 817_199, SIXTEEN_UP, Scheme::UnionPay),
    range(817_200, 829_999, &[16], Scheme::RuPay),
    range(860_000, 860_099, &[16], Scheme::Uzcard),
    range(979_200, 979_299, &[16], Scheme::Troy),
    range(986_000, 986_099, &[16], Scheme::Humo),
];

/// The issuer range that contains these first six digits.
pub(crate) fn issuer_range(first_six: u32) -> Option<&'static IssuerRange> {
    let after = ISSUER_RANGES.partition_point(|entry| entry.low <= first_six);
    after.checked_sub(1).and_then(|at| ISSUER_RANGES.get(at)).filter(|entry| first_six <= entry.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_sorted_and_do_not_overlap() {
        assert!(ISSUER_RANGES.iter().all(|entry| entry.low <= entry.high));
        assert!(ISSUER_RANGES.windows(2).all(|pair| pair[0].high < pair[1].low));
    }

    #[test]
    fn the_bounds_of_the_mastercard_range_are_inclusive() {
        let scheme = |first_six| issuer_range(first_six).map(|entry| entry.scheme);
        assert_eq!(scheme(222_100), Some(Scheme::Mastercard));
        assert_eq!(scheme(272_099), Some(Scheme::Mastercard));
        assert_eq!(scheme(222_099), None);
        assert_eq!(scheme(272_100), None);
    }
}
