//! The connection of a writer: opened on first use, and kept while it works.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use sea_orm::sqlx::{self, Connection, postgres::PgConnection};
use tokio::time::timeout;

use crate::{
    engine::postgres::{CHECK_WRITER_AFTER, Servers, WriterStats},
    error::{CALL_TIMEOUT, DbError, is_connection_lost},
};

/// The future of a query on a connection.
pub(crate) type QueryFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'a>>;

/// How long one statement may wait for locks, and how long it may run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatementLimits {
    pub(crate) lock: Duration,
    pub(crate) statement: Duration,
}

/// A write connection.
#[derive(Debug)]
pub(crate) struct WriterConnection {
    servers: Servers,
    stats: WriterStats,
    /// None before the first write, and after a write that failed midway.
    open: Option<OpenConnection>,
}

#[derive(Debug)]
struct OpenConnection {
    connection: PgConnection,
    opened_at: Instant,
    used_at: Instant,
    _open: Arc<()>,
}

impl WriterConnection {
    /// A connection to one of these servers, with these limits for its statements. It is opened on first use.
    pub(crate) fn new(servers: &Servers, stats: WriterStats, limits: StatementLimits) -> Self {
        let limits = [("lock_timeout", limits.lock), ("statement_timeout", limits.statement)];
        let limits = limits.map(|(name, limit)| (name, limit.as_millis().to_string()));
        Self { servers: servers.with_settings(&limits), stats, open: None }
    }

    /// Another connection to the same servers, with other limits.
    pub(crate) fn with_limits(&self, limits: StatementLimits) -> Self {
        Self::new(&self.servers, self.stats.clone(), limits)
    }

    pub(super) fn stats(&self) -> &WriterStats {
        &self.stats
    }

    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(crate) async fn close(&mut self) {
        if let Some(open) = self.open.take() {
            // Every write has ended, so a failure to close in order loses nothing.
            let _ = open.connection.close().await;
        }
    }

    /// Runs a query on the open connection with a timeout. Opens a new connection if there is none, or it is lost. The
    /// connection is kept unless it is lost or was left midway.
    pub(crate) async fn run<Input: ?Sized, T>(
        &mut self,
        input: &Input,
        query: impl for<'a> Fn(&'a mut PgConnection, &'a Input) -> QueryFuture<'a, T>,
    ) -> Result<T, DbError> {
        let open = self.open.take();
        let outcome = timeout(CALL_TIMEOUT, async {
            let mut open = self.reuse_or_connect(open).await?;
            let _in_use = self.stats.count_in_use();
            let result = query(&mut open.connection, input).await;
            Ok::<_, sqlx::Error>((open, result))
        });
        let Ok(outcome) = outcome.await else {
            self.servers.losses().record_silence();
            return Err(DbError::outcome_unknown());
        };
        let (open, result) = outcome?;
        if result.as_ref().is_err_and(is_connection_lost) {
            self.servers.losses().record();
        } else {
            self.open = Some(OpenConnection { used_at: Instant::now(), ..open });
        }
        Ok(result?)
    }

    /// The open connection if the server still answers on it, else a new one. Nothing has been sent yet, so no write
    /// has an unknown outcome.
    async fn reuse_or_connect(&self, open: Option<OpenConnection>) -> Result<OpenConnection, sqlx::Error> {
        if let Some(mut open) = open {
            let (age, idle) = (open.opened_at.elapsed(), open.used_at.elapsed());
            if self.servers.is_usable(&mut open.connection, age, idle, CHECK_WRITER_AFTER).await {
                return Ok(open);
            }
        }
        let connection = self.servers.connect().await?;
        let open = self.stats.count_open();
        Ok(OpenConnection { connection, opened_at: Instant::now(), used_at: Instant::now(), _open: open })
    }
}
