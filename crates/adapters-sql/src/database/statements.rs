//! Statements on the general pools: with a timeout, and with a retry where a connection is lost.

use std::future::Future;

use parlance_domain::error::StoreError;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};

use crate::{
    database::Database,
    engine::write_transaction::begin_write,
    error::{is_connection_lost, sqlx_error, statement_with_timeout},
};

impl Database {
    /// Begins a write transaction. On SQLite, the transaction takes the write lock at once: a transaction that reads
    /// first and writes later can fail in between. If the connection is lost, nothing was written, and the transaction
    /// begins again on a new connection.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        self.retry_if_lost(self.writer(), begin_write).await
    }

    /// Runs a read on a connection of the general pool, with a timeout. If the connection is lost, the read runs once
    /// more on a new connection.
    pub(crate) async fn read<'db, T, F>(
        &'db self,
        query: impl Fn(&'db DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        self.run_statement(self.retry_if_lost(self.reader(), query)).await
    }

    /// Runs a query. If the connection is lost, the query runs once more on a new connection.
    pub(crate) async fn retry_if_lost<'db, T, F>(
        &'db self,
        pool: &'db DatabaseConnection,
        query: impl Fn(&'db DatabaseConnection) -> F,
    ) -> Result<T, DbErr>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        match query(pool).await {
            Err(error) if self.record_if_lost(&error).await => {
                self.losses().record_retry();
                Box::pin(query(pool)).await
            }
            answer => answer,
        }
    }

    /// Runs a write on a connection of the general pool, with a timeout. If the connection is lost, the outcome is
    /// unknown, and the write is not repeated.
    pub(crate) async fn write<T>(&self, write: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
        let write = Box::pin(write);
        let outcome = async {
            let outcome = write.await;
            if let Err(error) = &outcome {
                self.record_if_lost(error).await;
            }
            outcome
        };
        self.run_statement(outcome).await
    }

    /// Runs one statement on a general pool, with a timeout.
    ///
    /// # Errors
    /// [`StoreErrorKind::Unavailable`](parlance_domain::error::StoreErrorKind) where the database files are no longer
    /// those that were opened, whatever the outcome of the statement; else the error of the statement.
    pub(crate) async fn run_statement<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, StoreError> {
        self.files.verify_if_displaced()?;
        let outcome = statement_with_timeout(statement).await;
        self.files.verify()?;
        outcome
    }

    /// Whether the error means that a connection is lost. A loss makes every pool replace its older connections. After
    /// a loss, or a failure to connect, looks for a server again where the URL leaves a choice.
    async fn record_if_lost(&self, error: &DbErr) -> bool {
        let lost = sqlx_error(error).is_some_and(is_connection_lost);
        if lost {
            self.losses().record();
        }
        if let Some(servers) = self.servers()
            && (lost || matches!(error, DbErr::ConnectionAcquire(_)))
        {
            servers.select_host().await;
        }
        lost
    }
}
