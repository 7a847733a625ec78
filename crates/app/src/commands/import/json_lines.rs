//! Reads a JSON Lines file: one conversation a line, with its messages.

use std::io::{self, BufRead, Read};

use parlance_adapters_http::records::read_conversation;
use parlance_domain::limits::IMPORT_LINE_MAX_BYTES;
use tokio::sync::OwnedSemaphorePermit;

use super::unit::{LineNumbers, MAX_LINE_BYTES_RULE, NumberedRecord, RecordLines, RefusedRecord, Unit};

/// The bytes after which a unit ends.
const UNIT_BYTES: u64 = 128 * 1024;

/// The lines of a file.
pub(super) struct JsonLines<Input> {
    input: Input,
    line: Vec<u8>,
    /// The number of the last line.
    number: u64,
    /// Whether the last line has more bytes than were kept.
    exceeds_limit: bool,
    max_line_bytes: usize,
    max_text_bytes: usize,
}

impl<Input: BufRead> JsonLines<Input> {
    pub(super) fn new(input: Input, max_text_bytes: usize) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
            exceeds_limit: false,
            max_line_bytes: IMPORT_LINE_MAX_BYTES,
            max_text_bytes,
        }
    }

    /// The next lines; `None` after the last one. Takes room for each line before it is parsed, because a parsed line needs
    /// several times as much memory.
    pub(super) fn next_unit(
        &mut self,
        take_room: &mut dyn FnMut(u64) -> Option<OwnedSemaphorePermit>,
    ) -> io::Result<Option<Unit>> {
        let mut unit = Unit::default();
        while unit.bytes < UNIT_BYTES {
            let bytes = self.read_line()?;
            if bytes == 0 {
                return Ok(Some(unit).filter(|unit| unit.bytes > 0));
            }
            unit.bytes += bytes;
            unit.add_room(take_room(self.line.len() as u64));
            self.add_line(&mut unit);
        }
        Ok(Some(unit))
    }

    /// Reads a line, of which it keeps one byte more than is allowed. Returns all bytes of the line; 0 at the end.
    fn read_line(&mut self) -> io::Result<u64> {
        self.line.clear();
        let limit = self.max_line_bytes as u64 + 1;
        let mut bytes = (&mut self.input).take(limit).read_until(b'\n', &mut self.line)? as u64;
        self.number += u64::from(bytes > 0);
        self.exceeds_limit = false;
        if bytes == limit && self.line.last() != Some(&b'\n') {
            let skipped = self.input.skip_until(b'\n')? as u64;
            // The newline itself is no part of the line.
            self.exceeds_limit = skipped > 1;
            bytes += skipped;
        }
        Ok(bytes)
    }

    fn add_line(&self, unit: &mut Unit) {
        let (line, lines) = (self.line.trim_ascii(), LineNumbers::one(self.number));
        if line.is_empty() && !self.exceeds_limit {
            return;
        }
        if self.exceeds_limit || line.len() > self.max_line_bytes {
            let message = format!("must have at most {} bytes", self.max_line_bytes);
            return unit.refused.push(RefusedRecord::whole(lines, MAX_LINE_BYTES_RULE, message));
        }
        match read_conversation(line, self.max_text_bytes) {
            Ok(record) => {
                unit.records.push(NumberedRecord { record, lines: RecordLines::Conversation(self.number) });
            }
            Err(errors) => unit.refused.push(RefusedRecord { lines, errors }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"externalId": "a", "customer": {"externalId": "c"}, "timestamp": "2026-01-31T09:30:00Z", "messages": [{"text": "hello", "sender": {"role": "customer", "externalId": "c"}, "timestamp": "2026-01-31T09:30:01Z"}]}"#;

    /// The numbers of the good lines, and the number, the fields and the rules of the refused ones.
    fn read(file: &[u8], max_line_bytes: usize) -> (Vec<u64>, Vec<(u64, String)>) {
        let mut lines = JsonLines { max_line_bytes, ..JsonLines::new(file, 100) };
        let (mut good, mut refused) = (Vec::new(), Vec::new());
        while let Some(unit) = lines.next_unit(&mut |_| None).unwrap() {
            for record in unit.records {
                match record.lines {
                    RecordLines::Conversation(number) => good.push(number),
                    RecordLines::Messages(_) => panic!("a line is a conversation"),
                }
            }
            for RefusedRecord { lines, errors } in unit.refused {
                let errors: Vec<_> = errors.iter().map(|error| format!("{} {}", error.field, error.rule)).collect();
                refused.push((lines.first, errors.join(", ")));
            }
        }
        (good, refused)
    }

    #[test]
    fn lines_end_with_a_newline_with_or_without_a_carriage_return_or_with_the_file() {
        let file = format!("{GOOD}\n\r\n{GOOD}\r\n\n{GOOD}");
        assert_eq!(read(file.as_bytes(), 1_000), (vec![1, 3, 5], vec![]));
        assert_eq!(read(b"", 1_000), (vec![], vec![]));
        assert_eq!(read(b"\n\n", 1_000), (vec![], vec![]));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_the_next_one_is_read() {
        let file = format!("{GOOD} {}\n{GOOD}\n{}", " x".repeat(200_000), "y".repeat(300_000));
        let refused = |number| (number, " max_bytes".to_owned());
        assert_eq!(read(file.as_bytes(), GOOD.len()), (vec![2], vec![refused(1), refused(3)]));
    }

    #[test]
    fn each_part_of_a_line_that_is_wrong_is_reported() {
        let without = GOOD.replace(r#", "messages""#, r#", "others""#);
        let wrong = GOOD.replace(r#""customer", "externalId": "c"}, "timestamp""#, r#""robot"}, "timestamp""#);
        let long = GOOD.replace("hello", &"x".repeat(101));
        let cut = &GOOD[..GOOD.len() - 9];
        let file = [&without, &wrong, &GOOD.replace("hello", ""), &long, "[]", "\u{b}", &without, cut].join("\n");
        let expected = [
            "/messages required",
            "/messages/0/sender/role enum, /messages/0/sender/externalId required",
            "/messages/0/text min_characters",
            "/messages/0/text max_bytes",
            " type",
            " json",
            "/messages required",
            " json",
        ];
        let (good, refused) = read(file.as_bytes(), 1_000);
        assert!(good.is_empty());
        assert_eq!(refused.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
        assert_eq!(refused.iter().map(|(_, errors)| errors.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_refused() {
        let mut file = GOOD.replace("hello", "hell?").into_bytes();
        let at = file.iter().position(|byte| *byte == b'?').unwrap();
        file[at] = 0xff;
        assert_eq!(read(&file, 1_000), (vec![], vec![(1, " json".to_owned())]));
    }
}
