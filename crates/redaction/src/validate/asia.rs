//! Validators of the national identifiers of Asia, other than India and Korea.

use super::calendar::is_date;
use super::check_digit::{luhn, weighted_sum};
use super::{digits, has_shape, number, number_at, one_byte_repeated};

/// Validates a Japanese individual number of 12 digits: check digit modulo 11 (Ministry of Internal Affairs, ordinance
/// 85 of 2014, article 5).
pub(crate) fn japanese_individual(compact: &[u8]) -> bool {
    let Some(values) = digits::<12>(compact) else { return false };
    let remainder = weighted_sum(&values, &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    (if remainder <= 1 { 0 } else { 11 - remainder }) == u32::from(values[11]) && !one_byte_repeated(compact)
}

/// Validates a Thai identification number of 13 digits: type 1 to 8, a province, check digit modulo 11 (Department of
/// Provincial Administration).
pub(crate) fn thai_identification(compact: &[u8]) -> bool {
    let Some(values) = digits::<13>(compact) else { return false };
    let sum = weighted_sum(&values, &[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    let province = values[1] * 10 + values[2];
    matches!(values[0], 1..=8)
        && matches!(province, 10..=27 | 30..=49 | 50..=58 | 60..=67 | 70..=77 | 80..=86 | 90..=96)
        && (11 - sum % 11) % 10 == u32::from(values[12])
        && !one_byte_repeated(compact)
}

/// Validates a Turkish identity number of 11 digits: no leading zero, 2 check digits (General Directorate of
/// Population, Law 5490).
pub(crate) fn turkish_identity(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let odd = weighted_sum(&values, &[1, 0, 1, 0, 1, 0, 1, 0, 1]);
    let even = weighted_sum(&values, &[0, 1, 0, 1, 0, 1, 0, 1]);
    let (tenth, last) = (u32::from(values[9]), u32::from(values[10]));
    values[0] != 0 && (odd * 7 + 10 * even - even) % 10 == tenth && (odd + even + tenth) % 10 == last
}

/// Validates a Turkish identity number that is no North American telephone number with the country code 1.
pub(crate) fn turkish_identity_not_nanp(compact: &[u8]) -> bool {
    turkish_identity(compact) && !super::us::nanp(compact)
}

/// Validates a Chinese resident identity number of 18 characters: a province, date of birth, serial, check character of
/// ISO/IEC 7064 MOD 11-2 (GB 11643-1999).
pub(crate) fn chinese_resident(compact: &[u8]) -> bool {
    let Some((body, check)) = compact.split_last_chunk::<1>() else { return false };
    let Some(values) = digits::<17>(body) else { return false };
    let (Some(year), Some(month), Some(day)) = (number_at(body, 6, 4), number_at(body, 10, 2), number_at(body, 12, 2))
    else {
        return false;
    };
    let remainder = weighted_sum(&values, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11;
    is_chinese_province(body)
        && (1850..=2100).contains(&year)
        && is_date(year, month, day)
        && b"10X98765432"[remainder as usize] == check[0]
}

/// Matches the format of a Chinese identity number issued until 1999, of 15 digits: a province and a date of birth (GB
/// 11643-1989). There is no check digit.
pub(crate) fn chinese_resident_old(compact: &[u8]) -> bool {
    let (Some(_), Some(year), Some(month), Some(day)) =
        (digits::<15>(compact), number_at(compact, 6, 2), number_at(compact, 8, 2), number_at(compact, 10, 2))
    else {
        return false;
    };
    is_chinese_province(compact) && is_date(1900 + year, month, day)
}

fn is_chinese_province(compact: &[u8]) -> bool {
    let province = number_at(compact, 0, 2);
    matches!(province, Some(11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83))
}

/// Validates a Hong Kong identity card number: 1 or 2 letters, 6 digits, check character modulo 11 (Immigration
/// Department, Registration of Persons Ordinance).
pub(crate) fn hong_kong_identity(compact: &[u8]) -> bool {
    let letters = compact.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let Some((check, body)) = compact.split_last() else { return false };
    let (Some(head), Some(tail)) = (body.get(..letters), body.get(letters..)) else { return false };
    let Some(values) = digits::<6>(tail) else { return false };
    // A missing first letter counts as a space, which has the value 36.
    let letter_value = |at: Option<&u8>| at.map_or(36, |byte| u32::from(byte - b'A') + 10);
    let (first, second) = match *head {
        [_] => (None, head.first()),
        [_, _] => (head.first(), head.get(1)),
        _ => return false,
    };
    let sum = letter_value(first) * 9 + letter_value(second) * 8 + weighted_sum(&values, &[7, 6, 5, 4, 3, 2]);
    *check == b"0123456789A"[((11 - sum % 11) % 11) as usize]
}

/// Validates a Taiwanese identification number: region letter, 1, 2, 8 or 9, 7 digits, check digit (Ministry of the
/// Interior, household registration).
pub(crate) fn taiwanese_identification(compact: &[u8]) -> bool {
    /// Region numbers of the letters A to Z.
    const REGION_NUMBERS: [u32; 26] =
        [10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33];
    let Some((letter, tail)) = compact.split_first() else { return false };
    let Some(values) = digits::<9>(tail) else { return false };
    if !letter.is_ascii_uppercase() || !matches!(values[0], 1 | 2 | 8 | 9) {
        return false;
    }
    let region = REGION_NUMBERS[usize::from(letter - b'A')];
    (region / 10 + region % 10 * 9 + weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2, 1, 1])).is_multiple_of(10)
}

/// Matches the format of a Malaysian identity card number of 12 digits: date of birth, place of birth, serial (National
/// Registration Regulations 1990). There is no published check digit.
pub(crate) fn malaysian_identity(compact: &[u8]) -> bool {
    let (Some(_), Some(birth), Some(birthplace)) =
        (digits::<12>(compact), number_at(compact, 0, 6), number_at(compact, 6, 2))
    else {
        return false;
    };
    super::calendar::is_date_of_short_year(birth / 10_000, birth / 100 % 100, birth % 100)
        && matches!(birthplace, 1..=16 | 21..=59 | 60..=68 | 71 | 72 | 74..=79 | 82..=93 | 98 | 99)
}

/// Matches the format of an Indonesian identity number of 16 digits: province, district and subdistrict, day of birth
/// (plus 40 for women), month, year, serial (Law 23 of 2006). There is no check digit.
pub(crate) fn indonesian_identity(compact: &[u8]) -> bool {
    let (Some(_), Some(birth), Some(province)) =
        (digits::<16>(compact), number_at(compact, 6, 6), number_at(compact, 0, 2))
    else {
        return false;
    };
    let day = birth / 10_000;
    matches!(province, 11..=21 | 31..=36 | 51..=53 | 61..=65 | 71..=76 | 81 | 82 | 91..=97)
        && super::calendar::is_date_of_short_year(birth % 100, birth / 100 % 100, if day > 40 { day - 40 } else { day })
        && number_at(compact, 12, 4) != Some(0)
}

/// Validates an Israeli identity number of 9 digits: Luhn check digit (Population Registry Law).
pub(crate) fn israeli_identity(compact: &[u8]) -> bool {
    compact.len() == 9 && luhn(compact) && !one_byte_repeated(compact)
}

/// Matches the format of a Pakistani identity card number of 13 digits: a province and a serial other than zero
/// (National Database and Registration Authority). There is no published check digit.
pub(crate) fn pakistani_identity(compact: &[u8]) -> bool {
    digits::<13>(compact).is_some_and(|values| matches!(values[0], 1..=7)) && number(&compact[5..]) != Some(0)
}

/// Matches the shape of a Singaporean identity number with any check letter, since speech recognition can mishear a
/// character.
pub(crate) fn singaporean_identity_by_shape(compact: &[u8]) -> bool {
    has_shape(compact, "A9999999A") && b"STFGM".contains(&compact[0])
}

/// Validates a Singaporean identity number: S, T, F, G or M, 7 digits, check letter (Immigration and Checkpoints
/// Authority, National Registration Act).
pub(crate) fn singaporean_identity(compact: &[u8]) -> bool {
    if !has_shape(compact, "A9999999A") {
        return false;
    }
    let Some(values) = digits::<7>(&compact[1..8]) else { return false };
    let (offset, letters): (u32, &[u8; 11]) = match compact[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        b'M' => (3, b"XWUTRQPNJLK"),
        _ => return false,
    };
    letters[((weighted_sum(&values, &[2, 7, 6, 5, 4, 3, 2]) + offset) % 11) as usize] == compact[8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_japanese_number_has_its_check_digit() {
        assert!(japanese_individual(b"731840259166"));
        assert!(!japanese_individual(b"731840259167") && !japanese_individual(b"000000000000"));
    }

    #[test]
    fn a_thai_number_has_a_province_and_a_check_digit() {
        assert!(thai_identification(b"5100700123458"));
        assert!(!thai_identification(b"5100700123459") && !thai_identification(b"0100700123458"));
    }

    #[test]
    fn a_turkish_number_has_two_check_digits() {
        assert!(turkish_identity(b"17291716060"));
        assert!(
            !turkish_identity(b"17291716061") && !turkish_identity(b"17291716160") && !turkish_identity(b"07291716060")
        );
    }

    #[test]
    fn the_examples_of_the_chinese_standard_are_valid() {
        assert!(chinese_resident(b"11010519491231002X") && chinese_resident(b"440524188001010014"));
        assert!(!chinese_resident(b"110105194912310021") && !chinese_resident(b"11010519491331002X"));
        assert!(!chinese_resident(b"00010519491231002X"));
        assert!(chinese_resident_old(b"110105491231002") && !chinese_resident_old(b"110105491331002"));
    }

    #[test]
    fn a_hong_kong_number_has_its_check_character() {
        assert!(hong_kong_identity(b"G123456A") && hong_kong_identity(b"A1234563") && hong_kong_identity(b"AB9876543"));
        assert!(!hong_kong_identity(b"G1234565") && !hong_kong_identity(b"A123456") && !hong_kong_identity(b""));
    }

    #[test]
    fn a_taiwanese_number_has_its_check_digit() {
        assert!(taiwanese_identification(b"A123456789") && !taiwanese_identification(b"A123456788"));
    }

    #[test]
    fn a_singaporean_number_has_its_check_letter() {
        let samples: [&[u8]; 4] = [b"S1234567D", b"F1234567N", b"T0234561C", b"M1234567K"];
        assert!(samples.into_iter().all(singaporean_identity));
        assert!(
            !singaporean_identity(b"S1234567E")
                && !singaporean_identity(b"A1234567D")
                && !singaporean_identity(b"S123456D")
        );
    }

    #[test]
    fn malaysian_indonesian_pakistani_and_israeli_numbers_match_their_formats() {
        assert!(malaysian_identity(b"770305021234") && !malaysian_identity(b"771305021234"));
        assert!(indonesian_identity(b"3171015708450001") && !indonesian_identity(b"3171017208450001"));
        assert!(pakistani_identity(b"3420108911791") && !pakistani_identity(b"8420108911791"));
        assert!(israeli_identity(b"039337423") && !israeli_identity(b"039337424"));
    }
}
