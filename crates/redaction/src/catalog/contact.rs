//! Catalogue rows of contact data.

use super::row::{CatalogRow, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "PHONE_NUMBER",
        name: "Phone number",
        description: "Telephone or fax number",
        detector: "National and international formats, written or spoken; shorter numbers beside a phrase such as call me at",
        examples: &[
            ("call 415-555-0132", "call ***-***-****"),
            ("+44 20 7946 0958", "+** ** **** ****"),
            ("nine oh two five five five oh one three two", "**** ** *** **** **** **** ** *** ***** ***"),
        ],
        counter_examples: &["12-34-2020", "it cost 4155550 dollars", "version 4.1.5"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "EMAIL",
        name: "E-mail address",
        description: "E-mail address",
        mask: Mask::KeepDomain,
        detector: "Name, host and top-level domain, written, spoken or spelled aloud, also with marks in brackets",
        examples: &[
            ("olga@example.com", "****@example.com"),
            ("olga [at] example [dot] com", "**** [at] example [dot] com"),
            ("write to jay dot smith at gmail dot com", "write to *** *** ***** at gmail dot com"),
            ("a.b+c@mail.example.org now", "*.*+*@mail.example.org now"),
        ],
        counter_examples: &["meet me @ noon", "look at the dot", "not-an-email@"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "STREET_ADDRESS",
        name: "Street address",
        description: "Street address line",
        detector: "House number, street name and street type, with unit, city, state and ZIP code; post office boxes",
        examples: &[
            ("I live at 42 Maple Street", "I live at ** ***** ******"),
            ("221 Oak Avenue Apt 5", "*** *** ****** *** *"),
            ("P.O. Box 1205", "*.*. *** ****"),
        ],
        counter_examples: &["2 ways to do it", "the street is long", "10 miles down the road"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "ZIP_CODE",
        name: "US ZIP code",
        description: "US postal code",
        detector: "Five or nine digits beside a phrase such as ZIP code, or after the name of a state",
        examples: &[
            ("zip code 94105", "zip code *****"),
            ("Austin TX 78701", "Austin TX *****"),
            ("zip 94105-1234", "zip *****-****"),
        ],
        counter_examples: &["94105", "I paid 94105", "zip it"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "UK_POSTCODE",
        name: "UK postcode",
        description: "UK postal code",
        detector: "Postcode area and inward code; spelled aloud beside a phrase such as postcode",
        examples: &[
            ("SW1A 1AA", "**** ***"),
            ("postcode EC1A 1BB", "postcode **** ***"),
            ("my postcode is M1 1AE", "my postcode is ** ***"),
        ],
        counter_examples: &["ZZ1A 1AA", "A1 is a road", "1A1 1AA"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "CA_POSTAL_CODE",
        name: "Canadian postal code",
        description: "Canadian postal code",
        detector: "Alternating letters and digits; spelled aloud beside a phrase such as postal code",
        examples: &[
            ("K1A 0B1", "*** ***"),
            ("postal code M5V 3L9", "postal code *** ***"),
            ("postal code is h2x1y4", "postal code is ******"),
        ],
        counter_examples: &["D1A 0B1", "K1A only", "A1B2"],
        ..PERSONAL_DEFAULTS
    },
];
