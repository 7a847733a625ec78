//! The servers of a PostgreSQL URL, and failover between them.
//!
//! As in PostgreSQL's own client library, a URL may name several hosts (`postgres://user@one:5432,two:5432/name`), and
//! `target_session_attrs=read-write` accepts only a writable server. All pools of a database use the host that accepted
//! a connection last. When a connection to it fails, the other hosts are tried in order.

use std::{
    io,
    str::FromStr,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use sea_orm::sqlx::{
    self, Connection, PgPool,
    postgres::{PgConnectOptions, PgConnection},
    query_scalar,
};
use tokio::time::timeout;

/// Timeout of a connection to one of several hosts.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(450);

/// The URL parameter that says which servers are accepted.
const TARGET_PARAMETER: &str = "target_session_attrs";

/// The hosts of one URL. Clones share the current host.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    hosts: Arc<[PgConnectOptions]>,
    requires_writable: bool,
    selection: Arc<Selection>,
}

#[derive(Debug, Default)]
struct Selection {
    /// The index of the current host: the one that accepted a connection last.
    index: AtomicUsize,
    changes: AtomicU64,
    connections: AtomicU64,
    /// The pool that opens its own connections, and its options for each host.
    pool: OnceLock<(PgPool, Arc<[PgConnectOptions]>)>,
}

impl Servers {
    /// Parses a URL, and adds options to each of its hosts.
    ///
    /// # Errors
    /// Where the URL or one of its parameters is invalid.
    pub(crate) fn parse(
        url: &str,
        with_options: impl Fn(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Self, sqlx::Error> {
        let (url, requires_writable) = split_target(url)?;
        let hosts = single_hosts(&url).map(|url| Ok(with_options(PgConnectOptions::from_str(&url)?)));
        let hosts = hosts.collect::<Result<_, sqlx::Error>>()?;
        Ok(Self { hosts, requires_writable, selection: Arc::default() })
    }

    /// The same servers with other options, sharing the current host.
    pub(crate) fn with_options(&self, options: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        Self { hosts: self.hosts.iter().cloned().map(options).collect(), ..self.clone() }
    }

    pub(crate) fn hosts(&self) -> &[PgConnectOptions] {
        &self.hosts
    }

    pub(crate) fn requires_writable(&self) -> bool {
        self.requires_writable
    }

    /// Counts a connection that was opened.
    pub(crate) fn record_connection(&self) {
        self.selection.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of connections that were opened.
    pub(crate) fn connections(&self) -> u64 {
        self.selection.connections.load(Ordering::Relaxed)
    }

    /// How often the current host has changed.
    pub(crate) fn changes(&self) -> u64 {
        self.selection.changes.load(Ordering::Relaxed)
    }

    /// Whether there is a choice of servers. Without one, no search is made.
    fn has_choice(&self) -> bool {
        self.requires_writable || self.hosts.len() > 1
    }

    /// The options of the current host.
    pub(crate) fn current(&self) -> Option<&PgConnectOptions> {
        self.hosts.get(self.selection.index.load(Ordering::Relaxed))
    }

    /// Makes a pool open its new connections to the current host, whenever that changes.
    pub(crate) fn attach_pool(&self, pool: &PgPool) {
        // A database has one such pool.
        let _ = self.selection.pool.set((pool.clone(), Arc::clone(&self.hosts)));
    }

    /// Looks for an accepted server if the URL leaves a choice. Returns whether one was found.
    pub(crate) async fn select_host(&self) -> bool {
        self.has_choice() && self.connect().await.is_ok()
    }

    /// Connects to the first host that accepts a connection, beginning with the current host.
    ///
    /// # Errors
    /// The error of the last host.
    pub(crate) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let first = self.selection.index.load(Ordering::Relaxed);
        let mut last_error = io::Error::other("the URL names no host").into();
        for index in (first..self.hosts.len()).chain(0..first) {
            let Some(host) = self.hosts.get(index) else { continue };
            if !self.has_choice() {
                return Box::pin(self.connect_to(host)).await;
            }
            match timeout(CONNECT_TIMEOUT, Box::pin(self.connect_to(host))).await {
                Ok(Ok(connection)) => {
                    self.set_current(index);
                    return Ok(connection);
                }
                Ok(Err(error)) => last_error = error,
                Err(_) => last_error = io::Error::from(io::ErrorKind::TimedOut).into(),
            }
        }
        Err(last_error)
    }

    async fn connect_to(&self, host: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
        let mut connection = PgConnection::connect_with(host).await?;
        self.record_connection();
        if self.requires_writable {
            ensure_writable(&mut connection).await?;
        }
        Ok(connection)
    }

    fn set_current(&self, index: usize) {
        if self.selection.index.swap(index, Ordering::Relaxed) == index {
            return;
        }
        self.selection.changes.fetch_add(1, Ordering::Relaxed);
        if let Some((pool, hosts)) = self.selection.pool.get()
            && let Some(host) = hosts.get(index)
        {
            pool.set_connect_options(host.clone());
        }
    }
}

/// Fails if the server is read-only, as a standby is.
pub(crate) async fn ensure_writable(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let read_only: String = query_scalar("SHOW transaction_read_only").fetch_one(connection).await?;
    if read_only == "off" { Ok(()) } else { Err(io::Error::other("the server is read-only").into()) }
}

/// Splits a URL into the URL without [`TARGET_PARAMETER`], and whether that parameter requires a writable server.
fn split_target(url: &str) -> Result<(String, bool), sqlx::Error> {
    let Some((address, parameters)) = url.split_once('?') else { return Ok((url.to_owned(), false)) };
    let (mut kept, mut requires_writable) = (Vec::new(), false);
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some((TARGET_PARAMETER, "read-write" | "primary")) => requires_writable = true,
            Some((TARGET_PARAMETER, "any")) => {}
            Some((TARGET_PARAMETER, _)) => {
                return Err(sqlx::Error::Configuration(
                    "target_session_attrs must be any, read-write or primary".into(),
                ));
            }
            _ => kept.push(parameter),
        }
    }
    let parameters = kept.join("&");
    let separator = if parameters.is_empty() { "" } else { "?" };
    Ok((format!("{address}{separator}{parameters}"), requires_writable))
}

/// One URL for each host of a URL.
fn single_hosts(url: &str) -> impl Iterator<Item = String> {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?']).map_or(url.len(), |at| start + at);
    let hosts = url[start..end].rfind('@').map_or(start, |at| start + at + 1);
    let (before, after) = (&url[..hosts], &url[end..]);
    url[hosts..end].split(',').map(move |host| format!("{before}{host}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(url: &str) -> Vec<(String, u16)> {
        let servers = Servers::parse(url, |options| options).unwrap();
        servers.hosts().iter().map(|host| (host.get_host().to_owned(), host.get_port())).collect()
    }

    #[test]
    fn a_url_may_name_several_hosts_each_with_its_port() {
        let named = hosts("postgres://parlance:a,b@one.internal:5433,two.internal,[::1]:5434/name?sslmode=require");
        let expected = [("one.internal", 5433), ("two.internal", 5432), ("[::1]", 5434)];
        assert_eq!(named, expected.map(|(host, port)| (host.to_owned(), port)));
    }

    #[test]
    fn a_url_of_one_host_names_that_host() {
        assert_eq!(hosts("postgres://parlance@db.internal/name"), [("db.internal".to_owned(), 5432)]);
        assert_eq!(hosts("postgres:///name?host=db.internal"), [("db.internal".to_owned(), 5432)]);
    }

    #[test]
    fn a_change_to_another_host_is_counted_once() {
        let servers = Servers::parse("postgres://one,two/name", |options| options).unwrap();
        servers.set_current(1);
        servers.set_current(1);
        assert_eq!(servers.changes(), 1);
    }

    #[test]
    fn a_parameter_requires_a_writable_server() {
        let requires = |parameters| {
            let servers = Servers::parse(&format!("postgres://one,two/name{parameters}"), |options| options);
            servers.map(|servers| servers.requires_writable())
        };
        assert!(!requires("").unwrap());
        assert!(!requires("?target_session_attrs=any").unwrap());
        assert!(requires("?sslmode=require&target_session_attrs=read-write").unwrap());
        assert!(requires("?target_session_attrs=primary&sslmode=require").unwrap());
        assert!(requires("?target_session_attrs=standby").is_err());
    }
}
