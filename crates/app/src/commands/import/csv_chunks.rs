//! Reads a CSV file: one message a line. Lines that stand near each other are imported together.
//!
//! Equal lines of one file are different messages, and equal lines of two files are the same message. So lines that can be
//! equal must be imported together: a chunk does not end between two lines of one timestamp, unless it grows too long.

use std::{
    io::{self, BufRead},
    mem,
};

use parlance_adapters_http::records::RecordError;
use parlance_domain::{
    conversation::UpsertRequest,
    limits::{IMPORT_CSV_CHUNK_LINES, IMPORT_LINE_MAX_BYTES},
    message::NewMessage,
};

use super::{
    csv_cells::RecordState,
    csv_grouping::{CsvGrouping, Line},
    csv_header::{CsvHeader, HeaderError},
    csv_records::{CsvRecords, ReadRecord},
    unit::{LineNumbers, MAX_LINE_BYTES_RULE, RefusedRecord, Unit},
};

/// The bytes after which a chunk ends where it can.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// How many times as long a chunk may grow before it ends where the conversation changes, and before it ends anywhere.
const GROWTH: (u64, u64) = (2, 3);

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum CsvError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("the file is empty: its first line must be a header")]
    Empty,
    #[error(transparent)]
    Header(#[from] HeaderError),
    #[error("the header is too long, its quotes are not closed, or text follows a closing quote")]
    BrokenHeader,
}

/// The chunks of a file.
pub(super) struct CsvChunks<Input> {
    records: CsvRecords<Input>,
    header: CsvHeader,
    /// The bytes of the header, until a unit counts them.
    header_bytes: u64,
    max_text_bytes: usize,
    /// The first line of the next chunk.
    next: Option<Line>,
    grouping: CsvGrouping,
}

impl<Input: BufRead> CsvChunks<Input> {
    /// Reads the header.
    pub(super) fn open(input: Input, max_text_bytes: usize) -> Result<Self, CsvError> {
        let mut records = CsvRecords::new(input, IMPORT_LINE_MAX_BYTES);
        let first = records.read()?.ok_or(CsvError::Empty)?;
        if first.state != RecordState::Complete {
            return Err(CsvError::BrokenHeader);
        }
        let header = CsvHeader::read(records.cells())?;
        let (header_bytes, grouping) = (first.bytes, CsvGrouping::default());
        Ok(Self { records, header, header_bytes, max_text_bytes, next: None, grouping })
    }

    /// The next chunk; `None` after the last line.
    pub(super) fn next_unit(&mut self) -> io::Result<Option<Unit>> {
        let mut unit = Unit { bytes: mem::take(&mut self.header_bytes), ..Unit::default() };
        let mut lines: Vec<Line> = Vec::new();
        lines.extend(self.next.take());
        unit.bytes += lines.iter().map(|line| line.bytes).sum::<u64>();
        while let Some(record) = self.records.read()? {
            let ReadRecord { lines: numbers, bytes, .. } = record;
            match self.read_record(record) {
                Ok((conversation, message)) => {
                    let line = Line { numbers, bytes, conversation, message };
                    let size = (lines.len() as u64 + unit.refused.len() as u64, unit.bytes);
                    if lines.last().is_some_and(|last| is_end(size, last, &line)) {
                        self.next = Some(line);
                        break;
                    }
                    unit.bytes += line.bytes;
                    lines.push(line);
                }
                Err(errors) => {
                    unit.bytes += bytes;
                    unit.refused.push(RefusedRecord { lines: numbers, errors });
                }
            }
        }
        unit.records = self.grouping.group(lines);
        Ok(Some(unit).filter(|unit| unit.bytes > 0))
    }

    fn read_record(&self, record: ReadRecord) -> Result<(UpsertRequest, NewMessage), Vec<RecordError>> {
        let whole = |rule, message: &str| Err(RefusedRecord::whole(record.lines, rule, message).errors);
        match record.state {
            RecordState::Complete => {}
            RecordState::TooLong => {
                return whole(MAX_LINE_BYTES_RULE, &format!("must have at most {IMPORT_LINE_MAX_BYTES} bytes"));
            }
            RecordState::TooManyColumns => return Err(self.wrong_columns(record.lines)),
            RecordState::TextAfterQuote => {
                return whole("csv", "must have a comma or the end of the line after the closing quote of a cell");
            }
            RecordState::Unclosed => return whole("csv", "must close its quotes before the end of the file"),
        }
        let cells = self.records.cells().enumerate().map(|(index, cell)| {
            std::str::from_utf8(cell).map_err(|_| RecordError {
                field: self.header.name(index).to_owned(),
                rule: "utf_8",
                message: "must be UTF-8".to_owned(),
            })
        });
        let cells: Vec<_> = cells.collect::<Result<_, _>>().map_err(|error| vec![error])?;
        if cells.len() != self.header.len() {
            return Err(self.wrong_columns(record.lines));
        }
        self.header.assign(&cells).read(self.max_text_bytes)
    }

    fn wrong_columns(&self, lines: LineNumbers) -> Vec<RecordError> {
        let message = format!("must have {} cells, as the header has", self.header.len());
        RefusedRecord::whole(lines, "columns", message).errors
    }
}

/// Whether a chunk of this size, in lines and bytes, ends between two lines.
fn is_end((lines, bytes): (u64, u64), last: &Line, next: &Line) -> bool {
    let size = (lines / IMPORT_CSV_CHUNK_LINES as u64).max(bytes / CHUNK_BYTES);
    size >= 1
        && (last.message.sent_at != next.message.sent_at
            || size >= GROWTH.0 && last.conversation.external_id != next.conversation.external_id
            || size >= GROWTH.1)
}

#[cfg(test)]
mod tests {
    use super::{
        super::unit::{NumberedRecord, RecordLines},
        *,
    };

    const HEADER: &str = "conversation_external_id,customer_external_id,conversation_timestamp,sender_role,sender_external_id,timestamp,text\n";

    fn line(conversation: &str, second: usize, text: &str) -> String {
        let time = format!("2026-01-31T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60);
        format!("{conversation},c,2026-01-31T00:00:00Z,agent,a,{time},{text}\n")
    }

    fn units(file: &str) -> Vec<Unit> {
        let mut chunks = CsvChunks::open(file.as_bytes(), 100).unwrap();
        let mut units = Vec::new();
        while let Some(unit) = chunks.next_unit().unwrap() {
            units.push(unit);
        }
        assert_eq!(units.iter().map(|unit| unit.bytes).sum::<u64>(), file.len() as u64);
        units
    }

    fn lines_of(record: &NumberedRecord) -> Vec<u64> {
        match &record.lines {
            RecordLines::Messages(lines) => lines.messages.iter().map(|(numbers, _)| numbers.first).collect(),
            RecordLines::Conversation(_) => panic!("a line is a message"),
        }
    }

    #[test]
    fn each_line_is_refused_alone_with_its_columns() {
        let file = [
            HEADER,
            &line("x", 1, ""),
            "x,c\n",
            &line("", 1, "a"),
            &line("x", 1, "a").replace("agent", "robot"),
            &line("x", 1, "a").replace("T00:00:01", "T24:00:01"),
            &line("x", 1, &"a".repeat(101)),
            &line("x", 1, "good"),
            &line("x", 1, "\"a\"b"),
            &line("x", 1, "\"never\nclosed"),
        ];
        let unit = &units(&file.concat())[0];
        let refused = unit.refused.iter().map(|line| {
            let errors: Vec<_> = line.errors.iter().map(|error| format!("{} {}", error.field, error.rule)).collect();
            format!("{} {}", line.lines, errors.join(", "))
        });
        let expected = [
            "2 text min_characters",
            "3  columns",
            "4 conversation_external_id min_characters",
            "5 sender_role enum",
            "6 timestamp date_time",
            "7 text max_bytes",
            "9  csv",
            "10-11  csv",
        ];
        assert_eq!(refused.collect::<Vec<_>>(), expected);
        assert_eq!(unit.records.iter().map(lines_of).collect::<Vec<_>>(), [[8]]);
    }

    #[test]
    fn a_chunk_does_not_end_between_lines_of_one_timestamp() {
        let many = IMPORT_CSV_CHUNK_LINES;
        let before: String = (0..many - 1).map(|second| line("x", second, "a")).collect();
        let equal = line("x", many, "a").repeat(10);
        let after = line("x", many + 1, "a").repeat(3);
        let counts = |file: &str| {
            units(file)
                .iter()
                .map(|unit| unit.records.iter().map(|record| record.record.messages.len()).sum())
                .collect()
        };
        let found: Vec<usize> = counts(&[HEADER, &before, &equal, &after].concat());
        assert_eq!(found, [many + 9, 3]);
        let same_time: Vec<usize> = counts(&[HEADER, &line("x", 1, "a").repeat(4 * many)].concat());
        assert_eq!(same_time, [3 * many, many]);
    }

    #[test]
    fn an_empty_file_is_refused_and_a_header_alone_has_no_lines() {
        assert!(matches!(CsvChunks::open(&b""[..], 100).err(), Some(CsvError::Empty)));
        assert!(units(HEADER).iter().all(|unit| unit.records.is_empty()));
    }
}
