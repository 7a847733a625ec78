//! What fails is told in one line: what, where, and what to do. Each cause stands in it once.

use std::{fs, net::TcpListener, process::Output};

use support::{database::TestDatabase, s3};

use crate::process::Home;

/// The one line of a command that fails, without the program's name.
fn told(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    // A server logs what it did before.
    let complaints: Vec<_> = text.lines().filter(|line| !line.contains("  INFO ")).collect();
    assert!(!output.status.success() && complaints.len() == 1, "{text}");
    complaints[0].strip_prefix("parlance: ").unwrap().to_owned()
}

fn told_of_database(url: &str) -> String {
    told(&Home::over(url).run(&["migrate"]))
}

#[test]
fn a_database_server_that_is_not_there_is_named_with_its_port() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let expected = format!(
        "database_url: cannot be opened: connection refused at 127.0.0.1:{unused}: start PostgreSQL there, or correct \
         host and port"
    );
    assert_eq!(told_of_database(&format!("postgres://user:hush@127.0.0.1:{unused}/x")), expected);
}

#[test]
fn a_database_that_is_missing_on_its_server_is_named_without_a_line_of_the_servers_source() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (server, _) = database.url().rsplit_once('/').unwrap();
    let line = told_of_database(&format!("{server}/parlance_not_there"));
    assert!(line.contains("database \"parlance_not_there\" does not exist: create the database"), "{line}");
    assert!(!line.contains(" at line "), "{line}");
}

#[test]
fn a_user_that_the_server_does_not_know_is_told_without_the_password() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (_, host) = database.url().rsplit_once('@').unwrap();
    let line = told_of_database(&format!("postgres://parlance_nobody:hush@{host}"));
    assert!(line.contains(" refuses: ") && line.contains(": correct user and password"), "{line}");
    assert!(!line.contains("hush") && !line.contains(" at line "), "{line}");
}

#[test]
fn a_folder_of_the_database_that_is_missing_is_named() {
    let expected =
        "database_url: cannot be opened: there is no folder /nonexistent/folder: make it, or correct the path";
    assert_eq!(told_of_database("sqlite:///nonexistent/folder/x.db"), expected);
}

/// What is told of feeds in a bucket at this server.
fn told_of_bucket(server: &str) -> String {
    let home = Home::new().with([
        ("PARLANCE_FEEDS_URL", "s3://not-there/feeds"),
        ("AWS_ENDPOINT", server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    home.print(&["migrate"]);
    home.credential();
    told(&home.run(&["feed", "list", "--tenant", "acme"]))
}

#[test]
fn a_bucket_that_is_missing_is_named_once() {
    let Some(server) = s3::server() else { return };
    let expected = format!(
        "feeds_url: the store is out of reach: {server}/not-there: there is no such bucket: make it, or correct its name"
    );
    assert_eq!(told_of_bucket(server), expected);
}

#[test]
fn a_server_of_buckets_that_is_not_there_is_named() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let expected = format!(
        "feeds_url: the store is out of reach: http://{unused}/not-there: connection refused: start the server, or \
         correct its address"
    );
    assert_eq!(told_of_bucket(&format!("http://{unused}")), expected);
}

#[test]
fn a_file_of_settings_that_is_no_toml_is_told_with_line_and_column() {
    let home = Home::new();
    fs::write(home.path().join("parlance.toml"), "log_level = \"info\"\nlisten = 'a\n").unwrap();
    let line = told(&home.run(&["migrate", "--config", "parlance.toml"]));
    assert!(line.starts_with("config (from parlance.toml, line 2, column "), "{line}");
    assert!(line.contains("): is not TOML: "), "{line}");
}

#[test]
fn a_file_that_cannot_be_read_is_told_with_what_to_do() {
    let home = Home::new();
    let line = told(&home.run(&["migrate", "--config", "nowhere.toml"]));
    assert_eq!(line, "config (from nowhere.toml): there is no such file: correct its path");
    let line = told(&home.run(&["serve", "--tls-certificate-file", "no.pem", "--tls-key-file", "no.key"]));
    assert_eq!(line, "tls_certificate_file: no.pem cannot be used: there is no such file: correct its path");
}

#[test]
fn an_address_that_is_not_of_this_machine_is_told_with_what_to_do() {
    let line = told(&Home::new().run(&["serve", "--log-level", "error", "--listen", "203.0.113.1:0"]));
    let expected = "listen: 203.0.113.1:0 cannot be listened on: it is not an address of this machine: choose one \
                    with --listen";
    assert_eq!(line, expected);
}
