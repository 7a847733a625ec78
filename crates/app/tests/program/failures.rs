//! Tests of error messages: one line names the failure, its location and the remedy, and names each cause once.

use std::{fs, net::TcpListener, process::Output};

use support::{database::TestDatabase, s3};

use crate::process::TestEnvironment;

/// Returns the one error line of a failed command, without the name of the program.
fn error_of(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    // A server logs its earlier steps.
    let errors: Vec<_> = text.lines().filter(|line| !line.contains("  INFO ")).collect();
    assert!(!output.status.success() && errors.len() == 1, "{text}");
    errors[0].strip_prefix("parlance: ").unwrap().to_owned()
}

fn database_error(url: &str) -> String {
    error_of(&TestEnvironment::with_database_url(url).run(&["migrate"]))
}

#[test]
fn an_unreachable_database_server_is_named_with_its_port() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let expected = format!(
        "database_url: cannot be opened: connection refused at 127.0.0.1:{unused}: start PostgreSQL there, or correct \
         host and port"
    );
    assert_eq!(database_error(&format!("postgres://user:hush@127.0.0.1:{unused}/x")), expected);
}

#[test]
fn a_missing_database_is_named_without_a_source_line_of_the_server() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (server, _) = database.url().rsplit_once('/').unwrap();
    let line = database_error(&format!("{server}/parlance_not_there"));
    assert!(line.contains("database \"parlance_not_there\" does not exist: create the database"), "{line}");
    assert!(!line.contains(" at line "), "{line}");
}

#[test]
fn an_unknown_user_is_reported_without_the_password() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (_, host) = database.url().rsplit_once('@').unwrap();
    let line = database_error(&format!("postgres://parlance_nobody:hush@{host}"));
    assert!(line.contains(" refuses: ") && line.contains(": correct user and password"), "{line}");
    assert!(!line.contains("hush") && !line.contains(" at line "), "{line}");
}

#[test]
fn a_missing_directory_of_the_database_is_named() {
    let expected =
        "database_url: cannot be opened: there is no folder /nonexistent/folder: make it, or correct the path";
    assert_eq!(database_error("sqlite:///nonexistent/folder/x.db"), expected);
}

/// Returns the error of listing feeds in a missing bucket of this S3 server.
fn bucket_error(server: &str) -> String {
    let env = TestEnvironment::new().with_variables([
        ("PARLANCE_FEEDS_URL", "s3://not-there/feeds"),
        ("AWS_ENDPOINT", server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    env.run_ok(&["migrate"]);
    env.create_credential();
    error_of(&env.run(&["feed", "list", "--tenant", "acme"]))
}

#[test]
fn a_missing_bucket_is_named_once() {
    let Some(server) = s3::server_url() else { return };
    let expected = format!(
        "feeds_url: the store is out of reach: {server}/not-there: there is no such bucket: make it, or correct its \
         name"
    );
    assert_eq!(bucket_error(server), expected);
}

#[test]
fn an_unreachable_bucket_server_is_named() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let expected = format!(
        "feeds_url: the store is out of reach: http://{unused}/not-there: connection refused: start the server, or \
         correct its address"
    );
    assert_eq!(bucket_error(&format!("http://{unused}")), expected);
}

#[test]
fn a_settings_file_that_is_not_toml_is_reported_with_line_and_column() {
    let env = TestEnvironment::new();
    fs::write(env.path().join("parlance.toml"), "log_level = \"info\"\nlisten = 'a\n").unwrap();
    let line = error_of(&env.run(&["migrate", "--config", "parlance.toml"]));
    assert!(line.starts_with("config (from parlance.toml:2:"), "{line}");
    assert!(line.contains("): is not TOML: "), "{line}");
}

#[test]
fn an_unreadable_file_is_reported_with_a_remedy() {
    let env = TestEnvironment::new();
    let line = error_of(&env.run(&["migrate", "--config", "nowhere.toml"]));
    assert_eq!(line, "config (from nowhere.toml): there is no such file: correct its path");
    let line = error_of(&env.run(&["serve", "--tls-certificate-file", "no.pem", "--tls-key-file", "no.key"]));
    assert_eq!(line, "tls_certificate_file: no.pem cannot be used: there is no such file: correct its path");
}

#[test]
fn an_address_of_another_machine_is_reported_with_a_remedy() {
    let line = error_of(&TestEnvironment::new().run(&["serve", "--log-level", "error", "--listen", "203.0.113.1:0"]));
    let expected = "listen: 203.0.113.1:0 cannot be listened on: it is not an address of this machine: choose one \
                    with --listen";
    assert_eq!(line, expected);
}
