//! Writes that share a transaction on PostgreSQL: committed together where that goes, else split until it does.

use std::{sync::Arc, time::Duration};

use parlance_domain::conversation::Append;
use sea_orm::sqlx::postgres::PgConnection;

use super::{
    Pending,
    connection::{Answer, StatementLimits, WriterConnection},
    contention::WaitingApart,
};
use crate::{
    conversations::{self, DueUpsert, Parts},
    error::Failure,
    messages::{self, NewMessages, Trust},
};

/// What a batch is held to. A row that another transaction holds, or that takes long, keeps all who share its batch waiting
/// for so long.
pub(super) const BATCH_LIMITS: StatementLimits =
    StatementLimits { lock: Duration::from_millis(100), statement: Duration::from_millis(600) };

/// Writes of one kind, with who waits for them.
pub(super) type Writes<Row> = Vec<Pending<Row, <Row as BatchRow>::Outcome>>;

/// Which row a write waits for: its tenant, the identifier that the row is found by, and the parts that it changes.
pub(super) type Key = (String, String, Parts);

/// What many writes of one kind are written by.
pub(super) trait BatchRow: Send + Sync + Sized + 'static {
    /// What becomes of one.
    type Outcome: Send + Sync + 'static;

    /// Which row it waits for, where another transaction holds that.
    fn waits_for(&self) -> Key;

    /// Writes rows in one transaction, and gives what became of each in their order. All or none where it fails.
    fn apply<'rows>(
        connection: &'rows mut PgConnection,
        rows: &'rows [&'rows Self],
        trust: &'rows Trust,
    ) -> Answer<'rows, Vec<Self::Outcome>>;
}

impl BatchRow for NewMessages {
    type Outcome = Append;

    fn waits_for(&self) -> Key {
        let (tenant, conversation) = self.key();
        (tenant.to_owned(), conversation.to_owned(), Parts::default())
    }

    fn apply<'rows>(
        connection: &'rows mut PgConnection,
        rows: &'rows [&'rows Self],
        trust: &'rows Trust,
    ) -> Answer<'rows, Vec<Append>> {
        Box::pin(messages::add_to_postgres(connection, rows, trust))
    }
}

impl BatchRow for DueUpsert {
    type Outcome = Option<String>;

    fn waits_for(&self) -> Key {
        let (tenant, external_id) = self.key();
        (tenant.to_owned(), external_id.to_owned(), self.parts())
    }

    fn apply<'rows>(
        connection: &'rows mut PgConnection,
        rows: &'rows [&'rows Self],
        _: &'rows Trust,
    ) -> Answer<'rows, Vec<Option<String>>> {
        Box::pin(conversations::upsert_on_postgres(connection, rows))
    }
}

/// Commits writes and tells each caller. Those that could not be committed within [`BATCH_LIMITS`], since another
/// transaction is in the way of one of them, go on [apart](WaitingApart), so that the next batch can begin.
pub(super) async fn land<Row: BatchRow>(
    writes: Writes<Row>,
    connection: &mut WriterConnection,
    apart: &WaitingApart<Row>,
    trust: &Arc<Trust>,
) {
    let waiting = commit(vec![apart.divert(writes)], connection, trust).await;
    if !waiting.is_empty() {
        apart.search(waiting, connection, trust);
    }
}

/// Commits each of these groups of writes, and tells each caller what became of its own. A group that fails for one of its
/// rows is halved until that one is alone. Gives the groups that could not be committed since another transaction was in
/// the way of one of their rows; nothing of these was written, and nobody was told of them.
pub(super) async fn commit<Row: BatchRow>(
    mut groups: Vec<Writes<Row>>,
    connection: &mut WriterConnection,
    trust: &Arc<Trust>,
) -> Vec<Writes<Row>> {
    let mut waiting = Vec::new();
    while let Some(mut group) = groups.pop() {
        if group.is_empty() {
            continue;
        }
        match commit_once(&group, connection, trust).await {
            Ok(outcomes) => {
                for (mut write, outcome) in group.into_iter().zip(outcomes) {
                    write.entry.outcome = Ok(outcome);
                    write.answer();
                }
            }
            Err(failure) if failure.is_contention() => waiting.push(group),
            Err(failure) if failure.passes() => {
                let failed = [group].into_iter().chain(groups.drain(..)).chain(waiting.drain(..)).flatten();
                failed.for_each(|write| write.fail(failure.clone()));
            }
            Err(_) if group.len() > 1 => {
                let half = group.split_off(group.len() / 2);
                groups.extend([half, group]);
            }
            Err(failure) => group.into_iter().for_each(|write| write.fail(failure.clone())),
        }
    }
    waiting
}

async fn commit_once<Row: BatchRow>(
    group: &Writes<Row>,
    connection: &mut WriterConnection,
    trust: &Arc<Trust>,
) -> Result<Vec<Row::Outcome>, Failure> {
    let rows: Vec<_> = group.iter().map(|write| &write.entry.row).collect();
    let outcomes = connection.ask(rows.as_slice(), |connection, rows| {
        let trust = Arc::clone(trust);
        Box::pin(async move { Row::apply(connection, rows, &trust).await })
    });
    let outcomes = outcomes.await?;
    if outcomes.len() == group.len() { Ok(outcomes) } else { Err(Failure::untold()) }
}
