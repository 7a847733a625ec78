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
    statement::{CREATE_ALL, UPDATE_ALL},
};
use crate::{postgres::portions, receipts::keep_all_on_postgres};

type Keys = HashSet<(String, String)>;

/// Lands those of these writes of which holds what they presume. All or none where it fails; it fails, too, where one of
/// several has a key that was used, since the others are then to be tried without it.
pub(crate) async fn write_to_postgres(connection: &mut PgConnection, due: &[&DueWrite]) -> Result<Vec<Commit>, Error> {
    let mut creations = Vec::new();
    let mut updates = Vec::new();
    for one in due {
        match &one.write {
            ConversationWrite::Create(new) => creations.push((*one, new)),
            ConversationWrite::Update { changes, .. } => updates.push((*one, changes)),
        }
    }
    // In one order everywhere, so that two writers cannot wait for each other.
    creations.sort_by(|(one, new), (other, newer)| {
        (&one.tenant, &new.external_id).cmp(&(&other.tenant, &newer.external_id))
    });
    updates.sort_by(|(one, _), (other, _)| one.key().cmp(&other.key()));
    let mut landed = Keys::new();
    let mut transaction = connection.begin().await?;
    for portion in portions(creations, |(one, _)| bytes(one)) {
        landed.extend(keys(&mut transaction, create_all(&portion)).await?);
    }
    while !updates.is_empty() {
        let (round, later) = one_of_each(updates);
        for portion in portions(round, |(one, _)| bytes(one)) {
            landed.extend(keys(&mut transaction, update_all(&portion)).await?);
        }
        updates = later;
    }
    let outcome = |one: &&DueWrite| {
        let (tenant, id) = one.key();
        let committed = landed.contains(&(tenant.to_owned(), id.to_owned()));
        if committed { Commit::Committed } else { Commit::Superseded }
    };
    let outcomes: Vec<_> = due.iter().map(outcome).collect();
    let committed = due.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Commit::Committed);
    let receipts = committed.filter_map(|(one, _)| Some((&one.tenant, one.receipt.as_ref()?)));
    if !keep_all_on_postgres(&mut transaction, receipts.collect()).await? {
        transaction.rollback().await?;
        return if due.len() == 1 { Ok(vec![Commit::Repeated]) } else { Err(Error::RowNotFound) };
    }
    transaction.commit().await?;
    Ok(outcomes)
}

type Update<'batch> = (&'batch DueWrite, &'batch Changes);

/// The first update of each conversation, and those that come after it, since one statement changes a row once.
fn one_of_each(updates: Vec<Update<'_>>) -> (Vec<Update<'_>>, Vec<Update<'_>>) {
    let mut before = None;
    updates.into_iter().partition(|(due, _)| before.replace(due.key()) != Some(due.key()))
}

async fn keys(connection: &mut PgConnection, query: Query<'_, Postgres, PgArguments>) -> Result<Keys, Error> {
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

fn create_all<'batch>(rows: &[(&'batch DueWrite, &'batch Conversation)]) -> Query<'batch, Postgres, PgArguments> {
    let agents: Vec<_> = rows.iter().map(|(_, new)| optional_columns(new.agent.as_ref())).collect();
    let customers: Vec<_> = rows.iter().map(|(_, new)| columns(&new.customer)).collect();
    sqlx::query(CREATE_ALL)
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

fn update_all<'batch>(rows: &[Update<'batch>]) -> Query<'batch, Postgres, PgArguments> {
    let customers: Vec<_> = rows.iter().map(|(_, changes)| columns(&changes.customer)).collect();
    let agents: Vec<_> = rows.iter().map(|(_, changes)| changed(&changes.agent)).collect();
    let agent_columns: Vec<_> = agents.iter().map(|(_, agent)| optional_columns(*agent)).collect();
    let metadata: Vec<_> = rows.iter().map(|(_, changes)| changed(&changes.metadata)).collect();
    sqlx::query(UPDATE_ALL)
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
