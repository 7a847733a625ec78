//! JSON strings (RFC 8259), written directly into a buffer.

use crate::hex;

/// The bytes that one check for escapes covers.
const CHUNK_BYTES: usize = 32;

/// Appends a text as a JSON string. The check for characters that need escaping reads a chunk of bytes at a time, which
/// costs less than a check of each byte.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    if needs_escaping(text.as_bytes()) {
        write_escaped(text.as_bytes(), out);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
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

/// The check reads all bytes without an early exit, so that it can be vectorised.
fn chunk_needs_escaping(bytes: &[u8; CHUNK_BYTES]) -> bool {
    bytes.iter().fold(false, |any, byte| any | is_escaped(*byte))
}

/// Whether JSON escapes this byte: a quotation mark, a backslash or a control character (RFC 8259, section 7).
#[expect(clippy::needless_bitwise_bool, reason = "avoids a branch for each byte")]
fn is_escaped(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

/// Appends the text, with the short escape of each character that has one.
fn write_escaped(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((before, [byte, after @ ..])) =
        rest.iter().position(|byte| is_escaped(*byte)).and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(before);
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            b'\n' => out.extend_from_slice(br"\n"),
            b'\r' => out.extend_from_slice(br"\r"),
            b'\t' => out.extend_from_slice(br"\t"),
            0x08 => out.extend_from_slice(br"\b"),
            0x0c => out.extend_from_slice(br"\f"),
            _ => {
                out.extend_from_slice(br"\u00");
                out.extend_from_slice(hex::encode(&[*byte]).as_bytes());
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let mut out = Vec::new();
        write_string(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn quotation_marks_backslashes_and_control_characters_are_escaped() {
        assert_eq!(json("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(json("\n\r\t\u{8}\u{c}"), r#""\n\r\t\b\f""#);
        assert_eq!(json("\0\u{1f}"), r#""\u0000\u001f""#);
    }

    #[test]
    fn other_characters_are_unchanged() {
        for text in ["", "é🦀/\u{7f}\u{85}\u{2028}", &"a".repeat(3 * CHUNK_BYTES)] {
            assert_eq!(json(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn a_character_is_escaped_wherever_it_stands() {
        for before in 0..=2 * CHUNK_BYTES {
            let plain = "x".repeat(before);
            assert_eq!(json(&format!("{plain}\"y")), format!("\"{plain}\\\"y\""));
        }
    }
}
