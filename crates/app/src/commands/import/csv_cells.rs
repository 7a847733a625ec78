//! Splits a record of a CSV file (RFC 4180) into its cells, in bounded memory.

/// The maximum number of columns.
pub(super) const MAX_COLUMNS: usize = 256;

/// The cells of a record.
pub(super) struct CsvCells {
    /// The cells without their quotes, one after another.
    bytes: Vec<u8>,
    /// The end of each cell in `bytes`.
    ends: Vec<usize>,
    max_bytes: usize,
    position: Position,
    state: RecordState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordState {
    Complete,
    /// Its cells have more bytes than are allowed.
    TooLong,
    TooManyColumns,
    /// Text follows a closing quote. The record ends with that line.
    TextAfterQuote,
    /// The file ends within quotes.
    Unclosed,
}

/// Where in a record the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    CellStart,
    /// In a cell that does not begin with a quote.
    Plain,
    Quoted,
    /// After a quote in a quoted cell. It closes the cell, or is the first of two that stand for one.
    AfterQuote,
    /// Behind text that follows a closing quote.
    Broken,
    /// After the record.
    End,
}

impl CsvCells {
    /// No cells yet, which may have this many bytes in all.
    pub(super) fn new(max_bytes: usize) -> Self {
        let (position, state) = (Position::CellStart, RecordState::Complete);
        Self { bytes: Vec::new(), ends: Vec::new(), max_bytes, position, state }
    }

    /// Begins a record.
    pub(super) fn begin(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        (self.position, self.state) = (Position::CellStart, RecordState::Complete);
    }

    /// Takes bytes of the record. Returns their number, and the state of the record if it ends with them.
    pub(super) fn take(&mut self, input: &[u8]) -> (usize, Option<RecordState>) {
        let mut taken = 0;
        while let Some(rest) = input.get(taken..)
            && !rest.is_empty()
        {
            taken += self.take_part(rest);
            if self.position == Position::End {
                return (taken, Some(self.state));
            }
        }
        (taken, None)
    }

    /// Ends the record with the file.
    pub(super) fn end_of_file(&mut self) -> RecordState {
        self.end_cell();
        if self.position == Position::Quoted { RecordState::Unclosed } else { self.state }
    }

    /// The cells of the record, which is complete.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
    }

    /// Takes the bytes up to the next position. Returns their number.
    fn take_part(&mut self, input: &[u8]) -> usize {
        match (self.position, input.first()) {
            (Position::CellStart, Some(b'"')) => self.step_to(Position::Quoted),
            (Position::Quoted, Some(b'"')) => self.step_to(Position::AfterQuote),
            (Position::AfterQuote, Some(b'"')) => {
                self.push(b"\"");
                self.step_to(Position::Quoted)
            }
            (Position::CellStart | Position::Plain | Position::AfterQuote, Some(b',')) => {
                self.end_cell();
                self.step_to(Position::CellStart)
            }
            (Position::CellStart | Position::Plain | Position::AfterQuote | Position::Broken, Some(b'\r' | b'\n')) => {
                self.end_cell();
                self.step_to(Position::End)
            }
            (Position::CellStart | Position::Plain, _) => {
                self.position = Position::Plain;
                self.push_until(input, |byte| matches!(byte, b',' | b'\r' | b'\n'))
            }
            (Position::Quoted, _) => self.push_until(input, |byte| byte == b'"'),
            (Position::AfterQuote | Position::Broken, _) => {
                (self.position, self.state) = (Position::Broken, RecordState::TextAfterQuote);
                self.push_until(input, |byte| matches!(byte, b'\r' | b'\n'))
            }
            (Position::End, _) => 0,
        }
    }

    /// Takes one byte.
    fn step_to(&mut self, position: Position) -> usize {
        self.position = position;
        1
    }

    fn push_until(&mut self, input: &[u8], is_end: impl Fn(u8) -> bool) -> usize {
        let count = input.iter().position(|byte| is_end(*byte)).unwrap_or(input.len());
        self.push(input.get(..count).unwrap_or_default());
        count
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.state == RecordState::Complete && self.bytes.len() + bytes.len() > self.max_bytes {
            self.state = RecordState::TooLong;
        }
        if self.state == RecordState::Complete {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn end_cell(&mut self) {
        if self.state == RecordState::Complete && self.ends.len() == MAX_COLUMNS {
            self.state = RecordState::TooManyColumns;
        }
        if self.state == RecordState::Complete {
            self.ends.push(self.bytes.len());
        }
    }
}
