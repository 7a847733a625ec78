//! Validators of the identifiers of Bulgaria, Croatia, Czechia, Greece, Poland, Romania, Slovakia and the states of
//! former Yugoslavia.

use crate::validate::calendar::is_date;
use crate::validate::check_digit::{luhn, mod11_10, weighted_sum};
use crate::validate::{digits, number, number_at};

/// Validates a Polish PESEL of 11 digits: date of birth with the century in the month, serial, check digit (Ministry of
/// Digital Affairs, population register act).
pub(crate) fn polish_pesel(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    let century = [1900, 2000, 2100, 2200, 1800].get(usize::try_from(month / 20).unwrap_or(usize::MAX)).copied();
    century.is_some_and(|century| is_date(century + year, month % 20, day))
        && weighted_sum(&values, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}

/// Validates a Polish tax number (NIP) of 10 digits: no leading zero, check digit modulo 11 (Ministry of Finance).
pub(crate) fn polish_nip(compact: &[u8]) -> bool {
    let Some(values) = digits::<10>(compact) else { return false };
    values[0] != 0 && weighted_sum(&values, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == u32::from(values[9])
}

/// Validates a Czech or Slovak birth number of 9 or 10 digits: date of birth (month plus 20, 50 or 70), and 10 digits
/// are a multiple of 11 (Act 133/2000).
///
/// Numbers of 9 digits, issued until 1953, have no check digit.
pub(crate) fn czech_birth_number(compact: &[u8]) -> bool {
    let (Some(year), Some(month), Some(day), Some(value)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2), number(compact))
    else {
        return false;
    };
    let month = match month {
        51.. => month - 50,
        other => other,
    };
    let month = if month > 20 { month - 20 } else { month };
    match compact.len() {
        9 => year <= 53 && is_date(1900 + year, month, day),
        10 => {
            let century = if year >= 54 { 1900 } else { 2000 };
            let has_check_digit = value.is_multiple_of(11) || (value % 10 == 0 && value / 10 % 11 == 10);
            has_check_digit && is_date(century + year, month, day)
        }
        _ => false,
    }
}

/// Validates a Romanian personal number of 13 digits: sex and century, date of birth, county, serial, check digit
/// modulo 11 (Emergency Ordinance 97/2005).
pub(crate) fn romanian_personal_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<13>(compact) else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number_at(compact, 1, 2), number_at(compact, 3, 2), number_at(compact, 5, 2))
    else {
        return false;
    };
    let century = match values[0] {
        3 | 4 => 1800,
        5 | 6 => 2000,
        1 | 2 | 7..=9 => 1900,
        _ => return false,
    };
    let remainder = weighted_sum(&values, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    is_date(century + year, month, day) && (if remainder == 10 { 1 } else { remainder }) == u32::from(values[12])
}

/// Validates a Bulgarian personal number of 10 digits: date of birth (month plus 20 or 40), serial, check digit modulo
/// 11 (Civil Registration Act).
pub(crate) fn bulgarian_personal_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<10>(compact) else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    let century = [1900, 1800, 2000].get(usize::try_from(month / 20).unwrap_or(usize::MAX)).copied();
    century.is_some_and(|century| is_date(century + year, month % 20, day))
        && weighted_sum(&values, &[2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11 % 10 == u32::from(values[9])
}

/// Validates a Croatian personal number of 11 digits: check digit of ISO/IEC 7064 MOD 11,10 (Personal Identification
/// Number Act).
pub(crate) fn croatian_personal_number(compact: &[u8]) -> bool {
    digits::<11>(compact).is_some_and(|values| mod11_10(&values))
}

/// Validates a Greek social security number (AMKA) of 11 digits: day, month and year of birth, serial, Luhn check digit
/// (Law 3655/2008).
pub(crate) fn greek_social_security(compact: &[u8]) -> bool {
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    compact.len() == 11 && luhn(compact) && (is_date(1900 + year, month, day) || is_date(2000 + year, month, day))
}

/// Validates a unique citizen number of a successor state of Yugoslavia, of 13 digits: day, month and last 3 digits of
/// the year of birth, region, serial, check digit modulo 11 (JMBG, law of 1976).
pub(crate) fn yugoslav_citizen_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<13>(compact) else { return false };
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 3))
    else {
        return false;
    };
    let year = if year < 800 { 2000 + year } else { 1000 + year };
    let remainder = weighted_sum(&values, &[7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    is_date(year, month, day) && (11 - remainder) % 11 == u32::from(values[12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pesel_has_a_date_and_its_check_digit() {
        assert!(polish_pesel(b"44051401359") && polish_pesel(b"02271409867"));
        assert!(!polish_pesel(b"44051401358") && !polish_pesel(b"44131401359") && !polish_pesel(b""));
    }

    #[test]
    fn a_nip_has_its_check_digit() {
        assert!(polish_nip(b"8567346215") && !polish_nip(b"8567346216"));
    }

    #[test]
    fn a_birth_number_is_a_multiple_of_eleven() {
        assert!(czech_birth_number(b"7103192745"));
        assert!(!czech_birth_number(b"7103192746") && !czech_birth_number(b"7113192745"));
    }

    #[test]
    fn the_published_numbers_of_the_other_countries_are_valid() {
        assert!(romanian_personal_number(b"1630615123457"));
        assert!(bulgarian_personal_number(b"7523169263"));
        assert!(croatian_personal_number(b"33392005961"));
        assert!(greek_social_security(b"01013099997"));
        assert!(yugoslav_citizen_number(b"0101006500006"));
    }

    #[test]
    fn a_number_with_a_wrong_last_digit_is_invalid() {
        assert!(!romanian_personal_number(b"1630615123458"));
        assert!(!bulgarian_personal_number(b"7523169262"));
        assert!(!croatian_personal_number(b"33392005962"));
        assert!(!greek_social_security(b"01013099998"));
        assert!(!yugoslav_citizen_number(b"0101006500007"));
    }
}
