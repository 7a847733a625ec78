//! The mask of a span: one asterisk for each letter and digit, other characters unchanged; eight asterisks if the
//! length is secret.

use crate::card_floor::symbols::is_decoration;
use crate::catalog::Mask;
use crate::span::Span;
use crate::tokenize::fold::{self, FoldedChar};

/// The mask of a secret of any length.
const FIXED_MASK: &str = "********";

/// Masks these spans of a text. Spans must be in order and not overlap, as [`crate::Redactor::redact`] returns them. A
/// span that does not fit the text is skipped.
#[must_use]
pub fn mask_spans(text: &str, spans: &[Span]) -> String {
    mask_with_offsets(text, spans, |_, _| ())
}

/// Masks these spans of a text. Calls `on_span` for each span with the end of its masked form and the span.
pub(crate) fn mask_with_offsets(text: &str, spans: &[Span], mut on_span: impl FnMut(usize, &Span)) -> String {
    let mut masked = String::with_capacity(text.len() + 8);
    let mut done = 0;
    for span in spans {
        let visible_from = span.visible_from.clamp(span.start, span.end.max(span.start));
        let parts = (text.get(done..span.start), text.get(span.start..visible_from), text.get(visible_from..span.end));
        let (Some(before), Some(hidden), Some(visible)) = parts else { continue };
        masked.push_str(before);
        if span.entity.row().mask == Mask::Fixed8 && visible.is_empty() {
            masked.push_str(FIXED_MASK);
        } else {
            push_masked(hidden, &mut masked);
        }
        masked.push_str(visible);
        done = span.end;
        on_span(masked.len(), span);
    }
    masked.push_str(text.get(done..).unwrap_or(""));
    masked
}

/// Bytes that are masked at once.
const BLOCK_BYTES: usize = 32;

fn push_masked(hidden: &str, masked: &mut String) {
    if !hidden.is_ascii() {
        // A frame or stroke of a digit is no character of the value. As an asterisk it would count as another digit.
        let mut follows_digit = false;
        masked.extend(hidden.chars().map(|c| {
            let is_decoration = is_decoration(c);
            follows_digit = if is_decoration { follows_digit } else { c.is_numeric() };
            if is_masked(c) && !(is_decoration && follows_digit) { '*' } else { c }
        }));
        return;
    }
    let mut stars = [0; BLOCK_BYTES];
    for block in hidden.as_bytes().chunks(BLOCK_BYTES) {
        let stars = &mut stars[..block.len()];
        for (star, byte) in stars.iter_mut().zip(block) {
            *star = if byte.is_ascii_alphanumeric() { b'*' } else { *byte };
        }
        masked.push_str(std::str::from_utf8(stars).unwrap_or_default());
    }
}

/// Whether a character is masked: letters and digits of any script, and the combining marks of a letter.
fn is_masked(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        c.is_alphanumeric() || matches!(fold::fold(c), FoldedChar::Letter | FoldedChar::Digit(_))
    }
}
