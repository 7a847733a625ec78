//! Pages that may be long, on PostgreSQL: bounded in bytes by the database.

use parlance_domain::{
    conversation::{Message, MessageRun},
    error::StoreError,
};
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::{most, run::Run, statement::AFTER_WITHIN, stored::restore};
use crate::{
    error::Unread,
    postgres::{Desk, Desks, Lanes, Question},
};

/// Most messages of a run that is first asked for without its long texts: to add up the lengths of all texts costs the
/// database a quarter more.
const SHORT_RUN: usize = 129;

/// A run after a position as far as a page needs it.
#[derive(Debug)]
pub(crate) struct LongRun(Run);

/// The run as far as a page needs it, in any order.
pub(super) async fn read_page(run: Run, lanes: &Lanes) -> Result<Vec<Message>, StoreError> {
    if run.most <= SHORT_RUN
        && let Some(messages) = lanes.ask(run.clone()).await?.whole()
    {
        return Ok(messages);
    }
    Ok(lanes.ask(LongRun(run)).await?.into_messages())
}

impl Question for LongRun {
    type Answer = MessageRun;

    fn desk<'own>(&self, desks: &'own Desks) -> &'own Desk<Self> {
        &desks.long_runs
    }

    fn rows(&self) -> usize {
        self.0.most
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, runs: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(runs.iter().map(|run| run.0.tenant.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.0.conversation.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.0.sent_at).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.0.id.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| most(run.0.most)).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| most(run.0.bytes)).collect::<Vec<_>>())
    }

    fn bind_alone(&self) -> Query<'_, Postgres, PgArguments> {
        sqlx::query(AFTER_WITHIN)
            .bind(self.0.tenant.as_str())
            .bind(self.0.conversation.as_str())
            .bind(self.0.sent_at)
            .bind(self.0.id.as_str())
            .bind(most(self.0.most))
            .bind(most(self.0.bytes))
    }

    fn begin(&self) -> MessageRun {
        self.0.begin_with(self.0.most)
    }

    fn add(&self, row: &PgRow, run: &mut MessageRun) -> Result<(), Unread> {
        restore(row, &self.0.conversation, run)
    }
}
