//! Texts that nobody writes to be understood: each makes some part of a redaction engine do its most.

/// A text of one piece over and over.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    piece: &'static str,
}

impl Hostile {
    const fn new(name: &'static str, piece: &'static str) -> Self {
        Self { name, piece }
    }

    /// The text, of about so many bytes; digits without order where there is no piece.
    pub(crate) fn of(&self, bytes: usize) -> String {
        if self.piece.is_empty() {
            return digits(bytes);
        }
        self.piece.repeat(bytes / self.piece.len())
    }
}

/// A piece that is no piece: digits as they come.
const DIGITS: &str = "";

pub(crate) const TEXTS: &[Hostile] = &[
    Hostile::new("`oh oh oh …`", "oh "),
    Hostile::new("digits without end", DIGITS),
    Hostile::new("`@@@…`", "@"),
    Hostile::new("one word without end", "a"),
    Hostile::new("zero-width characters between digits", "4\u{200b}"),
    Hostile::new("`a@a@a@…`", "a@"),
    Hostile::new("`1.1.1.1.…`", "1."),
    Hostile::new("`eyJeyJeyJ…`", "eyJ"),
    Hostile::new("`eyJ.eyJ.eyJ.…`", "eyJ."),
    Hostile::new("`my pin my pin …`", "my pin "),
    Hostile::new("spaces", " "),
    Hostile::new("`one two one two …`", "one two "),
    Hostile::new("newlines and digits", "4\n11\r\n111\n"),
    Hostile::new("`4111 1111 1111 1112 …`", "4111 1111 1111 1112 "),
    Hostile::new("`4 1 1 1 …`", "4 1 1 1 "),
    Hostile::new("`my card is one two …`", "my card is one two "),
    Hostile::new("`double double …`", "double "),
    Hostile::new("`a at a dot a …`", "a at a dot "),
    Hostile::new("`a.a.a.…`", "a."),
    Hostile::new("`http://http://…`", "http://"),
    Hostile::new("`ab:ab:ab:…`", "ab:"),
    Hostile::new("key headers that never end", "-----BEGIN PRIVATE KEY-----\n"),
    Hostile::new("`Cookie: Cookie: …`", "Cookie: "),
    Hostile::new("`password is password is …`", "password is "),
    Hostile::new("`A1B2C3…`", "A1B2C3"),
    Hostile::new("`GB29 NWBK …`", "GB29 NWBK "),
    Hostile::new("`* 1 * 1 …`", "* 1 "),
    Hostile::new("`may 1 may 1 …`", "may 1 "),
    Hostile::new("`12 high street …`", "12 high street "),
    Hostile::new("`b as in bravo …`", "b as in bravo "),
    Hostile::new("`my name is my name is …`", "my name is "),
    Hostile::new("`f.u.c.k.…`", "f.u.c.k."),
    Hostile::new("addresses with numbers in the domain", "jo@b12345.com "),
    Hostile::new("keys behind numbers", "12345rk_test_aaaaaaaaaaaaaaaa "),
    Hostile::new("telephone numbers side by side", "+44 20 7946 0018, 020 7946 0018, "),
    Hostile::new("record numbers side by side", "MRN aaa11MRN.aa11a "),
    Hostile::new("`ut7 s37 …`", "ut7 s37 "),
    Hostile::new("combining accents", "e\u{301}"),
    Hostile::new("emoji", "😀"),
];

/// Digits of a linear congruential generator (the multiplier of Knuth's MMIX), the same each time.
fn digits(count: usize) -> String {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b"0123456789"[usize::try_from(state >> 33).unwrap_or(0) % 10])
    };
    (0..count).map(|_| next()).collect()
}
