//! The servers of a PostgreSQL URL, and failover between them.
//!
//! As in PostgreSQL's own client library, a URL may name several hosts (`postgres://user@one:5432,two:5432/name`), and
//! `target_session_attrs=read-write` accepts only a writable server. All pools of a database use the host that accepted
//! a connection last. When a connection to it fails, the other hosts are tried in order. When the host changes, all
//! pools replace their connections to the old one.

use std::{
    fmt::{self, Debug},
    io,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use sea_orm::sqlx::{
    self, Connection, PgPool,
    postgres::{PgConnectOptions, PgConnection},
};
use tokio::time::{sleep, timeout};

use super::{
    address::{Hosts, address, parse_hosts},
    connection_losses::ConnectionLosses,
    current_host::{CurrentHost, Search},
    session::{SessionSettings, ensure_writable},
};
use crate::error::driver_message;

/// Timeout of a connection to one of several hosts.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(450);

/// Timeout of a check. A connection to a host that is gone gives no error, only silence.
const CHECK_TIMEOUT: Duration = Duration::from_millis(500);

/// The pause between two attempts of a search.
const SEARCH_PAUSE: Duration = Duration::from_millis(100);

/// The hosts of one URL. Clones share the current host and the record of lost connections.
#[derive(Clone)]
pub(crate) struct Servers {
    hosts: Arc<[PgConnectOptions]>,
    session: SessionSettings,
    requires_writable: bool,
    current_host: Arc<CurrentHost>,
    losses: ConnectionLosses,
}

/// The options of a host hold its password.
impl Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.hosts.iter().map(address)).finish()
    }
}

impl Servers {
    /// Parses a URL, and adds options to each of its hosts.
    ///
    /// # Errors
    /// If the URL or one of its parameters is invalid.
    pub(crate) fn parse(
        url: &str,
        session: SessionSettings,
        with_options: impl Fn(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Self, sqlx::Error> {
        let Hosts { hosts, requires_writable } = parse_hosts(url)?;
        let hosts = hosts.into_iter().map(with_options).collect();
        let (current_host, losses) = (Arc::default(), ConnectionLosses::default());
        Ok(Self { hosts, session, requires_writable, current_host, losses })
    }

    /// The same servers with other settings of the sessions.
    pub(crate) fn with_settings(&self, settings: &[(&'static str, String)]) -> Self {
        Self { session: self.session.with(settings), ..self.clone() }
    }

    pub(crate) fn hosts(&self) -> &[PgConnectOptions] {
        &self.hosts
    }

    pub(crate) fn requires_writable(&self) -> bool {
        self.requires_writable
    }

    pub(crate) fn losses(&self) -> &ConnectionLosses {
        &self.losses
    }

    /// The number of connections that were opened.
    pub(crate) fn connections(&self) -> u64 {
        self.current_host.opened_connections.load(Ordering::Relaxed)
    }

    /// How often the current host has changed.
    pub(crate) fn changes(&self) -> u64 {
        self.current_host.host_changes.load(Ordering::Relaxed)
    }

    /// Whether there is a choice of servers. Without one, no search is made.
    fn has_choice(&self) -> bool {
        self.requires_writable || self.hosts.len() > 1
    }

    /// The options of the current host.
    pub(crate) fn current(&self) -> Option<&PgConnectOptions> {
        self.hosts.get(self.current_host.index.load(Ordering::Relaxed))
    }

    /// Makes a pool open its new connections to the current host, whenever that changes.
    pub(crate) fn attach_pool(&self, pool: &PgPool) {
        // A database has one such pool.
        let _ = self.current_host.pool.set(pool.clone());
    }

    /// Looks for an accepted server if the URL leaves a choice, and returns after one attempt. Calls at the same time
    /// share one search, which goes on in the background until a server is found or the pool is closed.
    pub(crate) async fn select_host(&self) {
        if !self.has_choice() {
            return;
        }
        let mut attempts = self.current_host.attempts.subscribe();
        if let Some(search) = Search::begin(&self.current_host) {
            tokio::spawn(self.clone().search(search));
        }
        // The sender lives as long as these servers.
        let _ = attempts.changed().await;
    }

    /// The general pool waits for a connection with the options of the current host. So it depends on this search.
    async fn search(self, search: Search) {
        loop {
            let found = self.connect().await;
            search.wake_waiters();
            if let Ok(connection) = found {
                // Only the choice of the host matters.
                let _ = connection.close().await;
                return;
            }
            if self.current_host.pool.get().is_none_or(PgPool::is_closed) {
                return;
            }
            sleep(SEARCH_PAUSE).await;
        }
    }

    /// Connects to the first host that accepts a connection, beginning with the current host.
    ///
    /// # Errors
    /// The error of the host; if there are several, an error with the reason of each.
    pub(crate) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        if let [host] = &*self.hosts
            && !self.has_choice()
        {
            return Box::pin(self.connect_to(host)).await;
        }
        let first = self.current_host.index.load(Ordering::Relaxed);
        let mut reasons = Vec::new();
        for index in (first..self.hosts.len()).chain(0..first) {
            let Some(host) = self.hosts.get(index) else { continue };
            let reason = match timeout(CONNECT_TIMEOUT, Box::pin(self.connect_to(host))).await {
                Ok(Ok(connection)) => {
                    self.set_current(index);
                    return Ok(connection);
                }
                Ok(Err(error)) => driver_message(&error),
                Err(_) => format!("no answer within {} ms", CONNECT_TIMEOUT.as_millis()),
            };
            reasons.push(format!("{}: {reason}", address(host)));
        }
        Err(io::Error::other(reasons.join("; ")).into())
    }

    async fn connect_to(&self, host: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
        let mut connection = PgConnection::connect_with(host).await?;
        self.begin_session(&mut connection).await?;
        Ok(connection)
    }

    /// Begins the session of a new connection.
    ///
    /// # Errors
    /// The error of the server; also if only a writable server is accepted and the server is read-only.
    pub(crate) async fn begin_session(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        self.current_host.opened_connections.fetch_add(1, Ordering::Relaxed);
        self.session.apply(connection, self.requires_writable).await
    }

    /// Waits for the answer of a server on a connection whose use has ended, perhaps in the middle of a statement.
    /// Without a timeout, the general pool waits for a host that is gone until the system gives up, which takes minutes,
    /// and lends the connection to nobody.
    ///
    /// # Errors
    /// If the server does not answer in time.
    pub(crate) async fn ensure_answer(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        timeout(CHECK_TIMEOUT, connection.ping()).await.unwrap_or_else(|_| {
            self.losses.record_silence();
            Err(io::Error::from(io::ErrorKind::TimedOut).into())
        })
    }

    /// Whether an idle connection may be used. No loss may have been recorded since it was opened, `age` ago. If it was
    /// `idle` for `check_after` or longer, or if the server has been silent since its last use, the server must also
    /// answer on it, and accept writes if that is required; otherwise that is a loss.
    pub(crate) async fn is_usable(
        &self,
        connection: &mut PgConnection,
        age: Duration,
        idle: Duration,
        check_after: Duration,
    ) -> bool {
        if self.losses.has_loss_within(age) {
            return false;
        }
        if idle < check_after && !self.losses.has_silence_within(idle) {
            return true;
        }
        let check =
            async { if self.requires_writable { ensure_writable(connection).await } else { connection.ping().await } };
        let is_usable = matches!(timeout(CHECK_TIMEOUT, check).await, Ok(Ok(())));
        if !is_usable {
            self.losses.record();
        }
        is_usable
    }

    fn set_current(&self, index: usize) {
        if self.current_host.index.swap(index, Ordering::Relaxed) == index {
            return;
        }
        self.current_host.host_changes.fetch_add(1, Ordering::Relaxed);
        self.losses.replace_all();
        if let (Some(pool), Some(host)) = (self.current_host.pool.get(), self.hosts.get(index)) {
            pool.set_connect_options(host.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(url: &str) -> Servers {
        Servers::parse(url, SessionSettings::new(&[]), |options| options).unwrap()
    }

    #[test]
    fn a_change_to_another_host_is_counted_once() {
        let servers = servers("postgres://one,two/name");
        servers.set_current(1);
        servers.set_current(1);
        assert_eq!(servers.changes(), 1);
    }

    #[test]
    fn a_change_to_another_host_replaces_the_connections_to_the_old_one() {
        let servers = servers("postgres://one,two/name");
        servers.set_current(0);
        assert!(!servers.losses().has_loss_within(Duration::from_secs(1)));
        servers.set_current(1);
        assert!(servers.losses().has_loss_within(Duration::from_secs(1)));
        assert_eq!(servers.losses().count(), 0);
    }

    #[test]
    fn the_debug_text_has_no_password() {
        assert_eq!(format!("{:?}", servers("postgres://u:hush@one,two/name")), r#"["one:5432", "two:5432"]"#);
    }

    #[tokio::test]
    async fn the_error_of_several_hosts_has_the_reason_of_each_and_no_password() {
        let error = servers("postgres://u:hush@127.0.0.1:1,127.0.0.1:2/name").connect().await.unwrap_err();
        let message = error.to_string();
        assert!(message.contains("127.0.0.1:1: ") && message.contains("127.0.0.1:2: "), "{message}");
        assert!(!message.contains("hush"), "{message}");
    }
}
