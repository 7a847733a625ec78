//! A row that was read, whichever database gave it: its columns by position, without a copy.

use rusqlite::types::FromSqlError;
use sea_orm::sqlx::{Row, ValueRef, error::BoxDynError, postgres::PgRow};

use crate::error::Failure;

/// One row. A column of another type than the one asked for is a failure that does not show its value.
pub(crate) trait Columns {
    fn text(&self, place: usize) -> Result<&str, Failure>;

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure>;

    /// The bytes of a text, for whoever reads them one by one.
    fn bytes(&self, place: usize) -> Result<&[u8], Failure>;

    fn optional_bytes(&self, place: usize) -> Result<Option<&[u8]>, Failure>;

    fn integer(&self, place: usize) -> Result<i64, Failure>;

    fn optional_integer(&self, place: usize) -> Result<Option<i64>, Failure>;

    /// A column of the type `SMALLINT`.
    fn small(&self, place: usize) -> Result<i16, Failure>;
}

impl Columns for rusqlite::Row<'_> {
    fn text(&self, place: usize) -> Result<&str, Failure> {
        Ok(self.get_ref(place)?.as_str()?)
    }

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure> {
        Ok(self.get_ref(place)?.as_str_or_null()?)
    }

    fn bytes(&self, place: usize) -> Result<&[u8], Failure> {
        Ok(self.get_ref(place)?.as_bytes()?)
    }

    fn optional_bytes(&self, place: usize) -> Result<Option<&[u8]>, Failure> {
        Ok(self.get_ref(place)?.as_bytes_or_null()?)
    }

    fn integer(&self, place: usize) -> Result<i64, Failure> {
        Ok(self.get_ref(place)?.as_i64()?)
    }

    fn optional_integer(&self, place: usize) -> Result<Option<i64>, Failure> {
        Ok(self.get_ref(place)?.as_i64_or_null()?)
    }

    fn small(&self, place: usize) -> Result<i16, Failure> {
        let number = self.integer(place)?;
        Ok(i16::try_from(number).map_err(|_| FromSqlError::OutOfRange(0))?)
    }
}

// Values are taken as they came, past the driver's comparison of types, which for short columns costs more than the value:
// a number of another length and bytes that are no text are failures here too.
impl Columns for PgRow {
    fn text(&self, place: usize) -> Result<&str, Failure> {
        self.optional_text(place)?.ok_or_else(is_null)
    }

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure> {
        let value = self.try_get_raw(place)?;
        if value.is_null() { Ok(None) } else { value.as_str().map(Some).map_err(is_another) }
    }

    fn bytes(&self, place: usize) -> Result<&[u8], Failure> {
        self.try_get_raw(place)?.as_bytes().map_err(is_another)
    }

    fn optional_bytes(&self, place: usize) -> Result<Option<&[u8]>, Failure> {
        let value = self.try_get_raw(place)?;
        if value.is_null() { Ok(None) } else { value.as_bytes().map(Some).map_err(is_another) }
    }

    fn integer(&self, place: usize) -> Result<i64, Failure> {
        Ok(i64::from_be_bytes(number(self, place)?))
    }

    fn optional_integer(&self, place: usize) -> Result<Option<i64>, Failure> {
        if self.try_get_raw(place)?.is_null() { Ok(None) } else { self.integer(place).map(Some) }
    }

    fn small(&self, place: usize) -> Result<i16, Failure> {
        Ok(i16::from_be_bytes(number(self, place)?))
    }
}

fn number<const BYTES: usize>(row: &PgRow, place: usize) -> Result<[u8; BYTES], Failure> {
    let value = row.try_get_raw(place)?;
    let bytes = value.as_bytes().map_err(is_another)?;
    bytes.try_into().map_err(|_| Failure::unexpected("a column holds no number of the size that is asked for"))
}

fn is_null() -> Failure {
    Failure::unexpected("a column is empty that must not be")
}

// What the driver says could show the value.
fn is_another(_: BoxDynError) -> Failure {
    Failure::unexpected("a column does not hold what is asked for")
}
