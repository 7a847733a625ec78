//! The JSON Lines encoder: one object per row, with members in column order, and `null` for a missing value.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Rows},
    json_text::write_string,
    time::TimestampWriter,
};

use super::encoder::Encoder;
use crate::error::encoding_error;

pub(super) struct JsonLinesEncoder {
    members: Vec<MemberEncoder>,
}

/// The encoder of one column.
struct MemberEncoder {
    /// The text before the value: `{"name":` or `,"name":`.
    prefix: Vec<u8>,
    timestamps: TimestampWriter,
}

impl JsonLinesEncoder {
    pub(super) fn new(columns: &[Column]) -> Self {
        let member = |(index, column): (usize, &Column)| {
            let separator = if index == 0 { '{' } else { ',' };
            let prefix = format!("{separator}\"{}\":", column.name).into_bytes();
            MemberEncoder { prefix, timestamps: TimestampWriter::default() }
        };
        Self { members: columns.iter().enumerate().map(member).collect() }
    }
}

impl Encoder for JsonLinesEncoder {
    fn encode_rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        rows.for_each_row(&mut |row| {
            for (member, cell) in self.members.iter_mut().zip(row) {
                out.extend_from_slice(&member.prefix);
                write_value(cell, &mut member.timestamps, out)?;
            }
            out.extend_from_slice(b"}\n");
            Ok(())
        })
    }

    fn finish(&mut self, _: &mut Vec<u8>) -> Result<(), StoreError> {
        Ok(())
    }
}

fn write_value(cell: &Cell<'_>, timestamps: &mut TimestampWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => out.extend_from_slice(b"null"),
        Cell::Text(text) => write_string(text, out),
        Cell::Boolean(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::ListOfTexts(texts) => serde_json::to_writer(out, texts).map_err(encoding_error)?,
        Cell::MapOfTexts(pairs) => serde_json::to_writer(out, pairs).map_err(encoding_error)?,
        Cell::DateTime(timestamp) => {
            out.push(b'"');
            timestamps.write(*timestamp, out);
            out.push(b'"');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_encoded_as_serde_json_encodes_it() {
        let every_ascii = (0..=0x7f_u8).map(|byte| char::from(byte).to_string());
        let long = ["", "é🦀\u{85}\u{2028}", "\\"].map(|end| format!("{}{end}", "a".repeat(63)));
        for text in every_ascii.chain(long).chain([String::new(), "\"".repeat(40)]) {
            let mut out = Vec::new();
            write_value(&Cell::Text(&text), &mut TimestampWriter::default(), &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&text).unwrap());
        }
    }
}
