//! Write transactions of the general pools.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

/// Begins a write transaction. On SQLite, the transaction takes the write lock at once.
pub(crate) async fn begin_write(writer: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let immediate = Some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions { sqlite_transaction_mode: immediate, ..TransactionOptions::default() };
    writer.begin_with_options(options).await
}
