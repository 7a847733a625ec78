//! Catalogue rows of vehicles.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "VIN",
        name: "Vehicle identification number",
        description: "17 character vehicle number",
        detector: "17 characters with a valid check digit, or beside a phrase such as VIN",
        examples: &[
            ("1HGCM82633A004352", "*****************"),
            ("vin 1M8GDM9AXKP042788", "vin *****************"),
            ("my vin is WVWZZZ1JZXW000001", "my vin is *****************"),
        ],
        counter_examples: &["1HGCM82633A00435", "vin ordinaire", "IOQ"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "LICENSE_PLATE",
        name: "License plate",
        description: "Vehicle registration plate",
        detector: "Formats of license plates, most of them only beside a phrase such as license plate",
        examples: &[
            ("license plate ABC 1234", "license plate *** ****"),
            ("plate number 7ABC123", "plate number *******"),
            ("AB51 ABC", "**** ***"),
        ],
        counter_examples: &["plate of food", "registration is open", "AQ51 ABC"],
        ..PERSONAL_DEFAULTS
    },
];
