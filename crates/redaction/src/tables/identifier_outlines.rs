//! Outlines of identifiers of letters and digits: the class of each character, without check digits. Source: the issuing
//! authorities' formats, as in the validators of [`crate::validate`].

use crate::entity::Entity;

/// The classes of the characters of an identifier.
pub(crate) struct Outline {
    pub(crate) entity: Entity,
    /// The classes of the first characters: `A` is a letter, `9` a digit, `X` either. Further characters are `X`.
    pub(crate) classes: &'static [u8],
    /// Minimum and maximum number of characters.
    pub(crate) lengths: (usize, usize),
    /// Minimum number of digits.
    pub(crate) min_digits: usize,
    /// Whether all letters are hexadecimal digits.
    pub(crate) hexadecimal: bool,
}

const fn fixed(entity: Entity, classes: &'static str) -> Outline {
    let (classes, mut at, mut digits) = (classes.as_bytes(), 0, 0);
    while at < classes.len() {
        digits += (classes[at] == b'9') as usize;
        at += 1;
    }
    let lengths = (classes.len(), classes.len());
    Outline { entity, classes, lengths, min_digits: digits, hexadecimal: false }
}

const fn open(entity: Entity, classes: &'static str, lengths: (usize, usize), min_digits: usize) -> Outline {
    Outline { entity, classes: classes.as_bytes(), lengths, min_digits, hexadecimal: false }
}

/// Every outline.
pub(crate) const OUTLINES: &[Outline] = &[
    open(Entity::IBAN, "AA99", (15, 34), 8),
    open(Entity::VAT_NUMBER, "AA", (9, 14), 7),
    open(Entity::VAT_NUMBER, "A", (9, 9), 7),
    fixed(Entity::UK_NINO, "AA999999A"),
    fixed(Entity::US_DEA_NUMBER, "AX9999999"),
    fixed(Entity::IN_GSTIN, "99AAAAA9999AXXX"),
    fixed(Entity::IN_PAN, "AAAAA9999A"),
    fixed(Entity::IN_VOTER_ID, "AAA9999999"),
    open(Entity::VIN, "X", (17, 17), 4),
    fixed(Entity::SG_NRIC_FIN, "A9999999A"),
    fixed(Entity::US_MEDICARE_ID, "9AX9AX9AA99"),
    open(Entity::UK_DRIVING_LICENCE, "A", (16, 16), 6),
    fixed(Entity::EU_NATIONAL_ID, "99999999A"),
    fixed(Entity::EU_NATIONAL_ID, "A9999999A"),
    fixed(Entity::EU_NATIONAL_ID, "AAAAAA99A99A999A"),
    fixed(Entity::EU_NATIONAL_ID, "9999999A"),
    fixed(Entity::EU_NATIONAL_ID, "9999999AA"),
    fixed(Entity::EU_NATIONAL_ID, "999999999A"),
    fixed(Entity::EU_NATIONAL_ID, "999999A999X"),
    fixed(Entity::EU_NATIONAL_ID, "A999999999"),
    fixed(Entity::EU_NATIONAL_ID, "99999999A999"),
    fixed(Entity::EU_NATIONAL_ID, "999999999AA9"),
    fixed(Entity::LATAM_NATIONAL_ID, "AAAA999999AAAAAAX9"),
    fixed(Entity::LATAM_NATIONAL_ID, "AAAA999999XXX"),
    fixed(Entity::LATAM_NATIONAL_ID, "AAA999999XXX"),
    fixed(Entity::LATAM_NATIONAL_ID, "99999999A"),
    fixed(Entity::LATAM_NATIONAL_ID, "9999999A"),
    fixed(Entity::ASIA_NATIONAL_ID, "A999999X"),
    fixed(Entity::ASIA_NATIONAL_ID, "AA999999X"),
    fixed(Entity::ASIA_NATIONAL_ID, "A999999999"),
    fixed(Entity::ASIA_NATIONAL_ID, "99999999999999999A"),
    Outline { entity: Entity::MAC_ADDRESS, classes: &[], lengths: (12, 12), min_digits: 2, hexadecimal: true },
];

impl Outline {
    /// Whether a compact text of upper-case letters and digits has this outline. In a long outline one character may
    /// have the other class: speech recognition mishears letters.
    pub(crate) fn fits(&self, compact: &[u8]) -> bool {
        let (min, max) = self.lengths;
        let digits = compact.iter().filter(|byte| byte.is_ascii_digit()).count();
        let mismatches = compact.iter().zip(self.classes).filter(|(byte, class)| !fits_class(**byte, **class)).count();
        (min..=max).contains(&compact.len())
            && digits >= self.min_digits.saturating_sub(1)
            && digits < compact.len()
            && mismatches <= usize::from(self.classes.len() >= MIN_TOLERANT_LENGTH)
            && (!self.hexadecimal || compact.iter().all(u8::is_ascii_hexdigit))
    }

    /// Whether a compact text has this outline in each character.
    pub(crate) fn is_form_of(&self, compact: &[u8]) -> bool {
        self.fits(compact) && compact.iter().zip(self.classes).all(|(byte, class)| fits_class(*byte, *class))
    }

    /// Whether a compact text could be this identifier with up to `missing` characters less or more.
    pub(crate) fn almost_fits(&self, compact: &[u8], missing: usize) -> bool {
        let (min, max) = self.lengths;
        let digits = compact.iter().filter(|byte| byte.is_ascii_digit()).count();
        (min.saturating_sub(missing)..=max + missing).contains(&compact.len())
            && digits >= self.min_digits.saturating_sub(missing).max(MIN_DIGITS)
            && digits < compact.len()
            && self.classes.first().is_none_or(|class| fits_class(compact[0], *class))
            && !self.hexadecimal
    }
}

/// Characters of the shortest outline in which one character may have the other class.
const MIN_TOLERANT_LENGTH: usize = 8;
/// Minimum digits of an identifier with missing characters.
const MIN_DIGITS: usize = 4;

fn fits_class(byte: u8, class: u8) -> bool {
    match class {
        b'A' => byte.is_ascii_uppercase(),
        b'9' => byte.is_ascii_digit(),
        _ => true,
    }
}
