//! JSON strings (RFC 8259), written directly into a body.

use actix_web::{HttpResponse, http::header::ContentType};

/// The bytes that one check for escapes covers.
pub(crate) const CHUNK_BYTES: usize = 32;

/// Appends a text as a JSON string. The check for characters that need escaping reads a chunk of bytes at a time, which
/// costs less than a check of each byte.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    if needs_escaping(text.as_bytes()) {
        // Writing a string to a Vec cannot fail.
        let _ = serde_json::to_writer(out, text);
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

fn needs_escaping(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks();
    // A full chunk costs less than a partial one. The last chunk is the end of the text, which may overlap the chunk
    // before, or a short text padded with spaces.
    let last = bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut padded = [b' '; CHUNK_BYTES];
        padded.iter_mut().zip(rest).for_each(|(target, byte)| *target = *byte);
        padded
    });
    chunks.iter().any(chunk_needs_escaping) || chunk_needs_escaping(&last)
}

/// Whether a quotation mark, a backslash or a control character is among these bytes (RFC 8259, section 7). The check
/// reads all bytes without an early exit, so that it can be vectorised.
#[expect(clippy::needless_bitwise_bool, reason = "one branch for the chunk instead of three for each byte")]
fn chunk_needs_escaping(bytes: &[u8; CHUNK_BYTES]) -> bool {
    bytes.iter().fold(false, |any, byte| any | (*byte < b' ') | (*byte == b'"') | (*byte == b'\\'))
}

/// The response 200 with this JSON body.
pub(crate) fn respond(body: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(body)
}

/// Texts with one special character each, at every offset of the first two chunks. Some characters need escaping.
#[cfg(test)]
pub(crate) fn escaping_samples() -> impl Iterator<Item = String> {
    let characters = ["\"", "\\", "\n", "\t", "\u{1}", "\u{1f}", "\u{7f}", " ", "é", "\u{2028}", "😀", "/"];
    let paddings = (0..=2 * CHUNK_BYTES).flat_map(|before| [(before, 1), (before, 2 * CHUNK_BYTES)]);
    let text = |character, (before, after)| format!("{}{character}{}", "x".repeat(before), "x".repeat(after));
    paddings.flat_map(move |padding| characters.map(|character| text(character, padding)))
}
