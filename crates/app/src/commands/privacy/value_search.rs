//! Searches a stream of bytes for many values at once.

use std::io::{self, Write};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use anyhow::Context;

use super::written_forms::{WrittenForm, written_forms};

/// Bytes of a stream that are searched together.
const CHUNK_BYTES: usize = 1024 * 1024;

/// A value that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finding {
    /// Where it begins, in bytes from the start of the stream.
    pub(super) offset: u64,
    /// The number of the value.
    pub(super) value: usize,
    /// The form in which it is written.
    pub(super) form: WrittenForm,
}

/// The values in all their forms.
#[derive(Debug)]
pub(super) struct Values {
    automaton: AhoCorasick,
    /// The number of the value and its form, by the number of the pattern.
    patterns: Vec<(usize, WrittenForm)>,
    longest: usize,
}

impl Values {
    /// Prepares the search for numbered values.
    pub(super) fn new(values: &[(usize, &str)]) -> anyhow::Result<Self> {
        let mut patterns = Vec::new();
        let mut texts = Vec::new();
        for (number, value) in values {
            for (form, text) in written_forms(value) {
                patterns.push((*number, form));
                texts.push(text);
            }
        }
        let longest = texts.iter().map(Vec::len).max().unwrap_or_default();
        // A table of states by byte would be faster for few values, and too large for thousands.
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(texts)
            .context("the values are too many to search for at once: use several files")?;
        Ok(Self { automaton, patterns, longest })
    }
}

/// A search of one stream, which is written to it. Its memory does not depend on the length of the stream.
pub(super) struct ValueSearch<'search, Report> {
    values: &'search Values,
    report: Report,
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that were searched before. A value that ends after them may begin in them.
    searched: usize,
    /// The offset of the buffer in the stream.
    offset: u64,
}

impl<'search, Report: FnMut(Finding) -> io::Result<()>> ValueSearch<'search, Report> {
    pub(super) fn new(values: &'search Values, report: Report) -> Self {
        let buffer = Vec::with_capacity(CHUNK_BYTES + values.longest);
        Self { values, report, buffer, searched: 0, offset: 0 }
    }

    /// Searches the rest of the stream. Returns the length of the stream.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.search()?;
        Ok(self.offset + self.buffer.len() as u64)
    }

    fn search(&mut self) -> io::Result<()> {
        let Self { values, report, buffer, searched, offset } = self;
        for found in values.automaton.find_overlapping_iter(buffer.as_slice()) {
            if found.end() <= *searched {
                continue;
            }
            if let Some(&(value, form)) = values.patterns.get(found.pattern().as_usize()) {
                report(Finding { offset: *offset + found.start() as u64, value, form })?;
            }
        }
        let kept = buffer.len().min(values.longest.saturating_sub(1));
        let passed = buffer.len() - kept;
        buffer.drain(..passed);
        *offset += passed as u64;
        *searched = kept;
        Ok(())
    }
}

impl<Report: FnMut(Finding) -> io::Result<()>> Write for ValueSearch<'_, Report> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = CHUNK_BYTES + self.values.longest - self.buffer.len();
        let (taken, _) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.buffer.extend_from_slice(taken);
        if taken.len() == room {
            self.search()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: &str = "jane.doe@example.org";

    fn findings(values: &[(usize, &str)], parts: &[&[u8]]) -> Vec<Finding> {
        let values = Values::new(values).unwrap();
        let mut found = Vec::new();
        let mut search = ValueSearch::new(&values, |finding| {
            found.push(finding);
            Ok(())
        });
        for part in parts {
            search.write_all(part).unwrap();
        }
        let length: usize = parts.iter().map(|part| part.len()).sum();
        assert_eq!(search.finish().unwrap(), length as u64);
        found
    }

    #[test]
    fn a_value_is_found_once_wherever_the_border_of_a_chunk_cuts_it() {
        let longest = Values::new(&[(1, VALUE)]).unwrap().longest;
        for before in CHUNK_BYTES - 30..=CHUNK_BYTES + longest + 1 {
            let content = [&vec![b'.'; before][..], VALUE.as_bytes(), b"..."].concat();
            let expected = Finding { offset: before as u64, value: 1, form: WrittenForm::Utf8 };
            assert_eq!(findings(&[(1, VALUE)], &[&content]), [expected], "{before}");
        }
    }

    #[test]
    fn a_value_is_found_in_parts_of_one_byte() {
        let parts: Vec<_> = VALUE.as_bytes().chunks(1).collect();
        assert_eq!(findings(&[(7, VALUE)], &parts), [Finding { offset: 0, value: 7, form: WrittenForm::Utf8 }]);
    }

    #[test]
    fn values_that_overlap_are_all_found() {
        let values = [(1, "jane.doe"), (2, VALUE), (3, "doe@example")];
        let mut found: Vec<_> = findings(&values, &[VALUE.as_bytes()]).iter().map(|one| one.value).collect();
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3]);
    }

    #[test]
    fn another_value_is_not_found() {
        assert_eq!(findings(&[(1, VALUE)], &[b"jane.roe@example.org", b"jane.doe"]), []);
    }
}
