//! Catalogue rows of dates.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "DOB",
        name: "Date of birth",
        description: "Date of birth",
        detector: "Any date beside a phrase such as date of birth, or in answer to a question for it",
        examples: &[
            ("born 03/07/1990", "born **/**/****"),
            ("my date of birth is March 7, 1990", "my date of birth is ***** *, ****"),
            ("dob the fifth of may nineteen eighty", "dob *** ***** ** *** ******** ******"),
        ],
        counter_examples: &["meeting on 03/07/2024", "March 7, 1990", "born to run"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "DATE",
        name: "Date",
        description: "Any calendar date",
        detector: "Numeric dates that exist in the calendar; months in letters beside a day or year",
        examples: &[
            ("due 2024-11-01", "due ****-**-**"),
            ("on 5 May 2021", "on * *** ****"),
            ("03/15/1989", "**/**/****"),
        ],
        counter_examples: &["13/45/2020", "you may go", "1/2"],
        ..PERSONAL_DEFAULTS
    },
];
