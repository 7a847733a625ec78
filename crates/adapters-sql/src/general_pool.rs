//! Work on the general pool of connections, and what becomes of it where its connection turns out to be lost.

use std::future::Future;

use parlance_domain::error::StoreError;
use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr, SqlxPostgresConnector, sqlx::postgres::PgPoolOptions,
};

use crate::{
    Database,
    database::{ACQUIRE_TIMEOUT, begin},
    error::{Failure, is_lost},
    opening::OpenError,
    postgres::{CHECK_WRITER_AFTER, ConnectionLosses, Servers, takes_writes},
};

const POSTGRES_CONNECTIONS: u32 = 10;

/// Opens the general pool of PostgreSQL, at the first of these servers that is accepted.
pub(crate) async fn open_postgres(
    servers: &Servers,
    losses: &ConnectionLosses,
) -> Result<DatabaseConnection, OpenError> {
    servers.find().await;
    let host = servers.current().cloned().ok_or(OpenError::UnknownKind)?;
    let must_take_writes = servers.must_take_writes();
    let (losses, found) = (losses.clone(), servers.clone());
    let options = PgPoolOptions::new()
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move { if must_take_writes { takes_writes(connection).await } else { Ok(()) } })
        })
        .before_acquire(move |connection, past| {
            let (losses, servers) = (losses.clone(), found.clone());
            Box::pin(async move {
                let spared = losses.spare(connection, past.age, past.idle_for, CHECK_WRITER_AFTER).await;
                if !spared {
                    servers.find().await;
                }
                Ok(spared)
            })
        });
    let connected = options.connect_with(host).await;
    let pool = connected.map_err(|error| Failure::from(DbErr::Conn(RuntimeErr::SqlxError(error.into()))))?;
    servers.lead(&pool);
    Ok(SqlxPostgresConnector::from_sqlx_postgres_pool(pool))
}

impl Database {
    /// Begins a transaction that writes. On SQLite it waits for its turn here, at its beginning, since one that reads
    /// first and writes later can fail in between. Where the connection turns out to be lost, nothing has been written, and
    /// the transaction is begun on a new one.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        self.once_more(self.writer(), begin).await
    }

    /// Runs a read on a connection of the general pool, once more on a new one where the first turns out to be lost.
    /// Bounded in time.
    pub(crate) async fn read<'db, T, F>(
        &'db self,
        query: impl Fn(&'db DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        self.call(self.once_more(self.reader(), query)).await
    }

    /// Runs a query, once more on a new connection where the first turns out to be lost.
    pub(crate) async fn once_more<'db, T, F>(
        &'db self,
        pool: &'db DatabaseConnection,
        query: impl Fn(&'db DatabaseConnection) -> F,
    ) -> Result<T, DbErr>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        match query(pool).await {
            Err(error) if self.has_lost(&error).await => Box::pin(query(pool)).await,
            answer => answer,
        }
    }

    /// Runs a change on a connection of the general pool. Where the connection turns out to be lost, it is not known
    /// whether the change landed, and it is not made again. Bounded in time.
    pub(crate) async fn change<T>(&self, change: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
        let change = Box::pin(change);
        let outcome = async {
            let outcome = change.await;
            if let Err(error) = &outcome {
                self.has_lost(error).await;
            }
            outcome
        };
        self.call(outcome).await
    }

    /// Whether a failure is the loss of a connection, which then holds for all connections of before. Where the address
    /// leaves a choice of servers, one is looked for.
    async fn has_lost(&self, error: &DbErr) -> bool {
        let lost = is_lost(error);
        if lost {
            self.losses().record();
        }
        if let Some(servers) = self.servers()
            && (lost || matches!(error, DbErr::ConnectionAcquire(_)))
        {
            servers.find().await;
        }
        lost
    }
}
