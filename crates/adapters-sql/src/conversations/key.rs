//! What a conversation of PostgreSQL is found by.

use parlance_domain::{access::TenantId, conversation::Conversation};
use sea_orm::sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::stored::restore;
use crate::{error::Unread, postgres::Question};

/// A tenant, and an identifier that one of its conversations may have.
#[derive(Debug)]
pub(crate) struct Key {
    tenant: TenantId,
    key: Box<str>,
}

impl Key {
    pub(super) fn new(tenant: &TenantId, key: &str) -> Self {
        Self { tenant: tenant.clone(), key: key.into() }
    }
}

impl Question for Key {
    type Answer = Option<Conversation>;

    const NUMBER: usize = 8;

    fn rows(&self) -> usize {
        1
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, keys: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(keys.iter().map(|key| key.tenant.as_str()).collect::<Vec<_>>())
            .bind(keys.iter().map(|key| &*key.key).collect::<Vec<_>>())
    }

    fn add(&self, row: &PgRow, found: &mut Option<Conversation>) -> Result<(), Unread> {
        *found = Some(restore(row)?);
        Ok(())
    }
}
