//! Pooled connections to PostgreSQL: opening, use and reuse.

use std::time::Instant;

use deadpool::managed::{Manager, Metrics, Pool, PoolError, RecycleError, RecycleResult};
use futures_util::TryStreamExt;
use sea_orm::sqlx::{
    self, Either, Executor, Postgres,
    postgres::{PgArguments, PgConnection, PgRow},
    query::Query,
};

use crate::{
    engine::postgres::{
        connect::Servers,
        connection_losses::{CHECK_READER_AFTER, ConnectionLosses},
        copy::{CopyDecoder, CopyRow},
    },
    error::{DbError, ReadError, is_connection_lost},
};

pub(super) fn build_pool(manager: &ConnectionManager, max_size: usize) -> Result<Pool<ConnectionManager>, DbError> {
    let pool = Pool::builder(manager.clone()).max_size(max_size).build();
    pool.map_err(|error| DbError::unavailable(error.to_string()))
}

/// Folds all rows of a query into the value of `initial` with `add`, on a connection of the pool. If the connection is
/// lost, as after a restart of the server, the query runs once more on a new connection. Each row is dropped before the
/// next one is read.
pub(super) async fn fold_rows<'q, T>(
    pool: &Pool<ConnectionManager>,
    query: impl Fn() -> Query<'q, Postgres, PgArguments>,
    initial: impl Fn() -> T,
    add: impl Fn(&PgRow, &mut T) -> Result<(), DbError>,
) -> Result<T, DbError> {
    let mut connection = pool.get().await.map_err(pool_error)?;
    match connection.fold_rows(query(), initial(), &add).await {
        Err(_) if connection.lost => {
            drop(connection);
            pool.manager().losses().record_retry();
            pool.get().await.map_err(pool_error)?.fold_rows(query(), initial(), &add).await
        }
        value => value,
    }
}

pub(super) fn pool_error(error: PoolError<sqlx::Error>) -> DbError {
    let reason = error.to_string();
    if let PoolError::Backend(error) = error { error.into() } else { DbError::unavailable(reason) }
}

/// A connection, and the outcome of its last use.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    connection: PgConnection,
    losses: ConnectionLosses,
    checked_at: Instant,
    /// Whether the last use did not come to its end. Such a connection is not used again.
    dirty: bool,
    /// Whether the connection is lost.
    pub(super) lost: bool,
}

impl PooledConnection {
    /// Records an error of the driver. Returns whether the connection is lost.
    fn record_error(&mut self, error: &sqlx::Error) -> bool {
        if is_connection_lost(error) {
            self.lost = true;
            self.losses.record();
        }
        self.lost
    }

    pub(super) async fn copy<T: Default>(
        &mut self,
        statement: &str,
        add: impl Fn(&CopyRow<'_>, &mut T) -> Result<(), ReadError>,
    ) -> Result<T, ReadError> {
        self.dirty = true;
        let (mut decoder, mut value) = (CopyDecoder::default(), T::default());
        let end = match self.connection.copy_out_raw(statement).await {
            Ok(mut chunks) => loop {
                match chunks.try_next().await {
                    Ok(Some(chunk)) => decoder.decode(&chunk, |row| add(row, &mut value))?,
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(error),
                }
            },
            Err(error) => Err(error),
        };
        self.dirty = end.as_ref().is_err_and(|error| self.record_error(error));
        end?;
        Ok(value)
    }

    async fn fold_rows<T>(
        &mut self,
        query: Query<'_, Postgres, PgArguments>,
        mut value: T,
        add: impl Fn(&PgRow, &mut T) -> Result<(), DbError>,
    ) -> Result<T, DbError> {
        self.dirty = true;
        let mut added = Ok(());
        let mut rows = self.connection.fetch_many(query);
        let end = loop {
            match rows.try_next().await {
                Ok(Some(Either::Right(row))) if added.is_ok() => added = add(&row, &mut value),
                Ok(Some(_)) => {}
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        drop(rows);
        self.dirty = end.as_ref().is_err_and(|error| self.record_error(error));
        end?;
        added.map(|()| value)
    }
}

/// Opens pooled connections, and decides which of them are used again.
#[derive(Debug, Clone)]
pub(super) struct ConnectionManager {
    pub(super) servers: Servers,
}

impl ConnectionManager {
    pub(super) fn losses(&self) -> &ConnectionLosses {
        self.servers.losses()
    }

    /// Whether an idle connection may be used. Where a writable server is required, a connection in frequent use is
    /// checked too, because its server may have become read-only.
    async fn is_usable(&self, pooled: &mut PooledConnection, metrics: &Metrics) -> bool {
        let unchecked =
            if self.servers.requires_writable() { pooled.checked_at.elapsed() } else { metrics.last_used() };
        let connection = &mut pooled.connection;
        let is_usable = self.servers.is_usable(connection, metrics.age(), unchecked, CHECK_READER_AFTER).await;
        if unchecked >= CHECK_READER_AFTER {
            pooled.checked_at = Instant::now();
        }
        is_usable
    }
}

impl Manager for ConnectionManager {
    type Type = PooledConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<PooledConnection, sqlx::Error> {
        let connection = self.servers.connect().await?;
        Ok(PooledConnection {
            connection,
            losses: self.losses().clone(),
            checked_at: Instant::now(),
            dirty: false,
            lost: false,
        })
    }

    async fn recycle(&self, pooled: &mut PooledConnection, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        if pooled.dirty || !self.is_usable(pooled, metrics).await {
            return Err(RecycleError::message("the connection was left in the middle of a use, or is lost"));
        }
        Ok(())
    }
}
