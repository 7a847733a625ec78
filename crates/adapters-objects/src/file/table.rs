//! CSV by RFC 4180, with the names of the columns in the first line.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Rows},
    time::TimestampWriter,
};

use super::Encoder;
use crate::error::not_encoded;

pub(super) struct CsvEncoder {
    columns: &'static [Column],
    begun: bool,
    /// One for each column.
    moments: Vec<TimestampWriter>,
}

impl CsvEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Self {
        Self { columns, begun: false, moments: columns.iter().map(|_| TimestampWriter::default()).collect() }
    }
}

impl Encoder for CsvEncoder {
    fn rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        let terminator = csv::Terminator::CRLF;
        let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(out);
        if !std::mem::replace(&mut self.begun, true) {
            writer.write_record(self.columns.iter().map(|column| column.name)).map_err(not_encoded)?;
        }
        let mut field = Vec::new();
        rows.each(&mut |row| {
            for (cell, moments) in row.iter().zip(&mut self.moments) {
                field.clear();
                text(cell, moments, &mut field)?;
                writer.write_field(&field).map_err(not_encoded)?;
            }
            writer.write_record(None::<&[u8]>).map_err(not_encoded)
        })?;
        writer.flush().map_err(not_encoded)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError> {
        if self.begun { Ok(()) } else { self.rows(&Vec::new(), out) }
    }
}

fn text(cell: &Cell<'_>, moments: &mut TimestampWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => {}
        Cell::Text(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::Texts(texts) => serde_json::to_writer(out, texts).map_err(not_encoded)?,
        Cell::Pairs(pairs) => serde_json::to_writer(out, pairs).map_err(not_encoded)?,
        Cell::Moment(moment) => moments.write(*moment, out),
    }
    Ok(())
}
