//! Validators of the identifiers of Estonia, Latvia and Lithuania.

use crate::validate::calendar::is_date;
use crate::validate::check_digit::weighted_sum;
use crate::validate::{digits, number_at};

/// Validates a personal code of Estonia or Lithuania of 11 digits: century and sex, date of birth, serial, check digit
/// modulo 11 in two rounds (Estonian standard EVS 585; Lithuanian law on the population register).
pub(crate) fn estonian_or_lithuanian_code(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number_at(compact, 1, 2), number_at(compact, 3, 2), number_at(compact, 5, 2))
    else {
        return false;
    };
    let century = match values[0] {
        1 | 2 => 1800,
        3 | 4 => 1900,
        5 | 6 => 2000,
        _ => return false,
    };
    let first = weighted_sum(&values, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
    let check = if first < 10 { first } else { weighted_sum(&values, &[3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11 % 10 };
    is_date(century + year, month, day) && check == u32::from(values[10])
}

/// Validates a Latvian personal code of 11 digits: day, month and year of birth, century, serial, check digit modulo
/// 11. Codes since 2017 begin with 32 to 39 and have no date (Office of Citizenship and Migration Affairs).
pub(crate) fn latvian_code(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    let check = (1 + weighted_sum(&values, &[10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11 % 10;
    let century = 1800 + 100 * u64::from(values[6]);
    (32..=39).contains(&day)
        || (values[6] <= 2 && is_date(century + year, month, day) && check == u32::from(values[10]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_codes_are_valid() {
        assert!(estonian_or_lithuanian_code(b"37605030299") && estonian_or_lithuanian_code(b"38703181745"));
        assert!(!estonian_or_lithuanian_code(b"37605030298") && !estonian_or_lithuanian_code(b"37613030299"));
    }

    #[test]
    fn a_latvian_code_has_a_date_or_begins_with_32_to_39() {
        assert!(latvian_code(b"16117519997") && latvian_code(b"32000000001"));
        assert!(!latvian_code(b"16117519998") && !latvian_code(b"16137519997"));
    }
}
