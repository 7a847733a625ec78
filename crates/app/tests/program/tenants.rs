//! No command makes a database or a tenant by mistake.

use std::fs;

use crate::process::Home;

/// Every command that needs a database and does not make one.
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

const SET: [&str; 12] = [
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

fn set() -> Vec<&'static str> {
    [&SET[..], &["--approved-by", "Grace"]].concat()
}

#[test]
fn a_database_that_is_not_there_is_named_and_not_made() {
    let home = Home::new();
    for command in COMMANDS.into_iter().chain([&set()[..]]) {
        let expected = "parlance: database_url: parlance.db is not there: run `parlance migrate` to make it";
        assert_eq!(home.refusal(command), (1, expected.to_owned()), "{command:?}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{command:?}");
    }
}

#[test]
fn a_file_without_a_schema_is_no_database() {
    let home = Home::new();
    home.tamper("CREATE TABLE other (id INTEGER)");
    let (code, said) = home.refusal(&["credential", "list"]);
    let expected = "parlance: database_url: is not a database of Parlance: run `parlance migrate` to make it one";
    assert_eq!((code, said.as_str()), (1, expected));
}

#[test]
fn a_tenant_of_which_there_is_nothing_is_refused() {
    let home = Home::migrated();
    let of = |command: &[&'static str]| [command, &["--tenant", "sandboxx"]].concat();
    let commands = [
        &["credential", "list"][..],
        &["compliance", "log"],
        &["audit", "log"],
        &["audit", "verify"],
        &["vocabulary", "redeliver"],
        &["feed", "list"],
        &["feed", "export"],
    ];
    for command in commands.map(of).into_iter().chain([set()]) {
        let (code, said) = home.refusal(&command);
        assert!(
            code == 1 && said.starts_with("parlance: --tenant: there is no tenant sandboxx: "),
            "{command:?}: {said}"
        );
    }
}

#[test]
fn compliance_comes_first_where_that_is_said() {
    let home = Home::migrated();
    let printed = home.print(&[&set()[..], &["--new-tenant"]].concat());
    assert_eq!(printed, "CVV is inactive for sandboxx; every replica follows within a minute.\n");
    home.print(&["compliance", "log", "--tenant", "sandboxx"]);
}

#[test]
fn no_database_is_made_beside_the_log_of_one_that_was_moved_away() {
    let home = Home::new();
    home.print(&["migrate"]);
    fs::rename(home.path().join("parlance.db"), home.path().join("away.db")).unwrap();
    fs::write(home.path().join("parlance.db-wal"), "acknowledged").unwrap();
    for command in [&["migrate"][..], &["serve"], &["credential", "list"]] {
        let output = home.run(command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains("put it back"), "{said}");
    }
    assert!(!home.path().join("parlance.db").exists());
    assert_eq!(fs::read(home.path().join("parlance.db-wal")).unwrap(), b"acknowledged");
}
