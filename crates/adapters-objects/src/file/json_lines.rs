//! JSON Lines: an object a row, its members in the order of the columns, `null` where there is no value.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Row},
};

use super::{Encoder, moment::MomentWriter};
use crate::error::not_encoded;

pub(super) struct JsonLinesEncoder {
    /// What stands before the value of each column: `{"name":` or `,"name":`.
    leads: Vec<Vec<u8>>,
    moments: MomentWriter,
}

impl JsonLinesEncoder {
    pub(super) fn new(columns: &[Column]) -> Self {
        let lead = |(place, column): (usize, &Column)| {
            let before = if place == 0 { '{' } else { ',' };
            format!("{before}\"{}\":", column.name).into_bytes()
        };
        Self { leads: columns.iter().enumerate().map(lead).collect(), moments: MomentWriter::default() }
    }
}

impl Encoder for JsonLinesEncoder {
    fn rows(&mut self, rows: Vec<Row>, out: &mut Vec<u8>) -> Result<(), StoreError> {
        for row in rows {
            for (lead, cell) in self.leads.iter().zip(&row) {
                out.extend_from_slice(lead);
                value(cell, &mut self.moments, out)?;
            }
            out.extend_from_slice(b"}\n");
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<(), StoreError> {
        Ok(())
    }
}

fn value(cell: &Cell, moments: &mut MomentWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => out.extend_from_slice(b"null"),
        Cell::Text(text) => serde_json::to_writer(out, text).map_err(not_encoded)?,
        Cell::Shared(text) => serde_json::to_writer(out, &**text).map_err(not_encoded)?,
        Cell::Word(word) => serde_json::to_writer(out, word).map_err(not_encoded)?,
        Cell::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::Texts(texts) => serde_json::to_writer(out, texts).map_err(not_encoded)?,
        Cell::Pairs(pairs) => serde_json::to_writer(out, pairs).map_err(not_encoded)?,
        Cell::Moment(moment) => {
            out.push(b'"');
            moments.write(*moment, out);
            out.push(b'"');
        }
    }
    Ok(())
}
