//! Digits of another look than the usual one: keycaps, circled, superscript and subscript digits.

use super::reader::{Interpretation, Part, Reader};
use crate::tokenize::{Gap, Tokens};

/// Maximum signs between two digits of one value.
const MAX_SIGNS: usize = 1;

/// Digits in a row of which some have another look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldedValue {
    /// The first byte and the byte after the last.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Number of digits.
    pub(crate) count: usize,
}

/// The values of a text that have digits of another look.
pub(crate) fn values(tokens: &Tokens<'_>) -> Vec<FoldedValue> {
    let mut reader = Reader::new(tokens, Interpretation::Words);
    let (mut values, mut signs, mut read) = (Vec::new(), 0, 0);
    loop {
        let part = reader.next_part();
        let is_joined = match &part {
            Some((gap, Part::Digits)) => *gap <= Gap::Space,
            Some((_, Part::Signs(more))) => {
                signs += more;
                signs <= MAX_SIGNS
            }
            Some(_) | None => false,
        };
        if !is_joined {
            values.extend(value(tokens, &mut reader, read));
            signs = 0;
        } else if matches!(part, Some((_, Part::Digits))) {
            signs = 0;
        }
        read = reader.digits.len();
        if part.is_none() {
            return values;
        }
    }
}

/// Takes the first `read` digits as a value, if some have another look.
fn value(tokens: &Tokens<'_>, reader: &mut Reader<'_, '_>, read: usize) -> Option<FoldedValue> {
    let digits: Vec<_> = reader.digits.drain(..read).collect();
    let (first, last) = (digits.first()?, digits.last()?);
    let (start, end) = (first.start, last.end);
    let has_other_look = !tokens.between(start, end).is_ascii();
    has_other_look.then_some(FoldedValue { start, end, count: digits.len() })
}
