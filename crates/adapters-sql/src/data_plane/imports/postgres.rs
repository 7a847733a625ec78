//! Creates conversations with their messages on PostgreSQL, many in one transaction.

use parlance_domain::import::CreateOutcome;
use sea_orm::sqlx::{Connection, postgres::PgConnection};

use crate::{
    data_plane::{
        conversations::{alone_or_split, create_on_postgres, is_refused_as_erased},
        imports::creation_row::CreationRow,
        messages::insert_all_on_postgres,
    },
    engine::postgres::batch::BatchError,
};

/// Creates those conversations, with their messages, whose external identifiers do not exist yet. Returns the outcome of
/// each row. On an error nothing is written. If one of several conversations was erased, the error is [`BatchError::Split`],
/// because the other rows must be tried without that row.
pub(crate) async fn create_all_on_postgres(
    connection: &mut PgConnection,
    rows: &[&CreationRow],
) -> Result<Vec<CreateOutcome>, BatchError> {
    match create(connection, rows).await {
        Err(error) if is_refused_as_erased(&error) => alone_or_split(rows.len(), CreateOutcome::Erased),
        outcome => outcome,
    }
}

async fn create(connection: &mut PgConnection, rows: &[&CreationRow]) -> Result<Vec<CreateOutcome>, BatchError> {
    let mut transaction = connection.begin().await?;
    let conversations: Vec<_> = rows.iter().map(|row| &row.conversation).collect();
    let created = create_on_postgres(&mut transaction, &conversations).await?;
    let of_created = rows.iter().zip(&created).filter(|(_, is_created)| **is_created);
    let messages: Vec<_> = of_created.map(|(row, _)| &row.messages).collect();
    insert_all_on_postgres(&mut transaction, &messages).await?;
    transaction.commit().await?;
    let outcome = |is_created| if is_created { CreateOutcome::Created } else { CreateOutcome::Exists };
    Ok(created.into_iter().map(outcome).collect())
}
