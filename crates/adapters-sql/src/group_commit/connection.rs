//! The connection of a writer: opened when it is needed, kept while it is sound.

use std::{
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use sea_orm::sqlx::{self, Connection, postgres::PgConnection};
use tokio::time::timeout;

use crate::{
    error::{CALL_TIMEOUT, Failure},
    postgres::{CHECK_WRITER_AFTER, ConnectionLosses, Servers, is_cut},
};

/// What a connection answers.
pub(super) type Answer<'asked, T> = Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'asked>>;

/// How long one statement may wait for locks, and how long it may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatementLimits {
    pub(super) lock: Duration,
    pub(super) statement: Duration,
}

/// A connection that writes.
#[derive(Debug)]
pub(super) struct WriterConnection {
    servers: Servers,
    losses: ConnectionLosses,
    /// None before the first write, and after one that failed midway.
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    connection: PgConnection,
    opened: Instant,
    used: Instant,
}

impl WriterConnection {
    /// A connection to one of these servers, whose statements are held to these limits. It is opened when it is needed.
    pub(super) fn new(servers: &Servers, losses: ConnectionLosses, limits: StatementLimits) -> Self {
        let limits = [("lock_timeout", limits.lock), ("statement_timeout", limits.statement)];
        let limits = limits.map(|(name, limit)| (name, limit.as_millis()));
        Self { servers: servers.with(|host| host.options(limits)), losses, kept: None }
    }

    /// Another connection to the same server.
    pub(super) fn another(&self, limits: StatementLimits) -> Self {
        Self::new(&self.servers, self.losses.clone(), limits)
    }

    pub(super) fn is_open(&self) -> bool {
        self.kept.is_some()
    }

    pub(super) async fn close(&mut self) {
        if let Some(kept) = self.kept.take() {
            // Everything is written; whether the server hears of the end makes no difference.
            let _ = kept.connection.close().await;
        }
    }

    /// Asks the connection, or a new one where there is none or the kept one is lost, within the time that a call may
    /// take. The connection is kept where it is neither lost nor left midway.
    pub(super) async fn ask<Given: ?Sized, T>(
        &mut self,
        given: &Given,
        ask: impl for<'asked> Fn(&'asked mut PgConnection, &'asked Given) -> Answer<'asked, T>,
    ) -> Result<T, Failure> {
        let kept = self.kept.take();
        let asked = timeout(CALL_TIMEOUT, async {
            let mut kept = self.usable(kept).await?;
            let answer = ask(&mut kept.connection, given).await;
            Ok::<_, sqlx::Error>((kept, answer))
        });
        let (kept, answer) = asked.await.map_err(|_| Failure::untold())??;
        if answer.as_ref().is_err_and(is_cut) {
            self.losses.record();
        } else {
            self.kept = Some(Kept { used: Instant::now(), ..kept });
        }
        Ok(answer?)
    }

    /// The kept connection where the server still answers on it, else a new one. Nothing has been sent by then, so that
    /// no write is in doubt.
    async fn usable(&self, kept: Option<Kept>) -> Result<Kept, sqlx::Error> {
        if let Some(mut kept) = kept {
            let (age, idle) = (kept.opened.elapsed(), kept.used.elapsed());
            if self.losses.spare(&mut kept.connection, age, idle, CHECK_WRITER_AFTER).await {
                return Ok(kept);
            }
        }
        let connection = self.servers.connect().await?;
        Ok(Kept { connection, opened: Instant::now(), used: Instant::now() })
    }
}
