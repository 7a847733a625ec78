//! The servers that an address of PostgreSQL names, and which of them is connected to.
//!
//! As with the server's own client library, an address may name several hosts (`postgres://user@one:5432,two:5432/name`),
//! and `target_session_attrs=read-write` accepts only a server that takes writes. All pools of a database go to the host
//! that was found last; when a connection to it fails, the others are tried in their order.

use std::{
    io,
    str::FromStr,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sea_orm::sqlx::{
    self, Connection, PgPool,
    postgres::{PgConnectOptions, PgConnection},
    query_scalar,
};
use tokio::time::timeout;

/// How long one of several hosts may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(450);

/// The parameter of an address that says which servers are accepted.
const TARGET: &str = "target_session_attrs";

/// The hosts of one address. Cloning shares which of them is connected to.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    hosts: Arc<[PgConnectOptions]>,
    must_take_writes: bool,
    found: Arc<Found>,
}

#[derive(Debug, Default)]
struct Found {
    /// The place of the host that was connected to last.
    place: AtomicUsize,
    /// The pool that opens connections by itself, and what it is to open them with.
    pool: OnceLock<(PgPool, Arc<[PgConnectOptions]>)>,
}

impl Servers {
    /// Reads an address, and completes the options for each of its hosts.
    ///
    /// # Errors
    /// Where the address or one of its parameters cannot be read.
    pub(crate) fn read(
        url: &str,
        complete: impl Fn(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Self, sqlx::Error> {
        let (url, must_take_writes) = take_target(url)?;
        let hosts = single_hosts(&url).map(|url| Ok(complete(PgConnectOptions::from_str(&url)?)));
        let hosts = hosts.collect::<Result<_, sqlx::Error>>()?;
        Ok(Self { hosts, must_take_writes, found: Arc::default() })
    }

    /// The same servers, connected to with other options.
    pub(crate) fn with(&self, options: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        Self { hosts: self.hosts.iter().cloned().map(options).collect(), ..self.clone() }
    }

    pub(crate) fn hosts(&self) -> &[PgConnectOptions] {
        &self.hosts
    }

    pub(crate) fn must_take_writes(&self) -> bool {
        self.must_take_writes
    }

    /// Whether there is anything to choose: only then is a server looked for.
    fn are_chosen(&self) -> bool {
        self.must_take_writes || self.hosts.len() > 1
    }

    /// The options of the host that was found last.
    pub(crate) fn current(&self) -> Option<&PgConnectOptions> {
        self.hosts.get(self.found.place.load(Ordering::Relaxed))
    }

    /// Has a pool open its connections to the host that was found last, from now on.
    pub(crate) fn lead(&self, pool: &PgPool) {
        // There is one such pool in a database.
        let _ = self.found.pool.set((pool.clone(), Arc::clone(&self.hosts)));
    }

    /// Looks for a server that is accepted, where the address leaves a choice. Gives whether one was found.
    pub(crate) async fn find(&self) -> bool {
        self.are_chosen() && self.connect().await.is_ok()
    }

    /// Connects to the first host that accepts a connection, from the one that was found last on.
    ///
    /// # Errors
    /// That of the last host.
    pub(crate) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let first = self.found.place.load(Ordering::Relaxed);
        let mut refusal = io::Error::other("the address names no host").into();
        for place in (first..self.hosts.len()).chain(0..first) {
            let Some(host) = self.hosts.get(place) else { continue };
            if !self.are_chosen() {
                return Box::pin(PgConnection::connect_with(host)).await;
            }
            match timeout(CONNECT_TIMEOUT, Box::pin(self.connect_to(host))).await {
                Ok(Ok(connection)) => {
                    self.move_to(place);
                    return Ok(connection);
                }
                Ok(Err(error)) => refusal = error,
                Err(_) => refusal = io::Error::from(io::ErrorKind::TimedOut).into(),
            }
        }
        Err(refusal)
    }

    async fn connect_to(&self, host: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
        let mut connection = PgConnection::connect_with(host).await?;
        if self.must_take_writes {
            takes_writes(&mut connection).await?;
        }
        Ok(connection)
    }

    fn move_to(&self, place: usize) {
        if self.found.place.swap(place, Ordering::Relaxed) == place {
            return;
        }
        if let Some((pool, hosts)) = self.found.pool.get()
            && let Some(host) = hosts.get(place)
        {
            pool.set_connect_options(host.clone());
        }
    }
}

/// Fails where the server of a connection takes no writes, as a standby does not.
pub(crate) async fn takes_writes(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let read_only: String = query_scalar("SHOW transaction_read_only").fetch_one(connection).await?;
    if read_only == "off" { Ok(()) } else { Err(io::Error::other("the server takes no writes").into()) }
}

/// The address without its parameter [`TARGET`], and whether that asks for a server that takes writes.
fn take_target(url: &str) -> Result<(String, bool), sqlx::Error> {
    let Some((address, parameters)) = url.split_once('?') else { return Ok((url.to_owned(), false)) };
    let (mut kept, mut must_take_writes) = (Vec::new(), false);
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some((TARGET, "read-write" | "primary")) => must_take_writes = true,
            Some((TARGET, "any")) => {}
            Some((TARGET, _)) => {
                return Err(sqlx::Error::Configuration(
                    "target_session_attrs must be any, read-write or primary".into(),
                ));
            }
            _ => kept.push(parameter),
        }
    }
    let parameters = kept.join("&");
    let separator = if parameters.is_empty() { "" } else { "?" };
    Ok((format!("{address}{separator}{parameters}"), must_take_writes))
}

/// The address once for each of its hosts.
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
        let servers = Servers::read(url, |options| options).unwrap();
        servers.hosts().iter().map(|host| (host.get_host().to_owned(), host.get_port())).collect()
    }

    #[test]
    fn an_address_may_name_several_hosts_each_with_its_port() {
        let named = hosts("postgres://parlance:a,b@one.internal:5433,two.internal,[::1]:5434/name?sslmode=require");
        let expected = [("one.internal", 5433), ("two.internal", 5432), ("[::1]", 5434)];
        assert_eq!(named, expected.map(|(host, port)| (host.to_owned(), port)));
    }

    #[test]
    fn an_address_of_one_host_is_that_host() {
        assert_eq!(hosts("postgres://parlance@db.internal/name"), [("db.internal".to_owned(), 5432)]);
        assert_eq!(hosts("postgres:///name?host=db.internal"), [("db.internal".to_owned(), 5432)]);
    }

    #[test]
    fn a_server_that_takes_writes_is_asked_for_by_a_parameter() {
        let asks = |parameters| {
            let servers = Servers::read(&format!("postgres://one,two/name{parameters}"), |options| options);
            servers.map(|servers| servers.must_take_writes())
        };
        assert!(!asks("").unwrap());
        assert!(!asks("?target_session_attrs=any").unwrap());
        assert!(asks("?sslmode=require&target_session_attrs=read-write").unwrap());
        assert!(asks("?target_session_attrs=primary&sslmode=require").unwrap());
        assert!(asks("?target_session_attrs=standby").is_err());
    }
}
