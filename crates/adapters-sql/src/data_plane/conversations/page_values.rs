//! The values of the statements that read pages of conversations, for each driver.

use rusqlite::{ToSql, types::ToSqlOutput};
use sea_orm::sqlx::{Postgres, postgres::PgArguments, query::Query};
use sha2::{Digest, Sha256};

/// The bytes of the digest of a pair on PostgreSQL.
const PAIR_DIGEST_BYTES: usize = 16;

/// A value of a statement.
#[derive(Debug, Clone)]
pub(super) enum PageValue {
    Text(Option<String>),
    /// The digest of a pair, on PostgreSQL.
    Digest(Option<Vec<u8>>),
    Number(i64),
    Identifiers(Vec<String>),
}

/// The form in which a database stores a pair of metadata. `migrations/functions/conversation_criteria_*.sql` define the
/// same forms.
#[derive(Debug, Clone, Copy)]
pub(super) enum PairForm {
    /// The key and the value, with a line feed between them.
    Text,
    /// The first bytes of the SHA-256 of that text.
    Digest,
}

impl PairForm {
    /// NULL in place of a pair.
    pub(super) fn absent(self) -> PageValue {
        match self {
            Self::Text => PageValue::Text(None),
            Self::Digest => PageValue::Digest(None),
        }
    }

    pub(super) fn encode(self, key: &str, value: &str) -> PageValue {
        let text = format!("{key}\n{value}");
        match self {
            Self::Text => PageValue::Text(Some(text)),
            Self::Digest => {
                let digest = Sha256::digest(text.as_bytes());
                PageValue::Digest(Some(digest.iter().copied().take(PAIR_DIGEST_BYTES).collect()))
            }
        }
    }
}

impl PageValue {
    /// NULL in place of this value.
    pub(super) fn cleared(self) -> Self {
        match self {
            Self::Digest(_) => Self::Digest(None),
            Self::Text(_) | Self::Number(_) | Self::Identifiers(_) => Self::Text(None),
        }
    }

    pub(super) fn bind(self, query: Query<'_, Postgres, PgArguments>) -> Query<'_, Postgres, PgArguments> {
        match self {
            Self::Text(text) => query.bind(text),
            Self::Digest(digest) => query.bind(digest),
            Self::Number(number) => query.bind(number),
            Self::Identifiers(identifiers) => query.bind(identifiers),
        }
    }
}

impl ToSql for PageValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::Digest(digest) => digest.to_sql(),
            Self::Number(number) => number.to_sql(),
            // A list of texts always serializes.
            Self::Identifiers(identifiers) => Ok(serde_json::to_string(identifiers).unwrap_or_default().into()),
        }
    }
}
