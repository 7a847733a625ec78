//! Catalogue rows of payment cards.

use super::row::{Activity, CatalogRow, Control, Group, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "CREDIT_CARD_NUMBER",
        name: "Credit card number",
        description: "Payment card number (PAN), also inside track data",
        group: Group::CardData,
        default_active: Activity::On,
        control: Control::Compliance,
        mask: Mask::KeepLast4,
        detector: "Card issuer range and Luhn checksum, written or spoken, also over several messages; with a card phrase also numbers that fail the checksum; on a magnetic stripe all that follows the number",
        examples: &[
            ("my card is 4111 1111 1111 1111", "my card is **** **** **** 1111"),
            (
                "four one one one one one one one one one one one one one one one",
                "**** *** *** *** *** *** *** *** *** *** *** *** one one one one",
            ),
            ("5555-5555-5555-4444 please", "****-****-****-4444 please"),
            ("４１１１ 1111 1111 1111", "**** **** **** 1111"),
        ],
        counter_examples: &["order 4111 1111 1111 1112 shipped", "it costs 4111 dollars", "the year 2024 was 1 2 3"],
    },
    CatalogRow {
        label: "CVV",
        name: "Card verification code",
        description: "3 or 4 digit card verification code",
        group: Group::CardData,
        default_active: Activity::On,
        control: Control::Compliance,
        detector: "Three or four digits beside a phrase such as security code, or in answer to a question for it",
        examples: &[
            ("the cvv is 123", "the cvv is ***"),
            ("security code: 4821", "security code: ****"),
            ("cvc nine oh two", "cvc **** ** ***"),
        ],
        counter_examples: &["I have 123 apples", "123", "the cvv is on the back"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "CARD_EXPIRATION_DATE",
        name: "Card expiration date",
        description: "Expiry month and year of a payment card",
        detector: "Month and year beside a phrase such as expires or valid through",
        examples: &[
            ("it expires 09/27", "it expires **/**"),
            ("expiration date 11/2028", "expiration date **/****"),
            ("exp 0927", "exp ****"),
        ],
        counter_examples: &["we met 09/27", "it expires soon", "expires 99/99"],
        ..PERSONAL_DEFAULTS
    },
];
