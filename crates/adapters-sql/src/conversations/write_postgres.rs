//! Writing conversations on PostgreSQL, many in one transaction.

use std::collections::HashMap;

use sea_orm::sqlx::{
    self, Connection, Error, Row,
    postgres::{PgConnection, PgRow},
};

use super::{
    due::{DueUpsert, bytes},
    statement::UPSERT_ALL,
};
use crate::{postgres::portions, receipts::keep_all_on_postgres};

/// Creates or changes conversations, and gives the id of each; nothing where its key was used. All of them change the same
/// [parts](DueUpsert::parts). All or none where it fails; it fails, too, where one of several has a key that was used, since
/// the others are then to be tried without it.
pub(crate) async fn upsert_on_postgres(
    connection: &mut PgConnection,
    due: &[&DueUpsert],
) -> Result<Vec<Option<String>>, Error> {
    let portions: Vec<_> = rounds(due).into_iter().flat_map(|round| portions(round, |one| bytes(one))).collect();
    if let [portion] = portions.as_slice()
        && due.iter().all(|one| one.claim.is_none())
    {
        let rows = upsert_all(connection, portion).await?;
        return Ok(ids(due, &rows)?.into_iter().map(Some).collect());
    }
    let mut rows = Vec::new();
    let mut transaction = connection.begin().await?;
    for portion in portions {
        rows.extend(upsert_all(&mut transaction, &portion).await?);
    }
    let ids = ids(due, &rows)?;
    let receipts = due.iter().zip(&ids).filter_map(|(one, id)| Some((&one.tenant, one.receipt(id)?))).collect();
    if !keep_all_on_postgres(&mut transaction, receipts).await? {
        transaction.rollback().await?;
        return if due.len() == 1 { Ok(vec![None]) } else { Err(Error::RowNotFound) };
    }
    transaction.commit().await?;
    Ok(ids.into_iter().map(Some).collect())
}

/// The ids that these rows give, in the order of the upserts.
fn ids(due: &[&DueUpsert], rows: &[PgRow]) -> Result<Vec<String>, Error> {
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        found.insert((row.try_get(0)?, row.try_get(1)?), row.try_get(2)?);
    }
    let id = |one: &&DueUpsert| found.get(&one.key()).map(|id: &&str| (*id).to_owned()).ok_or(Error::RowNotFound);
    due.iter().map(id).collect()
}

/// The upserts in rounds that have each conversation once, since one statement writes a row once: the first of each, and
/// those that come after it. In one order everywhere, so that two writers cannot wait for each other.
fn rounds<'batch>(due: &[&'batch DueUpsert]) -> Vec<Vec<&'batch DueUpsert>> {
    let mut rest = due.to_vec();
    rest.sort_by_key(|one| one.key());
    let mut rounds = Vec::new();
    while !rest.is_empty() {
        let mut before = None;
        let (round, later) =
            rest.into_iter().partition(|one: &&DueUpsert| before.replace(one.key()) != Some(one.key()));
        rounds.push(round);
        rest = later;
    }
    rounds
}

async fn upsert_all(connection: &mut PgConnection, portion: &[&DueUpsert]) -> Result<Vec<PgRow>, Error> {
    let agents: Vec<_> = portion.iter().map(|due| due.agent()).collect();
    let customers: Vec<_> = portion.iter().map(|due| due.customer()).collect();
    let (changes_agent, changes_metadata) = portion.first().map(|due| due.parts()).unwrap_or_default();
    let statement = sqlx::query(UPSERT_ALL)
        .bind(portion.iter().map(|due| due.key().0).collect::<Vec<_>>())
        .bind(portion.iter().map(|due| due.upsert.fresh_id.as_str()).collect::<Vec<_>>())
        .bind(portion.iter().map(|due| due.key().1).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.0).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.1).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.0).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.1).collect::<Vec<_>>())
        .bind(portion.iter().map(|due| due.metadata()).collect::<Vec<_>>())
        .bind(portion.iter().map(|due| due.upsert.started_at.as_micros()).collect::<Vec<_>>())
        .bind(portion.iter().map(|due| due.at.as_micros()).collect::<Vec<_>>())
        .bind(changes_agent)
        .bind(changes_metadata);
    statement.fetch_all(connection).await
}
