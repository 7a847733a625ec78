//! The deep check on PostgreSQL: the server's own tools check the structure, and the service's decoders check the rows.

use parlance_domain::error::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, Statement, TransactionTrait};

use super::{
    ContentReport,
    decoders::{DECODED_TABLES, Decoder},
    deep::SAMPLE_ROWS,
};
use crate::{
    Database,
    data_plane::feed_reads::fold_rows,
    error::{DbError, ReadError},
};

const SHOW_CHECKSUMS: &str = "SELECT current_setting('data_checksums')";

const SELECT_INVALID: &str = "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
    UNION ALL SELECT conname::text FROM pg_constraint
    WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1";

const SELECT_AMCHECK: &str = "SELECT extname::text FROM pg_extension WHERE extname = 'amcheck'";

/// The indexes that `amcheck` can check, without those of temporary and unlogged tables.
const SELECT_INDEXES: &str = "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_am a ON a.oid = c.relam
    WHERE c.relkind = 'i' AND a.amname = 'btree' AND c.relpersistence = 'p'
    AND c.relnamespace = current_schema()::regnamespace ORDER BY 1";

const CHECK_INDEX: &str = "SELECT bt_index_check($1::regclass)::text";

impl Database {
    pub(super) async fn check_postgres(&self) -> Result<ContentReport, StoreError> {
        let mut report = ContentReport::default();
        if self.first_column(SHOW_CHECKSUMS).await?.iter().all(|setting| setting == "off") {
            report.notes.push("data checksums are off: `pg_checksums --enable` on the stopped server".into());
        }
        let invalid = self.first_column(SELECT_INVALID).await?;
        report.faults.extend(invalid.iter().map(|name| format!("{name} is not valid: REINDEX or VALIDATE it").into()));
        self.check_indexes(&mut report).await?;
        for (table, key) in DECODED_TABLES {
            report.tables += 1;
            self.decode_sample(table, key, &mut report).await?;
        }
        Ok(report)
    }

    async fn check_indexes(&self, report: &mut ContentReport) -> Result<(), StoreError> {
        if self.first_column(SELECT_AMCHECK).await?.is_empty() {
            report.notes.push("indexes are not checked: CREATE EXTENSION amcheck, or run pg_amcheck".into());
            return Ok(());
        }
        for index in self.first_column(SELECT_INDEXES).await? {
            let fault = self.check_index(&index).await?;
            report.faults.extend(fault.map(|fault| format!("{index}: {fault}").into()));
        }
        Ok(())
    }

    /// The fault of an index, if any. The check runs without a statement timeout.
    async fn check_index(&self, index: &str) -> Result<Option<String>, StoreError> {
        let transaction = self.reader().begin().await.map_err(DbError::from)?;
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await.map_err(DbError::from)?;
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, CHECK_INDEX, [index.into()]);
        let fault = transaction.query_all_raw(statement).await.err();
        transaction.rollback().await.map_err(DbError::from)?;
        Ok(fault.map(|error| ReadError::from(StoreError::from(DbError::from(error))).reason()))
    }

    /// Decodes rows from both ends of a table.
    async fn decode_sample(
        &self,
        table: &'static str,
        key: &str,
        report: &mut ContentReport,
    ) -> Result<(), StoreError> {
        let Some(decoder) = Decoder::for_table(table) else { return Ok(()) };
        for order in [key.to_owned(), format!("{} DESC", key.replace(", ", " DESC, "))] {
            let sql = format!("SELECT {} FROM {table} ORDER BY {order} LIMIT {SAMPLE_ROWS}", decoder.columns);
            let decode = decoder.decode;
            let rows = fold_rows(self, sql, Vec::new(), move |row, (rows, faults): &mut (u64, Vec<Box<str>>)| {
                *rows += 1;
                if let Err(error) = decode(row) {
                    faults.push(format!("{table} cannot be decoded: {}", error.reason()).into());
                }
                Ok(())
            });
            let (rows, faults) = rows.await?;
            report.rows += rows;
            report.faults.extend(faults);
        }
        Ok(())
    }

    /// The first column of the rows of a statement.
    async fn first_column(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let rows = self.reader().query_all_raw(statement).await.map_err(DbError::from)?;
        rows.iter().map(|row| Ok(row.try_get_by_index(0).map_err(DbError::from)?)).collect()
    }
}
