//! The deep check on PostgreSQL: the server's own tools check the structure, and the service's decoders check the rows.

use parlance_domain::error::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, TransactionTrait};

use super::{
    ContentReport,
    decoders::{DECODED_TABLES, Decoder},
    deep::SAMPLE_ROWS,
};
use crate::{
    Database,
    error::{DbError, INSUFFICIENT_PRIVILEGE, db_err_message, sqlstate},
};

const SHOW_CHECKSUMS: &str = "SELECT current_setting('data_checksums')";

const SELECT_INVALID_INDEXES_AND_CONSTRAINTS: &str =
    "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
    UNION ALL SELECT conname::text FROM pg_constraint
    WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1";

const SELECT_AMCHECK_EXTENSION: &str = "SELECT extname::text FROM pg_extension WHERE extname = 'amcheck'";

/// The indexes that `amcheck` can check, without those of temporary and unlogged tables.
const SELECT_INDEXES: &str = "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_am a ON a.oid = c.relam
    JOIN pg_index i ON i.indexrelid = c.oid
    WHERE c.relkind = 'i' AND a.amname = 'btree' AND c.relpersistence = 'p' AND i.indisvalid
    AND c.relnamespace = current_schema()::regnamespace ORDER BY 1";

const CHECK_INDEX: &str = "SELECT bt_index_check($1::regclass)::text";

impl Database {
    pub(super) async fn check_postgres_content(&self) -> Result<ContentReport, StoreError> {
        let mut report = ContentReport::default();
        if self.first_column(SHOW_CHECKSUMS).await?.iter().all(|setting| setting == "off") {
            report.notes.push("data checksums are off: `pg_checksums --enable` on the stopped server".into());
        }
        let invalid = self.first_column(SELECT_INVALID_INDEXES_AND_CONSTRAINTS).await?;
        report.faults.extend(invalid.iter().map(|name| format!("{name} is not valid: REINDEX or VALIDATE it").into()));
        self.check_indexes(&mut report).await?;
        for (table, key) in DECODED_TABLES {
            report.tables += 1;
            self.decode_sample(table, key, &mut report).await?;
        }
        Ok(report)
    }

    async fn check_indexes(&self, report: &mut ContentReport) -> Result<(), StoreError> {
        if self.first_column(SELECT_AMCHECK_EXTENSION).await?.is_empty() {
            report.notes.push("indexes are not checked: CREATE EXTENSION amcheck, or run pg_amcheck".into());
            return Ok(());
        }
        for index in self.first_column(SELECT_INDEXES).await? {
            let Err(error) = self.check_index(&index).await? else { continue };
            if sqlstate(&error).is_some_and(|code| code == INSUFFICIENT_PRIVILEGE) {
                let advice = "as a superuser, GRANT EXECUTE ON FUNCTION bt_index_check(regclass) to this role";
                report.notes.push(format!("indexes are not checked: {advice}").into());
                return Ok(());
            }
            let reason = db_err_message(&error);
            if is_damage(&error) {
                report.faults.push(format!("{index}: {reason}").into());
            } else {
                report.notes.push(format!("{index} is not checked: {reason}").into());
            }
        }
        Ok(())
    }

    /// Checks an index without a statement timeout. The inner error is that of the check.
    async fn check_index(&self, index: &str) -> Result<Result<(), DbErr>, StoreError> {
        let transaction = self.reader().begin().await.map_err(DbError::from)?;
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await.map_err(DbError::from)?;
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, CHECK_INDEX, [index.into()]);
        let outcome = transaction.query_all_raw(statement).await;
        transaction.rollback().await.map_err(DbError::from)?;
        Ok(outcome.map(drop))
    }

    /// Decodes rows from both ends of a table. Where the ends overlap, each row is decoded once.
    async fn decode_sample(
        &self,
        table: &'static str,
        key: &str,
        report: &mut ContentReport,
    ) -> Result<(), StoreError> {
        let Some(decoder) = Decoder::for_table(table) else { return Ok(()) };
        let columns = decoder.columns;
        let last_of_first = format!("SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {}", SAMPLE_ROWS - 1);
        let descending = format!("ORDER BY {} DESC LIMIT {SAMPLE_ROWS}", key.replace(", ", " DESC, "));
        let first = format!("SELECT {columns} FROM {table} ORDER BY {key} LIMIT {SAMPLE_ROWS}");
        let last = if self.decode_rows(table, &decoder, first, report).await? {
            format!("SELECT {columns} FROM {table} WHERE ({key}) > ({last_of_first}) {descending}")
        } else {
            // The first end was not decoded, because of damage.
            format!("SELECT {columns} FROM {table} {descending}")
        };
        self.decode_rows(table, &decoder, last, report).await?;
        Ok(())
    }

    /// Decodes the rows of a statement. Returns whether the rows could be read: damage that prevents it is a fault.
    async fn decode_rows(
        &self,
        table: &str,
        decoder: &Decoder,
        sql: String,
        report: &mut ContentReport,
    ) -> Result<bool, StoreError> {
        let rows = match self.reader().query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await {
            Err(error) if is_damage(&error) => {
                let fault = format!("{table} cannot be read: {}", db_err_message(&error)).into();
                // Both ends of a table may meet the same damage.
                if !report.faults.contains(&fault) {
                    report.faults.push(fault);
                }
                return Ok(false);
            }
            outcome => outcome.map_err(DbError::from)?,
        };
        for row in rows.iter().filter_map(|row| row.try_as_pg_row()) {
            report.rows += 1;
            if let Err(error) = (decoder.decode)(row) {
                report.faults.push(format!("{table} cannot be decoded: {}", error.reason()).into());
            }
        }
        Ok(true)
    }

    /// The first column of the rows of a statement.
    async fn first_column(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let rows = self.reader().query_all_raw(statement).await.map_err(DbError::from)?;
        rows.iter().map(|row| Ok(row.try_get_by_index(0).map_err(DbError::from)?)).collect()
    }
}

/// Whether PostgreSQL could not read the content of the disk (manual of PostgreSQL, appendix A). Class 58: errors of the
/// system. Class XX: corrupt data and indexes, and other internal errors.
fn is_damage(error: &DbErr) -> bool {
    sqlstate(error).is_some_and(|code| code.starts_with("58") || code.starts_with("XX"))
}
