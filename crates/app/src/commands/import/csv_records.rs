//! Reads the records of a CSV file (RFC 4180) in bounded memory.

use std::io::{self, BufRead};

use super::{
    csv_cells::{CsvCells, RecordState},
    unit::LineNumbers,
};

/// The records of a file. A line break in quotes does not end a record.
pub(super) struct CsvRecords<Input> {
    input: Input,
    /// The newlines before the next byte.
    newlines: u64,
    cells: CsvCells,
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReadRecord {
    pub(super) lines: LineNumbers,
    /// Its bytes in the file.
    pub(super) bytes: u64,
    pub(super) state: RecordState,
}

impl<Input: BufRead> CsvRecords<Input> {
    pub(super) fn new(input: Input, max_record_bytes: usize) -> Self {
        Self { input, newlines: 0, cells: CsvCells::new(max_record_bytes) }
    }

    /// Reads the next record that is not empty; `None` after the last one.
    pub(super) fn read(&mut self) -> io::Result<Option<ReadRecord>> {
        let mut bytes = self.skip_line_ends()?;
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let first = self.newlines + 1;
        let mut ends_with_newline = false;
        self.cells.begin();
        let state = loop {
            let input = self.input.fill_buf()?;
            let (read, end) =
                if input.is_empty() { (0, Some(self.cells.end_of_file())) } else { self.cells.take(input) };
            let taken = input.get(..read).unwrap_or_default();
            self.newlines += taken.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
            ends_with_newline = taken.last().map_or(ends_with_newline, |byte| *byte == b'\n');
            self.input.consume(read);
            bytes += read as u64;
            if let Some(state) = end {
                break state;
            }
        };
        let last = self.newlines + u64::from(!ends_with_newline);
        Ok(Some(ReadRecord { lines: LineNumbers { first, last }, bytes, state }))
    }

    /// The cells of the last record, which is complete.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.iter()
    }

    /// Skips the rest of the last line end, and empty lines. Returns their bytes.
    fn skip_line_ends(&mut self) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let input = self.input.fill_buf()?;
            let ends = input.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let (count, newlines) =
                ends.fold((0, 0), |(count, newlines), byte| (count + 1, newlines + u64::from(*byte == b'\n')));
            let is_done = count < input.len() || input.is_empty();
            self.input.consume(count);
            (bytes, self.newlines) = (bytes + count as u64, self.newlines + newlines);
            if is_done {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::{super::csv_cells::MAX_COLUMNS, *};

    /// The records: the first line, the last line, the state, and the cells. The input comes in portions of `portion` bytes.
    fn read(file: &str, max: usize, portion: usize) -> Vec<(u64, u64, RecordState, String)> {
        let mut records = CsvRecords::new(BufReader::with_capacity(portion, file.as_bytes()), max);
        let mut read = Vec::new();
        while let Some(ReadRecord { lines, state, .. }) = records.read().unwrap() {
            let cells = records.cells().map(|cell| String::from_utf8_lossy(cell).into_owned());
            let cells =
                if state == RecordState::Complete { cells.collect::<Vec<_>>().join("|") } else { String::new() };
            read.push((lines.first, lines.last, state, cells));
        }
        read
    }

    fn complete(first: u64, last: u64, cells: &str) -> (u64, u64, RecordState, String) {
        (first, last, RecordState::Complete, cells.to_owned())
    }

    fn broken(first: u64, last: u64, state: RecordState) -> (u64, u64, RecordState, String) {
        (first, last, state, String::new())
    }

    #[test]
    fn records_have_the_numbers_of_their_first_and_last_line() {
        let file = "a,b\r\n\"c\r\nd\",e\r\n\n\r\n\"f\"\"g\",\nh,\"i\"";
        for portion in [1, 2, 3, 1_000] {
            let expected =
                [complete(1, 1, "a|b"), complete(2, 3, "c\r\nd|e"), complete(6, 6, "f\"g|"), complete(7, 7, "h|i")];
            assert_eq!(read(file, 1_000, portion), expected, "{portion}");
        }
        assert_eq!(read("", 1_000, 10), []);
        assert_eq!(read("\"\",\n,", 1_000, 10), [complete(1, 1, "|"), complete(2, 2, "|")]);
    }

    #[test]
    fn a_record_that_is_too_long_is_skipped_in_bounded_memory() {
        let file = format!("a,b\nc,\"{}\nx\"\nd,e\n", "long ".repeat(10_000));
        let expected = [complete(1, 1, "a|b"), broken(2, 3, RecordState::TooLong), complete(4, 4, "d|e")];
        assert_eq!(read(&file, 100, 1_000), expected);
    }

    #[test]
    fn a_record_with_too_many_columns_is_skipped() {
        let file = format!("a\n{}\nb\n", "x,".repeat(MAX_COLUMNS));
        let expected = [complete(1, 1, "a"), broken(2, 2, RecordState::TooManyColumns), complete(3, 3, "b")];
        assert_eq!(read(&file, 10_000, 1_000), expected);
    }

    #[test]
    fn a_record_with_text_after_a_closing_quote_ends_with_that_line() {
        let expected = [broken(2, 4, RecordState::TextAfterQuote), complete(5, 5, "f|g")];
        let file = "a,b\n\"c,d\ne,\n,\"x\"y\"z\r\nf,g\n";
        for portion in [1, 2, 3, 1_000] {
            assert_eq!(read(file, 1_000, portion)[1..], expected, "{portion}");
        }
        assert_eq!(read("\"a\"b", 100, 10), [broken(1, 1, RecordState::TextAfterQuote)]);
        assert_eq!(read("\"a\" ,b\n", 100, 10), [broken(1, 1, RecordState::TextAfterQuote)]);
    }

    #[test]
    fn quotes_within_a_cell_that_does_not_begin_with_one_are_text() {
        assert_eq!(read("a \"b\",c\"\nd,e\n", 100, 10), [complete(1, 1, "a \"b\"|c\""), complete(2, 2, "d|e")]);
    }

    #[test]
    fn a_file_that_ends_within_quotes_has_no_complete_last_record() {
        let expected = [complete(1, 1, "a|b"), broken(2, 3, RecordState::Unclosed)];
        assert_eq!(read("a,b\nc,\"d\ne,f\n", 100, 10), expected);
    }
}
