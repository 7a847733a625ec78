//! JSON Lines: an object a row, its members in the order of the columns, `null` where there is no value.

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, Rows},
    time::TimestampWriter,
};

use super::Encoder;
use crate::error::not_encoded;

pub(super) struct JsonLinesEncoder {
    members: Vec<Member>,
}

/// What is written for a column.
struct Member {
    /// What stands before its value: `{"name":` or `,"name":`.
    lead: Vec<u8>,
    moments: TimestampWriter,
}

impl JsonLinesEncoder {
    pub(super) fn new(columns: &[Column]) -> Self {
        let member = |(place, column): (usize, &Column)| {
            let before = if place == 0 { '{' } else { ',' };
            let lead = format!("{before}\"{}\":", column.name).into_bytes();
            Member { lead, moments: TimestampWriter::default() }
        };
        Self { members: columns.iter().enumerate().map(member).collect() }
    }
}

impl Encoder for JsonLinesEncoder {
    fn rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        rows.each(&mut |row| {
            for (member, cell) in self.members.iter_mut().zip(row) {
                out.extend_from_slice(&member.lead);
                value(cell, &mut member.moments, out)?;
            }
            out.extend_from_slice(b"}\n");
            Ok(())
        })
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<(), StoreError> {
        Ok(())
    }
}

fn value(cell: &Cell<'_>, moments: &mut TimestampWriter, out: &mut Vec<u8>) -> Result<(), StoreError> {
    match cell {
        Cell::Null => out.extend_from_slice(b"null"),
        Cell::Text(text) if stands_for_itself(text) => quoted(out, |out| out.extend_from_slice(text.as_bytes())),
        Cell::Text(text) => serde_json::to_writer(out, text).map_err(not_encoded)?,
        Cell::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::Texts(texts) => serde_json::to_writer(out, texts).map_err(not_encoded)?,
        Cell::Pairs(pairs) => serde_json::to_writer(out, pairs).map_err(not_encoded)?,
        Cell::Moment(moment) => quoted(out, |out| moments.write(*moment, out)),
    }
    Ok(())
}

/// Whether a text has nothing that JSON escapes (RFC 8259, section 7). Every byte is looked at, also after one that is
/// escaped: so the processor looks at many at once.
fn stands_for_itself(text: &str) -> bool {
    let escaped = |byte| u8::from(byte < b' ') | u8::from(byte == b'"') | u8::from(byte == b'\\');
    text.bytes().fold(0, |found, byte| found | escaped(byte)) == 0
}

fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_written_as_a_library_for_json_writes_it() {
        let every_ascii = (0..=0x7f_u8).map(|byte| char::from(byte).to_string());
        let long = ["", "é🦀\u{85}\u{2028}", "\\"].map(|end| format!("{}{end}", "a".repeat(63)));
        for text in every_ascii.chain(long).chain([String::new(), "\"".repeat(40)]) {
            let mut out = Vec::new();
            value(&Cell::Text(&text), &mut TimestampWriter::default(), &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&text).unwrap());
        }
    }
}
