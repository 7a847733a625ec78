//! The hosts of a PostgreSQL URL, and the role of each.

use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::sqlx::{self, Connection, Row, postgres::PgConnectOptions, postgres::PgConnection, raw_sql};
use tokio::time::timeout;

use crate::{
    engine::{
        postgres::{self, Servers},
        sqlite::DatabaseLocation,
    },
    error::driver_message,
};

/// Timeout of the connection to a host and of its answer.
const HOST_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The start time tells servers apart that have one name, or several.
const ROLE: &str = "SELECT pg_is_in_recovery()::text, current_setting('transaction_read_only'),
    pg_postmaster_start_time()::text";

/// What a server does in its cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostRole {
    /// The server accepts writes. Its start time identifies it.
    Primary(Box<str>),
    /// The server is no standby, but it is set read-only.
    ReadOnly,
    /// The server follows a primary.
    Standby,
}

/// A host of a URL, and its role, or why it did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostReport {
    /// The host and the port, or the socket.
    pub address: String,
    /// The role, or the reason why it is unknown.
    pub role: Result<HostRole, String>,
}

/// The hosts of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostsReport {
    /// The hosts in their order.
    pub hosts: Vec<HostReport>,
    /// Whether the URL accepts only a server that accepts writes.
    pub requires_writable: bool,
}

/// Describes the database at a URL, without secrets: the file of SQLite, or the name, the hosts and the role of
/// PostgreSQL.
#[must_use]
pub fn describe_database(url: &str) -> String {
    if let Some(location) = DatabaseLocation::parse(url) {
        return match location {
            DatabaseLocation::File(file) => format!("SQLite, {}", file.display()),
            DatabaseLocation::Memory(_) => "SQLite, in memory".to_owned(),
        };
    }
    let Ok(servers) = postgres::parse_servers(url) else { return "PostgreSQL".to_owned() };
    let hosts: Vec<_> = servers.hosts().iter().map(postgres::address).collect();
    let name = servers.current().and_then(|host| host.get_database()).unwrap_or_default();
    let role = servers.current().map(PgConnectOptions::get_username).unwrap_or_default();
    format!("PostgreSQL, {name} at {}, as {role}", hosts.join(", "))
}

/// Asks each host of a PostgreSQL URL for its role; `None` for another URL.
pub async fn inspect_hosts(url: &str) -> Option<HostsReport> {
    if !url.starts_with("postgres") {
        return None;
    }
    let servers: Servers = postgres::parse_servers(url).ok()?;
    let hosts = join_all(servers.hosts().iter().map(inspect_host)).await;
    Some(HostsReport { hosts, requires_writable: servers.requires_writable() })
}

async fn inspect_host(host: &PgConnectOptions) -> HostReport {
    let role = match timeout(HOST_TIMEOUT, Box::pin(read_role(host))).await {
        Ok(role) => role.map_err(|error| driver_message(&error)),
        Err(_) => Err(format!("no answer within {} ms", HOST_TIMEOUT.as_millis())),
    };
    HostReport { address: postgres::address(host), role }
}

async fn read_role(host: &PgConnectOptions) -> Result<HostRole, sqlx::Error> {
    let mut connection = PgConnection::connect_with(host).await?;
    let row = raw_sql(ROLE).fetch_one(&mut connection).await?;
    let role = match (row.try_get(0)?, row.try_get(1)?) {
        ("true", _) => HostRole::Standby,
        (_, "off") => HostRole::Primary(row.try_get::<&str, _>(2)?.into()),
        _ => HostRole::ReadOnly,
    };
    // Nothing was written, so a failure to close does not matter.
    let _ = connection.close().await;
    Ok(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_described_without_secrets() {
        for (url, description) in [
            ("sqlite://a/parlance.db", "SQLite, a/parlance.db"),
            ("sqlite::memory:", "SQLite, in memory"),
            ("postgres://server:hush@one,two:5433/calls", "PostgreSQL, calls at one:5432, two:5433, as server"),
        ] {
            assert_eq!(describe_database(url), description);
        }
    }
}
