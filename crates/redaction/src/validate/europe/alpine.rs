//! Validators of the identifiers of Austria and Switzerland.

use crate::validate::calendar::days_of_month;
use crate::validate::check_digit::{ean13, weighted_sum};
use crate::validate::{digits, number_at};

/// Validates an Austrian social insurance number of 10 digits: serial from 100, check digit modulo 11 at the fourth
/// position, date of birth (Dachverband der Sozialversicherungsträger).
///
/// Months 13 to 15 are issued if the serials of a day are exhausted.
pub(crate) fn austrian_insurance_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<10>(compact) else { return false };
    let (Some(day), Some(month)) = (number_at(compact, 4, 2), number_at(compact, 6, 2)) else { return false };
    let day_fits = day >= 1 && day <= if month > 12 { 31 } else { days_of_month(2000, month) };
    values[0] != 0
        && (1..=15).contains(&month)
        && day_fits
        && weighted_sum(&values, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 == u32::from(values[3])
}

/// Validates a Swiss number of an insured person, of 13 digits: prefix 756 and EAN-13 check digit (Central Compensation
/// Office, "AHV-Nummer").
pub(crate) fn swiss_insured_number(compact: &[u8]) -> bool {
    compact.starts_with(b"756") && ean13(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_austrian_number_has_its_check_digit() {
        assert!(austrian_insurance_number(b"1237010180"));
        assert!(!austrian_insurance_number(b"2237010180") && !austrian_insurance_number(b"1237011680"));
        assert!(!austrian_insurance_number(b"1237320180"));
    }

    #[test]
    fn a_swiss_number_begins_with_the_country_code() {
        assert!(swiss_insured_number(b"7569217076985"));
        assert!(!swiss_insured_number(b"7569217076986") && !swiss_insured_number(b"7619217076985"));
    }
}
