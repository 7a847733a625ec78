//! Validators of the identifiers of the United Kingdom.

use super::calendar::is_date_of_short_year;
use super::check_digit::weighted_sum;
use super::{digits, has_shape, number_at, one_byte_repeated, us};
use crate::tables::uk_postcode::AREAS;

/// Validates a National Insurance number: an allocated prefix of 2 letters, 6 digits, a suffix A to D (HM Revenue and
/// Customs, National Insurance Manual NIM39110).
pub(crate) fn national_insurance(compact: &[u8]) -> bool {
    let [first, second, .., suffix] = *compact else { return false };
    has_shape(compact, "AA999999A")
        && !b"DFIQUV".contains(&first)
        && !b"DFIOQUV".contains(&second)
        && ![*b"BG", *b"GB", *b"KN", *b"NK", *b"NT", *b"TN", *b"ZZ"].contains(&[first, second])
        && suffix <= b'D'
}

/// Validates an NHS number of 10 digits: the check digit is 11 minus the weighted sum (weights 10 to 2) modulo 11 (NHS
/// Data Dictionary).
pub(crate) fn nhs_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<10>(compact) else { return false };
    let check = 11 - weighted_sum(&values, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    check % 11 == u32::from(values[9]) && !one_byte_repeated(compact)
}

/// Validates an NHS number that is no North American telephone number. People group both in the same way.
pub(crate) fn nhs_number_not_nanp(compact: &[u8]) -> bool {
    nhs_number(compact) && !us::nanp(compact)
}

/// Matches the format of a driving licence number of Great Britain: 5 letters of the surname padded with 9; decade,
/// month (plus 50 for women), day and year of birth; 2 initials or 9; a distinguishing digit or letter; 2 letters
/// (Driver and Vehicle Licensing Agency, INF1D).
pub(crate) fn driving_licence(compact: &[u8]) -> bool {
    let (Some(surname), Some(birth), Some(initials)) = (compact.get(..5), compact.get(5..11), compact.get(11..13))
    else {
        return false;
    };
    let (Some(decade), Some(month), Some(day), Some(year)) =
        (number_at(birth, 0, 1), number_at(birth, 1, 2), number_at(birth, 3, 2), number_at(birth, 5, 1))
    else {
        return false;
    };
    let letters = surname.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    letters >= 1
        && surname[letters..].iter().all(|byte| *byte == b'9')
        && is_date_of_short_year(decade * 10 + year, if month > 50 { month - 50 } else { month }, day)
        && initials.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'9')
        && has_shape(&compact[13..], "XAA")
}

/// Validates a postcode: an area in use, a district, a sector and a unit without C, I, K, M, O and V (BS 7666-2, Royal
/// Mail Programmers' Guide).
pub(crate) fn postcode(compact: &[u8]) -> bool {
    let Some((outward, inward)) = compact.split_last_chunk::<3>() else { return false };
    let [sector, unit @ ..] = inward;
    let area = outward.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let unit_fits = unit.iter().all(|byte| byte.is_ascii_uppercase() && !b"CIKMOV".contains(byte));
    if !sector.is_ascii_digit() || !unit_fits || !(1..=2).contains(&area) {
        return compact == b"GIR0AA";
    }
    AREAS.binary_search_by(|code| code.as_bytes().cmp(&outward[..area])).is_ok() && is_district(&outward[area..], area)
}

fn is_district(district: &[u8], area_letters: usize) -> bool {
    match district {
        [digit] => digit.is_ascii_digit(),
        [tens, digit] if digit.is_ascii_digit() => (b'1'..=b'9').contains(tens),
        [digit, letter] if area_letters == 1 => digit.is_ascii_digit() && b"ABCDEFGHJKPSTUW".contains(letter),
        [digit, letter] => digit.is_ascii_digit() && b"ABEHMNPRVWXY".contains(letter),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_national_insurance_number_has_an_allocated_prefix() {
        assert!(national_insurance(b"AB123456C") && national_insurance(b"JG103759A"));
        assert!(
            !national_insurance(b"QQ123456C") && !national_insurance(b"GB123456C") && !national_insurance(b"AO123456C")
        );
        assert!(!national_insurance(b"AB123456E") && !national_insurance(b"AB12345C"));
    }

    #[test]
    fn an_nhs_number_has_its_check_digit() {
        assert!(nhs_number(b"9434765919") && nhs_number(b"9000000009"));
        assert!(!nhs_number(b"9434765918") && !nhs_number(b"9437465919") && !nhs_number(b"0000000000"));
    }

    #[test]
    fn an_nhs_number_that_is_also_a_phone_number_is_rejected() {
        assert!(nhs_number(b"2015551018") && us::nanp(b"2015551018"));
        assert!(!nhs_number_not_nanp(b"2015551018"));
    }

    #[test]
    fn a_driving_licence_number_contains_a_date_of_birth() {
        assert!(driving_licence(b"BAKER709159K99AB") && driving_licence(b"LI999855129MX9YZ"));
        assert!(!driving_licence(b"BAKER713159K99AB") && !driving_licence(b"BAKER709319K99AB"));
        assert!(!driving_licence(b"BA9ER709159K99AB") && !driving_licence(b"BAKER709159K99A"));
    }

    #[test]
    fn the_six_formats_of_a_postcode_are_valid() {
        let samples: [&[u8]; 7] = [b"L18JQ", b"B338TH", b"W1J7BU", b"CR26XH", b"SW1A2AA", b"LS101AB", b"GIR0AA"];
        assert!(samples.into_iter().all(postcode));
    }

    #[test]
    fn a_postcode_with_an_unknown_area_or_an_unused_letter_is_invalid() {
        let malformed: [&[u8]; 6] = [b"ZZ11AA", b"SW1A2AC", b"SW1A2VA", b"SW1I2AA", b"L08JQX", b"1A11AA"];
        assert!(!malformed.into_iter().any(postcode));
    }
}
