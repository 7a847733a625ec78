//! Tests of `parlance tenant erase` beside other programs that write for the tenant.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use crate::{process::TestEnvironment, tenant_erase::ERASE, tenant_erase_again::state};

#[test]
fn an_erasure_waits_for_another_writer_before_it_begins() {
    let env = TestEnvironment::new();
    env.create_credential();
    // The server creates the master key.
    drop(env.serve(&[]));
    let writer = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut erasing = env.command(&ERASE).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(erasing.stderr.take().unwrap()).lines().map(Result::unwrap);
    let waiting = lines.next().unwrap();
    assert!(waiting.starts_with("The erasure has not begun, and is tried again for up to 30 seconds: "), "{waiting}");
    assert!(waiting.contains("database is locked"), "{waiting}");
    assert!(!state(&env).is_begun);
    writer.execute_batch("COMMIT").unwrap();
    let begun = lines.next().unwrap();
    assert!(begun.starts_with("Every credential of acme is revoked"), "{begun}");
    let rest: Vec<_> = lines.collect();
    assert!(erasing.wait().unwrap().success(), "{rest:?}");
    assert!(state(&env).is_completed);
}
