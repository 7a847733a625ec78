//! Validators of vehicle identification numbers and registration plates.

use super::{digits, has_shape, number_at};
use crate::tables::india_states::RTO_CODES;
use crate::tables::word_set::{COMMON_WORD_SET, HashedWord};

/// Values of the letters A to Z in a vehicle identification number. I, O and Q have no value and do not occur.
const VIN_LETTERS: [u32; 26] = [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 7, 0, 9, 2, 3, 4, 5, 6, 7, 8, 9];

/// Weights of the 17 positions. The ninth position is the check digit.
const VIN_WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/// Matches the format of a vehicle identification number of 17 characters: letters except I, O and Q, at least 5
/// digits, at least 1 letter in the first 13 characters, and the last 4 characters are digits (ISO 3779; 49 CFR 565).
///
/// European manufacturers set no check digit.
pub(crate) fn vin_by_shape(compact: &[u8]) -> bool {
    compact.len() == 17
        && compact.iter().all(|byte| byte.is_ascii_digit() || (byte.is_ascii_uppercase() && !b"IOQ".contains(byte)))
        && compact[..13].iter().any(u8::is_ascii_uppercase)
        && compact.iter().filter(|byte| byte.is_ascii_digit()).count() >= 5
        && digits::<4>(&compact[13..]).is_some()
}

/// Validates a vehicle identification number with its check digit (49 CFR 565.15).
pub(crate) fn vin(compact: &[u8]) -> bool {
    if !vin_by_shape(compact) {
        return false;
    }
    let value =
        |byte: u8| if byte.is_ascii_digit() { u32::from(byte - b'0') } else { VIN_LETTERS[usize::from(byte - b'A')] };
    let sum: u32 = compact.iter().zip(VIN_WEIGHTS).map(|(byte, weight)| value(*byte) * weight).sum();
    compact[8]
        == match sum % 11 {
            10 => b'X',
            remainder => b"0123456789"[remainder as usize],
        }
}

/// Validates a plate of Great Britain in the format of 2001: 2 letters for the region, 2 digits for the half-year (02
/// to 29, 51 to 79), 3 letters without I and Q (Driver and Vehicle Licensing Agency, INF104).
pub(crate) fn plate_uk(compact: &[u8]) -> bool {
    has_shape(compact, "AA99AAA")
        && !b"IJQTUXZ".contains(&compact[0])
        && !b"IQZ".contains(&compact[1])
        && number_at(compact, 2, 2).is_some_and(|half_year| matches!(half_year, 2..=29 | 51..=79))
        && !compact[4..].iter().any(|byte| b"IQ".contains(byte))
}

/// Validates a plate of Great Britain in the format of 1963 or 1983 (Driver and Vehicle Licensing Agency, INF104).
///
/// The format of 1963 is 3 letters, 1 to 3 digits and the letter of the year. The format of 1983 is the letter of the
/// year, 1 to 3 digits and 3 letters.
pub(crate) fn plate_uk_before_2001(compact: &[u8]) -> bool {
    let year = |byte: &u8| byte.is_ascii_uppercase() && !b"IOQUZ".contains(byte);
    let letters = |part: &[u8]| part.len() == 3 && part.iter().all(u8::is_ascii_uppercase) && !part.contains(&b'I');
    let number = |part: &[u8]| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit) && part[0] != b'0';
    let [first, middle @ .., last] = compact else { return false };
    let suffix = compact.first_chunk::<3>().is_some_and(|head| letters(head))
        && year(last)
        && middle.get(2..).is_some_and(number);
    let prefix = compact.last_chunk::<3>().is_some_and(|tail| letters(tail))
        && year(first)
        && compact.get(1..compact.len().saturating_sub(3)).is_some_and(number);
    suffix || prefix
}

/// Validates an Indian plate: the code of a state, 1 or 2 digits for the office, 1 to 3 letters, 4 digits (Central
/// Motor Vehicles Rules 1989, rule 50). The national series is 2 digits for the year, BH, 4 digits, 1 or 2 letters.
pub(crate) fn plate_india(compact: &[u8]) -> bool {
    let [first, second, rest @ ..] = compact else { return false };
    if has_shape(compact, "99BH9999A") || has_shape(compact, "99BH9999AA") {
        return true;
    }
    let Some((middle, serial)) = rest.split_last_chunk::<4>() else { return false };
    let office = middle.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits::<4>(serial).is_some()
        && (1..=2).contains(&office)
        && (1..=3).contains(&(middle.len() - office))
        && middle[office..].iter().all(u8::is_ascii_uppercase)
        && RTO_CODES.binary_search_by(|code| code.as_bytes().cmp(&[*first, *second])).is_ok()
}

/// Matches the format of a Nigerian plate: 3 letters for the local government, 3 digits, 2 letters (Federal Road Safety
/// Commission, series of 2011).
pub(crate) fn plate_nigeria(compact: &[u8]) -> bool {
    has_shape(compact, "AAA999AA")
}

/// Matches the format of a Turkish plate: a province 01 to 81, 1 to 3 letters, 2 to 5 digits, up to 7 letters and
/// digits after the province (Highway Traffic Regulation, article 53).
///
/// If the letters are a common English word, as in "10 to 15", the province must have a leading zero.
pub(crate) fn plate_turkey(compact: &[u8]) -> bool {
    let Some((province, rest)) = compact.split_first_chunk::<2>() else { return false };
    let letters = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let serial = rest.len() - letters;
    number_at(province, 0, 2).is_some_and(|code| (1..=81).contains(&code))
        && (1..=3).contains(&letters)
        && (2..=5).contains(&serial)
        && letters + serial <= 7
        && rest[letters..].iter().all(u8::is_ascii_digit)
        && (province[0] == b'0' || !is_common_word(&rest[..letters]))
}

/// Matches the format of a German plate: 1 to 3 letters for the district, 1 or 2 letters, 1 to 4 digits without a
/// leading zero, optionally H or E, up to 8 characters in total (Vehicle Registration Ordinance, section 9).
///
/// The text is rejected if all letters or the last two letters are a common English word, as in "I am 25" and "room
/// 12".
pub(crate) fn plate_germany(compact: &[u8]) -> bool {
    let letters = compact.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let rest = &compact[letters..];
    let serial = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (2..=5).contains(&letters)
        && (1..=4).contains(&serial)
        && rest[0] != b'0'
        && compact.len() <= 8
        && matches!(&rest[serial..], [] | [b'H' | b'E'])
        && !is_common_word(&compact[..letters])
        && !is_common_word(&compact[letters - 2..letters])
}

/// Whether the letters are a common English word of up to 8 letters.
fn is_common_word(letters: &[u8]) -> bool {
    letters.len() <= 8 && COMMON_WORD_SET.contains_hashed(HashedWord::new(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vehicle_number_has_a_valid_check_digit() {
        assert!(vin(b"1M8GDM9AXKP042788") && vin(b"1HGCM82633A004352"));
        assert!(!vin(b"1M8GDM9A1KP042788") && !vin(b"1HGCM82633A004353") && !vin(b"11111111111111111"));
    }

    #[test]
    fn a_vehicle_number_without_check_digit_matches_the_shape_only() {
        assert!(vin_by_shape(b"WVWZZZ1JZ3W386752") && !vin(b"WVWZZZ1JZ3W386752"));
        assert!(!vin_by_shape(b"WVWZZZ1JZ3W38675") && !vin_by_shape(b"WVWZZZ1JZ3O386752"));
    }

    #[test]
    fn a_british_plate_contains_a_half_year() {
        assert!(plate_uk(b"BD51SMR") && plate_uk(b"LK23ZXC"));
        assert!(!plate_uk(b"BD50SMR") && !plate_uk(b"BD40SMR") && !plate_uk(b"QD51SMR") && !plate_uk(b"BD51SQR"));
    }

    #[test]
    fn an_older_british_plate_contains_the_letter_of_its_year() {
        assert!(plate_uk_before_2001(b"A123BCD") && plate_uk_before_2001(b"BCD123A") && plate_uk_before_2001(b"P1XYZ"));
        assert!(
            !plate_uk_before_2001(b"Z123BCD") && !plate_uk_before_2001(b"BCD123I") && !plate_uk_before_2001(b"A0BCD")
        );
        assert!(!plate_uk_before_2001(b"") && !plate_uk_before_2001(b"ABCD"));
    }

    #[test]
    fn an_indian_plate_begins_with_a_state() {
        assert!(plate_india(b"MH12DE1433") && plate_india(b"DL8CAF5030") && plate_india(b"22BH6517A"));
        assert!(
            !plate_india(b"QQ12DE1433")
                && !plate_india(b"MH12DE143")
                && !plate_india(b"MH1433")
                && !plate_india(b"MH121433")
        );
    }

    #[test]
    fn nigerian_turkish_and_german_plates_match_their_shapes() {
        assert!(plate_nigeria(b"KJA123AB") && !plate_nigeria(b"KJ1123AB"));
        assert!(
            plate_turkey(b"34BCD56")
                && !plate_turkey(b"82BCD56")
                && !plate_turkey(b"34BCDE56")
                && !plate_turkey(b"3456")
        );
        assert!(
            plate_germany(b"BMW1")
                && plate_germany(b"HHAB123E")
                && !plate_germany(b"BAB0123")
                && !plate_germany(b"HHHABC12")
        );
        assert!(!plate_germany(b"") && !plate_germany(b"ABC"));
    }

    #[test]
    fn ordinary_english_text_is_no_plate() {
        assert!(
            !plate_germany(b"IAM25")
                && !plate_germany(b"ROOM12")
                && !plate_turkey(b"10TO15")
                && !plate_turkey(b"20OR30")
        );
        assert!(plate_turkey(b"06A123"));
    }
}
