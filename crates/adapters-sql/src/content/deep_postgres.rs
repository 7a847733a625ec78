//! The check on PostgreSQL: its own tools for structure, and the service's decoders for rows.

use parlance_domain::error::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, Statement, TransactionTrait};

use super::{
    ContentReport,
    decoders::{DECODED, Decoder},
    deep::SAMPLE,
};
use crate::{
    Database,
    error::{Failure, Unread},
    feed_source::gather,
};

const CHECKSUMS: &str = "SELECT current_setting('data_checksums')";

const INVALID: &str = "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
    UNION ALL SELECT conname::text FROM pg_constraint
    WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1";

const AMCHECK: &str = "SELECT extname::text FROM pg_extension WHERE extname = 'amcheck'";

/// The indexes that `amcheck` knows. Those of temporary and unlogged tables are not here.
const INDEXES: &str = "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_am a ON a.oid = c.relam
    WHERE c.relkind = 'i' AND a.amname = 'btree' AND c.relpersistence = 'p'
    AND c.relnamespace = current_schema()::regnamespace ORDER BY 1";

const CHECK_INDEX: &str = "SELECT bt_index_check($1::regclass)::text";

impl Database {
    pub(super) async fn check_postgres(&self) -> Result<ContentReport, StoreError> {
        let mut report = ContentReport::default();
        if self.texts(CHECKSUMS).await?.iter().all(|setting| setting == "off") {
            report.notes.push("data checksums are off: `pg_checksums --enable` on the stopped server".into());
        }
        let invalid = self.texts(INVALID).await?;
        report.faults.extend(invalid.iter().map(|name| format!("{name} is not valid: REINDEX or VALIDATE it").into()));
        self.check_indexes(&mut report).await?;
        for (table, key) in DECODED {
            report.tables += 1;
            self.decode_sample(table, key, &mut report).await?;
        }
        Ok(report)
    }

    async fn check_indexes(&self, report: &mut ContentReport) -> Result<(), StoreError> {
        if self.texts(AMCHECK).await?.is_empty() {
            report.notes.push("indexes are not checked: CREATE EXTENSION amcheck, or run pg_amcheck".into());
            return Ok(());
        }
        for index in self.texts(INDEXES).await? {
            let fault = self.check_index(&index).await?;
            report.faults.extend(fault.map(|fault| format!("{index}: {fault}").into()));
        }
        Ok(())
    }

    /// What is wrong with an index, if something is. To look takes as long as it takes.
    async fn check_index(&self, index: &str) -> Result<Option<String>, StoreError> {
        let transaction = self.reader().begin().await.map_err(Failure::from)?;
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await.map_err(Failure::from)?;
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, CHECK_INDEX, [index.into()]);
        let fault = transaction.query_all_raw(statement).await.err();
        transaction.rollback().await.map_err(Failure::from)?;
        Ok(fault.map(|error| Unread::from(StoreError::from(Failure::from(error))).reason()))
    }

    /// Decodes rows from both ends of a table.
    async fn decode_sample(
        &self,
        table: &'static str,
        key: &str,
        report: &mut ContentReport,
    ) -> Result<(), StoreError> {
        let Some(decoder) = Decoder::of(table) else { return Ok(()) };
        for order in [key.to_owned(), format!("{} DESC", key.replace(", ", " DESC, "))] {
            let sql = format!("SELECT {} FROM {table} ORDER BY {order} LIMIT {SAMPLE}", decoder.columns);
            let decode = decoder.decode;
            let rows = gather(self, sql, Vec::new(), move |row, (rows, faults): &mut (u64, Vec<Box<str>>)| {
                *rows += 1;
                if let Err(unread) = decode(row) {
                    faults.push(format!("{table} cannot be decoded: {}", unread.reason()).into());
                }
                Ok(())
            });
            let (rows, faults) = rows.await?;
            report.rows += rows;
            report.faults.extend(faults);
        }
        Ok(())
    }

    /// The first column of a statement's rows.
    async fn texts(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let rows = self.reader().query_all_raw(statement).await.map_err(Failure::from)?;
        rows.iter().map(|row| Ok(row.try_get_by_index(0).map_err(Failure::from)?)).collect()
    }
}
