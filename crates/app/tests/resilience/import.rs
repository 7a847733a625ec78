//! Tests of `kill -9` during imports: started again, an import stores every message once.

use std::{
    fmt::Write,
    fs,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::{
    database::{TestDatabase, query_integer},
    seeded_rng::SeededRng,
};

use crate::replica::TestEnvironment;

/// More messages than one chunk of a CSV file has lines.
const CONVERSATIONS: usize = 500;
const MESSAGES: usize = 11;

/// Returns the number of kills of the program in a test.
fn kills() -> u32 {
    std::env::var("PARLANCE_TEST_IMPORT_KILLS").map_or(5, |kills| kills.parse().unwrap())
}

/// The text of a message. Every third message of a conversation is equal to the one before it.
fn text(conversation: usize, message: usize) -> String {
    let number = if message % 3 == 2 { message - 1 } else { message };
    format!("message {number} of {conversation}, my pin is 1234")
}

/// The second of a message; equal messages have one time.
fn second(message: usize) -> usize {
    if message % 3 == 2 { message - 1 } else { message }
}

fn json_lines() -> String {
    (0..CONVERSATIONS).fold(String::new(), |mut lines, conversation| {
        let messages = (0..MESSAGES).map(|message| {
            let timestamp = format!("2026-01-31T09:30:{:02}Z", second(message));
            json!({"text": text(conversation, message), "sender": {"role": "customer", "externalId": "c"}, "timestamp": timestamp})
        });
        let messages: Vec<Value> = messages.collect();
        let (id, customer) = (format!("call-{conversation}"), json!({"externalId": "c"}));
        let line = json!({"externalId": id, "customer": customer, "timestamp": "2026-01-31T09:30:00Z", "messages": messages});
        writeln!(lines, "{line}").unwrap();
        lines
    })
}

/// The same messages in the order of their times, so that conversations alternate.
fn csv() -> String {
    let header = "conversation_external_id,customer_external_id,conversation_timestamp,sender_role,sender_external_id,timestamp,text\n";
    let mut lines = header.to_owned();
    for message in 0..MESSAGES {
        for conversation in 0..CONVERSATIONS {
            let (text, second) = (text(conversation, message), second(message));
            let start = "c,2026-01-31T09:30:00Z,customer,c";
            writeln!(lines, "call-{conversation},{start},2026-01-31T09:30:{second:02}Z,\"{text}\"").unwrap();
        }
    }
    lines
}

fn import(env: &TestEnvironment, tenant: &str, file: &str) -> Child {
    let mut command = env.command(&["import", "--tenant", tenant, file]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn import_to_the_end(env: &TestEnvironment, tenant: &str, file: &str) -> String {
    let output = import(env, tenant, file).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Imports a file for many tenants. Kills each import but the first after a part of the time that the first one took, and
/// starts it again.
async fn assert_kills_are_survived(database: &TestDatabase, file: &str, content: &str) {
    let env = TestEnvironment::new().with_setting("DATABASE_URL", database.url());
    fs::write(env.path().join(file), content).unwrap();
    let (mut random, mut whole) = (SeededRng::new(7), Duration::ZERO);
    for round in 0..=kills() {
        let tenant = format!("acme-{round}");
        env.create_credential(&tenant);
        let started_at = Instant::now();
        if round == 0 {
            import_to_the_end(&env, &tenant, file);
            whole = started_at.elapsed();
        } else {
            let mut child = import(&env, &tenant, file);
            let percent = u32::try_from(random.below(100)).unwrap();
            tokio::time::sleep(whole * percent / 100).await;
            child.kill().unwrap();
            child.wait().unwrap();
            import_to_the_end(&env, &tenant, file);
        }
        assert_stored_once(database, &tenant).await;
        let summary = import_to_the_end(&env, &tenant, file);
        let expected = format!("; 0 messages added, {} stored before; 0 lines refused;", CONVERSATIONS * MESSAGES);
        assert!(summary.contains(&expected), "{summary}");
    }
}

/// Checks that a tenant has every message of the file once, and those twice that the file has twice.
async fn assert_stored_once(database: &TestDatabase, tenant: &str) {
    let connection = database.connect().await;
    let groups = format!(
        "SELECT count(*) AS copies FROM messages WHERE tenant_id = '{tenant}' GROUP BY conversation_id, sent_at, text"
    );
    let count = async |condition: &str| {
        let query = format!("SELECT count(*) AS answer FROM ({groups}) AS groups WHERE copies {condition}");
        usize::try_from(query_integer(&connection, &query).await).unwrap()
    };
    let twice = (0..MESSAGES).filter(|message| message % 3 == 2).count();
    let found = [count("= 1").await, count("= 2").await, count("> 2").await];
    assert_eq!(found, [CONVERSATIONS * (MESSAGES - 2 * twice), CONVERSATIONS * twice, 0]);
}

#[actix_web::test]
async fn a_killed_import_of_json_lines_is_completed_over_sqlite() {
    assert_kills_are_survived(&TestDatabase::sqlite(), "a.jsonl", &json_lines()).await;
}

#[actix_web::test]
async fn a_killed_import_of_csv_is_completed_over_sqlite() {
    assert_kills_are_survived(&TestDatabase::sqlite(), "a.csv", &csv()).await;
}

#[actix_web::test]
async fn a_killed_import_is_completed_over_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    assert_kills_are_survived(&database, "a.jsonl", &json_lines()).await;
}
