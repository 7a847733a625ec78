//! Validators of the identifiers of Belgium, France, Ireland, Luxembourg and the Netherlands.

use crate::validate::calendar::is_date;
use crate::validate::check_digit::{luhn, verhoeff, weighted_sum};
use crate::validate::{digits, number, number_at, one_byte_repeated};

/// Validates a Belgian national register number of 11 digits: date of birth (month plus 20 or 40 for bis numbers),
/// serial, 97 minus the remainder modulo 97. For births since 2000 the remainder is computed with a leading 2 (Royal
/// Decree of 3 April 1984).
pub(crate) fn belgian_national_number(compact: &[u8]) -> bool {
    let (Some(_), Some(body), Some(check)) =
        (digits::<11>(compact), number_at(compact, 0, 9), number_at(compact, 9, 2))
    else {
        return false;
    };
    let (year, month, day) = (body / 10_000_000, body / 100_000 % 100, body / 1000 % 100);
    let month = if month > 20 { month % 20 } else { month };
    let in_century = |century: u64, lead: u64| 97 - (lead + body) % 97 == check && is_date(century + year, month, day);
    in_century(1900, 0) || in_century(2000, 2_000_000_000)
}

/// Validates a French social security number with its key: sex, year, month, department (2A and 2B for Corsica),
/// commune, serial, 97 minus the remainder modulo 97 (INSEE, "Numéro d'inscription au répertoire").
pub(crate) fn french_social_security(compact: &[u8]) -> bool {
    let Ok(code) = <[u8; 15]>::try_from(compact) else { return false };
    // The published rule computes the key of 2A with department 19 and that of 2B with department 18.
    let (department, corsica) = match &code[5..7] {
        b"2A" => (*b"19", true),
        b"2B" => (*b"18", true),
        other => ([other[0], other[1]], false),
    };
    let mut body = [b'0'; 13];
    body.copy_from_slice(&code[..13]);
    body[5..7].copy_from_slice(&department);
    let (Some(value), Some(key), Some(month)) = (number(&body), number(&code[13..]), number(&code[3..5])) else {
        return false;
    };
    let department_fits = corsica || number(&department).is_some_and(|code| matches!(code, 1..=19 | 21..=99));
    matches!(code[0], b'1'..=b'4' | b'7' | b'8')
        && matches!(month, 1..=12 | 20 | 30..=42 | 50..=99)
        && department_fits
        && 97 - value % 97 == key
}

/// Validates a French company number (SIREN) of 9 digits: Luhn check digit (INSEE).
pub(crate) fn french_siren(compact: &[u8]) -> bool {
    compact.len() == 9 && luhn(compact) && !one_byte_repeated(compact)
}

/// Validates an Irish personal public service number: 7 digits, check letter, optionally a second letter with the
/// weight 9 (Department of Social Protection; Revenue, Tax and Duty Manual 35-03-03).
pub(crate) fn irish_personal_number(compact: &[u8]) -> bool {
    let Some((body, letters)) = compact.split_first_chunk::<7>() else { return false };
    let Some(values) = digits::<7>(body) else { return false };
    let (check, second) = match *letters {
        [check] | [check, b'W' | b'T'] => (check, 0),
        [check, second @ b'A'..=b'I'] => (check, u32::from(second - b'A') + 1),
        _ => return false,
    };
    let remainder = (weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2]) + second * 9) % 23;
    check == b"WABCDEFGHIJKLMNOPQRSTUV"[remainder as usize]
}

/// Validates a Dutch citizen service number of 9 digits: the sum with the weights 9 to 2 and -1 is a multiple of 11
/// (Ministry of the Interior, "Logisch ontwerp BSN").
pub(crate) fn dutch_citizen_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<9>(compact) else { return false };
    weighted_sum(&values, &[9, 8, 7, 6, 5, 4, 3, 2, 10]).is_multiple_of(11) && !one_byte_repeated(compact)
}

/// Validates a Luxembourg identification number of 13 digits: date of birth, serial, a Luhn check digit over 12 digits,
/// and a Verhoeff check digit over the first 11 digits (Law of 19 June 2013).
pub(crate) fn luxembourg_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<13>(compact) else { return false };
    let mut verhoeff_digits = [0; 12];
    verhoeff_digits[..11].copy_from_slice(&compact[..11]);
    verhoeff_digits[11] = b'0' + values[12];
    let (Some(year), Some(month), Some(day)) =
        (number_at(compact, 0, 4), number_at(compact, 4, 2), number_at(compact, 6, 2))
    else {
        return false;
    };
    (1850..=2100).contains(&year) && is_date(year, month, day) && luhn(&compact[..12]) && verhoeff(&verhoeff_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_belgian_number_is_valid_in_either_century() {
        assert!(belgian_national_number(b"85073003328") && belgian_national_number(b"17073003384"));
        assert!(
            !belgian_national_number(b"85073003329")
                && !belgian_national_number(b"85173003328")
                && !belgian_national_number(b"")
        );
    }

    #[test]
    fn a_french_number_has_its_key() {
        assert!(french_social_security(b"295109912611193") && french_social_security(b"253072B07300470"));
        assert!(!french_social_security(b"295109912611194") && !french_social_security(b"295139912611193"));
    }

    #[test]
    fn a_french_company_number_has_its_check_digit() {
        assert!(french_siren(b"732829320") && !french_siren(b"732829321"));
    }

    #[test]
    fn a_luxembourg_number_has_both_check_digits() {
        assert!(luxembourg_number(b"1980022912375"));
        assert!(!luxembourg_number(b"1980022912376") && !luxembourg_number(b"1981022912375"));
    }

    #[test]
    fn an_irish_number_has_its_check_letter() {
        assert!(
            irish_personal_number(b"6433435F")
                && irish_personal_number(b"1234567FA")
                && irish_personal_number(b"6433435FW")
        );
        assert!(!irish_personal_number(b"6433435E") && !irish_personal_number(b"643343F"));
    }

    #[test]
    fn the_weighted_sum_of_a_dutch_number_is_a_multiple_of_11() {
        assert!(dutch_citizen_number(b"111222333") && dutch_citizen_number(b"123456782"));
        assert!(!dutch_citizen_number(b"111222334") && !dutch_citizen_number(b"000000000"));
    }
}
