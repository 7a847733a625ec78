//! CSV by RFC 4180, with the names of the columns in the first line.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Row},
};

use super::{Encoder, moment::MomentWriter};
use crate::error::not_encoded;

pub(super) struct CsvEncoder {
    columns: &'static [Column],
    begun: bool,
    moments: MomentWriter,
}

impl CsvEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Self {
        Self { columns, begun: false, moments: MomentWriter::default() }
    }
}

impl Encoder for CsvEncoder {
    fn rows(&mut self, rows: Vec<Row>, out: &mut Vec<u8>) -> Result<(), StoreError> {
        let terminator = csv::Terminator::CRLF;
        let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(out);
        if !std::mem::replace(&mut self.begun, true) {
            writer.write_record(self.columns.iter().map(|column| column.name)).map_err(not_encoded)?;
        }
        let mut field = Vec::new();
        for row in rows {
            for cell in &row {
                field.clear();
                text(cell, &mut self.moments, &mut field)?;
                writer.write_field(&field).map_err(not_encoded)?;
            }
            writer.write_record(None::<&[u8]>).map_err(not_encoded)?;
        }
        writer.flush().map_err(not_encoded)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError> {
        if self.begun { Ok(()) } else { self.rows(Vec::new(), out) }
    }
}

fn text(cell: &Cell, moments: &mut MomentWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => {}
        Cell::Text(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Shared(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Word(word) => out.extend_from_slice(word.as_bytes()),
        Cell::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::Texts(texts) => serde_json::to_writer(out, texts).map_err(not_encoded)?,
        Cell::Pairs(pairs) => serde_json::to_writer(out, pairs).map_err(not_encoded)?,
        Cell::Moment(moment) => moments.write(*moment, out),
    }
    Ok(())
}
