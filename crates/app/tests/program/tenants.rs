//! Tests that no command creates a database or a tenant by mistake.

use std::fs;

use crate::process::TestEnvironment;

/// Commands that need an existing database, except `compliance set`.
const COMMANDS: [&[&str]; 13] = [
    &["credential", "create", "--tenant", "acme", "--name", "n"],
    &["credential", "list"],
    &["credential", "rotate", "acme.01JZX900000000000000000000"],
    &["credential", "revoke", "acme.01JZX900000000000000000000"],
    &["compliance", "log", "--tenant", "acme"],
    &["audit", "log", "--tenant", "acme"],
    &["audit", "verify"],
    &["audit", "sign"],
    &["audit", "anchor", "--output", "anchors.jsonl"],
    &["backup", "copy.db"],
    &["vocabulary", "redeliver"],
    &["feed", "list"],
    &["feed", "export"],
];

const COMPLIANCE_SET: [&str; 12] = [
    "compliance",
    "set",
    "--tenant",
    "sandboxx",
    "--entity",
    "CVV",
    "--active",
    "false",
    "--reference",
    "CHG-7",
    "--approved-by",
    "Ada",
];

fn compliance_set() -> Vec<&'static str> {
    [&COMPLIANCE_SET[..], &["--approved-by", "Grace"]].concat()
}

#[test]
fn a_missing_database_is_named_and_not_created() {
    let env = TestEnvironment::new();
    for command in COMMANDS.into_iter().chain([&compliance_set()[..]]) {
        let expected = "parlance: database_url: parlance.db does not exist: run `parlance migrate` to create it";
        assert_eq!(env.run_failing(command), (1, expected.to_owned()), "{command:?}");
        assert_eq!(fs::read_dir(env.path()).unwrap().count(), 0, "{command:?}");
    }
}

#[test]
fn a_file_without_a_schema_is_refused() {
    let env = TestEnvironment::new();
    env.tamper("CREATE TABLE other (id INTEGER)");
    let (code, error) = env.run_failing(&["credential", "list"]);
    let expected = "parlance: database_url: is not a database of Parlance: run `parlance migrate` to make it one";
    assert_eq!((code, error.as_str()), (1, expected));
}

#[test]
fn an_unknown_tenant_is_refused() {
    let env = TestEnvironment::migrated();
    let with_tenant = |command: &[&'static str]| [command, &["--tenant", "sandboxx"]].concat();
    let commands = [
        &["credential", "list"][..],
        &["compliance", "log"],
        &["audit", "log"],
        &["audit", "verify"],
        &["vocabulary", "redeliver"],
        &["feed", "list"],
        &["feed", "export"],
    ];
    for command in commands.map(with_tenant).into_iter().chain([compliance_set()]) {
        let (code, error) = env.run_failing(&command);
        assert!(
            code == 1 && error.starts_with("parlance: --tenant: there is no tenant sandboxx: "),
            "{command:?}: {error}"
        );
    }
}

#[test]
fn compliance_set_with_new_tenant_accepts_an_unknown_tenant() {
    let env = TestEnvironment::migrated();
    let printed = env.run_ok(&[&compliance_set()[..], &["--new-tenant"]].concat());
    assert_eq!(printed, "CVV is inactive for sandboxx; every replica applies it within 30 seconds.\n");
    env.run_ok(&["compliance", "log", "--tenant", "sandboxx"]);
}

#[test]
fn no_database_is_created_beside_the_write_ahead_log_of_a_moved_database() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    fs::rename(env.path().join("parlance.db"), env.path().join("away.db")).unwrap();
    fs::write(env.path().join("parlance.db-wal"), "acknowledged").unwrap();
    for command in [&["migrate"][..], &["serve"], &["credential", "list"]] {
        let output = env.run(command);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && stderr.contains("put it back"), "{stderr}");
    }
    assert!(!env.path().join("parlance.db").exists());
    assert_eq!(fs::read(env.path().join("parlance.db-wal")).unwrap(), b"acknowledged");
}
