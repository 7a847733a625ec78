//! `parlance doctor`: what it finds, and how it ends.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::process::{Home, overwrite_page};

fn line<'said>(said: &'said str, part: &str) -> &'said str {
    said.lines().find(|line| line.get(6..).is_some_and(|rest| rest.starts_with(part))).unwrap_or_default()
}

#[test]
fn a_database_that_is_in_order_is_told_part_by_part() {
    let home = Home::new();
    home.print(&["migrate"]);
    let said = home.print(&["doctor"]);
    for part in ["settings", "database", "schema", "permissions", "clock"] {
        assert!(line(&said, part).starts_with("ok"), "{part} in {said}");
    }
}

#[test]
fn a_database_that_is_not_there_is_not_made() {
    let home = Home::new();
    let said = home.print(&["doctor"]);
    assert!(line(&said, "database").contains("`parlance migrate`"), "{said}");
    assert!(!home.path().join("parlance.db").exists());
}

#[test]
fn a_database_that_others_have_rights_to_is_doubtful() {
    let home = Home::new();
    home.print(&["migrate"]);
    let file = home.path().join("parlance.db");
    for (mode, word) in [(0o644, "warn"), (0o640, "warn"), (0o600, "ok")] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        assert!(line(&home.print(&["doctor"]), "files").starts_with(word));
    }
}

#[test]
fn a_part_that_would_keep_a_server_from_working_is_a_failure() {
    let home = Home::new();
    let output = home.run(&["--database-url", "postgres://u:hush@127.0.0.1:1/x", "doctor"]);
    let (said, complaint) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1));
    assert!(line(&said, "database").starts_with("FAIL") && !said.contains("hush"), "{said}");
    assert_eq!(complaint, "parlance: 1 of 9 parts would keep a server from working\n");
}

#[test]
fn a_redis_that_does_not_answer_is_doubtful() {
    let home = Home::new();
    home.print(&["migrate"]);
    let said = home.print(&["--redis-url", "redis://127.0.0.1:1", "doctor"]);
    assert!(line(&said, "redis").starts_with("warn"), "{said}");
}

#[test]
fn a_deep_check_tells_what_it_read() {
    let home = Home::new();
    home.credential();
    let said = home.print(&["doctor", "--deep"]);
    assert!(line(&said, "content").starts_with("ok    content: "), "{said}");
    assert!(line(&home.print(&["doctor"]), "content").is_empty());
}

#[test]
fn a_page_of_garbage_fails_the_deep_check() {
    let home = Home::new();
    home.credential();
    overwrite_page(&home.path().join("parlance.db"), "vocabularies");
    let output = home.run(&["doctor", "--deep"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(line(&said, "content").starts_with("FAIL") && said.contains("restore a copy"), "{said}");
}

#[test]
fn an_address_is_free_or_in_use_by_a_running_parlance_or_by_another_program() {
    let home = Home::new();
    home.print(&["migrate"]);
    let server = home.serve(&[]);
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = other.local_addr().unwrap().to_string();
    for (address, word) in [("127.0.0.1:0", "is free"), (server.address(), "a running parlance"), (&other, "stop that")]
    {
        let said = home.print(&["--listen", address, "doctor"]);
        assert!(line(&said, "listen").contains(word), "{said}");
    }
}

#[test]
fn the_store_of_feeds_and_the_target_of_vocabularies_are_looked_at() {
    let home = Home::new();
    home.print(&["migrate"]);
    let key = ["--vocabulary-delivery-secret", "0123456789abcdef", "--vocabulary-delivery-url"];
    let said = home.print(&[&key[..], &["http://127.0.0.1:1/{tenant}", "doctor"]].concat());
    assert!(line(&said, "delivery").starts_with("warn"), "{said}");
    assert!(line(&said, "feeds").starts_with("ok"), "{said}");
    let absent = format!("file://{}", home.path().join("absent").display());
    let output = home.run(&["--vocabulary-delivery-url", &absent, "doctor"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(line(&said, "delivery").starts_with("FAIL"), "{said}");
}

#[test]
fn a_master_key_that_others_may_read_is_a_failure() {
    let home = Home::new();
    home.print(&["migrate"]);
    assert!(line(&home.print(&["doctor"]), "master key").starts_with("warn"));
    let key = home.path().join("parlance.db.key");
    fs::write(&key, [7; 32]).unwrap();
    for (mode, word) in [(0o600, "ok"), (0o644, "FAIL")] {
        fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
        let said = String::from_utf8(home.run(&["doctor"]).stdout).unwrap();
        assert!(line(&said, "master key").starts_with(word), "{said}");
    }
}
