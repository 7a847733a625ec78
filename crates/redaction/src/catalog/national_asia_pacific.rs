//! Catalogue rows of national and tax identifiers of Asia, Africa and Australia.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "AU_TFN",
        name: "Australian TFN",
        description: "Tax file number",
        detector: "Valid weighted check digit beside a phrase such as tax file number",
        examples: &[
            ("tfn 123 456 782", "tfn *** *** ***"),
            ("tax file number 123456782", "tax file number *********"),
            ("my tfn is 876543210", "my tfn is *********"),
        ],
        counter_examples: &["tfn 123 456", "tfn please", "123 456 782 people"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "AU_ABN",
        name: "Australian ABN",
        description: "Business number (ABN/ACN)",
        detector: "Valid check digits beside a phrase such as ABN or ACN",
        examples: &[
            ("abn 51 824 753 556", "abn ** *** *** ***"),
            ("ABN: 51824753556", "ABN: ***********"),
            ("acn 004 085 616", "acn *** *** ***"),
        ],
        counter_examples: &["abn 51 824", "abn", "acn 12"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "SG_NRIC_FIN",
        name: "Singapore NRIC/FIN",
        description: "Singapore identity number",
        detector: "One letter, seven digits and a valid check letter",
        examples: &[
            ("S1234567D", "*********"),
            ("my nric is G1122144L", "my nric is *********"),
            ("fin M4332674T", "fin *********"),
        ],
        counter_examples: &["take S1234567 there", "nric please", "S123"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "ASIA_NATIONAL_ID",
        name: "Asian national ID",
        description: "KR RRN/FRN, JP My Number, TH TNIN, TR national ID, CN resident ID, HK ID",
        detector: "Valid check digits of each country's number",
        examples: &[
            ("my number 1234 5678 9018", "my number **** **** ****"),
            ("kimlik 10000000146", "kimlik ***********"),
            ("thai id 1234567890121", "thai id *************"),
        ],
        counter_examples: &["kimlik 10000", "my number one", "1234"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "AFRICA_NATIONAL_ID",
        name: "African national ID",
        description: "ZA ID number, NG NIN",
        detector: "South African numbers by date and check digit, Nigerian numbers by check digit",
        examples: &[
            ("south african id 9202201234088", "south african id *************"),
            ("nin 12345678902", "nin ***********"),
            ("id number 9202201234088", "id number *************"),
        ],
        counter_examples: &["nin 12345", "an id number", "9999999999999"],
        ..PERSONAL_DEFAULTS
    },
];
