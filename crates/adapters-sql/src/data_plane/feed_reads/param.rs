//! The parameters of statements.

use parlance_domain::{access::TenantId, time::Timestamp};
use rusqlite::{ToSql, types::ToSqlOutput};

/// A parameter of a statement.
#[derive(Clone)]
pub(crate) enum Param {
    Text(String),
    Number(i64),
}

impl Param {
    pub(super) fn tenant(tenant: &TenantId) -> Self {
        Self::Text(tenant.as_str().to_owned())
    }

    pub(super) fn timestamp(timestamp: Timestamp) -> Self {
        Self::Number(timestamp.as_micros())
    }
}

impl ToSql for Param {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::Number(number) => number.to_sql(),
        }
    }
}
