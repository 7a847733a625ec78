//! Encodes rows for PostgreSQL's `COPY … FROM STDIN (FORMAT binary)` (its manual, under COPY, "Binary Format").

use super::copy::SIGNATURE;

/// The bytes of rows, with the header before the first row.
#[derive(Debug)]
pub(crate) struct CopyEncoder {
    bytes: Vec<u8>,
    columns: u16,
}

impl CopyEncoder {
    /// An encoder of rows with so many columns.
    pub(crate) fn new(columns: u16) -> Self {
        let (flags, extension) = (0_u32.to_be_bytes(), 0_u32.to_be_bytes());
        Self { bytes: [SIGNATURE, &flags, &extension].concat(), columns }
    }

    /// Begins a row. Its columns follow.
    pub(crate) fn begin_row(&mut self) {
        self.bytes.extend_from_slice(&self.columns.to_be_bytes());
    }

    /// Ends the rows.
    pub(crate) fn end(&mut self) {
        self.bytes.extend_from_slice(&(-1_i16).to_be_bytes());
    }

    /// Adds a column of the type `text`.
    pub(crate) fn text(&mut self, text: &str) {
        self.column(text.as_bytes());
    }

    /// Adds a column of the type `text`, or a null.
    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.bytes.extend_from_slice(&(-1_i32).to_be_bytes()),
        }
    }

    /// Adds a column of the type `bigint`.
    pub(crate) fn integer(&mut self, number: i64) {
        self.column(&number.to_be_bytes());
    }

    /// Adds a column of the type `smallint`.
    pub(crate) fn smallint(&mut self, number: i16) {
        self.column(&number.to_be_bytes());
    }

    /// The number of bytes that were not taken yet.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes the bytes that were added since the last call.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    fn column(&mut self, bytes: &[u8]) {
        // The limit of a request body keeps each text far below 2 GiB.
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        self.bytes.extend_from_slice(&length.to_be_bytes());
        self.bytes.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::postgres::copy::CopyDecoder, row::Row};

    #[test]
    fn encoded_rows_are_decoded_to_the_same_values() {
        let mut encoder = CopyEncoder::new(4);
        for (text, number) in [("hi", 5), ("", i64::MIN)] {
            encoder.begin_row();
            encoder.text(text);
            encoder.integer(number);
            encoder.smallint(-2);
            encoder.optional_text(None);
        }
        encoder.end();
        assert!(encoder.len() > SIGNATURE.len());
        let (bytes, mut rows) = (encoder.take(), Vec::new());
        assert_eq!(encoder.len(), 0);
        let mut decoder = CopyDecoder::default();
        decoder
            .decode(&bytes, |row| {
                assert!(row.optional_text(3)?.is_none());
                rows.push((row.text(0)?.to_owned(), row.integer(1)?, row.smallint(2)?));
                Ok(())
            })
            .unwrap();
        assert_eq!(rows, [("hi".to_owned(), 5, -2), (String::new(), i64::MIN, -2)]);
    }
}
