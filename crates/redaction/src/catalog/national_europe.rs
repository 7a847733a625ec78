//! Catalogue rows of national and tax identifiers of Europe.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "UK_NINO",
        name: "UK National Insurance number",
        description: "National Insurance number",
        detector: "A permitted two-letter prefix, six digits and a last letter",
        examples: &[
            ("AB 12 34 56 C", "** ** ** ** *"),
            ("nino JG103759A", "nino *********"),
            ("my national insurance number is AB123456C", "my national insurance number is *********"),
        ],
        counter_examples: &["BG 12 34 56 C", "AB 12 34", "national insurance"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "EU_NATIONAL_ID",
        name: "European national ID",
        description: "ES NIF/NIE, IT codice fiscale, DE tax ID, PL PESEL, SE, FI, NL BSN, FR NIR, BE, PT, IE PPSN",
        detector: "Valid check digits or letters of each country's number",
        examples: &[
            ("12345678Z", "*********"),
            ("pesel 44051401359", "pesel ***********"),
            ("my nie is X1234567L", "my nie is *********"),
        ],
        counter_examples: &["12345678A", "pesel 440514", "a nif"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "VAT_NUMBER",
        name: "VAT number",
        description: "European VAT and company tax numbers",
        detector: "Country prefix and valid check digits",
        examples: &[
            ("VAT number DE136695976", "VAT number ***********"),
            ("ust id DE 136 695 976", "ust id ** *** *** ***"),
            ("vat IT00743110157", "vat *************"),
        ],
        counter_examples: &["DE136695977", "vat 20%", "the vat man"],
        ..PERSONAL_DEFAULTS
    },
];
