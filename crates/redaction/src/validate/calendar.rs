//! Calendar checks for the dates of birth inside identifiers.

/// Days of a month (1 to 12) in the Gregorian calendar. Zero for any other month.
pub(crate) fn days_of_month(year: u64, month: u64) -> u64 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

/// Whether a day exists. `year` has four digits.
pub(crate) fn is_date(year: u64, month: u64, day: u64) -> bool {
    day >= 1 && day <= days_of_month(year, month)
}

/// Whether a day exists in the 1900s or the 2000s. `year` is the last two digits.
pub(crate) fn is_date_of_short_year(year: u64, month: u64, day: u64) -> bool {
    year < 100 && (is_date(1900 + year, month, day) || is_date(2000 + year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leap_day_exists_in_leap_years_only() {
        assert!(is_date(2000, 2, 29) && is_date(2024, 2, 29));
        assert!(!is_date(1900, 2, 29) && !is_date(2023, 2, 29));
    }

    #[test]
    fn day_zero_and_month_thirteen_do_not_exist() {
        assert!(!is_date(2024, 1, 0) && !is_date(2024, 13, 1) && !is_date(2024, 0, 1));
    }

    #[test]
    fn a_short_year_matches_either_century() {
        assert!(is_date_of_short_year(0, 2, 29));
        assert!(!is_date_of_short_year(1, 2, 29));
    }
}
