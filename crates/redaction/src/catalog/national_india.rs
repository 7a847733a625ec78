//! Catalogue rows of national and tax identifiers of India.

use super::row::{CatalogRow, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "IN_AADHAAR",
        name: "Aadhaar number",
        description: "Indian Aadhaar number",
        mask: Mask::KeepLast4,
        detector: "Twelve digits with a valid Verhoeff checksum",
        examples: &[
            ("aadhaar 3123 4567 8909", "aadhaar **** **** 8909"),
            ("my aadhar number is 312345678909", "my aadhar number is ********8909"),
            ("3998-7654-3211", "****-****-3211"),
        ],
        counter_examples: &["aadhaar 3123 4567", "aadhaar card", "0123 4567 8901"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "IN_PAN",
        name: "Indian PAN",
        description: "Permanent account number",
        detector: "Five letters, four digits and a letter",
        examples: &[
            ("pan ABCPD1234Z", "pan **********"),
            ("my pan number is ABBPM4567S", "my pan number is **********"),
            ("ABCPD1234E", "**********"),
        ],
        counter_examples: &["pan cake", "ABCDE", "pan ABC1234"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "IN_GSTIN",
        name: "Indian GSTIN",
        description: "Goods and services tax number",
        detector: "State code, PAN and a valid check character",
        examples: &[
            ("gstin 27AAPFU0939F1ZV", "gstin ***************"),
            ("27AAPFU0939F1ZV", "***************"),
            ("gst 27AAPFU0939F1ZV", "gst ***************"),
        ],
        counter_examples: &["27AAPFU0939F1Z", "gst 18%", "00ABCDE1234F1Z5"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "IN_VOTER_ID",
        name: "Indian voter ID",
        description: "Voter (EPIC) number",
        detector: "Three letters and seven digits beside a phrase such as voter ID",
        examples: &[
            ("voter id KSD1287349", "voter id **********"),
            ("epic number ABC1234567", "epic number **********"),
            ("my voter id is XYZ7654321", "my voter id is **********"),
        ],
        counter_examples: &["20 voters", "epic fail", "voter id please"],
        ..PERSONAL_DEFAULTS
    },
];
