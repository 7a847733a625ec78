//! The general pool: the sea-orm connections that any thread may use.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr, SqliteTransactionMode, SqlxPostgresConnector,
    TransactionOptions, TransactionTrait, sqlx::postgres::PgPoolOptions,
};

use crate::{
    engine::{
        open::{ACQUIRE_TIMEOUT, DatabaseOpenError},
        postgres::{CHECK_WRITER_AFTER, ConnectionLosses, Servers, ensure_writable},
    },
    error::DbError,
};

const MAX_POSTGRES_CONNECTIONS: u32 = 10;

/// Opens the general pool of PostgreSQL, on the first server that accepts a connection.
pub(crate) async fn open_postgres(
    servers: &Servers,
    losses: &ConnectionLosses,
) -> Result<DatabaseConnection, DatabaseOpenError> {
    servers.select_host().await;
    let host = servers.current().cloned().ok_or(DatabaseOpenError::UnsupportedUrl)?;
    let requires_writable = servers.requires_writable();
    let (losses, pool_servers, opening_servers) = (losses.clone(), servers.clone(), servers.clone());
    let options = PgPoolOptions::new()
        .max_connections(MAX_POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            opening_servers.record_connection();
            Box::pin(async move { if requires_writable { ensure_writable(connection).await } else { Ok(()) } })
        })
        .before_acquire(move |connection, metadata| {
            let (losses, servers) = (losses.clone(), pool_servers.clone());
            Box::pin(async move {
                let usable = losses.is_usable(connection, metadata.age, metadata.idle_for, CHECK_WRITER_AFTER).await;
                if !usable {
                    servers.select_host().await;
                }
                Ok(usable)
            })
        });
    let connected = options.connect_with(host).await;
    let pool = connected.map_err(|error| DbError::from(DbErr::Conn(RuntimeErr::SqlxError(error.into()))))?;
    servers.attach_pool(&pool);
    Ok(SqlxPostgresConnector::from_sqlx_postgres_pool(pool))
}

pub(crate) async fn begin_immediate(writer: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let immediate = Some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions { sqlite_transaction_mode: immediate, ..TransactionOptions::default() };
    writer.begin_with_options(options).await
}
