//! What a conversation is found by.

use parlance_domain::{access::TenantId, conversation::Conversation};
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::{
    statement::{BY_EXTERNAL_ID, BY_ID},
    stored::restore,
};
use crate::{
    error::Unread,
    postgres::{Desk, Desks, Question},
};

/// Whose identifier a conversation is found by.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    /// The service's.
    Id,
    /// The caller's.
    ExternalId,
}

impl By {
    /// Finds one conversation.
    pub(super) fn statement(self) -> &'static str {
        match self {
            Self::Id => BY_ID,
            Self::ExternalId => BY_EXTERNAL_ID,
        }
    }
}

/// A tenant, and an identifier that one of its conversations may have.
#[derive(Debug)]
pub(crate) struct Key {
    by: By,
    tenant: TenantId,
    identifier: Box<str>,
}

impl Key {
    pub(super) fn new(by: By, tenant: &TenantId, identifier: &str) -> Self {
        Self { by, tenant: tenant.clone(), identifier: identifier.into() }
    }
}

impl Question for Key {
    type Answer = Option<Conversation>;

    fn desk<'own>(&self, desks: &'own Desks) -> &'own Desk<Self> {
        match self.by {
            By::Id => &desks.conversation_by_id,
            By::ExternalId => &desks.conversation_by_external_id,
        }
    }

    fn rows(&self) -> usize {
        1
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, keys: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(keys.iter().map(|key| key.tenant.as_str()).collect::<Vec<_>>())
            .bind(keys.iter().map(|key| &*key.identifier).collect::<Vec<_>>())
    }

    fn bind_alone(&self) -> Query<'_, Postgres, PgArguments> {
        sqlx::query(self.by.statement()).bind(self.tenant.as_str()).bind(&*self.identifier)
    }

    fn begin(&self) -> Option<Conversation> {
        None
    }

    fn add(&self, row: &PgRow, found: &mut Option<Conversation>) -> Result<(), Unread> {
        *found = Some(restore(row)?);
        Ok(())
    }
}
