//! English month names, for dates in words.

/// A name or abbreviation of a month.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Month {
    /// The name or its abbreviation, lower-case, without a full stop.
    pub(crate) name: &'static str,
    /// The month number, 1 to 12.
    pub(crate) number: u8,
    /// Maximum days of the month: 30 or 31, 29 for February.
    pub(crate) days: u8,
    /// Whether the name is also an ordinary word. Such a name needs an adjacent day or year to be part of a date.
    pub(crate) ordinary_word: bool,
}

const fn month(name: &'static str, number: u8, days: u8) -> Month {
    Month { name, number, days, ordinary_word: false }
}

const fn ordinary_word(name: &'static str, number: u8, days: u8) -> Month {
    Month { name, number, days, ordinary_word: true }
}

/// The names and usual abbreviations of the twelve months of the Gregorian calendar, sorted by name.
pub(crate) const MONTHS: &[Month] = &[
    month("apr", 4, 30),
    month("april", 4, 30),
    month("aug", 8, 31),
    month("august", 8, 31),
    month("dec", 12, 31),
    month("december", 12, 31),
    month("feb", 2, 29),
    month("february", 2, 29),
    month("jan", 1, 31),
    month("january", 1, 31),
    month("jul", 7, 31),
    month("july", 7, 31),
    month("jun", 6, 30),
    month("june", 6, 30),
    ordinary_word("mar", 3, 31),
    ordinary_word("march", 3, 31),
    ordinary_word("may", 5, 31),
    month("nov", 11, 30),
    month("november", 11, 30),
    month("oct", 10, 31),
    month("october", 10, 31),
    month("sep", 9, 30),
    month("sept", 9, 30),
    month("september", 9, 30),
];

/// The month with this lower-case name.
pub(crate) fn month_named(name: &str) -> Option<&'static Month> {
    MONTHS.binary_search_by(|entry| entry.name.cmp(name)).ok().and_then(|at| MONTHS.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::is_sorted_lower_case;

    #[test]
    fn the_names_are_sorted_and_lower_case() {
        let names: Vec<&str> = MONTHS.iter().map(|entry| entry.name).collect();
        assert!(is_sorted_lower_case(&names));
    }

    #[test]
    fn an_abbreviation_has_the_number_of_its_month() {
        assert_eq!(month_named("sept").map(|entry| entry.number), Some(9));
        assert!(month_named("septic").is_none());
    }
}
