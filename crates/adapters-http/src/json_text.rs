//! Texts as JSON (RFC 8259), straight into a body.

use actix_web::{HttpResponse, http::header::ContentType};

/// Bytes of a text that are looked through at once.
pub(crate) const STRETCH: usize = 32;

/// Adds a text in quotation marks. It is looked through for characters to escape a stretch at a time, which costs less than
/// to look at each.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    if holds_what_is_escaped(text.as_bytes()) {
        // Writing texts to a Vec cannot fail.
        let _ = serde_json::to_writer(out, text);
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

fn holds_what_is_escaped(bytes: &[u8]) -> bool {
    let (stretches, rest) = bytes.as_chunks();
    // A whole stretch costs less than what is left of one: the last bytes of the text, or a short text and blanks.
    let last = bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut padded = [b' '; STRETCH];
        padded.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        padded
    });
    stretches.iter().any(has_what_is_escaped) || has_what_is_escaped(&last)
}

/// Whether a quotation mark, a backslash or a control character is among these (RFC 8259, section 7). All are looked at, so
/// that the processor does it for many at once.
#[expect(clippy::needless_bitwise_bool, reason = "one branch for all bytes instead of three for each")]
fn has_what_is_escaped(bytes: &[u8; STRETCH]) -> bool {
    bytes.iter().fold(false, |any, byte| any | (*byte < b' ') | (*byte == b'"') | (*byte == b'\\'))
}

/// The answer whose body was written so.
pub(crate) fn respond(body: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(body)
}

/// Texts with each character that is escaped at each place of a stretch, the last one and others, and some that are not.
#[cfg(test)]
pub(crate) fn odd_texts() -> impl Iterator<Item = String> {
    let odd = ["\"", "\\", "\n", "\t", "\u{1}", "\u{1f}", "\u{7f}", " ", "é", "\u{2028}", "😀", "/"];
    let places = (0..=2 * STRETCH).flat_map(|place| [(place, 1), (place, 2 * STRETCH)]);
    let text = |odd, (before, after)| format!("{}{odd}{}", "x".repeat(before), "x".repeat(after));
    places.flat_map(move |place| odd.map(|odd| text(odd, place)))
}
