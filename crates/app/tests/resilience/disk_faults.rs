//! The n-th write, sync, read or truncation of SQLite's files fails: every answer is a promised one, nothing acknowledged is
//! lost or doubled, and the server goes on by itself.
//!
//! By default few of all calls are failed; `PARLANCE_TEST_FAULTS_EVERY=1` fails each of them in turn.

use std::{
    fs,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    failing_files::{Call, FailingFiles, Fault},
    replica::{Answer, CONVERSATIONS, Caller, Place, Replica, conversation, message, pause},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// Rounds of each kind of fault, in the gate.
const ROUNDS: u64 = 12;

/// How soon the server must write again after a fault.
const RECOVERY: Duration = Duration::from_secs(5);

/// Longer than any answer may take, by the setting `request_timeout_ms` and a busy machine.
const ANSWER: Duration = Duration::from_secs(10);

const KINDS: [(Call, Fault); 6] = [
    (Call::Write, Fault::Broken),
    (Call::Write, Fault::Full),
    (Call::Write, Fault::Short),
    (Call::Sync, Fault::Broken),
    (Call::Read, Fault::Broken),
    (Call::Truncate, Fault::Broken),
];

/// Each number of a call to fail, of so many.
fn places(calls: u64) -> impl Iterator<Item = u64> {
    let all = std::env::var("PARLANCE_TEST_FAULTS_EVERY").ok().map(|every| every.parse().unwrap());
    let every: u64 = all.unwrap_or_else(|| calls.div_ceil(ROUNDS)).max(1);
    (1..=calls).step_by(usize::try_from(every).unwrap())
}

/// What a caller did in one round, and what was acknowledged of it.
#[derive(Default)]
struct Round {
    number: usize,
    conversation: Option<String>,
    /// Texts, each with its id where that was acknowledged.
    messages: Vec<(String, Option<String>)>,
    /// Texts that were sent with a key until they were acknowledged.
    keyed: Vec<String>,
    entry: Option<String>,
    switched: Option<bool>,
}

fn id(answer: &Value) -> Option<String> {
    answer["id"].as_str().map(ToOwned::to_owned)
}

/// Sends a request, whose answer is a success or a 503 and comes in time.
async fn send(caller: &Caller, method: Method, path: &str, body: &Value, key: Option<&str>) -> Option<Answer> {
    let begun = Instant::now();
    let (status, answer) = caller.try_with_key(method, path, Some(body), key).await.unwrap();
    assert!(begun.elapsed() < ANSWER, "{path} took {:?}", begun.elapsed());
    assert!([200, 201, 204, 503].contains(&status), "{path} {status}: {answer}");
    (status != 503).then_some((status, answer))
}

impl Round {
    /// Writes by every path.
    async fn write(&mut self, caller: &Caller) {
        let external_id = format!("call-{}", self.number);
        self.conversation = self.upsert(caller, &external_id).await.or(self.upsert(caller, &external_id).await);
        self.vocabulary(caller).await;
        let on = self.number.is_multiple_of(2);
        let switched = send(caller, Method::PATCH, ENTITY, &json!({"active": on}), None).await;
        self.switched = switched.map(|_| on);
        let Some(conversation) = self.conversation.clone() else { return };
        let path = format!("{CONVERSATIONS}/{conversation}/messages");
        // The second is masked with the first, which overwrites text and empties the log.
        for text in ["call me", "my card is 4111 1111", "1111 1111 thank you"] {
            let text = format!("{text} {}", self.number);
            let sent = send(caller, Method::POST, &path, &message(&text), None).await;
            self.messages.push((text, sent.and_then(|(_, answer)| id(&answer))));
        }
        let batch: Vec<_> = (0..20).map(|each| format!("part {each} of {}", self.number)).collect();
        let body = json!({"messages": batch.iter().map(|text| message(text)).collect::<Vec<_>>()});
        let sent = send(caller, Method::POST, &format!("{path}/batch"), &body, None).await;
        for (place, text) in batch.into_iter().enumerate() {
            let id = sent.as_ref().map(|(_, answer)| answer["ids"][place].as_str().unwrap().to_owned());
            self.messages.push((text, id));
        }
        self.keyed(caller, &path).await;
    }

    async fn upsert(&self, caller: &Caller, external_id: &str) -> Option<String> {
        let sent = send(caller, Method::POST, CONVERSATIONS, &conversation(external_id), None).await;
        sent.and_then(|(_, answer)| id(&answer))
    }

    async fn vocabulary(&mut self, caller: &Caller) {
        let phrase = |word: &str| json!({"phrase": format!("{word} {}", self.number), "soundsLike": []});
        let kept = send(caller, Method::POST, VOCABULARY, &phrase("kept"), None).await;
        let removed = send(caller, Method::POST, VOCABULARY, &phrase("removed"), None).await;
        if let Some(id) = removed.and_then(|(_, answer)| id(&answer)) {
            send(caller, Method::DELETE, &format!("{VOCABULARY}/{id}"), &Value::Null, None).await;
        }
        self.entry = kept.and_then(|(_, answer)| id(&answer));
    }

    /// Sends a message with a key, and again until it is acknowledged.
    async fn keyed(&mut self, caller: &Caller, path: &str) {
        let (text, deadline) = (format!("keyed {}", self.number), Instant::now() + RECOVERY);
        while send(caller, Method::POST, path, &message(&text), Some(&text)).await.is_none() {
            assert!(Instant::now() < deadline, "{text} is never acknowledged");
            pause().await;
        }
        self.keyed.push(text);
    }

    /// What was acknowledged is there, once, and of the rest nothing twice.
    async fn check(&self, caller: &Caller) {
        if let Some(entry) = &self.entry {
            assert_eq!(caller.get(&format!("{VOCABULARY}/{entry}")).await.0, 200, "entry of round {}", self.number);
        }
        let Some(conversation) = &self.conversation else { return };
        let (status, list) = caller.get(&format!("{CONVERSATIONS}/{conversation}/messages")).await;
        assert_eq!(status, 200, "{list}");
        let items = list["items"].as_array().unwrap();
        for (text, id) in &self.messages {
            let ids = items.iter().filter(|item| item["messageId"].as_str() == id.as_deref()).count();
            assert!(id.is_none() || ids == 1, "{text} was acknowledged and is there {ids} times");
        }
        let times = |text: &String| items.iter().filter(|item| item["text"].as_str() == Some(text)).count();
        let plain = self.messages.iter().map(|(text, _)| text).filter(|text| !text.contains("1111"));
        assert!(plain.clone().all(|text| times(text) <= 1), "something is there twice: {list}");
        assert!(self.keyed.iter().all(|text| times(text) == 1), "a keyed message is not there once: {list}");
    }
}

/// A server whose calls can fail, with all that was written to it.
struct Under {
    place: Place,
    files: FailingFiles,
    credential: (String, String),
    rounds: Vec<Round>,
}

impl Under {
    fn new() -> Self {
        let files = FailingFiles::new();
        let place = Place::new().with_variables(files.variables());
        let credential = place.credential("acme");
        Self { place, files, credential, rounds: Vec::new() }
    }

    async fn round(&mut self, server: &Replica) {
        let mut round = Round { number: self.rounds.len(), ..Round::default() };
        round.write(&server.caller(&self.credential)).await;
        self.rounds.push(round);
    }

    /// How many calls of a kind one round makes.
    async fn calls(&mut self, server: &Replica, call: Call) -> u64 {
        let before = self.files.calls(call);
        self.round(server).await;
        self.files.calls(call) - before
    }

    /// The server writes again, without having been started again.
    async fn recovers(&self, server: &Replica) {
        let (caller, deadline) = (server.caller(&self.credential), Instant::now() + RECOVERY);
        let body = conversation("after-a-fault");
        while send(&caller, Method::POST, CONVERSATIONS, &body, None).await.is_none() {
            assert!(Instant::now() < deadline, "the server does not write again");
            pause().await;
        }
    }

    /// After a kill and a start without faults everything is there, and the database is sound.
    async fn check(&self, mut server: Replica) {
        server.kill();
        let server = self.place.serve();
        let caller = server.caller(&self.credential);
        for round in &self.rounds {
            round.check(&caller).await;
        }
        if let Some(expected) = self.rounds.last().and_then(|round| round.switched) {
            assert_eq!(caller.get(ENTITY).await.1["active"], expected);
        }
        self.place.print(&["doctor", "--deep"]);
        self.place.print(&["audit", "verify"]);
    }
}

#[actix_web::test]
async fn no_fault_of_the_disk_loses_doubles_or_hangs_anything() {
    for (call, fault) in KINDS {
        let mut under = Under::new();
        let server = under.place.serve();
        let calls = under.calls(&server, call).await;
        for at in places(calls) {
            under.files.fail(call, at, fault);
            under.round(&server).await;
            under.files.stop();
            under.recovers(&server).await;
        }
        under.check(server).await;
    }
}

/// A command that changes the database, under each fault: it ends by itself, and the same command succeeds after it.
fn ends_in_order(arguments: &[&str], place: &Place, files: &FailingFiles, prepare: impl Fn()) {
    prepare();
    let before = KINDS.map(|(call, _)| files.calls(call));
    place.print(arguments);
    let calls = KINDS.map(|(call, _)| files.calls(call));
    for ((call, fault), calls) in KINDS.into_iter().zip(calls.into_iter().zip(before).map(|(now, before)| now - before))
    {
        for at in places(calls) {
            prepare();
            files.fail(call, at, fault);
            let output = place.command(arguments).output().unwrap();
            files.stop();
            let complaint = String::from_utf8(output.stderr).unwrap();
            let code = output.status.code();
            assert!(code == Some(0) || code == Some(1), "{arguments:?} ended with {code:?}: {complaint}");
            assert!(code == Some(0) || complaint.lines().count() == 1, "{arguments:?} complained: {complaint}");
        }
    }
    prepare();
    place.print(arguments);
    place.print(&["doctor", "--deep"]);
}

#[test]
fn a_migration_that_the_disk_fails_can_be_run_again() {
    let files = FailingFiles::new();
    let place = Place::new().with_variables(files.variables());
    ends_in_order(&["migrate"], &place, &files, || {
        for suffix in ["", "-wal", "-shm"] {
            // Not every run leaves every file.
            let _ = fs::remove_file(place.path().join(format!("parlance.db{suffix}")));
        }
    });
}

#[test]
fn a_migration_that_the_disk_failed_is_completed_by_the_next() {
    let files = FailingFiles::new();
    let place = Place::new().with_variables(files.variables());
    for at in [1, 4, 16, 64] {
        files.fail(Call::Write, at, Fault::Broken);
        place.command(&["migrate"]).output().unwrap();
        files.stop();
    }
    place.print(&["migrate"]);
    place.print(&["doctor", "--deep"]);
}

#[test]
fn a_credential_that_the_disk_fails_is_whole_or_not_there() {
    let files = FailingFiles::new();
    let place = Place::new().with_variables(files.variables());
    place.print(&["migrate"]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    ends_in_order(&create, &place, &files, || {});
    place.print(&["audit", "verify"]);
    let listed: Value = serde_json::from_str(&place.print(&["credential", "list", "--json"])).unwrap();
    assert!(listed.as_array().unwrap().len() >= 2);
}

#[test]
fn a_copy_that_the_disk_fails_is_not_there_and_can_be_made_again() {
    let files = FailingFiles::new();
    let place = Place::new().with_variables(files.variables());
    place.credential("acme");
    let copy = place.path().join("copy.db");
    ends_in_order(&["backup", "copy.db"], &place, &files, || {
        for name in ["copy.db", "copy.db.unfinished"] {
            let _ = fs::remove_file(place.path().join(name));
        }
    });
    assert!(copy.exists());
}
