//! Validators of payment card numbers.

use super::check_digit::luhn;
use super::{number_at, one_byte_repeated};
use crate::tables::card_issuers::{IssuerRange, issuer_range};

/// Validates a payment card number of 12 to 19 digits: issuer range, a length that the issuer uses, Luhn check digit
/// (ISO/IEC 7812-1).
pub(crate) fn card_number(compact: &[u8]) -> bool {
    card_issuer(compact).is_some() && luhn(compact)
}

/// The issuer range for these first digits and this length. The check digit is not tested, so that a card number with
/// one misheard digit also has a range.
pub(crate) fn card_issuer(compact: &[u8]) -> Option<&'static IssuerRange> {
    let first_six = u32::try_from(number_at(compact, 0, 6)?).ok()?;
    let length = u8::try_from(compact.len()).ok()?;
    let digits_only = compact.iter().all(u8::is_ascii_digit) && !one_byte_repeated(compact);
    issuer_range(first_six).filter(|range| digits_only && range.lengths.contains(&length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::card_issuers::Scheme;

    /// Numbers that schemes and processors publish for tests.
    const SAMPLES: &[(&[u8], Scheme)] = &[
        (b"4242424242424242", Scheme::Visa),
        (b"4222222222222", Scheme::Visa),
        (b"5105105105105100", Scheme::Mastercard),
        (b"2223003122003222", Scheme::Mastercard),
        (b"378282246310005", Scheme::Amex),
        (b"6011111111111117", Scheme::Discover),
        (b"30569309025904", Scheme::DinersClub),
        (b"3530111333300000", Scheme::Jcb),
        (b"6200000000000005", Scheme::UnionPay),
        (b"6759649826438453", Scheme::Maestro),
        (b"675970000005", Scheme::Maestro),
        (b"213100000000001", Scheme::Jcb),
        (b"6073849700004947", Scheme::RuPay),
    ];

    #[test]
    fn the_published_test_numbers_are_valid_numbers_of_their_schemes() {
        for (number, scheme) in SAMPLES {
            assert!(card_number(number), "{scheme:?}");
            assert_eq!(card_issuer(number).map(|range| range.scheme), Some(*scheme));
        }
    }

    #[test]
    fn a_card_number_with_one_wrong_digit_is_invalid() {
        for (number, scheme) in SAMPLES {
            let mut wrong = number.to_vec();
            wrong[9] = if wrong[9] == b'9' { b'0' } else { wrong[9] + 1 };
            assert!(!card_number(&wrong), "{scheme:?}");
        }
    }

    #[test]
    fn a_card_number_of_a_length_that_the_issuer_does_not_use_is_invalid() {
        assert!(luhn(b"42424242424242"));
        assert!(!card_number(b"42424242424242"));
    }

    #[test]
    fn a_number_with_a_wrong_check_digit_has_an_issuer_range() {
        assert!(card_issuer(b"4242424242424241").is_some());
    }

    #[test]
    fn zeros_are_no_card_number() {
        assert!(!card_number(b"0000000000000000"));
        assert!(!card_number(b""));
    }
}
