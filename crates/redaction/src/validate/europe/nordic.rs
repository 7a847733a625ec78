//! Validators of the identifiers of Denmark, Finland, Iceland, Norway and Sweden.

use crate::validate::calendar::{is_date, is_date_of_short_year};
use crate::validate::check_digit::{luhn, weighted_sum};
use crate::validate::{digits, number, number_at, us};

/// Check characters of Finnish identity codes by the remainder modulo 31.
const FINNISH_CHECK_CHARACTERS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";

/// Validates a Finnish personal identity code: date of birth, century sign, 3 digits, check character (Digital and
/// Population Data Services Agency; Government Decree 128/2010).
///
/// The compact text has no century sign if the sign was `-` or `+`.
pub(crate) fn finnish_identity_code(compact: &[u8]) -> bool {
    let Some((birth, rest)) = compact.split_first_chunk::<6>() else { return false };
    let (century, tail) = match *rest {
        [sign, a, b, c, check] => (sign, [a, b, c, check]),
        [a, b, c, check] => (b'-', [a, b, c, check]),
        _ => return false,
    };
    let year = match century {
        b'-' | b'Y' | b'X' | b'W' | b'V' | b'U' => 1900,
        b'A'..=b'F' => 2000,
        _ => return false,
    };
    let (Some(day), Some(month), Some(short), Some(body)) =
        (number_at(birth, 0, 2), number_at(birth, 2, 2), number_at(birth, 4, 2), number(birth))
    else {
        return false;
    };
    let Some(serial) = number(&tail[..3]) else { return false };
    let remainder = (body * 1000 + serial) % 31;
    serial >= 2
        && (is_date(year + short, month, day) || (compact.len() == 10 && is_date(1800 + short, month, day)))
        && usize::try_from(remainder).ok().and_then(|at| FINNISH_CHECK_CHARACTERS.get(at)) == Some(&tail[3])
}

/// Validates a Swedish personal or coordination number of 10 or 12 digits: date of birth (day plus 60 for a
/// coordination number), 3 digits, Luhn check digit over the last 10 digits (Swedish Tax Agency, SKV 704).
pub(crate) fn swedish_personal_number(compact: &[u8]) -> bool {
    let (century, short) = match compact.len() {
        10 => (None, compact),
        12 => (number_at(compact, 0, 2), &compact[2..]),
        _ => return false,
    };
    let (Some(year), Some(month), Some(day)) = (number_at(short, 0, 2), number_at(short, 2, 2), number_at(short, 4, 2))
    else {
        return false;
    };
    let day = if day > 60 { day - 60 } else { day };
    let has_birth_date = match century {
        Some(century @ 18..=20) => is_date(century * 100 + year, month, day),
        Some(_) => false,
        None => compact.len() == 10 && is_date_of_short_year(year, month, day),
    };
    has_birth_date && luhn(short)
}

/// Validates a Swedish personal number that is no North American telephone number.
pub(crate) fn swedish_personal_number_not_nanp(compact: &[u8]) -> bool {
    swedish_personal_number(compact) && !us::nanp(compact)
}

/// Matches the format of a Danish personal number of 10 digits: date of birth and serial (Civil Registration System).
/// Numbers issued since 2007 have no check digit.
pub(crate) fn danish_personal_number(compact: &[u8]) -> bool {
    digits::<10>(compact).is_some() && starts_with_birth_date(compact)
}

/// Validates a Norwegian birth or D number of 11 digits: date of birth (day plus 40 for a D number), 3 digits, 2 check
/// digits modulo 11 (Norwegian Tax Administration, regulation on the population register).
pub(crate) fn norwegian_birth_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    let day = if day > 40 { day - 40 } else { day };
    is_date_of_short_year(year, month, day)
        && weighted_sum(&values, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
        && weighted_sum(&values, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

/// Validates an Icelandic identity number of 10 digits: date of birth, 2 digits, check digit modulo 11, century
/// (Registers Iceland).
pub(crate) fn icelandic_identity_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<10>(compact) else { return false };
    starts_with_birth_date(compact)
        && matches!(values[9], 8 | 9 | 0)
        && weighted_sum(&values, &[3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

fn starts_with_birth_date(compact: &[u8]) -> bool {
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    is_date_of_short_year(year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specimen_finnish_code_is_valid_with_and_without_its_century_sign() {
        assert!(finnish_identity_code(b"131052308T") && finnish_identity_code(b"131052Y308T"));
        assert!(
            !finnish_identity_code(b"131052308U")
                && !finnish_identity_code(b"131352308T")
                && !finnish_identity_code(b"131052G308T")
        );
    }

    #[test]
    fn a_swedish_number_is_valid_in_both_lengths() {
        assert!(swedish_personal_number(b"8112189876") && swedish_personal_number(b"198112189876"));
        assert!(swedish_personal_number(b"7010632391"));
        assert!(!swedish_personal_number(b"8112189875") && !swedish_personal_number(b"218112189876"));
        assert!(!swedish_personal_number(b"8113189876") && !swedish_personal_number(b"81121898"));
    }

    #[test]
    fn a_danish_number_begins_with_a_birth_date() {
        assert!(danish_personal_number(b"0706614285") && !danish_personal_number(b"3206614285"));
    }

    #[test]
    fn a_norwegian_number_has_two_check_digits() {
        assert!(norwegian_birth_number(b"15108695088"));
        assert!(!norwegian_birth_number(b"15108695077") && !norwegian_birth_number(b"15138695088"));
    }

    #[test]
    fn an_icelandic_number_has_its_check_digit() {
        assert!(icelandic_identity_number(b"1203753509") && icelandic_identity_number(b"1201743399"));
        assert!(!icelandic_identity_number(b"1203753519") && !icelandic_identity_number(b"1203753505"));
    }
}
