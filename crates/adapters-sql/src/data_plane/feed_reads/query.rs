//! Runs a statement on either database and collects its rows.

use parlance_domain::error::StoreError;

use crate::{
    Database,
    data_plane::feed_reads::{literals::inline_params, param::Param},
    database::NativeReader,
    error::ReadError,
    row::Row,
};

/// Runs a statement, and decodes each of its rows with `restore`.
pub(super) async fn query_all<T: Send + 'static>(
    database: &Database,
    sql: String,
    params: Vec<Param>,
    restore: impl Fn(&dyn Row) -> Result<T, ReadError> + Send + Sync + 'static,
) -> Result<Vec<T>, StoreError> {
    let add = move |row: &dyn Row, decoded: &mut Vec<T>| {
        decoded.push(restore(row)?);
        Ok(())
    };
    fold_rows(database, sql, params, add).await
}

/// Runs a statement, and folds its rows with `add` into one value that starts as the default.
pub(super) async fn fold_rows<T: Default + Send + 'static>(
    database: &Database,
    sql: String,
    params: Vec<Param>,
    add: impl Fn(&dyn Row, &mut T) -> Result<(), ReadError> + Send + Sync + 'static,
) -> Result<T, StoreError> {
    match database.native_reader() {
        NativeReader::Sqlite(readers) => {
            let read = move |connection: &rusqlite::Connection| {
                let mut statement = connection.prepare_cached(&sql)?;
                let mut rows = statement.query(rusqlite::params_from_iter(&params))?;
                let mut result = T::default();
                while let Some(row) = rows.next()? {
                    add(row, &mut result)?;
                }
                Ok(result)
            };
            readers.read_blocking(read).await
        }
        NativeReader::Postgres(pools) => {
            pools.copy(&inline_params(&sql, &params)?, |row, result| add(row, result)).await
        }
    }
}
