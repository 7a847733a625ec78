//! The columns of a row by index, without a copy, for every driver.

use rusqlite::types::FromSqlError;
use sea_orm::sqlx::{Row as _, ValueRef, error::BoxDynError, postgres::PgRow};

use crate::error::DbError;

/// One row. A column of an unexpected type is an error, which never shows the value.
pub(crate) trait Row {
    fn text(&self, index: usize) -> Result<&str, DbError>;

    fn optional_text(&self, index: usize) -> Result<Option<&str>, DbError>;

    /// The bytes of a text column, for a caller that parses bytes.
    fn bytes(&self, index: usize) -> Result<&[u8], DbError>;

    fn optional_bytes(&self, index: usize) -> Result<Option<&[u8]>, DbError>;

    fn integer(&self, index: usize) -> Result<i64, DbError>;

    fn optional_integer(&self, index: usize) -> Result<Option<i64>, DbError>;

    /// A `SMALLINT` column.
    fn smallint(&self, index: usize) -> Result<i16, DbError>;
}

impl Row for rusqlite::Row<'_> {
    fn text(&self, index: usize) -> Result<&str, DbError> {
        Ok(self.get_ref(index)?.as_str()?)
    }

    fn optional_text(&self, index: usize) -> Result<Option<&str>, DbError> {
        Ok(self.get_ref(index)?.as_str_or_null()?)
    }

    fn bytes(&self, index: usize) -> Result<&[u8], DbError> {
        Ok(self.get_ref(index)?.as_bytes()?)
    }

    fn optional_bytes(&self, index: usize) -> Result<Option<&[u8]>, DbError> {
        Ok(self.get_ref(index)?.as_bytes_or_null()?)
    }

    fn integer(&self, index: usize) -> Result<i64, DbError> {
        Ok(self.get_ref(index)?.as_i64()?)
    }

    fn optional_integer(&self, index: usize) -> Result<Option<i64>, DbError> {
        Ok(self.get_ref(index)?.as_i64_or_null()?)
    }

    fn smallint(&self, index: usize) -> Result<i16, DbError> {
        let number = self.integer(index)?;
        Ok(i16::try_from(number).map_err(|_| FromSqlError::OutOfRange(0))?)
    }
}

// Raw values skip the driver's type check, which costs more than a short value itself. A number of another size and a
// text that is not UTF-8 are still errors here.
impl Row for PgRow {
    fn text(&self, index: usize) -> Result<&str, DbError> {
        self.optional_text(index)?.ok_or_else(null_error)
    }

    fn optional_text(&self, index: usize) -> Result<Option<&str>, DbError> {
        let value = self.try_get_raw(index)?;
        if value.is_null() { Ok(None) } else { value.as_str().map(Some).map_err(type_error) }
    }

    fn bytes(&self, index: usize) -> Result<&[u8], DbError> {
        self.try_get_raw(index)?.as_bytes().map_err(type_error)
    }

    fn optional_bytes(&self, index: usize) -> Result<Option<&[u8]>, DbError> {
        let value = self.try_get_raw(index)?;
        if value.is_null() { Ok(None) } else { value.as_bytes().map(Some).map_err(type_error) }
    }

    fn integer(&self, index: usize) -> Result<i64, DbError> {
        Ok(i64::from_be_bytes(fixed_bytes(self, index)?))
    }

    fn optional_integer(&self, index: usize) -> Result<Option<i64>, DbError> {
        if self.try_get_raw(index)?.is_null() { Ok(None) } else { self.integer(index).map(Some) }
    }

    fn smallint(&self, index: usize) -> Result<i16, DbError> {
        Ok(i16::from_be_bytes(fixed_bytes(self, index)?))
    }
}

fn fixed_bytes<const BYTES: usize>(row: &PgRow, index: usize) -> Result<[u8; BYTES], DbError> {
    let value = row.try_get_raw(index)?;
    let bytes = value.as_bytes().map_err(type_error)?;
    bytes.try_into().map_err(|_| DbError::unexpected("a number column has an unexpected size"))
}

fn null_error() -> DbError {
    DbError::unexpected("a required column is null")
}

// The driver's error could show the value.
fn type_error(_: BoxDynError) -> DbError {
    DbError::unexpected("a column has an unexpected type")
}
