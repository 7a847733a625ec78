//! Writing conversations on PostgreSQL, many in one transaction.

use std::collections::HashSet;

use parlance_domain::conversation::{Changes, Commit, Conversation, ConversationWrite};
use sea_orm::sqlx::{
    self, Connection, Error, Postgres, Row,
    postgres::{PgArguments, PgConnection},
    query::Query,
};

use super::{
    due::{DueWrite, bytes, changed, columns, metadata_text, optional_columns},
    statement::WRITE_ALL,
};
use crate::{postgres::portions, receipts::keep_all_on_postgres};

type Keys = HashSet<(String, String)>;

/// Lands those of these writes of which holds what they presume. All or none where it fails; it fails, too, where one of
/// several has a key that was used, since the others are then to be tried without it.
pub(crate) async fn write_to_postgres(connection: &mut PgConnection, due: &[&DueWrite]) -> Result<Vec<Commit>, Error> {
    let portions: Vec<_> = rounds(due).into_iter().flat_map(|round| portions(round, |one| bytes(one))).collect();
    if let [portion] = portions.as_slice()
        && due.iter().all(|one| one.receipt.is_none())
    {
        let landed = write_all(connection, portion).await?;
        return Ok(due.iter().map(|one| outcome(one, &landed)).collect());
    }
    let mut landed = Keys::new();
    let mut transaction = connection.begin().await?;
    for portion in portions {
        landed.extend(write_all(&mut transaction, &portion).await?);
    }
    let outcomes: Vec<_> = due.iter().map(|one| outcome(one, &landed)).collect();
    let committed = due.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Commit::Committed);
    let receipts = committed.filter_map(|(one, _)| Some((&one.tenant, one.receipt.as_ref()?)));
    if !keep_all_on_postgres(&mut transaction, receipts.collect()).await? {
        transaction.rollback().await?;
        return if due.len() == 1 { Ok(vec![Commit::Repeated]) } else { Err(Error::RowNotFound) };
    }
    transaction.commit().await?;
    Ok(outcomes)
}

fn outcome(due: &DueWrite, landed: &Keys) -> Commit {
    let (tenant, id) = due.key();
    if landed.contains(&(tenant.to_owned(), id.to_owned())) { Commit::Committed } else { Commit::Superseded }
}

/// The writes in rounds that have each conversation once, since one statement changes a row once: the new ones and the
/// first update of each, and those that come after it. In one order everywhere, so that two writers cannot wait for each
/// other.
fn rounds<'batch>(due: &[&'batch DueWrite]) -> Vec<Vec<&'batch DueWrite>> {
    let (mut round, mut updates): (Vec<_>, Vec<_>) = due.iter().copied().partition(|one| creation(one).is_some());
    round.sort_by_key(|one| (one.tenant.as_str(), creation(one).map(|new| new.external_id.as_str())));
    updates.sort_by_key(|one| one.key());
    let mut rounds = Vec::new();
    while !(round.is_empty() && updates.is_empty()) {
        let mut before = None;
        let (first, later) =
            updates.into_iter().partition(|one: &&DueWrite| before.replace(one.key()) != Some(one.key()));
        round.extend::<Vec<_>>(first);
        rounds.push(std::mem::take(&mut round));
        updates = later;
    }
    rounds
}

fn creation(due: &DueWrite) -> Option<&Conversation> {
    if let ConversationWrite::Create(new) = &due.write { Some(new) } else { None }
}

fn update(due: &DueWrite) -> Option<&Changes> {
    if let ConversationWrite::Update { changes, .. } = &due.write { Some(changes) } else { None }
}

/// Gives the keys of those that landed.
async fn write_all(connection: &mut PgConnection, portion: &[&DueWrite]) -> Result<Keys, Error> {
    let creations: Vec<_> = portion.iter().filter_map(|due| Some((*due, creation(due)?))).collect();
    let updates: Vec<_> = portion.iter().filter_map(|due| Some((*due, update(due)?))).collect();
    let query = bind_updates(bind_creations(sqlx::query(WRITE_ALL), &creations), &updates);
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

type Statement<'batch> = Query<'batch, Postgres, PgArguments>;

fn bind_creations<'batch>(
    statement: Statement<'batch>,
    rows: &[(&'batch DueWrite, &'batch Conversation)],
) -> Statement<'batch> {
    let agents: Vec<_> = rows.iter().map(|(_, new)| optional_columns(new.agent.as_ref())).collect();
    let customers: Vec<_> = rows.iter().map(|(_, new)| columns(&new.customer)).collect();
    statement
        .bind(rows.iter().map(|(due, _)| due.tenant.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, new)| new.id.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, new)| new.external_id.as_str()).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.0).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.1).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.0).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.1).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, new)| new.metadata.as_ref().map(metadata_text)).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, new)| new.started_at.as_micros()).collect::<Vec<_>>())
        .bind(rows.iter().map(|(due, _)| due.at.as_micros()).collect::<Vec<_>>())
}

fn bind_updates<'batch>(
    statement: Statement<'batch>,
    rows: &[(&'batch DueWrite, &'batch Changes)],
) -> Statement<'batch> {
    let customers: Vec<_> = rows.iter().map(|(_, changes)| columns(&changes.customer)).collect();
    let agents: Vec<_> = rows.iter().map(|(_, changes)| changed(&changes.agent)).collect();
    let agent_columns: Vec<_> = agents.iter().map(|(_, agent)| optional_columns(*agent)).collect();
    let metadata: Vec<_> = rows.iter().map(|(_, changes)| changed(&changes.metadata)).collect();
    statement
        .bind(rows.iter().map(|(due, _)| due.key().0).collect::<Vec<_>>())
        .bind(rows.iter().map(|(due, _)| due.key().1).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.0).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.1).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.0).collect::<Vec<_>>())
        .bind(agent_columns.iter().map(|agent| agent.0).collect::<Vec<_>>())
        .bind(agent_columns.iter().map(|agent| agent.1).collect::<Vec<_>>())
        .bind(metadata.iter().map(|metadata| metadata.0).collect::<Vec<_>>())
        .bind(metadata.iter().map(|metadata| metadata.1.map(metadata_text)).collect::<Vec<_>>())
        .bind(rows.iter().map(|(due, _)| due.at.as_micros()).collect::<Vec<_>>())
}
