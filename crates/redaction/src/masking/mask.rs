//! Masking: one asterisk for each letter and digit, separators as they are; eight asterisks where the length is secret.

use crate::catalog::Mask;
use crate::span::Span;
use crate::tokenize::fold::{self, Folded};

/// What stands for a secret of whatever length.
const SECRET: &str = "********";

/// The text with these spans masked. Spans must be in order and not overlap, as [`crate::Redactor::redact`] returns them;
/// a span that does not fit the text is passed over.
#[must_use]
pub fn mask_spans(text: &str, spans: &[Span]) -> String {
    mask_tracked(text, spans, |_, _| ())
}

/// Masks, and tells for each span the end of its masked form and its own end.
pub(crate) fn mask_tracked(text: &str, spans: &[Span], mut tell: impl FnMut(usize, &Span)) -> String {
    let mut masked = String::with_capacity(text.len() + 8);
    let mut done = 0;
    for span in spans {
        let shown_from = span.shown_from.clamp(span.start, span.end.max(span.start));
        let pieces = (text.get(done..span.start), text.get(span.start..shown_from), text.get(shown_from..span.end));
        let (Some(before), Some(hidden), Some(shown)) = pieces else { continue };
        masked.push_str(before);
        if span.entity.row().mask == Mask::Fixed8 && shown.is_empty() {
            masked.push_str(SECRET);
        } else {
            hide(hidden, &mut masked);
        }
        masked.push_str(shown);
        done = span.end;
        tell(masked.len(), span);
    }
    masked.push_str(text.get(done..).unwrap_or(""));
    masked
}

/// Bytes that are hidden at once.
const AT_ONCE: usize = 32;

fn hide(hidden: &str, masked: &mut String) {
    if !hidden.is_ascii() {
        masked.extend(hidden.chars().map(|c| if is_shown_as_star(c) { '*' } else { c }));
        return;
    }
    let mut stars = [0; AT_ONCE];
    for piece in hidden.as_bytes().chunks(AT_ONCE) {
        let stars = &mut stars[..piece.len()];
        for (star, byte) in stars.iter_mut().zip(piece) {
            *star = if byte.is_ascii_alphanumeric() { b'*' } else { *byte };
        }
        masked.push_str(std::str::from_utf8(stars).unwrap_or_default());
    }
}

/// Letters and digits of any script, and the marks that belong to a letter.
fn is_shown_as_star(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        c.is_alphanumeric() || matches!(fold::fold(c), Folded::Letter | Folded::Digit(_))
    }
}
