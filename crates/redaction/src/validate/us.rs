//! Validators of the identifiers of the United States, other than health identifiers.

use super::{digits, number_at, one_byte_repeated};
use crate::tables::ein::EIN_PREFIXES;
use crate::tables::nanp::SERVICE_CODES;

/// Numbers from advertisements, which were never issued or were withdrawn (SSA, "Social Security Cards Issued by
/// Woolworth"; SSA pamphlet of 1940).
const ADVERTISED_SSNS: [&[u8]; 2] = [b"078051120", b"219099999"];

/// Matches the format of a social security number of 9 digits: area not 000, 666 or from 900, group not 00, serial not
/// 0000 (Social Security Administration, "SSN randomization"). There is no check digit.
pub(crate) fn ssn(compact: &[u8]) -> bool {
    let Some([area, group, serial]) = area_group_serial(compact) else { return false };
    area != 0
        && area != 666
        && area < 900
        && group != 0
        && serial != 0
        && !one_byte_repeated(compact)
        && !ADVERTISED_SSNS.contains(&compact)
}

/// Matches the format of an individual taxpayer identification number of 9 digits: first digit 9, fourth and fifth
/// digit in 50-65, 70-88, 90-92 or 94-99 (Internal Revenue Service, Publication 4757).
pub(crate) fn itin(compact: &[u8]) -> bool {
    let Some([area, group, _]) = area_group_serial(compact) else { return false };
    area >= 900 && matches!(group, 50..=65 | 70..=88 | 90..=92 | 94..=99)
}

/// The area, group and serial of a number of 9 digits.
fn area_group_serial(compact: &[u8]) -> Option<[u64; 3]> {
    digits::<9>(compact)?;
    Some([number_at(compact, 0, 3)?, number_at(compact, 3, 2)?, number_at(compact, 5, 4)?])
}

/// Matches the format of an employer identification number of 9 digits: a prefix that the Internal Revenue Service has
/// assigned.
pub(crate) fn ein(compact: &[u8]) -> bool {
    digits::<9>(compact).is_some_and(|values| EIN_PREFIXES.contains(&(values[0] * 10 + values[1])))
        && !one_byte_repeated(compact)
}

/// Matches the format of a telephone number of the North American Numbering Plan: 10 digits, or 11 with the country
/// code 1. Area code and exchange begin with 2 to 9, and neither is a service code such as 911. The second digit of the
/// area code is not 9 (NANPA, numbering plan guidelines).
pub(crate) fn nanp(compact: &[u8]) -> bool {
    let national = match compact {
        [b'1', rest @ ..] if rest.len() == 10 => rest,
        _ => compact,
    };
    let code = |at| number_at(national, at, 3).filter(|code| *code >= 200 && !SERVICE_CODES.contains(code));
    digits::<10>(national).is_some() && code(3).is_some() && code(0).is_some_and(|area| area / 10 % 10 != 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_social_security_number_has_an_issued_area() {
        assert!(ssn(b"219091234") && ssn(b"899450012"));
        assert!(!ssn(b"000451234") && !ssn(b"666451234") && !ssn(b"900451234"));
    }

    #[test]
    fn a_social_security_number_has_no_part_of_zeros_only() {
        assert!(!ssn(b"219001234") && !ssn(b"219450000"));
    }

    #[test]
    fn advertised_and_repeated_social_security_numbers_are_rejected() {
        assert!(!ssn(b"078051120") && !ssn(b"333333333") && !ssn(b"21909123"));
    }

    #[test]
    fn a_taxpayer_number_has_an_issued_group() {
        assert!(itin(b"900700000") && itin(b"999881234") && itin(b"912651234"));
        assert!(!itin(b"900931234") && !itin(b"900661234") && !itin(b"812701234"));
    }

    #[test]
    fn an_employer_number_has_an_assigned_prefix() {
        assert!(ein(b"123456788") && ein(b"980123456"));
        assert!(!ein(b"072345678") && !ein(b"893456789") && !ein(b"12345678"));
    }

    #[test]
    fn a_north_american_number_has_an_area_code_and_an_exchange() {
        assert!(nanp(b"2125550123") && nanp(b"12125550123"));
        assert!(!nanp(b"1125550123") && !nanp(b"2121550123") && !nanp(b"9115550123") && !nanp(b"2129110123"));
        assert!(!nanp(b"22125550123"));
    }
}
