//! Catalogue rows of profanity and number sequences.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "PROFANITY",
        name: "Profanity",
        description: "Profanities or banned vocabulary",
        detector: "A list of words and phrases, also with look-alike characters or repeated letters",
        examples: &[("what the fuck", "what the ****"), ("this is bullshit", "this is ********"), ("sh1t", "****")],
        counter_examples: &["Scunthorpe", "the cockpit", "assess the class"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "NUMERIC_SEQUENCE",
        name: "Number sequence",
        description: "Any run of 5 or more digits (strict mode)",
        detector: "Any run of five or more digits that is not an amount or measure",
        examples: &[
            ("ref 12345", "ref *****"),
            ("one two three four five", "*** *** ***** **** ****"),
            ("98 76 54", "** ** **"),
        ],
        counter_examples: &["1234", "12345 dollars", "100%"],
        ..PERSONAL_DEFAULTS
    },
];
