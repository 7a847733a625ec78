//! Writes conversations on PostgreSQL, many in one transaction.

use std::collections::{HashMap, HashSet};

use sea_orm::sqlx::{
    self, Connection, Error, Postgres, Row,
    error::DatabaseError,
    postgres::{PgArguments, PgConnection, PgRow},
    query::Query,
};

use crate::{
    data_plane::{
        conversations::{
            statement::{INSERT_ALL, REFUSED_AS_ERASED, UPSERT_ALL},
            upsert_row::{UpsertRow, UpsertRowOutcome, estimated_bytes},
        },
        idempotency::insert_batch_on_postgres,
    },
    engine::postgres::{batch::BatchError, chunk_by_size},
};

/// Creates or changes conversations. All rows must have the same [update mask](UpsertRow::update_mask). On an error
/// nothing is written. If one of several rows has a taken key or an erased conversation, the error is
/// [`BatchError::Split`], because the other rows must be tried without that row.
pub(crate) async fn upsert_on_postgres(
    connection: &mut PgConnection,
    rows: &[&UpsertRow],
) -> Result<Vec<UpsertRowOutcome>, BatchError> {
    match upsert(connection, rows).await {
        Err(error) if is_refused_as_erased(&error) => alone_or_split(rows.len(), UpsertRowOutcome::Erased),
        outcome => outcome,
    }
}

/// The outcome of a batch that was refused because of one row.
pub(crate) fn alone_or_split<Outcome>(rows: usize, outcome: Outcome) -> Result<Vec<Outcome>, BatchError> {
    if rows == 1 { Ok(vec![outcome]) } else { Err(BatchError::Split) }
}

/// Whether the database refused a row because its conversation was erased, or its customer is being erased.
pub(crate) fn is_refused_as_erased(error: &BatchError) -> bool {
    let BatchError::Db(error) = error else { return false };
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|code| code == REFUSED_AS_ERASED)
}

async fn upsert(connection: &mut PgConnection, rows: &[&UpsertRow]) -> Result<Vec<UpsertRowOutcome>, BatchError> {
    let chunks: Vec<_> =
        rounds(rows).into_iter().flat_map(|round| chunk_by_size(round, |row| estimated_bytes(row))).collect();
    if let [chunk] = chunks.as_slice()
        && rows.iter().all(|row| row.claim.is_none())
    {
        let returned = upsert_all(connection, chunk).await?;
        return Ok(ids(rows, &returned)?.into_iter().map(UpsertRowOutcome::Stored).collect());
    }
    let mut returned = Vec::new();
    let mut transaction = connection.begin().await?;
    for chunk in chunks {
        returned.extend(upsert_all(&mut transaction, &chunk).await?);
    }
    let ids = ids(rows, &returned)?;
    let records =
        rows.iter().zip(&ids).filter_map(|(row, id)| Some((&row.tenant, row.idempotency_record(id)?))).collect();
    let Some(transaction) = insert_batch_on_postgres(transaction, rows.len(), records).await? else {
        return Ok(vec![UpsertRowOutcome::KeyTaken]);
    };
    transaction.commit().await?;
    Ok(ids.into_iter().map(UpsertRowOutcome::Stored).collect())
}

/// The ids of `rows`, in their order, from the rows that the statements returned.
fn ids(rows: &[&UpsertRow], returned: &[PgRow]) -> Result<Vec<String>, Error> {
    let mut ids = HashMap::with_capacity(returned.len());
    for row in returned {
        ids.insert((row.try_get(0)?, row.try_get(1)?), row.try_get(2)?);
    }
    let id =
        |row: &&UpsertRow| ids.get(&row.conversation_key()).map(|id: &&str| (*id).to_owned()).ok_or(Error::RowNotFound);
    rows.iter().map(id).collect()
}

/// Splits the rows into rounds that contain each conversation once, because one statement can write a stored row only
/// once. The first round has the first row of each conversation, the second round the second, and so on. Each round is
/// sorted, so two writers cannot deadlock.
fn rounds<'batch>(rows: &[&'batch UpsertRow]) -> Vec<Vec<&'batch UpsertRow>> {
    let mut rest = rows.to_vec();
    rest.sort_by_key(|row| row.conversation_key());
    let mut rounds = Vec::new();
    while !rest.is_empty() {
        let mut previous = None;
        let (round, later) = rest
            .into_iter()
            .partition(|row: &&UpsertRow| previous.replace(row.conversation_key()) != Some(row.conversation_key()));
        rounds.push(round);
        rest = later;
    }
    rounds
}

async fn upsert_all(connection: &mut PgConnection, chunk: &[&UpsertRow]) -> Result<Vec<PgRow>, Error> {
    let changes = chunk.first().map(|row| row.update_mask()).unwrap_or_default();
    let statement = bind_columns(UPSERT_ALL, chunk).bind(changes.agent).bind(changes.metadata);
    statement.bind(digests(chunk)).fetch_all(connection).await
}

/// Creates those conversations whose external identifiers do not exist yet, and returns for each row whether it was
/// created. Of several rows for one external identifier the first is created.
pub(crate) async fn create_on_postgres(
    connection: &mut PgConnection,
    rows: &[&UpsertRow],
) -> Result<Vec<bool>, BatchError> {
    let mut sorted = rows.to_vec();
    // Sorted, so that two writers cannot deadlock.
    sorted.sort_by_key(|row| row.conversation_key());
    let mut created = HashSet::with_capacity(rows.len());
    for chunk in chunk_by_size(sorted, |row| estimated_bytes(row)) {
        let returned = bind_columns(INSERT_ALL, &chunk).bind(digests(&chunk)).fetch_all(&mut *connection).await?;
        for row in &returned {
            created.insert(row.try_get::<String, _>(0)?);
        }
    }
    Ok(rows.iter().map(|row| created.contains(row.upsert.new_id.as_str())).collect())
}

/// The statement with the columns of all conversations but their digests bound as arrays.
fn bind_columns<'batch>(statement: &'static str, chunk: &[&'batch UpsertRow]) -> Query<'batch, Postgres, PgArguments> {
    let agents: Vec<_> = chunk.iter().map(|row| row.agent()).collect();
    let customers: Vec<_> = chunk.iter().map(|row| row.customer()).collect();
    sqlx::query(statement)
        .bind(chunk.iter().map(|row| row.tenant.as_str()).collect::<Vec<_>>())
        .bind(chunk.iter().map(|row| row.upsert.new_id.as_str()).collect::<Vec<_>>())
        .bind(chunk.iter().map(|row| row.upsert.external_id.as_str()).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.external_id).collect::<Vec<_>>())
        .bind(agents.iter().map(|agent| agent.name).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.external_id).collect::<Vec<_>>())
        .bind(customers.iter().map(|customer| customer.name).collect::<Vec<_>>())
        .bind(chunk.iter().map(|row| row.metadata()).collect::<Vec<_>>())
        .bind(chunk.iter().map(|row| row.upsert.started_at.as_micros()).collect::<Vec<_>>())
        .bind(chunk.iter().map(|row| row.written_at.as_micros()).collect::<Vec<_>>())
}

fn digests<'batch>(chunk: &[&'batch UpsertRow]) -> Vec<Option<&'batch [u8]>> {
    chunk.iter().map(|row| row.upsert.digest.as_ref().map(|digest| &digest.0[..])).collect()
}
