//! Plain text in, plain text out, of any length in constant memory.
//!
//! The text is worked through in blocks. The end of a block is kept back until what follows it is known, and what
//! stands before a block is looked at again with it, so that a value or its cue that straddles two blocks is found.
//! Bytes that are not UTF-8 pass as they are.

use std::{
    io::{self, Read, Write},
    str,
};

use parlance_domain::redaction::{EntitySet, Redactor, Span, mask_spans};

/// How much is read before a block is worked through, in bytes.
const BLOCK: usize = 64 * 1024;

/// How much of a block's end is kept back, in bytes: more than any one value has.
const KEPT_BACK: usize = 8 * 1024;

/// How much of what was written is looked at again, in bytes: more than a cue stands away from its value.
const LOOKED_AT_AGAIN: usize = 256;

pub(super) fn mask(mut input: impl Read, output: &mut impl Write, active: EntitySet) -> io::Result<()> {
    let mut blocks = Blocks { redactor: Redactor::new(active), pending: Vec::new(), written: 0 };
    loop {
        let read = (&mut input).take(BLOCK as u64).read_to_end(&mut blocks.pending)?;
        blocks.write(output, read == 0)?;
        if read == 0 {
            return Ok(());
        }
    }
}

struct Blocks {
    redactor: Redactor,
    /// What was read and is not done with.
    pending: Vec<u8>,
    /// How many bytes at the start of `pending` were written already.
    written: usize,
}

impl Blocks {
    /// Writes what can be told of the pending bytes; all of it at the end of the input.
    fn write(&mut self, output: &mut impl Write, end: bool) -> io::Result<()> {
        loop {
            let (valid, invalid) = split(&self.pending, end);
            let whole = end || invalid > 0;
            let text = str::from_utf8(self.pending.get(..valid).unwrap_or_default()).unwrap_or_default();
            let done = self.write_text(output, text, whole)?;
            output.write_all(self.pending.get(done..done + invalid).unwrap_or_default())?;
            if invalid == 0 {
                self.forget(done);
                return Ok(());
            }
            self.pending.drain(..done + invalid);
            self.written = 0;
        }
    }

    /// Writes a text masked, up to where its end is kept back, and gives how far that is.
    fn write_text(&self, output: &mut impl Write, text: &str, whole: bool) -> io::Result<usize> {
        let spans = self.redactor.redact(text, &[]).spans;
        let cut = if whole { text.len() } else { cut(text, &spans).max(self.written) };
        let part = text.get(self.written..cut).unwrap_or_default();
        let inside: Vec<_> = spans.iter().filter_map(|span| clip(span, self.written, cut)).collect();
        output.write_all(if inside.is_empty() { part.to_owned() } else { mask_spans(part, &inside) }.as_bytes())?;
        Ok(cut)
    }

    /// Drops what is done with, but for what is looked at again.
    fn forget(&mut self, done: usize) {
        let mut from = done.saturating_sub(LOOKED_AT_AGAIN);
        while from < done && self.pending.get(from).is_some_and(|byte| !is_boundary(*byte)) {
            from += 1;
        }
        self.pending.drain(..from);
        self.written = done - from;
    }
}

/// Whether a character can begin with this byte of UTF-8.
fn is_boundary(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// How many bytes from the start are UTF-8, and how many after them never will be.
fn split(bytes: &[u8], end: bool) -> (usize, usize) {
    match str::from_utf8(bytes) {
        Ok(text) => (text.len(), 0),
        Err(error) => {
            let valid = error.valid_up_to();
            let rest = if end { bytes.len() - valid } else { 0 };
            (valid, error.error_len().unwrap_or(rest))
        }
    }
}

/// Where a block may end: after a line or at least a word, far enough from its end, and inside no span.
fn cut(text: &str, spans: &[Span]) -> usize {
    let mut limit = text.len().saturating_sub(KEPT_BACK);
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let before = text.get(..limit).unwrap_or_default();
    let line = before.rfind('\n').map(|at| at + 1);
    let cut = line.or_else(|| before.rfind(' ').map(|at| at + 1)).unwrap_or(limit);
    let straddling = spans.iter().find(|span| span.start < cut && cut < span.end);
    // A value longer than a block is cut all the same, so that memory stays bounded.
    straddling.map_or(cut, |span| if span.start > 0 { span.start } else { limit })
}

/// The part of a span between two places, as a span of what stands between them.
fn clip(span: &Span, from: usize, to: usize) -> Option<Span> {
    let (start, end) = (span.start.max(from), span.end.min(to));
    let shown_from = span.shown_from.clamp(start.min(end), end);
    (start < end).then(|| Span { start: start - from, end: end - from, shown_from: shown_from - from, ..*span })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(input: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        mask(input, &mut output, EntitySet::defaults()).unwrap();
        output
    }

    #[test]
    fn a_text_is_masked_and_else_left_as_it_is() {
        let text = "hello\r\n\n\tmy ssn is 219-09-9999 é\nbye";
        assert_eq!(masked(text.as_bytes()), text.replace("219-09-", "***-**-").as_bytes());
    }

    #[test]
    fn an_empty_input_gives_an_empty_output() {
        assert!(masked(b"").is_empty());
    }

    #[test]
    fn a_value_is_found_wherever_the_blocks_are_cut() {
        let value = "my card is 4111 1111 1111 1111 thanks\n";
        for filler in [" ", "lorem ipsum\n", "é"] {
            for offset in [BLOCK - 50, BLOCK - 20, BLOCK - KEPT_BACK - 30, BLOCK - KEPT_BACK - 15, 3 * BLOCK - 25] {
                let text = format!("{} {value}{}", filler.repeat(offset / filler.len()), "bye\n".repeat(BLOCK / 2));
                let expected = text.replace("4111 1111 1111", "**** **** ****");
                assert!(masked(text.as_bytes()) == expected.as_bytes(), "{filler:?} {offset}");
            }
        }
    }

    #[test]
    fn a_cue_in_the_block_before_still_counts() {
        for shift in 0..40 {
            let before = "x".repeat(BLOCK - KEPT_BACK - shift);
            let text = format!("{before}\nmy pin number is\n4821 {}", "y\n".repeat(BLOCK));
            let found = String::from_utf8(masked(text.as_bytes())).unwrap();
            assert!(!found.contains("4821"), "{shift}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_pass_as_they_are() {
        let text = [b"ssn 219-09-9999 \xff\xfe".as_slice(), "ssn 219-09-9999 é".as_bytes(), b"\xe2\x82"].concat();
        let expected = [b"ssn ***-**-9999 \xff\xfe".as_slice(), "ssn ***-**-9999 é".as_bytes(), b"\xe2\x82"].concat();
        assert_eq!(masked(&text), expected);
    }

    #[test]
    fn text_without_a_break_passes_too() {
        let text = "a".repeat(5 * BLOCK);
        assert_eq!(masked(text.as_bytes()), text.as_bytes());
    }
}
