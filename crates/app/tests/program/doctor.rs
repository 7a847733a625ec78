//! `parlance doctor`: what it finds, and how it ends.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::process::Home;

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
fn a_file_that_everyone_may_read_is_doubtful() {
    let home = Home::new();
    home.print(&["migrate"]);
    let file = home.path().join("parlance.db");
    for (mode, word) in [(0o644, "warn"), (0o640, "ok")] {
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
    assert_eq!(complaint, "parlance: 1 of 5 parts would keep a server from working\n");
}

#[test]
fn a_redis_that_does_not_answer_is_doubtful() {
    let home = Home::new();
    home.print(&["migrate"]);
    let said = home.print(&["--redis-url", "redis://127.0.0.1:1", "doctor"]);
    assert!(line(&said, "redis").starts_with("warn"), "{said}");
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
