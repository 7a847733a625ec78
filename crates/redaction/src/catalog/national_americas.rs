//! Catalogue rows of national identifiers of the Americas.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "CA_SIN",
        name: "Canadian SIN",
        description: "Social insurance number",
        detector: "Nine digits with a valid Luhn checksum, in groups of three or beside a phrase such as social insurance number",
        examples: &[
            ("sin 130692544", "sin *********"),
            ("my sin is 130-692-544", "my sin is ***-***-***"),
            ("social insurance number 130 692 544", "social insurance number *** *** ***"),
        ],
        counter_examples: &["sin 130 692", "a sin", "111 111 111"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "LATAM_NATIONAL_ID",
        name: "Latin American national ID",
        description: "BR CPF/CNPJ, MX CURP/RFC, CL RUT, AR DNI/CUIT",
        detector: "Check digits of Brazilian CPF and CNPJ, Mexican CURP, Chilean RUT and Argentine CUIT",
        examples: &[
            ("cpf 529.982.247-25", "cpf ***.***.***-**"),
            ("CNPJ 11.222.333/0001-81", "CNPJ **.***.***/****-**"),
            ("cpf 52998224725", "cpf ***********"),
        ],
        counter_examples: &["529.982.247-26", "cpf", "11.222.333/0001-82"],
        ..PERSONAL_DEFAULTS
    },
];
