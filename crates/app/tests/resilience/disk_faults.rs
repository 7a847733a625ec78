//! Tests in which the n-th write, sync, read or truncation of the files of SQLite fails. Every response has a promised
//! status, no acknowledged write is lost or doubled, and the server recovers without a restart.
//!
//! By default only some of the calls fail. With `PARLANCE_TEST_FAULTS_EVERY=1` each call fails in turn.

use std::{
    fs,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    failing_files::{Fault, FaultInjector, FileOperation},
    replica::{CONVERSATIONS, Caller, JsonResponse, Replica, TestEnvironment, conversation, message, poll_delay},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// Maximum number of faults of each kind, unless `PARLANCE_TEST_FAULTS_EVERY` is set.
const MAX_FAULTS_PER_KIND: u64 = 12;

/// Maximum time after a fault until the server writes again.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(5);

/// Maximum time of a response: longer than the setting `request_timeout_ms`, because the machine may be busy.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(10);

const FAULTS: [(FileOperation, Fault); 6] = [
    (FileOperation::Write, Fault::IoError),
    (FileOperation::Write, Fault::NoSpace),
    (FileOperation::Write, Fault::ShortWrite),
    (FileOperation::Sync, Fault::IoError),
    (FileOperation::Read, Fault::IoError),
    (FileOperation::Truncate, Fault::IoError),
];

/// Returns the numbers of the calls to fail, out of this many calls.
fn fault_positions(calls: u64) -> impl Iterator<Item = u64> {
    let setting = std::env::var("PARLANCE_TEST_FAULTS_EVERY").ok().map(|every| every.parse().unwrap());
    let every: u64 = setting.unwrap_or_else(|| calls.div_ceil(MAX_FAULTS_PER_KIND)).max(1);
    (1..=calls).step_by(usize::try_from(every).unwrap())
}

/// The writes of one round, and which of them were acknowledged.
#[derive(Default)]
struct Round {
    number: usize,
    conversation_id: Option<String>,
    /// Texts, each with its id if the message was acknowledged.
    messages: Vec<(String, Option<String>)>,
    /// Texts of the messages that were sent with a key until they were acknowledged.
    keyed_messages: Vec<String>,
    entry_id: Option<String>,
    /// The acknowledged state of the switch.
    switch_state: Option<bool>,
}

fn id(answer: &Value) -> Option<String> {
    answer["id"].as_str().map(ToOwned::to_owned)
}

/// Sends a request, and checks that the response is a success or a 503 and comes in time. Returns `None` for a 503.
async fn send(caller: &Caller, method: Method, path: &str, body: &Value, key: Option<&str>) -> Option<JsonResponse> {
    let start = Instant::now();
    let (status, answer) = caller.try_send_with_key(method, path, Some(body), key).await.unwrap();
    assert!(start.elapsed() < MAX_RESPONSE_TIME, "{path} took {:?}", start.elapsed());
    assert!([200, 201, 204, 503].contains(&status), "{path} {status}: {answer}");
    (status != 503).then_some((status, answer))
}

impl Round {
    /// Writes through every write path.
    async fn write(&mut self, caller: &Caller) {
        let external_id = format!("call-{}", self.number);
        self.conversation_id = self.upsert(caller, &external_id).await.or(self.upsert(caller, &external_id).await);
        self.write_vocabulary(caller).await;
        let active = self.number.is_multiple_of(2);
        let switched = send(caller, Method::PATCH, ENTITY, &json!({"active": active}), None).await;
        self.switch_state = switched.map(|_| active);
        let Some(conversation_id) = self.conversation_id.clone() else { return };
        let path = format!("{CONVERSATIONS}/{conversation_id}/messages");
        // The last text is masked together with the text before it. The mask overwrites stored text, after which the
        // server truncates the write-ahead log.
        for text in ["call me", "my card is 4111 1111", "1111 1111 thank you"] {
            let text = format!("{text} {}", self.number);
            let sent = send(caller, Method::POST, &path, &message(&text), None).await;
            self.messages.push((text, sent.and_then(|(_, answer)| id(&answer))));
        }
        let batch: Vec<_> = (0..20).map(|index| format!("part {index} of {}", self.number)).collect();
        let body = json!({"messages": batch.iter().map(|text| message(text)).collect::<Vec<_>>()});
        let sent = send(caller, Method::POST, &format!("{path}/batch"), &body, None).await;
        for (index, text) in batch.into_iter().enumerate() {
            let id = sent.as_ref().map(|(_, answer)| answer["ids"][index].as_str().unwrap().to_owned());
            self.messages.push((text, id));
        }
        self.write_keyed_message(caller, &path).await;
    }

    async fn upsert(&self, caller: &Caller, external_id: &str) -> Option<String> {
        let sent = send(caller, Method::POST, CONVERSATIONS, &conversation(external_id), None).await;
        sent.and_then(|(_, answer)| id(&answer))
    }

    async fn write_vocabulary(&mut self, caller: &Caller) {
        let phrase = |word: &str| json!({"phrase": format!("{word} {}", self.number), "soundsLike": []});
        let entry = send(caller, Method::POST, VOCABULARY, &phrase("kept"), None).await;
        let removed = send(caller, Method::POST, VOCABULARY, &phrase("removed"), None).await;
        if let Some(id) = removed.and_then(|(_, answer)| id(&answer)) {
            send(caller, Method::DELETE, &format!("{VOCABULARY}/{id}"), &Value::Null, None).await;
        }
        self.entry_id = entry.and_then(|(_, answer)| id(&answer));
    }

    /// Sends a message with a key, repeatedly until it is acknowledged.
    async fn write_keyed_message(&mut self, caller: &Caller, path: &str) {
        let (text, deadline) = (format!("keyed {}", self.number), Instant::now() + MAX_RECOVERY_TIME);
        while send(caller, Method::POST, path, &message(&text), Some(&text)).await.is_none() {
            assert!(Instant::now() < deadline, "{text} is never acknowledged");
            poll_delay().await;
        }
        self.keyed_messages.push(text);
    }

    /// Checks that every acknowledged write is stored once, and no other message more than once.
    async fn check(&self, caller: &Caller) {
        if let Some(entry_id) = &self.entry_id {
            assert_eq!(caller.get(&format!("{VOCABULARY}/{entry_id}")).await.0, 200, "entry of round {}", self.number);
        }
        let Some(conversation_id) = &self.conversation_id else { return };
        let (status, list) = caller.get(&format!("{CONVERSATIONS}/{conversation_id}/messages")).await;
        assert_eq!(status, 200, "{list}");
        let items = list["items"].as_array().unwrap();
        for (text, id) in &self.messages {
            let count = items.iter().filter(|item| item["messageId"].as_str() == id.as_deref()).count();
            assert!(id.is_none() || count == 1, "{text} was acknowledged and is stored {count} times");
        }
        let times = |text: &String| items.iter().filter(|item| item["text"].as_str() == Some(text)).count();
        let plain = self.messages.iter().map(|(text, _)| text).filter(|text| !text.contains("1111"));
        assert!(plain.clone().all(|text| times(text) <= 1), "a message is stored twice: {list}");
        assert!(
            self.keyed_messages.iter().all(|text| times(text) == 1),
            "a message with a key is not stored exactly once: {list}"
        );
    }
}

/// A database whose file calls can fail, with the rounds of writes to it.
struct FaultTest {
    env: TestEnvironment,
    faults: FaultInjector,
    credential: (String, String),
    rounds: Vec<Round>,
}

impl FaultTest {
    fn new() -> Self {
        let faults = FaultInjector::new();
        let env = TestEnvironment::new().with_variables(faults.variables());
        let credential = env.create_credential("acme");
        Self { env, faults, credential, rounds: Vec::new() }
    }

    async fn run_round(&mut self, server: &Replica) {
        let mut round = Round { number: self.rounds.len(), ..Round::default() };
        round.write(&server.caller(&self.credential)).await;
        self.rounds.push(round);
    }

    /// Runs one round, and returns the number of its calls of this kind.
    async fn calls_of_round(&mut self, server: &Replica, call: FileOperation) -> u64 {
        let before = self.faults.call_count(call);
        self.run_round(server).await;
        self.faults.call_count(call) - before
    }

    /// Waits until the server writes again, without a restart.
    async fn wait_for_recovery(&self, server: &Replica) {
        let (caller, deadline) = (server.caller(&self.credential), Instant::now() + MAX_RECOVERY_TIME);
        let body = conversation("after-a-fault");
        while send(&caller, Method::POST, CONVERSATIONS, &body, None).await.is_none() {
            assert!(Instant::now() < deadline, "the server does not write again");
            poll_delay().await;
        }
    }

    /// Kills the server, starts another one without faults, and checks the writes of all rounds and the database.
    async fn check_after_kill(&self, mut server: Replica) {
        server.kill();
        let server = self.env.serve();
        let caller = server.caller(&self.credential);
        for round in &self.rounds {
            round.check(&caller).await;
        }
        if let Some(expected) = self.rounds.last().and_then(|round| round.switch_state) {
            assert_eq!(caller.get(ENTITY).await.1["active"], expected);
        }
        self.env.run_ok(&["doctor", "--deep"]);
        self.env.run_ok(&["audit", "verify"]);
    }
}

#[actix_web::test]
async fn no_disk_fault_loses_or_doubles_a_write_or_blocks_a_request() {
    for (call, fault) in FAULTS {
        let mut test = FaultTest::new();
        let server = test.env.serve();
        let calls = test.calls_of_round(&server, call).await;
        for position in fault_positions(calls) {
            test.faults.inject(call, position, fault);
            test.run_round(&server).await;
            test.faults.clear();
            test.wait_for_recovery(&server).await;
        }
        test.check_after_kill(server).await;
    }
}

/// Runs a command that changes the database under each fault. The command must succeed, or fail with one line. The same
/// command must succeed after the faults.
fn assert_fails_cleanly(arguments: &[&str], env: &TestEnvironment, faults: &FaultInjector, prepare: impl Fn()) {
    prepare();
    let before = FAULTS.map(|(call, _)| faults.call_count(call));
    env.run_ok(arguments);
    let calls = FAULTS.map(|(call, _)| faults.call_count(call));
    for ((call, fault), calls) in
        FAULTS.into_iter().zip(calls.into_iter().zip(before).map(|(now, before)| now - before))
    {
        for position in fault_positions(calls) {
            prepare();
            faults.inject(call, position, fault);
            let output = env.command(arguments).output().unwrap();
            faults.clear();
            let stderr = String::from_utf8(output.stderr).unwrap();
            let code = output.status.code();
            assert!(code == Some(0) || code == Some(1), "{arguments:?} exited with {code:?}: {stderr}");
            assert!(
                code == Some(0) || stderr.lines().count() == 1,
                "{arguments:?} printed more than one line: {stderr}"
            );
        }
    }
    prepare();
    env.run_ok(arguments);
    env.run_ok(&["doctor", "--deep"]);
}

#[test]
fn a_migration_that_a_disk_fault_stops_can_be_repeated() {
    let faults = FaultInjector::new();
    let env = TestEnvironment::new().with_variables(faults.variables());
    assert_fails_cleanly(&["migrate"], &env, &faults, || {
        for suffix in ["", "-wal", "-shm"] {
            // Not every run leaves all of these files.
            let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
        }
    });
}

#[test]
fn the_next_migration_completes_one_that_disk_faults_stopped() {
    let faults = FaultInjector::new();
    let env = TestEnvironment::new().with_variables(faults.variables());
    for position in [1, 4, 16, 64] {
        faults.inject(FileOperation::Write, position, Fault::IoError);
        env.command(&["migrate"]).output().unwrap();
        faults.clear();
    }
    env.run_ok(&["migrate"]);
    env.run_ok(&["doctor", "--deep"]);
}

#[test]
fn a_credential_is_created_completely_or_not_at_all_under_disk_faults() {
    let faults = FaultInjector::new();
    let env = TestEnvironment::new().with_variables(faults.variables());
    env.run_ok(&["migrate"]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    assert_fails_cleanly(&create, &env, &faults, || {});
    env.run_ok(&["audit", "verify"]);
    let listed: Value = serde_json::from_str(&env.run_ok(&["credential", "list", "--json"])).unwrap();
    assert!(listed.as_array().unwrap().len() >= 2);
}

#[test]
fn a_backup_that_a_disk_fault_stops_can_be_repeated() {
    let faults = FaultInjector::new();
    let env = TestEnvironment::new().with_variables(faults.variables());
    env.create_credential("acme");
    let copy = env.path().join("copy.db");
    assert_fails_cleanly(&["backup", "copy.db"], &env, &faults, || {
        for name in ["copy.db", "copy.db.sha256", "copy.db.unfinished"] {
            let _ = fs::remove_file(env.path().join(name));
        }
    });
    assert!(copy.exists());
}
