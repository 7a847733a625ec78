//! Catalogue rows of bank accounts and payments.

use super::row::{CatalogRow, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "BANK_ACCOUNT_NUMBER",
        name: "Bank account number",
        description: "Bank account number, whole or last four",
        mask: Mask::KeepLast4,
        detector: "Digits beside a phrase such as account number, or in answer to a question for it",
        examples: &[
            ("my account number is 12345678", "my account number is ****5678"),
            ("account number 4417", "account number ****"),
            ("checking account 000123456789", "checking account ********6789"),
        ],
        counter_examples: &["my account is locked", "account manager since 2019", "12 accounts"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "BANK_ROUTING_NUMBER",
        name: "Routing number",
        description: "US ABA routing number",
        detector: "Nine digits with a valid ABA checksum beside a phrase such as routing number",
        examples: &[
            ("routing number 121000358", "routing number *********"),
            ("aba 021000021", "aba *********"),
            ("the routing is 0260 0959 3", "the routing is **** **** *"),
        ],
        counter_examples: &["the order 121000359 shipped", "route 66", "121000358 people"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "IBAN",
        name: "IBAN",
        description: "International bank account number",
        mask: Mask::KeepLast4,
        detector: "Country code, length and mod 97 checksum",
        examples: &[
            ("DE89 3704 0044 0532 0130 00", "**** **** **** **** **30 00"),
            ("my iban is GB29NWBK60161331926819", "my iban is ******************6819"),
            ("NL91ABNA0417164300", "**************4300"),
        ],
        counter_examples: &["DE89 3704 0044 0532 0130 01", "GB29 is a code", "XX00 1234 5678 9012"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "SWIFT_BIC",
        name: "SWIFT/BIC code",
        description: "Bank identifier code",
        detector: "Eight or eleven characters with a country code at the fifth, beside a phrase such as SWIFT code",
        examples: &[
            ("swift code DEUTDEFF", "swift code ********"),
            ("bic is COBADEFFXXX", "bic is ***********"),
            ("swift: CHASUS33", "swift: ********"),
        ],
        counter_examples: &["a swift reply", "DEUTDEFF", "SWIFTLY DONE"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "UK_SORT_CODE",
        name: "UK sort code",
        description: "UK bank sort code",
        detector: "Six digits beside the phrase sort code",
        examples: &[
            ("sort code 20-00-00", "sort code **-**-**"),
            ("sort code is 401234", "sort code is ******"),
            ("sort code 12 34 56", "sort code ** ** **"),
        ],
        counter_examples: &["12-34-56", "sort by code", "the sort code please"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "AU_BSB",
        name: "Australian BSB",
        description: "Australian bank state branch number",
        detector: "Six digits beside the phrase BSB",
        examples: &[
            ("bsb 062-000", "bsb ***-***"),
            ("my bsb is 733000", "my bsb is ******"),
            ("BSB: 034-001", "BSB: ***-***"),
        ],
        counter_examples: &["062-000", "bsb please", "bsb 12"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "CRYPTO_ADDRESS",
        name: "Crypto wallet address",
        description: "Bitcoin, Ethereum wallet address",
        detector: "Base58Check, Bech32 or EIP-55 checksum",
        examples: &[
            ("send to 1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "send to **********************************"),
            ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "******************************************"),
            ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "******************************************"),
        ],
        counter_examples: &["1BoatSLRHtKNngkdXEeobR76b53LETtpyZ", "0x1234", "bc1 is a prefix"],
        ..PERSONAL_DEFAULTS
    },
];
