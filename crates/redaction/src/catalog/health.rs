//! Catalogue rows of health care.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "US_MEDICARE_ID",
        name: "US Medicare ID",
        description: "Medicare beneficiary identifier",
        detector: "Eleven characters with a fixed character class at each position",
        examples: &[
            ("1EG4-TE5-MK73", "****-***-****"),
            ("mbi 1EG4TE5MK73", "mbi ***********"),
            ("my medicare number is 1EG4TE5MK73", "my medicare number is ***********"),
        ],
        counter_examples: &["1EG4-TE5-OK73", "1EG4", "medicare part B"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "US_NPI",
        name: "US NPI",
        description: "National provider identifier",
        detector: "Ten digits with a valid Luhn checksum beside a phrase such as NPI",
        examples: &[
            ("npi 1234567893", "npi **********"),
            ("NPI: 1245319599", "NPI: **********"),
            ("provider number 1003000126", "provider number **********"),
        ],
        counter_examples: &["serial number 1234567890", "npi please", "call the provider"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "US_DEA_NUMBER",
        name: "US DEA number",
        description: "DEA registration number",
        detector: "Two letters and seven digits with a valid check digit",
        examples: &[
            ("dea number AB1234563", "dea number *********"),
            ("DEA: BB1388568", "DEA: *********"),
            ("AB1234563", "*********"),
        ],
        counter_examples: &["AB1234560", "dea please", "AB12"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "MEDICAL_RECORD_NUMBER",
        name: "Medical record number",
        description: "Medical record or patient number",
        detector: "Digits or a code beside a phrase such as medical record number",
        examples: &[
            ("mrn 00482913", "mrn ********"),
            ("patient id A482913", "patient id *******"),
            ("medical record number 774120", "medical record number ******"),
        ],
        counter_examples: &["the patient is 45", "medical records", "mrn please"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "HEALTH_PLAN_ID",
        name: "Health plan ID",
        description: "Health plan or member ID",
        detector: "Digits or a code beside a phrase such as member ID",
        examples: &[
            ("subscriber id XQB774120", "subscriber id *********"),
            ("group number 7741203", "group number *******"),
            ("member id W774120331", "member id **********"),
        ],
        counter_examples: &["group number", "20 subscribers", "our members"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "UK_NHS_NUMBER",
        name: "UK NHS number",
        description: "NHS number",
        detector: "Ten digits with a valid mod 11 checksum beside the phrase NHS number",
        examples: &[
            ("nhs number 943 476 5919", "nhs number *** *** ****"),
            ("nhs 9434765919", "nhs **********"),
            ("my NHS number is 401-023-2137", "my NHS number is ***-***-****"),
        ],
        counter_examples: &["nhs number 943 476", "the nhs", "943 476 12"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "AU_MEDICARE",
        name: "Australian Medicare number",
        description: "Medicare card number",
        detector: "Ten digits with a valid check digit beside the phrase Medicare",
        examples: &[
            ("medicare 2123 45670 1", "medicare **** ***** *"),
            ("medicare number 2123456701", "medicare number **********"),
            ("Medicare: 2123 45670 1", "Medicare: **** ***** *"),
        ],
        counter_examples: &["medicare 2123 456", "medicare", "medicare 2024"],
        ..PERSONAL_DEFAULTS
    },
];
