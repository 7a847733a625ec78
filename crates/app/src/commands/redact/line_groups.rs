//! Finds the spans of a long text by groups of lines.
//!
//! If one value needs a second pass, the engine repeats the pass over the whole text, and one feature anywhere in a text
//! lets a detector read all of it. Both cost much in a long text. The text is therefore divided before lines that the
//! text before them cannot affect.

use std::ops::Range;

use parlance_domain::redaction::{Redactor, Span};

/// Bytes after which a group ends before the next line that the text before it cannot affect. Shorter groups cost more
/// for the search of such a line, longer ones more for passes that are repeated.
const GROUP_BYTES: usize = 800;

/// Bytes after which a group ends before any line.
const MAX_GROUP_BYTES: usize = 2 * 1024;

/// Bytes after which a group ends, although a value may continue: more than the longest value.
const MAX_OPEN_GROUP_BYTES: usize = 16 * 1024;

/// Bytes after a cue in which lines of a few words may stand before the line with its value.
const CUE_REACH_BYTES: usize = 96;

/// Finds the spans of a text, in order and without overlap. If the text before a group can affect the group, its last
/// `context_bytes` are scanned again with the group.
pub(super) fn find_spans(redactor: &Redactor, text: &str, context_bytes: usize) -> Vec<Span> {
    let mut finder =
        GroupFinder { redactor, text, context_bytes, group: 0..0, needs_context: false, next_needs_context: false };
    let mut found = Vec::new();
    while finder.group.end < text.len() {
        finder.next_group();
        let mut spans = finder.redact();
        // Each extension doubles the group, so that the time stays linear.
        while finder.may_continue(&spans) {
            finder.group.end = finder.line_end(finder.group.end + finder.group.len());
            finder.next_needs_context = true;
            spans = finder.redact();
        }
        found.append(&mut spans);
    }
    found
}

struct GroupFinder<'text> {
    redactor: &'text Redactor,
    text: &'text str,
    context_bytes: usize,
    /// The bytes of the lines of the group.
    group: Range<usize>,
    /// Whether the text before the group can affect it.
    needs_context: bool,
    /// Whether the text before the next group can affect that group.
    next_needs_context: bool,
}

impl GroupFinder<'_> {
    /// Moves to the next group.
    fn next_group(&mut self) {
        let start = self.group.end;
        let mut end = start;
        self.needs_context = self.next_needs_context;
        loop {
            end = self.line_end(end);
            self.next_needs_context = end - start >= GROUP_BYTES && self.lines_need_context(end);
            let is_full = end - start >= if self.next_needs_context { MAX_GROUP_BYTES } else { GROUP_BYTES };
            if is_full || end >= self.text.len() {
                break;
            }
        }
        self.group = start..end;
    }

    /// Whether the text before the line that begins at `start` can affect the line, or one of the next lines.
    fn lines_need_context(&self, start: usize) -> bool {
        let mut line = start;
        while line < self.text.len() && line - start < CUE_REACH_BYTES {
            if self.line_needs_context(line) {
                return true;
            }
            line = self.line_end(line);
        }
        false
    }

    /// Whether the text before the line that begins at `start` can affect the line.
    fn line_needs_context(&self, start: usize) -> bool {
        let end = self.line_end(start);
        end - start > MAX_GROUP_BYTES || self.redactor.needs_context(self.slice(&(start..end)))
    }

    /// The spans of the group.
    fn redact(&self) -> Vec<Span> {
        let Range { start, end } = self.group;
        let context_bytes = if self.needs_context { self.context_bytes } else { 0 };
        let from = self.text.floor_char_boundary(start.saturating_sub(context_bytes));
        let spans = self.redactor.redact(self.slice(&(from..end)), &[]).spans;
        let moved = spans.into_iter().map(|span| Span {
            start: (span.start + from).max(start),
            end: span.end + from,
            visible_from: (span.visible_from + from).max(start),
            ..span
        });
        moved.filter(|span| span.start < span.end).collect()
    }

    /// Whether the value of the last span may continue after the group.
    fn may_continue(&self, spans: &[Span]) -> bool {
        let text_end = self.group.start + self.slice(&self.group).trim_end().len();
        spans.last().is_some_and(|span| span.end >= text_end)
            && self.group.end < self.text.len()
            && self.group.len() < MAX_OPEN_GROUP_BYTES
    }

    /// The end of the line that contains this offset, with its line break.
    fn line_end(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes().get(offset..).unwrap_or_default();
        bytes.iter().position(|byte| *byte == b'\n').map_or(self.text.len(), |at| offset + at + 1)
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlance_domain::redaction::{EntitySet, mask_spans};

    fn masked(text: &str) -> String {
        mask_spans(text, &find_spans(&Redactor::new(EntitySet::all()), text, 256))
    }

    #[test]
    fn a_value_and_its_cue_are_found_on_different_lines_wherever_a_group_ends() {
        for lines in 0..60 {
            let before = "we walked along the river for a while\n".repeat(lines);
            let text = format!("{before}my pin number is\nokay\n4821\n{before}");
            assert_eq!(masked(&text), text.replace("4821", "****"), "{lines}");
        }
    }

    #[test]
    fn a_value_that_continues_on_the_next_line_is_masked_wherever_a_group_ends() {
        for lines in 0..60 {
            let before = "we walked along the river for a while\n".repeat(lines);
            let text = format!("{before}my card is 4111 1111\n1111 1111 thanks\n{before}");
            assert_eq!(masked(&text), text.replace("4111 1111\n1111", "**** ****\n****"), "{lines}");
        }
    }

    #[test]
    fn a_block_of_many_lines_is_masked_as_a_whole() {
        let body = "MIIEpAIBAAKCAQEA\n".repeat(200);
        let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----");
        let before = "we walked along the river for a while\n".repeat(15);
        let output = masked(&format!("{before}{key}\nthe end\n"));
        assert!(!output.contains("MII") && output.ends_with("the end\n"), "{output}");
    }

    #[test]
    fn offsets_refer_to_the_whole_text() {
        let line = "é my ssn is 219-09-9999\n";
        let text = line.repeat(200);
        assert_eq!(masked(&text), text.replace("219-09-", "***-**-"));
    }
}
