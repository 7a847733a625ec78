//! Why a database is not opened, in one line: what is wrong, where, and what to do.
//!
//! A pool tries a server again until its time is up, and then tells only that. One connection that is tried once tells
//! the cause.

use std::{io::ErrorKind, path::Path, time::Duration};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use sea_orm::{
    DbErr,
    sqlx::{self, ConnectOptions, Connection as _, postgres::PgConnectOptions},
};
use tokio::time::timeout;

use crate::{
    error::{cause, sqlite_code},
    postgres,
    sqlite::Place,
};

/// How long the connection may take that finds the cause.
const PROBE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Why the database at this address was not opened; where no cause is found, what was told of it.
pub(crate) async fn explain(url: &str, told: Box<str>) -> Box<str> {
    let found = match Place::of(url) {
        Some(Place::File(file)) => of_file(&file),
        Some(Place::Memory(_)) => None,
        None => match postgres::servers(url) {
            Ok(servers) => of_servers(servers.hosts()).await,
            Err(error) => Some(format!("is not an address of PostgreSQL: {}", words(&error))),
        },
    };
    found.map_or(told, Into::into)
}

/// What a driver's error says, without the words that the driver puts before it and without the line of the server's
/// own source.
pub(crate) fn words(error: &sqlx::Error) -> String {
    if let sqlx::Error::Database(said) = error {
        return if sqlite_code(&**said).is_some() { said.to_string() } else { said.message().to_owned() };
    }
    if let sqlx::Error::Configuration(inner) = error {
        return inner.to_string().replace("error with configuration: ", "");
    }
    error.to_string()
}

/// The same of an error of sea-orm.
pub(crate) fn words_of(error: &DbErr) -> String {
    cause(error).map_or_else(|| error.to_string(), words)
}

fn of_file(file: &Path) -> Option<String> {
    let shown = file.display();
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("there is no folder {}: make it, or correct the path", folder.display()));
    }
    if file.is_dir() {
        return Some(format!("{shown} is a folder: name a file in it"));
    }
    let opened = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let read = opened.and_then(|file| file.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())));
    let code = read.err()?.sqlite_error_code()?;
    if code == ErrorCode::NotADatabase {
        return Some(format!("{shown} is no SQLite database: name another file, or move it away"));
    }
    [ErrorCode::CannotOpen, ErrorCode::ReadOnly, ErrorCode::PermissionDenied]
        .contains(&code)
        .then(|| format!("{shown} cannot be read and written: change the permissions of the file and its folder"))
}

/// What is wrong with each of several servers; nothing where one of them can be connected to.
async fn of_servers(hosts: &[PgConnectOptions]) -> Option<String> {
    let mut causes = Vec::new();
    for host in hosts {
        causes.push(of_server(host).await?);
    }
    Some(causes.join("; "))
}

async fn of_server(options: &PgConnectOptions) -> Option<String> {
    let place = match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    };
    match timeout(PROBE_TIMEOUT, Box::pin(options.connect())).await {
        Ok(Ok(connection)) => {
            // It told what it was made for.
            let _ = connection.close().await;
            None
        }
        Ok(Err(error)) => Some(refused(&place, &error)),
        Err(_) => Some(format!(
            "no answer from {place} within {} ms: check that PostgreSQL runs there, and the network",
            PROBE_TIMEOUT.as_millis()
        )),
    }
}

fn refused(place: &str, error: &sqlx::Error) -> String {
    let said = words(error);
    if let sqlx::Error::Database(told) = error {
        let remedy = remedy(told.code().as_deref().unwrap_or_default());
        return format!("PostgreSQL at {place} refuses: {said}: {remedy}");
    }
    if let sqlx::Error::Io(cause) = error {
        return if cause.kind() == ErrorKind::ConnectionRefused {
            format!("connection refused at {place}: start PostgreSQL there, or correct host and port")
        } else {
            format!("{place} cannot be reached: {cause}: correct host and port")
        };
    }
    if let sqlx::Error::Tls(cause) = error {
        return format!("TLS with {place} fails: {cause}: correct sslmode or the certificate");
    }
    if matches!(error, sqlx::Error::Protocol(_)) {
        return format!("no PostgreSQL answers at {place}: correct host and port");
    }
    format!("{place}: {said}")
}

/// What to do about a code of PostgreSQL (its manual, appendix A).
fn remedy(code: &str) -> &'static str {
    match code {
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

    async fn told(url: &str) -> String {
        explain(url, "as told".into()).await.into()
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_named_with_its_port() {
        let told = told("postgres://user:hush@127.0.0.1:1/x").await;
        assert_eq!(told, "connection refused at 127.0.0.1:1: start PostgreSQL there, or correct host and port");
    }

    #[tokio::test]
    async fn a_host_that_is_not_known_is_named() {
        let told = told("postgres://user@parlance.invalid/x").await;
        assert!(told.starts_with("parlance.invalid:5432 cannot be reached: "), "{told}");
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_named() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let told = told(&format!("postgres://user@127.0.0.1:{port}/x?sslmode=disable")).await;
        assert!(told.starts_with(&format!("no answer from 127.0.0.1:{port} within 1500 ms: ")), "{told}");
    }

    #[tokio::test]
    async fn an_address_that_cannot_be_read_says_why_once() {
        let told = told("postgres://user@127.0.0.1/x?sslmode=bogus").await;
        assert_eq!(told, "is not an address of PostgreSQL: unknown value \"bogus\" for `ssl_mode`");
    }

    #[tokio::test]
    async fn a_folder_that_is_missing_is_named() {
        let told = told("sqlite:///nonexistent/folder/x.db").await;
        assert_eq!(told, "there is no folder /nonexistent/folder: make it, or correct the path");
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "this is a letter, and no database at all".repeat(100)).unwrap();
        let told = told(&format!("sqlite://{}", file.path().display())).await;
        assert!(told.ends_with(" is no SQLite database: name another file, or move it away"), "{told}");
    }

    #[tokio::test]
    async fn of_what_can_be_opened_after_all_stands_what_was_told() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("x.db").display());
        Connection::open(folder.path().join("x.db")).unwrap();
        assert_eq!(told(&url).await, "as told");
    }

    #[test]
    fn each_refusal_of_a_server_has_its_remedy() {
        assert_eq!(remedy("28P01"), "correct user and password, or the server's pg_hba.conf");
        assert_eq!(remedy("3D000"), "create the database, or correct its name");
        assert_eq!(remedy("XX000"), "see the log of the server");
    }
}
