//! Catalogue rows of passwords, codes and keys.

use super::row::{Activity, CatalogRow, Mask, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "PASSWORD",
        name: "Password",
        description: "Account password or passphrase",
        default_active: Activity::On,
        mask: Mask::Fixed8,
        detector: "A word, a code or spelled letters and digits beside a phrase such as password, or in answer to a question for it",
        examples: &[
            ("my password is hunter2", "my password is ********"),
            ("password: Tr0ub4dor&3", "password: ********"),
            ("the passcode is bluebird 77", "the passcode is ********"),
        ],
        counter_examples: &["I forgot my password", "my password is wrong", "reset the password please"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "PIN",
        name: "PIN",
        description: "Personal identification number",
        default_active: Activity::On,
        detector: "Four to eight digits beside a phrase such as PIN, or in answer to a question for it",
        examples: &[
            ("my pin is 4821", "my pin is ****"),
            ("pin number nine five oh three", "pin number **** **** ** *****"),
            ("1596 is my pin", "**** is my pin"),
        ],
        counter_examples: &["4821", "pin it on the board", "the meeting is at 1500"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "USERNAME",
        name: "User name",
        description: "Login or user name",
        detector: "A word or code beside a phrase such as user name",
        examples: &[
            ("my username is jdoe42", "my username is ******"),
            ("user id: mkay_77", "user id: ****_**"),
            ("login is sparrow88", "login is *********"),
        ],
        counter_examples: &["I cannot log in", "the username is wrong", "user engagement grew"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "ONE_TIME_PASSCODE",
        name: "One-time passcode",
        description: "One-time or verification code",
        detector: "Digits or letters beside a phrase such as verification code, or in answer to a question for it",
        examples: &[
            ("the otp is 482913", "the otp is ******"),
            ("verification code 771204", "verification code ******"),
            ("one time code: 9021", "one time code: ****"),
        ],
        counter_examples: &["482913", "one time only", "code of conduct"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "SECURITY_ANSWER",
        name: "Security answer",
        description: "Answer to a security question",
        mask: Mask::Fixed8,
        detector: "Up to four words beside a phrase such as maiden name, or in answer to a security question",
        examples: &[
            ("my mother's maiden name is Kowalski", "my mother's maiden name is ********"),
            ("security answer: fluffy", "security answer: ********"),
            ("my first pet is Biscuit", "my first pet is ********"),
        ],
        counter_examples: &["what is your security question", "the maiden voyage", "my favorite is the blue one"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "API_KEY",
        name: "API key",
        description: "Secret key of a cloud or SaaS provider",
        mask: Mask::Fixed8,
        detector: "Prefix, length and alphabet of the keys of some 150 providers; a random-looking token after a name that ends in key or secret, or in answer to a question",
        examples: &[
            ("AKIAQ3EGRIGHTQ7EXAMP", "********"),
            ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "********"),
            ("api_key=9f8e7d6c5b4a39281706f5e4d3c2b1a0", "api_key=********"),
            ("my API key is 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "my API key is ********"),
        ],
        counter_examples: &["the key is under the mat", "sk-short", "AKIA is a prefix"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "ACCESS_TOKEN",
        name: "Access token",
        description: "Bearer token, JWT, cookie or URL token",
        mask: Mask::Fixed8,
        detector: "JSON Web Tokens, authorization and cookie headers, tokens in web addresses; a random-looking token after a name that ends in token or session, or in answer to a question",
        examples: &[
            ("Bearer 9f8e7d6c5b4a39281706", "********"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJlLXBhcnQ", "********"),
            ("/in?auth_token=9f8e7d6c5b4a39281706", "/in********"),
        ],
        counter_examples: &["the bearer of bad news", "a token of thanks", "cookie dough", "token characterisations"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "PRIVATE_KEY",
        name: "Private key",
        description: "PEM private key block",
        mask: Mask::Fixed8,
        detector: "PEM private key blocks, with or without their last line",
        examples: &[
            ("-----BEGIN PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY-----", "********"),
            ("key: -----BEGIN RSA PRIVATE KEY-----\nMIIE", "key: ********"),
            ("-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY----- ok", "******** ok"),
        ],
        counter_examples: &["-----BEGIN CERTIFICATE-----", "a private key", "-----"],
        ..PERSONAL_DEFAULTS
    },
];
