//! Tests of the start of a server: the one-line error that refuses it, and its worker threads.

use std::{fs, net::TcpListener, process::Output, thread::available_parallelism, time::Instant};

use serde_json::Value;
use support::database::TestDatabase;

use crate::process::{TestEnvironment, conversation};

/// Returns the exit code of a command and the one line that it printed to standard error.
fn error_of(output: &Output) -> (i32, String) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 1, "{text}");
    (output.status.code().unwrap(), lines[0].to_owned())
}

#[test]
fn an_invalid_setting_is_reported_with_its_source() {
    let output = TestEnvironment::new().command(&["serve"]).env("PARLANCE_MAX_BODY_BYTES", "many").output().unwrap();
    let expected =
        "parlance: max_body_bytes (from PARLANCE_MAX_BODY_BYTES): must be a whole number of bytes from 1 to 67108864";
    assert_eq!(error_of(&output), (2, expected.to_owned()));
}

#[test]
fn an_unknown_setting_in_the_file_is_reported() {
    let env = TestEnvironment::new();
    fs::write(env.path().join("parlance.toml"), "lissen = '127.0.0.1:1'\n").unwrap();
    let (code, line) = error_of(&env.run(&["serve", "--config", "parlance.toml"]));
    assert!(code == 2 && line.starts_with("parlance: lissen (from parlance.toml:1): is not a setting"), "{line}");
}

/// Starts a server and returns its number of worker threads. Waits up to 20 seconds for the expected number, because
/// threads may start after the server listens.
#[cfg(target_os = "linux")]
fn worker_thread_count(env: &TestEnvironment, arguments: &[&str], expected: usize) -> usize {
    let server = env.serve(arguments);
    let deadline = Instant::now() + std::time::Duration::from_secs(20);
    loop {
        let threads = server.thread_count("actix-rt");
        if threads >= expected || Instant::now() > deadline {
            return threads;
        }
        std::thread::yield_now();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_setting_workers_is_the_number_of_worker_threads() {
    assert_eq!(worker_thread_count(&TestEnvironment::new(), &["--workers", "1"], 1), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn over_sqlite_each_processor_has_a_worker_thread() {
    let processors = available_parallelism().unwrap().get();
    assert_eq!(worker_thread_count(&TestEnvironment::new(), &[], processors), processors);
}

#[test]
#[cfg(target_os = "linux")]
fn a_colocated_postgresql_is_left_half_of_the_processors() {
    let Some(database) = TestDatabase::postgres() else { return };
    let processors = available_parallelism().unwrap().get();
    let is_colocated = ["@127.0.0.1", "@localhost", "@[::1]"].iter().any(|host| database.url().contains(host));
    let threads = if is_colocated { (processors / 2).max(1) } else { processors };
    assert_eq!(worker_thread_count(&TestEnvironment::with_database_url(database.url()), &[], threads), threads);
}

#[actix_web::test]
#[cfg(target_os = "linux")]
async fn a_single_worker_writes_to_postgresql_without_the_main_thread() {
    const WRITES: u64 = 100;
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let (credential, server) = (env.create_credential(), env.serve(&["--workers", "1"]));
    let write = async |number: u64| {
        let body = conversation(&format!("call-{number}"));
        let answer = server.request(&credential, "/conversation/v1/conversations", Some(&body)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    };
    write(0).await;
    let (before, started_at) = (server.main_thread_context_switches(), Instant::now());
    for number in 1..=WRITES {
        write(number).await;
    }
    // A writer on the main thread would wait there for each command and for each response of the database: twice a write.
    // The background tasks wait there some fifty times a second, however long the writes take.
    let switches = server.main_thread_context_switches() - before;
    let of_background = started_at.elapsed().as_millis() * 60 / 1_000;
    let most = WRITES + u64::try_from(of_background).unwrap();
    assert!(switches < most, "the main thread waited {switches} times during {WRITES} writes, more than {most}");
}

#[test]
fn a_port_in_use_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (code, line) = error_of(&TestEnvironment::new().run(&["serve", "--log-level", "error", "--listen", &address]));
    let expected =
        format!("parlance: listen: {address} is in use by another program: stop that, or choose another with --listen");
    assert_eq!((code, line), (1, expected));
}

#[test]
fn a_database_that_cannot_be_opened_is_reported_without_its_password() {
    for url in ["sqlite:///nonexistent/folder/x.db", "postgres://user:hush@127.0.0.1:1/x"] {
        let (code, line) =
            error_of(&TestEnvironment::new().run(&["serve", "--log-level", "error", "--database-url", url]));
        assert!(code == 1 && line.starts_with("parlance: database_url: cannot be opened: "), "{line}");
        assert!(!line.contains("hush"), "{line}");
    }
}

#[test]
fn a_file_that_is_no_database_is_reported() {
    let env = TestEnvironment::new();
    fs::write(env.path().join("parlance.db"), "this is a letter, and no database at all".repeat(100)).unwrap();
    let (code, line) = error_of(&env.run(&["serve", "--log-level", "error"]));
    assert!(code == 1 && line.starts_with("parlance: database_url: cannot be opened: "), "{line}");
}

#[test]
fn an_outdated_schema_stops_a_server_that_may_not_migrate() {
    let env = TestEnvironment::new();
    let (code, line) = error_of(&env.run(&["serve", "--no-migrate", "--log-level", "error"]));
    assert_eq!((code, line.as_str()), (1, "parlance: database_url: is empty: run `parlance migrate`"));
    assert!(env.run_ok(&["migrate"]).starts_with("The schema is created; migrations: "));
    assert_eq!(env.run_ok(&["migrate"]), "The schema is up to date.\n");
    env.serve(&["--no-migrate"]);
}

#[test]
fn a_flag_overrides_the_environment() {
    let env = TestEnvironment::new();
    let output = env.command(&["serve", "--listen", "nowhere"]).env("PARLANCE_LISTEN", "127.0.0.1:0").output().unwrap();
    assert!(error_of(&output).1.contains("listen (from --listen)"));
}

#[test]
fn the_openapi_document_is_printed() {
    let document: Value = serde_json::from_str(&TestEnvironment::new().run_ok(&["openapi"])).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
}

#[test]
fn a_delivery_url_without_a_secret_is_refused() {
    let output = TestEnvironment::new().run(&["serve", "--vocabulary-delivery-url", "https://user:hush@h/{tenant}"]);
    let expected = "parlance: vocabulary_delivery_secret (from the default): is required, because \
                    vocabulary_delivery_url is an HTTP address";
    assert_eq!(error_of(&output), (2, expected.to_owned()));
}

#[test]
fn a_missing_delivery_directory_is_reported() {
    let arguments = ["serve", "--log-level", "error", "--vocabulary-delivery-url", "file:///nonexistent/folder"];
    let (code, line) = error_of(&TestEnvironment::new().run(&arguments));
    assert_eq!((code, line.split(": ").nth(1)), (1, Some("vocabulary_delivery_url")), "{line}");
}
