//! Tests of `parlance tenant erase`: runs that are killed, backups, and the delivery of the emptied vocabulary.

use std::{
    fs,
    process::{Child, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use support::database::TestDatabase;

use crate::{
    audit_keys::{KEY, write_key},
    process::TestEnvironment,
    tenant_erase::{ERASE, PATH, Setup, assert_erased, of_globex, set_up, set_up_in, status},
};

fn start_erasing(env: &TestEnvironment) -> Child {
    env.command(&ERASE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// How far an erasure came.
pub(crate) struct State {
    pub(crate) messages: i64,
    pub(crate) is_begun: bool,
    pub(crate) is_completed: bool,
}

pub(crate) fn state(env: &TestEnvironment) -> State {
    let connection = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    let count = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    State {
        messages: count("SELECT count(*) FROM messages WHERE tenant_id = 'acme'"),
        is_begun: count("SELECT count(*) FROM tenant_erasures") > 0,
        is_completed: count("SELECT count(*) FROM tenant_erasures WHERE completed_at IS NOT NULL") > 0,
    }
}

/// Kills the command as soon as it has come to each of these points, and repeats it to its end.
#[actix_web::test]
async fn a_run_that_was_killed_is_taken_up_to_the_same_end() {
    let setup = set_up(400).await;
    let env = &setup.env;
    let before = of_globex(&setup).await;
    let points: [fn(&State) -> bool; 4] = [
        |_| true,
        |state| state.is_begun,
        |state| state.is_begun && state.messages < 2_000,
        |state| state.is_begun && state.messages == 0,
    ];
    let mut kills_during_run = 0;
    for is_reached in points {
        let mut running = start_erasing(env);
        while running.try_wait().unwrap().is_none() && !is_reached(&state(env)) {}
        running.kill().unwrap();
        running.wait().unwrap();
        let state = state(env);
        kills_during_run += u32::from(state.is_begun && !state.is_completed);
    }
    let output = env.run(&[&ERASE[..], &["--receipt", "receipt.json"]].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && kills_during_run > 0, "{kills_during_run}: {stderr}");
    assert!(stderr.contains("Taking up the erasure that began at ") || stderr.contains("is erased since "), "{stderr}");
    assert_erased(env);
    assert_eq!(of_globex(&setup).await, before);
    let receipt: Value = serde_json::from_slice(&fs::read(env.path().join("receipt.json")).unwrap()).unwrap();
    let counts = receipt["receipt"]["counts"].as_array().unwrap();
    assert!(counts.contains(&json!({"count": 2_000, "place": "messages"})), "{counts:?}");
    let log = env.run_ok(&["audit", "log", "--tenant", "acme"]);
    assert_eq!((log.matches("tenant.erasure_began").count(), log.matches("tenant.erased").count()), (1, 1), "{log}");
}

#[actix_web::test]
async fn a_database_from_a_backup_forgets_the_tenant_again() {
    let setup = set_up(5).await;
    setup.env.run_ok(&["backup", "copy.db"]);
    setup.env.run_ok(&ERASE);
    let Setup { env, server, acme, globex } = setup;
    drop(server);
    for restored_by_program in [true, false] {
        fs::remove_file(env.path().join("parlance.db")).unwrap();
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
        }
        if restored_by_program {
            let printed = env.run_ok(&["restore", "copy.db"]);
            assert!(printed.contains("applied from the ledger: 1\n"), "{printed}");
        } else {
            fs::copy(env.path().join("copy.db"), env.path().join("parlance.db")).unwrap();
        }
        let server = env.serve(&[]);
        assert_erased(&env);
        assert!(env.run_ok(&["audit", "log", "--tenant", "acme"]).contains("from the ledger"));
        let search = format!("{PATH}?externalId=a");
        assert_eq!(status(&server, &acme, &search, None).await, 401);
        assert_eq!(status(&server, &globex, &search, None).await, 200);
        let output = env.run(&ERASE);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && printed.contains("It was applied from the ledger"), "{printed}");
        drop(server);
    }
}

#[actix_web::test]
async fn on_postgresql_a_compaction_is_asked_for_and_confirmed_by_a_second_receipt() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let key = env.path().join(KEY);
    let ledger = format!("file://{}", env.path().join("ledger").display());
    let env =
        env.with_variables([("PARLANCE_MASTER_KEY_FILE", key.to_str().unwrap()), ("PARLANCE_LEDGER_URL", &ledger)]);
    write_key(&env, &[7; 32], 0o600);
    let setup = set_up_in(env, 150).await;
    let (env, before) = (&setup.env, of_globex(&setup).await);
    let output = env.run(&[&ERASE[..], &["--receipt", "first.json"]].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.contains("run `parlance privacy compact`"), "{stderr}");
    assert!(!env.path().join("feeds/acme").exists());
    assert_eq!(of_globex(&setup).await, before);
    let printed = env.run_ok(&["tenant", "erase", "--tenant", "acme", "--dry-run"]);
    assert!(printed.contains("nothing is changed:\nnothing\nAn erasure began at "), "{printed}");
    env.run_ok(&["privacy", "compact"]);
    let output = env.run(&[&ERASE[..], &["--receipt", "second.json"]].concat());
    assert!(!String::from_utf8(output.stderr).unwrap().contains("privacy compact"));
    env.run_ok(&["privacy", "verify", "second.json", "--previous", "first.json"]);
    let ledger = fs::read_dir(env.path().join("ledger")).unwrap().next().unwrap().unwrap();
    assert!(fs::read_to_string(ledger.path()).unwrap().contains("\"erased\":\"tenant\""));
}

/// A server that is stopped holds no lease, so the command delivers the emptied vocabulary by itself.
#[actix_web::test]
async fn without_a_server_the_command_delivers_the_emptied_vocabulary() {
    let mut setup = set_up(1).await;
    let delivered = setup.env.path().join("vocabularies/acme.json");
    while setup.server.wait_for_log("vocabulary delivered")["tenant"] != "acme" {}
    assert!(fs::read_to_string(&delivered).unwrap().contains("acme-phrase"));
    setup.server.signal("TERM");
    setup.server.wait_for_exit();
    setup.env.run_ok(&ERASE);
    assert!(fs::read_to_string(&delivered).unwrap().contains("\"custom-vocabularies\":[]"));
    assert_erased(&setup.env);
}
