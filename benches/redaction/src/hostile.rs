//! Hostile texts. Each causes the worst case of some part of a redaction engine.

/// A text that repeats one piece.
pub(crate) struct HostileText {
    pub(crate) name: &'static str,
    piece: &'static str,
}

impl HostileText {
    const fn new(name: &'static str, piece: &'static str) -> Self {
        Self { name, piece }
    }

    /// The text with about `bytes` bytes. Random digits if the piece is empty.
    pub(crate) fn with_length(&self, bytes: usize) -> String {
        if self.piece.is_empty() {
            return random_digits(bytes);
        }
        self.piece.repeat(bytes / self.piece.len())
    }
}

/// The empty piece, which selects random digits.
const RANDOM_DIGITS: &str = "";

pub(crate) const HOSTILE_TEXTS: &[HostileText] = &[
    HostileText::new("`oh oh oh …`", "oh "),
    HostileText::new("random digits", RANDOM_DIGITS),
    HostileText::new("`@@@…`", "@"),
    HostileText::new("one long word", "a"),
    HostileText::new("zero-width characters between digits", "4\u{200b}"),
    HostileText::new("`a@a@a@…`", "a@"),
    HostileText::new("`1.1.1.1.…`", "1."),
    HostileText::new("`eyJeyJeyJ…`", "eyJ"),
    HostileText::new("`eyJ.eyJ.eyJ.…`", "eyJ."),
    HostileText::new("`my pin my pin …`", "my pin "),
    HostileText::new("spaces", " "),
    HostileText::new("`one two one two …`", "one two "),
    HostileText::new("newlines and digits", "4\n11\r\n111\n"),
    HostileText::new("`4111 1111 1111 1112 …`", "4111 1111 1111 1112 "),
    HostileText::new("`4 1 1 1 …`", "4 1 1 1 "),
    HostileText::new("`my card is one two …`", "my card is one two "),
    HostileText::new("`double double …`", "double "),
    HostileText::new("`a at a dot a …`", "a at a dot "),
    HostileText::new("`a.a.a.…`", "a."),
    HostileText::new("`http://http://…`", "http://"),
    HostileText::new("`ab:ab:ab:…`", "ab:"),
    HostileText::new("key headers without footers", "-----BEGIN PRIVATE KEY-----\n"),
    HostileText::new("`Cookie: Cookie: …`", "Cookie: "),
    HostileText::new("`password is password is …`", "password is "),
    HostileText::new("`A1B2C3…`", "A1B2C3"),
    HostileText::new("`GB29 NWBK …`", "GB29 NWBK "),
    HostileText::new("`* 1 * 1 …`", "* 1 "),
    HostileText::new("`may 1 may 1 …`", "may 1 "),
    HostileText::new("`12 high street …`", "12 high street "),
    HostileText::new("`b as in bravo …`", "b as in bravo "),
    HostileText::new("`my name is my name is …`", "my name is "),
    HostileText::new("`f.u.c.k.…`", "f.u.c.k."),
    HostileText::new("addresses with numbers in the domain", "jo@b12345.com "),
    HostileText::new("keys behind numbers", "12345rk_test_aaaaaaaaaaaaaaaa "),
    HostileText::new("telephone numbers side by side", "+44 20 7946 0018, 020 7946 0018, "),
    HostileText::new("record numbers side by side", "MRN aaa11MRN.aa11a "),
    HostileText::new("`ut7 s37 …`", "ut7 s37 "),
    HostileText::new("`last four 1234 ssn …`", "last four 1234 ssn "),
    HostileText::new("`card one two three …`", "card one two three "),
    HostileText::new("`code 123 cvv 456 …`", "code 123 cvv 456 "),
    HostileText::new("`my pin is 1234 …`", "my pin is 1234 "),
    HostileText::new("corrections of a dictated number", "no at the end there's two five one "),
    HostileText::new("corrections of a card number", "my card is 41 11 no wait 41 11 no "),
    HostileText::new("passwords that are refused", "i have 2fa, i have the app i have Velvet6, what else do you want "),
    HostileText::new("French number words", "quarante-sept trois trois sept et quatre-vingt-six vingt "),
    HostileText::new("fillers between number words", "okay one twenty eight "),
    HostileText::new("combining accents", "e\u{301}"),
    HostileText::new("emoji", "😀"),
];

/// Digits of a linear congruential generator with the multiplier of Knuth's MMIX. Every call returns the same sequence.
fn random_digits(count: usize) -> String {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b"0123456789"[usize::try_from(state >> 33).unwrap_or(0) % 10])
    };
    (0..count).map(|_| next()).collect()
}
