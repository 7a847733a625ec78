//! Masks plain text of any length in constant memory.
//!
//! The text is processed in blocks. The end of a block is held back until the next block is read, and the text before a
//! block is scanned again with it, so that a value or a cue that spans two blocks is found. Bytes that are not UTF-8
//! are copied unchanged.

use std::{
    io::{self, Read, Write},
    mem, str,
};

use parlance_domain::redaction::{EntitySet, Redactor, Span, mask_spans};

use super::{line_groups::find_spans, report::Report};

/// Number of bytes that are read before a block is processed.
const BLOCK_BYTES: usize = 256 * 1024;

/// Number of bytes at the end of a block that are held back: more than the longest value.
const HELD_BACK_BYTES: usize = 8 * 1024;

/// Number of written bytes that are scanned again: more than the distance between a cue and its value.
const RESCAN_BYTES: usize = 256;

pub(super) fn mask(
    mut input: impl Read,
    output: &mut impl Write,
    active: EntitySet,
    report: &mut Report,
) -> io::Result<()> {
    let mut masker = BlockMasker { redactor: Redactor::new(active), report, pending: Vec::new(), written: 0 };
    loop {
        let read = (&mut input).take(BLOCK_BYTES as u64).read_to_end(&mut masker.pending)?;
        masker.write(output, read == 0)?;
        if read == 0 {
            return Ok(());
        }
    }
}

struct BlockMasker<'run> {
    redactor: Redactor,
    report: &'run mut Report,
    /// Bytes that are read and still needed.
    pending: Vec<u8>,
    /// Number of bytes at the start of `pending` that are already written.
    written: usize,
}

impl BlockMasker<'_> {
    /// Masks and writes the pending bytes up to the held-back end, or all of them at the end of the input.
    fn write(&mut self, output: &mut impl Write, is_last: bool) -> io::Result<()> {
        loop {
            let (valid, invalid) = split(&self.pending, is_last);
            let is_whole = is_last || invalid > 0;
            let pending = mem::take(&mut self.pending);
            let text = str::from_utf8(pending.get(..valid).unwrap_or_default()).unwrap_or_default();
            let processed = self.write_text(output, text, is_whole)?;
            self.pending = pending;
            output.write_all(self.pending.get(processed..processed + invalid).unwrap_or_default())?;
            if invalid == 0 {
                self.drop_written(processed);
                return Ok(());
            }
            self.pending.drain(..processed + invalid);
            self.written = 0;
        }
    }

    /// Masks and writes a text, except its held-back end unless `is_whole`. Returns the offset of the first unwritten
    /// byte.
    fn write_text(&mut self, output: &mut impl Write, text: &str, is_whole: bool) -> io::Result<usize> {
        let spans = find_spans(&self.redactor, text, RESCAN_BYTES);
        let cut = if is_whole { text.len() } else { find_cut(text, &spans).max(self.written) };
        let part = text.get(self.written..cut).unwrap_or_default();
        let clipped: Vec<_> = spans.iter().filter_map(|span| clip(span, self.written, cut)).collect();
        self.report.add_text(part, &clipped);
        output.write_all(if clipped.is_empty() { part.to_owned() } else { mask_spans(part, &clipped) }.as_bytes())?;
        Ok(cut)
    }

    /// Drops the written bytes, except those that are scanned again.
    fn drop_written(&mut self, processed: usize) {
        let mut from = processed.saturating_sub(RESCAN_BYTES);
        while from < processed && self.pending.get(from).is_some_and(|byte| !is_boundary(*byte)) {
            from += 1;
        }
        self.pending.drain(..from);
        self.written = processed - from;
    }
}

/// Whether a character can begin at this UTF-8 byte.
fn is_boundary(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// Returns the number of UTF-8 bytes at the start, and the number of invalid bytes after them.
fn split(bytes: &[u8], is_last: bool) -> (usize, usize) {
    match str::from_utf8(bytes) {
        Ok(text) => (text.len(), 0),
        Err(error) => {
            let valid = error.valid_up_to();
            let rest = if is_last { bytes.len() - valid } else { 0 };
            (valid, error.error_len().unwrap_or(rest))
        }
    }
}

/// Returns the offset at which a block can be cut: after a line or a word, before the held-back end, and not in a span.
fn find_cut(text: &str, spans: &[Span]) -> usize {
    let mut limit = text.len().saturating_sub(HELD_BACK_BYTES);
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let before = text.get(..limit).unwrap_or_default();
    let line = before.rfind('\n').map(|at| at + 1);
    let cut = line.or_else(|| before.rfind(' ').map(|at| at + 1)).unwrap_or(limit);
    let straddling = spans.iter().find(|span| span.start < cut && cut < span.end);
    // A value that is longer than a block is cut anyway, which bounds the memory.
    straddling.map_or(cut, |span| if span.start > 0 { span.start } else { limit })
}

/// Returns the part of a span between two offsets, relative to the first offset.
fn clip(span: &Span, from: usize, to: usize) -> Option<Span> {
    let (start, end) = (span.start.max(from), span.end.min(to));
    let visible_from = span.visible_from.clamp(start.min(end), end);
    (start < end).then(|| Span { start: start - from, end: end - from, visible_from: visible_from - from, ..*span })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(input: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        mask(input, &mut output, EntitySet::defaults(), &mut Report::default()).unwrap();
        output
    }

    #[test]
    fn the_rest_of_a_masked_text_is_unchanged() {
        let text = "hello\r\n\n\tmy ssn is 219-09-9999 é\nbye";
        assert_eq!(masked(text.as_bytes()), text.replace("219-09-", "***-**-").as_bytes());
    }

    #[test]
    fn an_empty_input_gives_an_empty_output() {
        assert!(masked(b"").is_empty());
    }

    #[test]
    fn a_value_that_spans_two_blocks_is_found() {
        let value = "my card is 4111 1111 1111 1111 thanks\n";
        for filler in [" ", "lorem ipsum\n", "é"] {
            for offset in [
                BLOCK_BYTES - 50,
                BLOCK_BYTES - 20,
                BLOCK_BYTES - HELD_BACK_BYTES - 30,
                BLOCK_BYTES - HELD_BACK_BYTES - 15,
                3 * BLOCK_BYTES - 25,
            ] {
                let text =
                    format!("{} {value}{}", filler.repeat(offset / filler.len()), "bye\n".repeat(BLOCK_BYTES / 2));
                let expected = text.replace("4111 1111 1111", "**** **** ****");
                assert!(masked(text.as_bytes()) == expected.as_bytes(), "{filler:?} {offset}");
            }
        }
    }

    #[test]
    fn a_cue_in_the_previous_block_counts() {
        for shift in 0..40 {
            let before = "x".repeat(BLOCK_BYTES - HELD_BACK_BYTES - shift);
            let text = format!("{before}\nmy pin number is\n4821 {}", "y\n".repeat(BLOCK_BYTES));
            let output = String::from_utf8(masked(text.as_bytes())).unwrap();
            assert!(!output.contains("4821"), "{shift}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_copied_unchanged() {
        let text = [b"ssn 219-09-9999 \xff\xfe".as_slice(), "ssn 219-09-9999 é".as_bytes(), b"\xe2\x82"].concat();
        let expected = [b"ssn ***-**-9999 \xff\xfe".as_slice(), "ssn ***-**-9999 é".as_bytes(), b"\xe2\x82"].concat();
        assert_eq!(masked(&text), expected);
    }

    #[test]
    fn text_without_a_space_is_copied() {
        let text = "a".repeat(5 * BLOCK_BYTES);
        assert_eq!(masked(text.as_bytes()), text.as_bytes());
    }
}
