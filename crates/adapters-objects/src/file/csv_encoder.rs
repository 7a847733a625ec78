//! The CSV encoder: RFC 4180, with the column names in the first line.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Rows},
    time::TimestampWriter,
};

use super::encoder::Encoder;
use crate::error::encoding_error;

pub(super) struct CsvEncoder {
    columns: &'static [Column],
    header_written: bool,
    /// One writer per column, which reuses the date of the column's last value.
    timestamps: Vec<TimestampWriter>,
}

impl CsvEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Self {
        Self {
            columns,
            header_written: false,
            timestamps: columns.iter().map(|_| TimestampWriter::default()).collect(),
        }
    }
}

impl Encoder for CsvEncoder {
    fn encode_rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        let terminator = csv::Terminator::CRLF;
        let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(out);
        if !std::mem::replace(&mut self.header_written, true) {
            writer.write_record(self.columns.iter().map(|column| column.name)).map_err(encoding_error)?;
        }
        let mut field = Vec::new();
        rows.for_each_row(&mut |row| {
            for (cell, timestamps) in row.iter().zip(&mut self.timestamps) {
                field.clear();
                write_cell(cell, timestamps, &mut field)?;
                writer.write_field(&field).map_err(encoding_error)?;
            }
            writer.write_record(None::<&[u8]>).map_err(encoding_error)
        })?;
        writer.flush().map_err(encoding_error)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError> {
        if self.header_written { Ok(()) } else { self.encode_rows(&Vec::new(), out) }
    }
}

fn write_cell(cell: &Cell<'_>, timestamps: &mut TimestampWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => {}
        Cell::Text(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Boolean(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::ListOfTexts(texts) => serde_json::to_writer(out, texts).map_err(encoding_error)?,
        Cell::MapOfTexts(pairs) => serde_json::to_writer(out, pairs).map_err(encoding_error)?,
        Cell::DateTime(timestamp) => timestamps.write(*timestamp, out),
    }
    Ok(())
}
