//! A row that was read, whichever database gave it: its columns by position, without a copy.

use rusqlite::types::FromSqlError;
use sea_orm::sqlx::{Row, postgres::PgRow};

use crate::error::Failure;

/// One row. A column of another type than the one asked for is a failure that does not show its value.
pub(crate) trait Columns {
    fn text(&self, place: usize) -> Result<&str, Failure>;

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure>;

    fn integer(&self, place: usize) -> Result<i64, Failure>;

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

    fn integer(&self, place: usize) -> Result<i64, Failure> {
        Ok(self.get_ref(place)?.as_i64()?)
    }

    fn small(&self, place: usize) -> Result<i16, Failure> {
        let number = self.integer(place)?;
        Ok(i16::try_from(number).map_err(|_| FromSqlError::OutOfRange(0))?)
    }
}

impl Columns for PgRow {
    fn text(&self, place: usize) -> Result<&str, Failure> {
        Ok(self.try_get(place)?)
    }

    fn optional_text(&self, place: usize) -> Result<Option<&str>, Failure> {
        Ok(self.try_get(place)?)
    }

    fn integer(&self, place: usize) -> Result<i64, Failure> {
        Ok(self.try_get(place)?)
    }

    fn small(&self, place: usize) -> Result<i16, Failure> {
        Ok(self.try_get(place)?)
    }
}
