//! Diagnosis of a database that could not be opened, in one line: the cause, the place, and the remedy.
//!
//! A pool retries until its timeout, and then reports only the timeout. A single connection attempt reports the cause.

use std::{io::ErrorKind, path::Path, time::Duration};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use sea_orm::sqlx::{self, ConnectOptions, Connection as _, postgres::PgConnectOptions};
use tokio::time::timeout;

use crate::{
    engine::{
        postgres::{self, Servers},
        sqlite::DatabaseLocation,
    },
    error::driver_message,
};

/// Timeout of the connection attempt that finds the cause.
const PROBE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Why the database at this URL was not opened; `reason` where no cause is found.
pub(crate) async fn diagnose(url: &str, reason: Box<str>) -> Box<str> {
    let cause = match DatabaseLocation::parse(url) {
        Some(DatabaseLocation::File(file)) => diagnose_file(&file),
        Some(DatabaseLocation::Memory(_)) => None,
        None => match postgres::parse_servers(url) {
            Ok(servers) => diagnose_servers(&servers).await,
            Err(error) => Some(format!("is not a PostgreSQL URL: {}", driver_message(&error))),
        },
    };
    cause.map_or(reason, Into::into)
}

fn diagnose_file(file: &Path) -> Option<String> {
    let path = file.display();
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("there is no folder {}: make it, or correct the path", folder.display()));
    }
    if file.is_dir() {
        return Some(format!("{path} is a folder: name a file in it"));
    }
    let opened = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let read = opened.and_then(|file| file.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())));
    let code = read.err()?.sqlite_error_code()?;
    if code == ErrorCode::NotADatabase {
        return Some(format!("{path} is not a SQLite database: name another file, or move it away"));
    }
    [ErrorCode::CannotOpen, ErrorCode::ReadOnly, ErrorCode::PermissionDenied]
        .contains(&code)
        .then(|| format!("{path} cannot be read and written: change the permissions of the file and its folder"))
}

/// The cause for each of several servers; none where one of them is accepted.
async fn diagnose_servers(servers: &Servers) -> Option<String> {
    let mut causes = Vec::new();
    for host in servers.hosts() {
        causes.push(diagnose_server(host, servers.requires_writable()).await?);
    }
    Some(causes.join("; "))
}

async fn diagnose_server(options: &PgConnectOptions, requires_writable: bool) -> Option<String> {
    let address = postgres::address(options);
    let probe = async {
        let mut connection = options.connect().await?;
        let is_accepted = !requires_writable || postgres::ensure_writable(&mut connection).await.is_ok();
        // Only the outcome of the attempt matters.
        let _ = connection.close().await;
        Ok(is_accepted)
    };
    match timeout(PROBE_TIMEOUT, Box::pin(probe)).await {
        Ok(Ok(true)) => None,
        Ok(Ok(false)) => Some(format!("{address} accepts no writes: promote it, or start the primary")),
        Ok(Err(error)) => Some(connect_failure(&address, &error)),
        Err(_) => Some(format!(
            "no answer from {address} within {} ms: check that PostgreSQL runs there, and the network",
            PROBE_TIMEOUT.as_millis()
        )),
    }
}

fn connect_failure(address: &str, error: &sqlx::Error) -> String {
    let message = driver_message(error);
    if let sqlx::Error::Database(refusal) = error {
        let remedy = remedy(refusal.code().as_deref().unwrap_or_default());
        return format!("PostgreSQL at {address} refuses: {message}: {remedy}");
    }
    if let sqlx::Error::Io(cause) = error {
        return if cause.kind() == ErrorKind::ConnectionRefused {
            format!("connection refused at {address}: start PostgreSQL there, or correct host and port")
        } else {
            format!("{address} cannot be reached: {cause}: correct host and port")
        };
    }
    if let sqlx::Error::Tls(cause) = error {
        return format!("TLS with {address} fails: {cause}: correct sslmode or the certificate");
    }
    if matches!(error, sqlx::Error::Protocol(_)) {
        return format!("no PostgreSQL answers at {address}: correct host and port");
    }
    format!("{address}: {message}")
}

/// The remedy for a SQLSTATE code (manual of PostgreSQL, appendix A).
fn remedy(code: &str) -> &'static str {
    match code {
        "08P01" => "if a pooler such as PgBouncer runs there, add the parameter to its ignore_startup_parameters",
        "3D000" => "create the database, or correct its name",
        "53300" => "raise max_connections there, or stop other programs that use it",
        "57P03" => "try again once the server has started",
        _ if code.starts_with("28") => "correct user and password, or the server's pg_hba.conf",
        _ => "see the log of the server",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn diagnosis(url: &str) -> String {
        diagnose(url, "first reason".into()).await.into()
    }

    #[tokio::test]
    async fn a_missing_server_is_named_with_its_port() {
        let diagnosis = diagnosis("postgres://user:hush@127.0.0.1:1/x").await;
        assert_eq!(diagnosis, "connection refused at 127.0.0.1:1: start PostgreSQL there, or correct host and port");
    }

    #[tokio::test]
    async fn an_unknown_host_is_named() {
        let diagnosis = diagnosis("postgres://user@parlance.invalid/x").await;
        assert!(diagnosis.starts_with("parlance.invalid:5432 cannot be reached: "), "{diagnosis}");
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_named() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let diagnosis = diagnosis(&format!("postgres://user@127.0.0.1:{port}/x?sslmode=disable")).await;
        assert!(diagnosis.starts_with(&format!("no answer from 127.0.0.1:{port} within 1500 ms: ")), "{diagnosis}");
    }

    #[tokio::test]
    async fn the_error_of_an_unreadable_url_is_reported_once() {
        let diagnosis = diagnosis("postgres://user@127.0.0.1/x?sslmode=bogus").await;
        assert_eq!(diagnosis, "is not a PostgreSQL URL: unknown value \"bogus\" for `ssl_mode`");
    }

    #[tokio::test]
    async fn a_missing_folder_is_named() {
        let diagnosis = diagnosis("sqlite:///nonexistent/folder/x.db").await;
        assert_eq!(diagnosis, "there is no folder /nonexistent/folder: make it, or correct the path");
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "this is a letter, and no database at all".repeat(100)).unwrap();
        let diagnosis = diagnosis(&format!("sqlite://{}", file.path().display())).await;
        assert!(diagnosis.ends_with(" is not a SQLite database: name another file, or move it away"), "{diagnosis}");
    }

    #[tokio::test]
    async fn the_first_reason_stays_if_the_database_can_be_opened_now() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("x.db").display());
        Connection::open(folder.path().join("x.db")).unwrap();
        assert_eq!(diagnosis(&url).await, "first reason");
    }

    #[test]
    fn each_refusal_of_a_server_has_its_remedy() {
        assert_eq!(remedy("28P01"), "correct user and password, or the server's pg_hba.conf");
        assert_eq!(remedy("3D000"), "create the database, or correct its name");
        assert_eq!(remedy("XX000"), "see the log of the server");
    }
}
