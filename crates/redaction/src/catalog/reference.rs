//! Catalogue rows of customer, order and policy numbers.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "ACCOUNT_NUMBER",
        name: "Customer account number",
        description: "Account, customer or member number",
        detector: "Digits or a code beside a phrase such as customer number",
        examples: &[
            ("customer number 4482917", "customer number *******"),
            ("my client id is 99120", "my client id is *****"),
            ("membership number 5530011", "membership number *******"),
        ],
        counter_examples: &["customer service", "2 customers", "a member since 2019"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "ORDER_NUMBER",
        name: "Order number",
        description: "Order, invoice or transaction number",
        detector: "Digits or a code beside a phrase such as order or invoice number",
        examples: &[
            ("order number 4482917", "order number *******"),
            ("invoice INV-20931", "invoice ***-*****"),
            ("transaction id 88AB1204", "transaction id ********"),
        ],
        counter_examples: &["in order to", "order 2 pizzas", "the order is late"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "BOOKING_REFERENCE",
        name: "Booking reference",
        description: "Booking, confirmation or ticket number",
        detector: "Digits or a code, written or spelled aloud, beside a phrase such as booking reference",
        examples: &[
            ("confirmation number is k 5 d 6 g 2", "confirmation number is * * * * * *"),
            ("booking QXR482", "booking ******"),
            ("reservation number 448291", "reservation number ******"),
            ("booking reference alpha bravo four two", "booking reference ***** ***** **** ***"),
        ],
        counter_examples: &["booking for 2", "my reservation", "confirmed at 5"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "POLICY_NUMBER",
        name: "Policy or claim number",
        description: "Insurance policy or claim number",
        detector: "Digits or a code, written or spelled aloud, beside a phrase such as policy or claim number",
        examples: &[
            ("policy number hdx 448291712", "policy number *** *********"),
            ("claim CLM-88120", "claim ***-*****"),
            ("claim number 4481", "claim number ****"),
            ("policy b as in bravo n for november four two one", "policy * ** ** ***** * *** ******** **** *** ***"),
        ],
        counter_examples: &["our policy", "claim it", "the policy is fine"],
        ..PERSONAL_DEFAULTS
    },
];
