//! Tests of `parlance tenant erase` beside other programs that write for the tenant.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

use crate::{
    process::TestEnvironment,
    tenant_erase::{ERASE, line},
    tenant_erase_again::state,
};

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

/// The lines of an import, which are more than it reads at once.
fn lines(numbers: std::ops::Range<usize>) -> String {
    let lines: String = numbers.map(|number| line("acme", number, 10)).collect();
    assert!(lines.len() > 256 * 1024);
    lines
}

#[test]
fn an_import_that_runs_while_its_tenant_is_erased_ends_with_one_error() {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    let mut import = env.command(&["import", "-", "--format", "jsonl", "--tenant", "acme"]);
    let import = import.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut import = import.spawn().unwrap();
    let mut input = import.stdin.take().unwrap();
    input.write_all(lines(0..200).as_bytes()).unwrap();
    while state(&env).messages == 0 {}
    env.run_ok(&ERASE);
    // The import may end before it has read everything.
    let _ = input.write_all(lines(200..600).as_bytes());
    let mut error = String::new();
    import.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(import.wait().unwrap().code(), Some(2), "{error}");
    assert!(error.starts_with("parlance: --tenant: the tenant is erased, or is being erased: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}
