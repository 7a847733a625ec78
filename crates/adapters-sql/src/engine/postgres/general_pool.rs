//! The sea-orm pool of PostgreSQL, whose connections any thread may use.

use sea_orm::{DatabaseConnection, DbErr, RuntimeErr, SqlxPostgresConnector, sqlx::postgres::PgPoolOptions};

use super::{connect::Servers, connection_losses::CHECK_WRITER_AFTER};
use crate::{
    engine::{
        open::{ACQUIRE_TIMEOUT, DatabaseOpenError},
        url_check::DatabaseUrlError,
    },
    error::DbError,
};

const MAX_CONNECTIONS: u32 = 10;

/// Opens the pool, on the first server that accepts a connection.
pub(crate) async fn open_general_pool(servers: &Servers) -> Result<DatabaseConnection, DatabaseOpenError> {
    servers.select_host().await;
    let host = servers.current().cloned().ok_or(DatabaseUrlError::Unreadable)?;
    let [pool_servers, opening_servers, releasing_servers] = [(); 3].map(|()| servers.clone());
    let options = PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let servers = opening_servers.clone();
            Box::pin(async move { servers.begin_session(connection).await })
        })
        .after_release(move |connection, _| {
            let servers = releasing_servers.clone();
            Box::pin(async move { servers.ensure_answer(connection).await.map(|()| true) })
        })
        .before_acquire(move |connection, metadata| {
            let servers = pool_servers.clone();
            Box::pin(async move {
                let usable = servers.is_usable(connection, metadata.age, metadata.idle_for, CHECK_WRITER_AFTER).await;
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
