//! Work on the general pool of connections, and what becomes of it where its connection turns out to be lost.

use std::future::Future;

use parlance_domain::error::StoreError;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};

use crate::{
    Database,
    database::begin,
    error::{call, is_lost},
};

impl Database {
    /// Begins a transaction that writes. On SQLite it waits for its turn here, at its beginning, since one that reads
    /// first and writes later can fail in between. Where the connection turns out to be lost, nothing has been written, and
    /// the transaction is begun on a new one.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        match begin(self.writer()).await {
            Err(error) if self.has_lost(&error) => Box::pin(begin(self.writer())).await,
            begun => begun,
        }
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
        self.read_from(self.reader(), query).await
    }

    /// [`read`](Self::read), on the connections of this pool.
    pub(crate) async fn read_from<'db, T, F>(
        &'db self,
        pool: &'db DatabaseConnection,
        query: impl Fn(&'db DatabaseConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let answer = async {
            match query(pool).await {
                Err(error) if self.has_lost(&error) => query(pool).await,
                answer => answer,
            }
        };
        call(answer).await
    }

    /// Runs a change on a connection of the general pool. Where the connection turns out to be lost, it is not known
    /// whether the change landed, and it is not made again. Bounded in time.
    pub(crate) async fn change<T>(&self, change: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
        let change = Box::pin(change);
        let outcome = async {
            change.await.inspect_err(|error| {
                self.has_lost(error);
            })
        };
        call(outcome).await
    }

    /// Whether a failure is the loss of a connection, which then holds for all connections of before.
    fn has_lost(&self, error: &DbErr) -> bool {
        let lost = is_lost(error);
        if lost {
            self.losses().record();
        }
        lost
    }
}
