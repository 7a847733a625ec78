//! What stops a start: one line that says which setting, and what to do.

use std::{fs, net::TcpListener, process::Output, thread::available_parallelism};

use serde_json::Value;
use support::database::TestDatabase;

use crate::process::{Home, conversation};

/// The exit code and the one line of a command that fails.
fn complaint(output: &Output) -> (i32, String) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 1, "{text}");
    (output.status.code().unwrap(), lines[0].to_owned())
}

#[test]
fn a_wrong_setting_is_named_with_its_source() {
    let output = Home::new().command(&["serve"]).env("PARLANCE_MAX_BODY_BYTES", "many").output().unwrap();
    let expected =
        "parlance: max_body_bytes (from PARLANCE_MAX_BODY_BYTES): must be a whole number of bytes from 1 to 67108864";
    assert_eq!(complaint(&output), (2, expected.to_owned()));
}

#[test]
fn an_unknown_name_in_the_file_is_told() {
    let home = Home::new();
    fs::write(home.path().join("parlance.toml"), "lissen = '127.0.0.1:1'\n").unwrap();
    let (code, line) = complaint(&home.run(&["serve", "--config", "parlance.toml"]));
    assert!(code == 2 && line.starts_with("parlance: lissen (from parlance.toml): is not a setting"), "{line}");
}

/// How many threads of a server answer requests, once there are so many: they may begin after it listens.
#[cfg(target_os = "linux")]
fn threads_of(home: &Home, arguments: &[&str], expected: usize) -> usize {
    let server = home.serve(arguments);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        let threads = server.threads("actix-rt");
        if threads >= expected || std::time::Instant::now() > deadline {
            return threads;
        }
        std::thread::yield_now();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn as_many_threads_answer_requests_as_workers_are_wished() {
    assert_eq!(threads_of(&Home::new(), &["--workers", "1"], 1), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn each_processor_has_a_thread_that_answers_requests_from_a_file() {
    let processors = available_parallelism().unwrap().get();
    assert_eq!(threads_of(&Home::new(), &[], processors), processors);
}

#[test]
#[cfg(target_os = "linux")]
fn postgresql_on_the_same_machine_is_left_half_of_the_processors() {
    let Some(database) = TestDatabase::postgres() else { return };
    let processors = available_parallelism().unwrap().get();
    let beside = ["@127.0.0.1", "@localhost", "@[::1]"].iter().any(|home| database.url().contains(home));
    let threads = if beside { (processors / 2).max(1) } else { processors };
    assert_eq!(threads_of(&Home::over(database.url()), &[], threads), threads);
}

#[actix_web::test]
#[cfg(target_os = "linux")]
async fn one_thread_that_answers_all_requests_writes_to_postgresql_without_another() {
    const WRITES: u64 = 100;
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    let (credential, server) = (home.credential(), home.serve(&["--workers", "1"]));
    let write = async |number: u64| {
        let body = conversation(&format!("call-{number}"));
        let answer = server.request(&credential, "/conversation/v1/conversations", Some(&body)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    };
    write(0).await;
    let before = server.waits_of_first_thread();
    for number in 1..=WRITES {
        write(number).await;
    }
    // The writer would wait there for each order and for each answer of the database.
    let waits = server.waits_of_first_thread() - before;
    assert!(waits < WRITES, "{waits} waits for {WRITES} writes");
}

#[test]
fn a_port_in_use_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, line) = complaint(&Home::new().run(&["serve", "--log-level", "error", "--listen", &address]));
    let expected =
        format!("parlance: listen: {address} is in use by another program: stop that, or choose another with --listen");
    assert_eq!((code, line), (1, expected));
}

#[test]
fn a_database_that_cannot_be_opened_is_told_without_its_password() {
    for url in ["sqlite:///nonexistent/folder/x.db", "postgres://user:hush@127.0.0.1:1/x"] {
        let (code, line) = complaint(&Home::new().run(&["serve", "--log-level", "error", "--database-url", url]));
        assert!(code == 1 && line.starts_with("parlance: database_url: cannot be opened: "), "{line}");
        assert!(!line.contains("hush"), "{line}");
    }
}

#[test]
fn a_file_that_is_no_database_is_told() {
    let home = Home::new();
    fs::write(home.path().join("parlance.db"), "this is a letter, and no database at all".repeat(100)).unwrap();
    let (code, line) = complaint(&home.run(&["serve", "--log-level", "error"]));
    assert!(code == 1 && line.starts_with("parlance: database_url: cannot be opened: "), "{line}");
}

#[test]
fn an_old_schema_stops_a_server_that_may_not_change_it() {
    let home = Home::new();
    let (code, line) = complaint(&home.run(&["serve", "--no-migrate", "--log-level", "error"]));
    assert!(code == 1 && line.ends_with("run `parlance migrate`"), "{line}");
    home.print(&["migrate"]);
    assert_eq!(home.print(&["migrate"]), "The schema is up to date.\n");
    home.serve(&["--no-migrate"]);
}

#[test]
fn a_flag_outweighs_the_environment() {
    let home = Home::new();
    let output =
        home.command(&["serve", "--listen", "nowhere"]).env("PARLANCE_LISTEN", "127.0.0.1:0").output().unwrap();
    assert!(complaint(&output).1.contains("listen (from --listen)"));
}

#[test]
fn the_description_is_printed() {
    let description: Value = serde_json::from_str(&Home::new().print(&["openapi"])).unwrap();
    assert_eq!(description["openapi"], "3.1.0");
}

#[test]
fn an_address_for_vocabularies_without_a_key_is_told() {
    let output = Home::new().run(&["serve", "--vocabulary-delivery-url", "https://user:hush@h/{tenant}"]);
    let expected = "parlance: vocabulary_delivery_secret (from the default): must be given where \
                    vocabulary_delivery_url is an address of HTTP";
    assert_eq!(complaint(&output), (2, expected.to_owned()));
}

#[test]
fn a_directory_for_vocabularies_that_is_not_there_is_told() {
    let arguments = ["serve", "--log-level", "error", "--vocabulary-delivery-url", "file:///nonexistent/folder"];
    let (code, line) = complaint(&Home::new().run(&arguments));
    assert_eq!((code, line.split(": ").nth(1)), (1, Some("vocabulary_delivery_url")), "{line}");
}
