//! Tests of `kill -9` during compactions of PostgreSQL: a second run finishes, and no row and no receipt is lost or doubled.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::{
    database::{TestDatabase, query_text},
    seeded_rng::SeededRng,
};

use crate::replica::{CONVERSATIONS, Caller, Replica, TEST_TIMEOUT, TestEnvironment, message, poll_delay};

const COMPACT: [&str; 2] = ["privacy", "compact"];

const REQUESTS: &str = "/privacy/v1/requests";

/// Erasures before each compaction, so that a kill can come between two receipts.
const ERASURES: usize = 3;

/// The texts of all stored messages, and every column of the conversations.
const STORED: &str = "SELECT coalesce(string_agg(row, ';' ORDER BY row), '') AS answer FROM (
    SELECT text AS row FROM messages UNION ALL SELECT conversations::text FROM conversations) AS stored";

/// Returns the number of kills in the test.
fn kills() -> u32 {
    std::env::var("PARLANCE_TEST_COMPACTION_KILLS").map_or(4, |kills| kills.parse().unwrap())
}

fn set_up(database: &TestDatabase) -> TestEnvironment {
    let env = TestEnvironment::new().with_setting("DATABASE_URL", database.url());
    let key = env.path().join("master.key");
    fs::write(&key, [7; 32]).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let env = env.with_setting("MASTER_KEY_FILE", key.to_str().unwrap());
    env.run_ok(&["migrate"]);
    env
}

fn caller(env: &TestEnvironment, server: &Replica) -> Caller {
    let permissions = ["conversation:read", "conversation:write", "privacy:operate"];
    let permissions = permissions.into_iter().flat_map(|permission| ["--permission", permission]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    let printed = env.run_ok(&create.into_iter().chain(permissions).collect::<Vec<_>>());
    let issued: Value = serde_json::from_str(&printed).unwrap();
    let member = |name: &str| issued[name].as_str().unwrap().to_owned();
    server.caller(&(member("apiId"), member("apiSecret")))
}

/// Stores a conversation of a customer with a message, and erases the customer. Returns the path of the request.
async fn erase_customer(caller: &Caller, customer: &str) -> String {
    let conversation =
        json!({"externalId": customer, "customer": {"externalId": customer}, "timestamp": "2026-01-31T09:30:00Z"});
    let (_, created) = caller.post(CONVERSATIONS, &conversation).await;
    let messages = format!("{CONVERSATIONS}/{}/messages", created["id"].as_str().unwrap());
    assert_eq!(caller.post(&messages, &message("to be erased")).await.0, 200);
    let request = json!({"type": "erasure", "subject": {"customerExternalId": customer}, "reference": "CHG-7"});
    let (_, created) = caller.post(REQUESTS, &request).await;
    let path = format!("{REQUESTS}/{}", created["id"].as_str().unwrap());
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let (_, request) = caller.get(&path).await;
        if request["status"] == "completed" {
            return path;
        }
        assert!(Instant::now() < deadline, "{request}");
        poll_delay().await;
    }
}

fn compact(env: &TestEnvironment) -> Child {
    env.command(&COMPACT).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Sends messages until this time. Returns the texts of those that were acknowledged.
async fn write_until(caller: &Caller, path: &str, round: u32, end: Instant) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        if Instant::now() >= end {
            break;
        }
        let text = format!("message {number} of round {round}");
        if caller.post(path, &message(&text)).await.0 == 200 {
            acknowledged.push(text);
        }
    }
    acknowledged
}

/// Checks that each erasure has its two receipts and one record of its compaction.
async fn assert_confirmed_once(env: &TestEnvironment, caller: &Caller, requests: &[String]) {
    let log = env.run_ok(&["audit", "log", "--tenant", "acme"]);
    assert_eq!(log.matches("privacy.compacted").count(), requests.len(), "{log}");
    for request in requests {
        let receipt = async |issue: u32| caller.get(&format!("{request}/receipt?issue={issue}")).await;
        let (_, second) = receipt(2).await;
        let statuses = [receipt(1).await.0, receipt(2).await.0, receipt(3).await.0];
        assert_eq!(statuses, [200, 200, 404], "{second}");
        assert!(!second["receipt"]["not_covered"].to_string().contains("postgresql_bytes"), "{second}");
    }
}

#[actix_web::test]
async fn a_killed_compaction_loses_nothing_and_is_completed_by_the_next_one() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (env, connection) = (set_up(&database), database.connect().await);
    let stored = async || query_text(&connection, STORED).await;
    let server = env.serve();
    let caller = caller(&env, &server);
    let path = caller.create_conversation("kept").await;
    let (mut random, mut whole) = (SeededRng::new(7), Duration::ZERO);
    let (mut requests, mut acknowledged, mut kills_during_run) = (Vec::new(), Vec::new(), 0);
    for round in 0..=kills() {
        for number in 0..ERASURES {
            requests.push(erase_customer(&caller, &format!("customer-{round}-{number}")).await);
        }
        let started_at = Instant::now();
        if round > 0 {
            let mut killed = compact(&env);
            let percent = u32::try_from(random.below(100)).unwrap();
            acknowledged.extend(write_until(&caller, &path, round, started_at + whole * percent / 100).await);
            kills_during_run += u32::from(killed.try_wait().unwrap().is_none());
            killed.kill().unwrap();
            killed.wait().unwrap();
        }
        let before = stored().await;
        let (repeated_at, printed) = (Instant::now(), env.run_ok(&COMPACT));
        assert!(printed.contains("rewritten: messages in "), "{printed}");
        if round == 0 {
            whole = repeated_at.elapsed();
        }
        assert_eq!(stored().await, before);
        assert_confirmed_once(&env, &caller, &requests).await;
    }
    let found = stored().await;
    let rows: Vec<&str> = found.split(';').collect();
    for text in &acknowledged {
        assert_eq!(rows.iter().filter(|row| *row == text).count(), 1, "{text}");
    }
    assert!(kills_during_run > 0, "every run ended before it was killed");
    assert!(!acknowledged.is_empty() && !found.contains("to be erased"), "{found}");
    assert!(env.run_ok(&["audit", "verify"]).contains("intact"));
    assert!(env.run_ok(&COMPACT).contains("second receipts: 0\n"));
}
