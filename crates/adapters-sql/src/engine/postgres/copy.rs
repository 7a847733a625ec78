//! Decodes rows from PostgreSQL's `COPY … (FORMAT binary)` (its manual, under COPY, "Binary Format").

use crate::{
    error::{DbError, ReadError},
    row::Row,
};

pub(super) const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// Decodes rows from the chunks of a stream. The server never splits a row between two chunks.
#[derive(Debug, Default)]
pub(crate) struct CopyDecoder {
    header_read: bool,
}

impl CopyDecoder {
    /// Calls `on_row` for each row of the next chunk.
    pub(crate) fn decode(
        &mut self,
        chunk: &[u8],
        mut on_row: impl FnMut(&CopyRow<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut rest = chunk;
        if !self.header_read {
            skip_header(&mut rest)?;
            self.header_read = true;
        }
        while !rest.is_empty() {
            match CopyRow::parse(&mut rest)? {
                Some(row) => on_row(&row)?,
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

/// The largest number of columns of a row. The columns are stored inline, since there are many rows.
const MAX_COLUMNS: usize = 12;

/// One row: the bytes of each column; none for a null.
#[derive(Debug)]
pub(crate) struct CopyRow<'chunk>([Option<&'chunk [u8]>; MAX_COLUMNS]);

impl<'chunk> CopyRow<'chunk> {
    /// Parses the row at the start of `rest`; none at the end of the stream.
    fn parse(rest: &mut &'chunk [u8]) -> Result<Option<Self>, DbError> {
        let count = i16::from_be_bytes(array(rest)?);
        let Ok(count) = usize::try_from(count) else { return Ok(None) };
        let mut columns = [None; MAX_COLUMNS];
        for column in columns.get_mut(..count).ok_or_else(malformed)? {
            let length = i32::from_be_bytes(array(rest)?);
            *column = usize::try_from(length).ok().map(|length| bytes(rest, length)).transpose()?;
        }
        Ok(Some(Self(columns)))
    }

    fn column(&self, index: usize) -> Result<Option<&'chunk [u8]>, DbError> {
        self.0.get(index).copied().ok_or_else(malformed)
    }

    /// The column as a number of `SIZE` bytes.
    fn fixed_bytes<const SIZE: usize>(&self, index: usize) -> Result<[u8; SIZE], DbError> {
        self.column(index)?.and_then(|bytes| bytes.try_into().ok()).ok_or_else(malformed)
    }
}

impl Row for CopyRow<'_> {
    fn text(&self, index: usize) -> Result<&str, DbError> {
        self.optional_text(index)?.ok_or_else(malformed)
    }

    fn optional_text(&self, index: usize) -> Result<Option<&str>, DbError> {
        self.column(index)?.map(str::from_utf8).transpose().map_err(|_| malformed())
    }

    fn bytes(&self, index: usize) -> Result<&[u8], DbError> {
        self.column(index)?.ok_or_else(malformed)
    }

    fn optional_bytes(&self, index: usize) -> Result<Option<&[u8]>, DbError> {
        self.column(index)
    }

    fn integer(&self, index: usize) -> Result<i64, DbError> {
        self.fixed_bytes(index).map(i64::from_be_bytes)
    }

    fn optional_integer(&self, index: usize) -> Result<Option<i64>, DbError> {
        if self.column(index)?.is_none() { Ok(None) } else { self.integer(index).map(Some) }
    }

    fn smallint(&self, index: usize) -> Result<i16, DbError> {
        self.fixed_bytes(index).map(i16::from_be_bytes)
    }
}

fn skip_header(rest: &mut &[u8]) -> Result<(), DbError> {
    if bytes(rest, SIGNATURE.len())? != SIGNATURE {
        return Err(malformed());
    }
    let _flags: [u8; 4] = array(rest)?;
    let extension = usize::try_from(i32::from_be_bytes(array(rest)?)).map_err(|_| malformed())?;
    bytes(rest, extension).map(|_| ())
}

fn bytes<'chunk>(rest: &mut &'chunk [u8], count: usize) -> Result<&'chunk [u8], DbError> {
    let (bytes, after) = rest.split_at_checked(count).ok_or_else(malformed)?;
    *rest = after;
    Ok(bytes)
}

fn array<const SIZE: usize>(rest: &mut &[u8]) -> Result<[u8; SIZE], DbError> {
    let (array, after) = rest.split_first_chunk().ok_or_else(malformed)?;
    *rest = after;
    Ok(*array)
}

fn malformed() -> DbError {
    DbError::unexpected("PostgreSQL sent a COPY row in an unexpected format")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header, a row with a text, a number and a null, and the end.
    fn stream() -> Vec<u8> {
        let header = [SIGNATURE, &[0; 8]].concat();
        let row = [&[0, 3, 0, 0, 0, 2][..], b"hi", &[0, 0, 0, 8], &5_i64.to_be_bytes(), &[255; 4]].concat();
        [header, row, vec![255; 2]].concat()
    }

    fn read(chunks: &[&[u8]]) -> Result<Vec<(String, i64, bool)>, ReadError> {
        let (mut decoder, mut values) = (CopyDecoder::default(), Vec::new());
        for chunk in chunks {
            decoder.decode(chunk, |row| {
                values.push((row.text(0)?.to_owned(), row.integer(1)?, row.optional_text(2)?.is_none()));
                Ok(())
            })?;
        }
        Ok(values)
    }

    #[test]
    fn header_row_and_end_may_share_a_chunk_or_not() {
        let stream = stream();
        let (header, rest) = stream.split_at(19);
        let (row, end) = rest.split_at(rest.len() - 2);
        for chunks in [vec![&stream[..]], vec![header, rest], vec![header, row, end]] {
            assert_eq!(read(&chunks).unwrap(), [("hi".to_owned(), 5, true)]);
        }
    }

    #[test]
    fn several_rows_may_share_a_chunk() {
        let stream = stream();
        let row = &stream[19..stream.len() - 2];
        assert_eq!(read(&[&stream[..19], &[row, row].concat()]).unwrap().len(), 2);
    }

    #[test]
    fn truncated_and_malformed_streams_are_refused() {
        let stream = stream();
        for end in (1..stream.len() - 2).filter(|end| *end != 19) {
            assert!(read(&[&stream[..end]]).is_err(), "{end} bytes");
        }
        let too_many = [&stream[..19], &[0, 13], &[255; 4 * 13]].concat();
        assert!(read(&[&too_many]).is_err());
        assert!(read(&[b"PGCOPX\n\xff\r\n\0\0\0\0\0\0\0\0\0"]).is_err());
    }

    #[test]
    fn a_column_of_an_unexpected_size_or_index_is_refused() {
        let mut columns: [Option<&[u8]>; MAX_COLUMNS] = [None; MAX_COLUMNS];
        (columns[0], columns[1]) = (Some(b"hi".as_slice()), Some(b"\xff".as_slice()));
        let row = CopyRow(columns);
        assert!(row.integer(0).is_err() && row.smallint(2).is_err() && row.text(2).is_err());
        assert!(row.text(1).is_err() && row.optional_text(MAX_COLUMNS).is_err());
        assert_eq!(row.smallint(0).unwrap(), i16::from_be_bytes(*b"hi"));
    }
}
