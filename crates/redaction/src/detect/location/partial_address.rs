//! Parts of an address that are found without a street: the number of a dwelling, and the box of a military address. "Apt" is
//! enough by itself. "Apartment" and "suite", which have other meanings, need a capital and no word before them.
//! Sources: USPS Publication 28, sections 213 (secondary address units) and 225 (military addresses).

use crate::detect::is_one_of;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum digits of the number of a dwelling.
const MAX_DWELLING_DIGITS: u16 = 5;

/// The first token of the dwelling whose number is at `at`: "Apt. 570", "Suite 12".
pub(super) fn dwelling_number_start(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let is_version = tokens.at(at + 1).is_mark(b'.') && tokens.at(at + 2).gap == Gap::None;
    if tokens.at(at).digit_count() > MAX_DWELLING_DIGITS || tokens.at(at).gap > Gap::Space || is_version {
        return None;
    }
    let has_mark = tokens.before(at).is_mark(b'.') || tokens.before(at).is_mark(b'#');
    let first = at.checked_sub(1 + usize::from(has_mark))?;
    let word = tokens.at(first);
    let is_capitalized = tokens.str(word).starts_with(|c: char| c.is_ascii_uppercase());
    let before = tokens.before(first);
    // "Office Suite 2019" is no address.
    let is_apart = first == 0
        || word.gap > Gap::Space
        || matches!(before.kind, TokenKind::Mark | TokenKind::Digits | TokenKind::Mask);
    let is_dwelling = word.kind == TokenKind::Word
        && (is_one_of(tokens, word, &["apt"])
            || is_capitalized && is_apart && is_one_of(tokens, word, &["apartment", "suite", "ste"]));
    is_dwelling.then_some(first)
}

/// The first token of the unit before the "box" at `at`: "Unit 5146 Box", "PSC 4095, Box". Whether a military post office follows
/// is not checked.
pub(super) fn box_unit_start(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let number = at.checked_sub(1 + usize::from(tokens.before(at).is_mark(b',')))?;
    let first = number.checked_sub(1)?;
    let is_unit = tokens.at(number).kind == TokenKind::Digits
        && is_one_of(tokens, tokens.at(first), &["unit", "psc", "cmr"])
        && tokens.at(number).gap <= Gap::Space;
    is_unit.then_some(first)
}

/// The token after the post office and the postal code of a military address, if they follow `at`: "APO AE 91410".
pub(super) fn post_office_end(tokens: &Tokens<'_>, at: usize) -> usize {
    let is_office = is_one_of(tokens, tokens.at(at), &["apo", "fpo", "dpo"])
        && is_one_of(tokens, tokens.at(at + 1), &["aa", "ae", "ap"])
        && tokens.at(at + 2).digit_count() == 5;
    if is_office { at + 3 } else { at }
}
