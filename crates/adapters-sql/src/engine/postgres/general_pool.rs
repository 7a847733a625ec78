//! The sea-orm pool of PostgreSQL, whose connections any thread may use.

use sea_orm::{DatabaseConnection, DbErr, RuntimeErr, SqlxPostgresConnector, sqlx::postgres::PgPoolOptions};

use super::{
    connect::{Servers, ensure_writable},
    connection_losses::{CHECK_WRITER_AFTER, ConnectionLosses},
};
use crate::{
    engine::open::{ACQUIRE_TIMEOUT, DatabaseOpenError},
    error::DbError,
};

const MAX_CONNECTIONS: u32 = 10;

/// Opens the pool, on the first server that accepts a connection.
pub(crate) async fn open_general_pool(
    servers: &Servers,
    losses: &ConnectionLosses,
) -> Result<DatabaseConnection, DatabaseOpenError> {
    servers.select_host().await;
    let host = servers.current().cloned().ok_or(DatabaseOpenError::UnsupportedUrl)?;
    let requires_writable = servers.requires_writable();
    let (losses, pool_servers, opening_servers) = (losses.clone(), servers.clone(), servers.clone());
    let options = PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
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
