//! Reads the records of a CSV file (RFC 4180) in bounded memory.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader};

/// The maximum number of columns.
const MAX_COLUMNS: usize = 256;

/// The bytes that the cells of a record have at first.
const INITIAL_RECORD_BYTES: usize = 16 * 1024;

/// The records of a file. A line break in quotes does not end a record.
pub(super) struct CsvRecords<Input> {
    input: Input,
    reader: Reader,
    /// The newlines before the next byte.
    newlines: u64,
    max_record_bytes: usize,
    /// The cells of the last record without their quotes, one after another.
    cells: Vec<u8>,
    /// The end of each cell in `cells`.
    ends: Vec<usize>,
    columns: usize,
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReadRecord {
    /// The number of its first line, starting at 1.
    pub(super) line: u64,
    /// Its bytes in the file.
    pub(super) bytes: u64,
    pub(super) state: RecordState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordState {
    Complete,
    /// It has more bytes than are allowed, or more columns. Its cells are not kept.
    TooLong,
    TooManyColumns,
    /// The file ends within quotes.
    Unclosed,
}

impl<Input: BufRead> CsvRecords<Input> {
    pub(super) fn new(input: Input, max_record_bytes: usize) -> Self {
        let cells = vec![0; INITIAL_RECORD_BYTES.min(max_record_bytes)];
        let (reader, ends) = (Reader::new(), vec![0; MAX_COLUMNS]);
        Self { input, reader, newlines: 0, max_record_bytes, cells, ends, columns: 0 }
    }

    /// Reads the next record that is not empty; `None` after the last one.
    pub(super) fn read(&mut self) -> io::Result<Option<ReadRecord>> {
        let mut bytes = self.skip_line_ends()?;
        let line = self.newlines + 1;
        let (mut cells_end, mut columns, mut quotes) = (0, 0, 0_usize);
        let mut state = RecordState::Complete;
        loop {
            let input = self.input.fill_buf()?;
            let is_end = input.is_empty();
            let (result, read, written, ended) = self.reader.read_record(
                input,
                self.cells.get_mut(cells_end..).unwrap_or_default(),
                self.ends.get_mut(columns..).unwrap_or_default(),
            );
            let consumed = input.get(..read).unwrap_or_default();
            self.newlines += consumed.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
            quotes += consumed.iter().map(|byte| usize::from(*byte == b'"')).sum::<usize>();
            self.input.consume(read);
            (bytes, cells_end, columns) = (bytes + read as u64, cells_end + written, columns + ended);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.cells.len() < self.max_record_bytes => {
                    self.cells.resize((2 * self.cells.len()).min(self.max_record_bytes), 0);
                }
                ReadRecordResult::OutputFull => {
                    (state, cells_end) = (RecordState::TooLong, 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    state = if state == RecordState::Complete { RecordState::TooManyColumns } else { state };
                    (cells_end, columns) = (0, 0);
                }
                ReadRecordResult::Record => {
                    let is_unclosed = is_end && quotes % 2 == 1;
                    let state = if is_unclosed { RecordState::Unclosed } else { state };
                    self.columns = columns;
                    return Ok(Some(ReadRecord { line, bytes, state }));
                }
                ReadRecordResult::End => return Ok(None),
            }
        }
    }

    /// The cells of the last record, which is complete.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.ends.get(..self.columns).unwrap_or_default();
        let starts = [0].into_iter().chain(ends.iter().copied());
        starts.zip(ends).map(|(start, end)| self.cells.get(start..*end).unwrap_or_default())
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

    use super::*;

    /// The records: line, state and cells. The input comes in portions of `portion` bytes.
    fn read(file: &str, max: usize, portion: usize) -> Vec<(u64, RecordState, String)> {
        let mut records = CsvRecords::new(BufReader::with_capacity(portion, file.as_bytes()), max);
        let mut read = Vec::new();
        while let Some(record) = records.read().unwrap() {
            let cells = records.cells().map(|cell| String::from_utf8_lossy(cell).into_owned());
            let cells =
                if record.state == RecordState::Complete { cells.collect::<Vec<_>>().join("|") } else { String::new() };
            read.push((record.line, record.state, cells));
        }
        read
    }

    fn complete(line: u64, cells: &str) -> (u64, RecordState, String) {
        (line, RecordState::Complete, cells.to_owned())
    }

    #[test]
    fn records_have_the_number_of_their_first_line() {
        let file = "a,b\r\n\"c\r\nd\",e\r\n\n\r\n\"f\"\"g\",\nh,i";
        for portion in [1, 2, 3, 1_000] {
            let expected = [complete(1, "a|b"), complete(2, "c\r\nd|e"), complete(6, "f\"g|"), complete(7, "h|i")];
            assert_eq!(read(file, 1_000, portion), expected, "{portion}");
        }
        assert_eq!(read("", 1_000, 10), []);
    }

    #[test]
    fn a_record_that_is_too_long_is_skipped_in_bounded_memory() {
        let file = format!("a,b\nc,\"{}\nx\"\nd,e\n", "long ".repeat(10_000));
        let expected = [complete(1, "a|b"), (2, RecordState::TooLong, String::new()), complete(4, "d|e")];
        assert_eq!(read(&file, 100, 1_000), expected);
    }

    #[test]
    fn a_record_with_too_many_columns_is_skipped() {
        let file = format!("a\n{}\nb\n", "x,".repeat(MAX_COLUMNS));
        let expected = [complete(1, "a"), (2, RecordState::TooManyColumns, String::new()), complete(3, "b")];
        assert_eq!(read(&file, 10_000, 1_000), expected);
    }

    #[test]
    fn a_file_that_ends_within_quotes_has_no_complete_last_record() {
        let expected = [complete(1, "a|b"), (2, RecordState::Unclosed, String::new())];
        assert_eq!(read("a,b\nc,\"d\ne,f\n", 100, 10), expected);
    }
}
