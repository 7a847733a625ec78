//! Catalogue rows of personal data and identity documents.

use super::row::{Activity, CatalogRow, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "SSN",
        name: "Social security number",
        description: "US social security number, whole or last four",
        default_active: Activity::On,
        mask: Mask::KeepLast4,
        detector: "Written with its separators; without them, spoken or as its last four digits beside a phrase such as social security, also over several messages",
        examples: &[
            ("012-34-5678", "***-**-5678"),
            ("my ssn is 219099999", "my ssn is *****9999"),
            ("last four of my social are 7781", "last four of my social are ****"),
        ],
        counter_examples: &["000-12-3456", "666-12-3456", "social media 2024"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "PERSON_NAME",
        name: "Person name",
        description: "Name given after an introduction",
        detector: "Up to three words after an introduction such as my name is, or in answer to a question for a name",
        examples: &[
            ("my name is Olga Brandt", "my name is **** ******"),
            ("this is Sarah", "this is *****"),
            ("name: Peter Lang", "name: ***** ****"),
        ],
        counter_examples: &["this is great", "the name of the product", "I am happy"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "AGE",
        name: "Age",
        description: "Age of a person",
        detector: "A number beside a phrase such as years old",
        examples: &[("I am 45 years old", "I am ** years old"), ("aged 72", "aged **"), ("age: 31", "age: **")],
        counter_examples: &["45 minutes", "the old age", "open for 20 years"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "PASSPORT_NUMBER",
        name: "Passport number",
        description: "Passport number",
        detector: "Formats of issuing countries beside the word passport, or with the check digit of machine-readable passports",
        examples: &[
            ("passport number 912803456", "passport number *********"),
            ("my passport is X1234567", "my passport is ********"),
            ("passport no: K8754321", "passport no: ********"),
        ],
        counter_examples: &["passport please", "my passport is lost", "room 12803456"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "US_DRIVER_LICENSE",
        name: "US driver's license",
        description: "US driver's license number",
        detector: "Digits or a code beside a phrase such as driver's license",
        examples: &[
            ("my driver's license is D1234567", "my driver's license is ********"),
            ("dl number 94032811", "dl number ********"),
            ("driver's license number S53001234", "driver's license number *********"),
        ],
        counter_examples: &["my driver's license expired", "licensed drivers", "the driver came at 5"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "UK_DRIVING_LICENCE",
        name: "UK driving licence",
        description: "DVLA driving licence number",
        detector: "Letters and digits in the DVLA's format, with a date of birth inside",
        examples: &[
            ("MORGA657054SM9IJ", "****************"),
            ("driving licence JONES710153J99EF", "driving licence ****************"),
            ("licence SMITH802290AB1CD", "licence ****************"),
        ],
        counter_examples: &["MORGA600054SM9IJ", "a driving licence", "SMITH2020"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "US_ITIN",
        name: "US ITIN",
        description: "Individual taxpayer identification number",
        mask: Mask::KeepLast4,
        detector: "Nine digits that begin with 9 and have an assigned group, with separators or beside a phrase such as ITIN",
        examples: &[
            ("911-70-1234", "***-**-1234"),
            ("itin 900701234", "itin *****1234"),
            ("my itin is 912-88-4321", "my itin is ***-**-4321"),
        ],
        counter_examples: &["911-30-1234", "900701234 people came", "an itin please"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "US_EIN",
        name: "US EIN",
        description: "Employer identification number",
        detector: "Nine digits beside a phrase such as EIN or tax ID",
        examples: &[
            ("ein 12-3456789", "ein **-*******"),
            ("our ein is 47-1234567", "our ein is **-*******"),
            ("fein 121234567", "fein *********"),
        ],
        counter_examples: &["from 12-345678 on", "ein bier", "ein 12"],
        ..PERSONAL_DEFAULTS
    },
];
