//! Rows as PostgreSQL's `COPY … (FORMAT binary)` gives them (its manual, under COPY, "Binary Format").

use crate::{
    columns::Columns,
    error::{Failure, Unread},
};

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// Reads the rows out of the parts in which they come. The server never divides a row between two.
#[derive(Debug, Default)]
pub(crate) struct CopiedRows {
    begun: bool,
}

impl CopiedRows {
    /// Gives each row of the next part to `each`.
    pub(crate) fn read(
        &mut self,
        part: &[u8],
        mut each: impl FnMut(&CopiedRow<'_>) -> Result<(), Unread>,
    ) -> Result<(), Unread> {
        let mut rest = part;
        if !self.begun {
            pass_header(&mut rest)?;
            self.begun = true;
        }
        while !rest.is_empty() {
            match CopiedRow::take(&mut rest)? {
                Some(row) => each(&row)?,
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

/// How many columns a row may have. They are kept in place, since there are many rows.
const MOST_COLUMNS: usize = 12;

/// One row: the bytes of its columns, none where a column has no value.
#[derive(Debug)]
pub(crate) struct CopiedRow<'part>([Option<&'part [u8]>; MOST_COLUMNS]);

impl<'part> CopiedRow<'part> {
    /// The row that `rest` begins with, or nothing at the end of all rows.
    fn take(rest: &mut &'part [u8]) -> Result<Option<Self>, Failure> {
        let count = i16::from_be_bytes(array(rest)?);
        let Ok(count) = usize::try_from(count) else { return Ok(None) };
        let mut columns = [None; MOST_COLUMNS];
        for column in columns.get_mut(..count).ok_or_else(unreadable)? {
            let length = i32::from_be_bytes(array(rest)?);
            *column = usize::try_from(length).ok().map(|length| bytes(rest, length)).transpose()?;
        }
        Ok(Some(Self(columns)))
    }

    fn column(&self, place: usize) -> Result<Option<&'part [u8]>, Failure> {
        self.0.get(place).copied().ok_or_else(unreadable)
    }

    /// The column as a number of so many bytes.
    fn number<const SIZE: usize>(&self, place: usize) -> Result<[u8; SIZE], Failure> {
        self.column(place)?.and_then(|bytes| bytes.try_into().ok()).ok_or_else(unreadable)
    }
}

impl Columns for CopiedRow<'_> {
    fn text(&self, place: usize) -> Result<&str, Failure> {
        self.optional_text(place)?.ok_or_else(unreadable)
    }

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure> {
        self.column(place)?.map(str::from_utf8).transpose().map_err(|_| unreadable())
    }

    fn bytes(&self, place: usize) -> Result<&[u8], Failure> {
        self.column(place)?.ok_or_else(unreadable)
    }

    fn optional_bytes(&self, place: usize) -> Result<Option<&[u8]>, Failure> {
        self.column(place)
    }

    fn integer(&self, place: usize) -> Result<i64, Failure> {
        self.number(place).map(i64::from_be_bytes)
    }

    fn optional_integer(&self, place: usize) -> Result<Option<i64>, Failure> {
        if self.column(place)?.is_none() { Ok(None) } else { self.integer(place).map(Some) }
    }

    fn small(&self, place: usize) -> Result<i16, Failure> {
        self.number(place).map(i16::from_be_bytes)
    }
}

fn pass_header(rest: &mut &[u8]) -> Result<(), Failure> {
    if bytes(rest, SIGNATURE.len())? != SIGNATURE {
        return Err(unreadable());
    }
    let _flags: [u8; 4] = array(rest)?;
    let extension = usize::try_from(i32::from_be_bytes(array(rest)?)).map_err(|_| unreadable())?;
    bytes(rest, extension).map(|_| ())
}

fn bytes<'part>(rest: &mut &'part [u8], count: usize) -> Result<&'part [u8], Failure> {
    let (bytes, after) = rest.split_at_checked(count).ok_or_else(unreadable)?;
    *rest = after;
    Ok(bytes)
}

fn array<const SIZE: usize>(rest: &mut &[u8]) -> Result<[u8; SIZE], Failure> {
    let (array, after) = rest.split_first_chunk().ok_or_else(unreadable)?;
    *rest = after;
    Ok(*array)
}

fn unreadable() -> Failure {
    Failure::unexpected("PostgreSQL copied a row in another form than expected")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header, a row of a text, a number and no value, and the end.
    fn whole() -> Vec<u8> {
        let header = [SIGNATURE, &[0; 8]].concat();
        let row = [&[0, 3, 0, 0, 0, 2][..], b"hi", &[0, 0, 0, 8], &5_i64.to_be_bytes(), &[255; 4]].concat();
        [header, row, vec![255; 2]].concat()
    }

    fn read(parts: &[&[u8]]) -> Result<Vec<(String, i64, bool)>, Unread> {
        let (mut rows, mut seen) = (CopiedRows::default(), Vec::new());
        for part in parts {
            rows.read(part, |row| {
                seen.push((row.text(0)?.to_owned(), row.integer(1)?, row.optional_text(2)?.is_none()));
                Ok(())
            })?;
        }
        Ok(seen)
    }

    #[test]
    fn a_row_is_read_whether_or_not_the_header_and_the_end_come_with_it() {
        let whole = whole();
        let (header, rest) = whole.split_at(19);
        let (row, end) = rest.split_at(rest.len() - 2);
        for parts in [vec![&whole[..]], vec![header, rest], vec![header, row, end]] {
            assert_eq!(read(&parts).unwrap(), [("hi".to_owned(), 5, true)]);
        }
    }

    #[test]
    fn several_rows_of_one_part_come_in_their_order() {
        let whole = whole();
        let row = &whole[19..whole.len() - 2];
        assert_eq!(read(&[&whole[..19], &[row, row].concat()]).unwrap().len(), 2);
    }

    #[test]
    fn what_is_cut_off_or_of_another_form_is_refused() {
        let whole = whole();
        for end in (1..whole.len() - 2).filter(|end| *end != 19) {
            assert!(read(&[&whole[..end]]).is_err(), "{end} bytes");
        }
        let too_many = [&whole[..19], &[0, 13], &[255; 4 * 13]].concat();
        assert!(read(&[&too_many]).is_err());
        assert!(read(&[b"PGCOPX\n\xff\r\n\0\0\0\0\0\0\0\0\0"]).is_err());
    }

    #[test]
    fn a_column_of_another_size_or_place_is_refused() {
        let mut columns: [Option<&[u8]>; MOST_COLUMNS] = [None; MOST_COLUMNS];
        (columns[0], columns[1]) = (Some(b"hi".as_slice()), Some(b"\xff".as_slice()));
        let row = CopiedRow(columns);
        assert!(row.integer(0).is_err() && row.small(2).is_err() && row.text(2).is_err());
        assert!(row.text(1).is_err() && row.optional_text(MOST_COLUMNS).is_err());
        assert_eq!(row.small(0).unwrap(), i16::from_be_bytes(*b"hi"));
    }
}
