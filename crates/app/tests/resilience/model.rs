//! Tests with random interleavings of all operations from several clients. Each response is compared with a model.
//!
//! The clients run concurrently, each on its own conversations. One client of each tenant also has the vocabulary and
//! the redaction switch of the tenant. The expected responses therefore do not depend on the timing of the clients.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use support::seeded_rng::SeededRng;
use tokio::task::JoinSet;

use crate::{
    postgres_cluster::Cluster,
    replica::{CONVERSATIONS, Caller, TestEnvironment},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// Returns the number of operations that each client sends.
fn steps() -> usize {
    std::env::var("PARLANCE_TEST_STEPS").map_or(150, |steps| steps.parse().unwrap())
}

/// The expected state of a conversation.
struct ModelConversation {
    id: String,
    members: BTreeMap<&'static str, Value>,
    /// The id and the stored text of each message, by the second of sending and the order of arrival.
    messages: BTreeMap<(u32, usize), (String, String)>,
}

/// A client with the expected state of its resources.
struct ModelClient {
    caller: Caller,
    dice: SeededRng,
    name: String,
    /// Whether the client has the vocabulary and the redaction switch of its tenant.
    configures: bool,
    conversations: BTreeMap<String, ModelConversation>,
    vocabulary: Vec<(String, Value)>,
    masks_email: bool,
    message_count: usize,
}

impl ModelClient {
    async fn run(mut self) {
        for step in 0..steps() {
            let operation = self.dice.below(if self.configures { 11 } else { 7 });
            match operation {
                0 | 1 => self.upsert(step).await,
                2 | 3 => self.append_message(step).await,
                4 => self.list_messages().await,
                5 => self.find_conversation().await,
                6 => self.send_invalid_request().await,
                7 => self.add_phrase().await,
                8 => self.remove_phrase().await,
                9 => self.list_vocabulary().await,
                _ => self.switch().await,
            }
        }
    }

    fn external_id(&mut self) -> String {
        format!("{}-call-{}", self.name, self.dice.below(6))
    }

    async fn upsert(&mut self, step: usize) {
        let external_id = self.external_id();
        let customer = json!({"externalId": format!("customer-{step}")});
        let mut body = json!({"externalId": external_id, "customer": customer, "timestamp": "2026-01-31T09:30:00Z"});
        let (agent, metadata) = (self.dice.below(3), self.dice.below(3));
        let values =
            [("agent", agent, json!({"externalId": "a", "name": "Ada"})), ("metadata", metadata, json!({"k": "v"}))];
        for (member, choice, value) in &values {
            match choice {
                0 => {}
                1 => body[*member] = Value::Null,
                _ => body[*member] = value.clone(),
            }
        }
        let (status, answer) = self.caller.post(CONVERSATIONS, &body).await;
        assert_eq!(status, 200, "{answer}");
        let id = answer["id"].as_str().unwrap().to_owned();
        let new = || ModelConversation { id: id.clone(), members: BTreeMap::new(), messages: BTreeMap::new() };
        let conversation = self.conversations.entry(external_id.clone()).or_insert_with(new);
        assert_eq!(conversation.id, id, "an externalId has changed its id");
        conversation.members.insert("id", json!(id));
        conversation.members.insert("externalId", json!(external_id));
        conversation.members.insert("customer", customer);
        for (member, choice, value) in values {
            match choice {
                0 => {}
                1 => drop(conversation.members.remove(member)),
                _ => drop(conversation.members.insert(member, value)),
            }
        }
    }

    async fn append_message(&mut self, step: usize) {
        let (external_id, second, has_email) = (self.external_id(), self.dice.below(50), self.dice.below(2) == 0);
        let is_masked = self.masks_email && self.configures;
        let suffix = if has_email && self.configures { " write to ada@example.org" } else { "" };
        let text = format!("step {step}{suffix}");
        let second = u32::try_from(second).unwrap();
        let sender = json!({"role": "customer", "externalId": "c"});
        let body = json!({"text": text, "sender": sender, "timestamp": format!("2026-01-31T09:30:{second:02}Z")});
        let Some(conversation) = self.conversations.get_mut(&external_id) else {
            let path = format!("{CONVERSATIONS}/{:026}/messages", 0);
            assert_eq!(self.caller.post(&path, &body).await.0, 404);
            return;
        };
        let path = format!("{CONVERSATIONS}/{}/messages", conversation.id);
        let (status, answer) = self.caller.post(&path, &body).await;
        assert_eq!(status, 200, "{answer}");
        self.message_count += 1;
        let stored = if is_masked { mask(&text) } else { text };
        conversation.messages.insert((second, self.message_count), (answer["id"].as_str().unwrap().to_owned(), stored));
    }

    async fn list_messages(&mut self) {
        let external_id = self.external_id();
        let paths = [
            format!("/conversation/v1/conversation/messages?externalId={external_id}"),
            self.conversations
                .get(&external_id)
                .map_or_else(String::new, |conversation| format!("{CONVERSATIONS}/{}/messages", conversation.id)),
        ];
        for path in paths.iter().filter(|path| !path.is_empty()) {
            let (status, answer) = self.caller.get(path).await;
            let Some(conversation) = self.conversations.get(&external_id) else {
                assert_eq!(status, 404, "{answer}");
                return;
            };
            let actual: Vec<_> = answer["items"].as_array().unwrap().iter().map(id_and_text).collect();
            let visible =
                |(id, text): &(String, String)| (id.clone(), if self.masks_email { mask(text) } else { text.clone() });
            let expected: Vec<_> = conversation.messages.values().map(visible).collect();
            assert_eq!(actual, expected, "{path}");
        }
    }

    async fn find_conversation(&mut self) {
        let external_id = self.external_id();
        let (status, answer) = self.caller.get(&format!("{CONVERSATIONS}?externalId={external_id}")).await;
        let expected: Vec<_> =
            self.conversations.get(&external_id).map(|conversation| json!(conversation.members)).into_iter().collect();
        assert_eq!((status, &answer["items"]), (200, &json!(expected)));
        let Some(conversation) = self.conversations.get(&external_id) else { return };
        let (status, answer) = self.caller.get(&format!("{CONVERSATIONS}/{}", conversation.id)).await;
        assert_eq!((status, answer), (200, json!(conversation.members)));
    }

    async fn send_invalid_request(&mut self) {
        let requests = [
            (Method::POST, CONVERSATIONS, json!({"externalId": "x"}), 400),
            (Method::POST, CONVERSATIONS, json!([]), 400),
            (Method::GET, CONVERSATIONS, Value::Null, 400),
            (Method::DELETE, CONVERSATIONS, Value::Null, 405),
            (Method::GET, "/nowhere", Value::Null, 404),
        ];
        let (method, path, body, status) = &requests[self.dice.below(requests.len())];
        let body = Some(body).filter(|body| !body.is_null());
        let answer = self.caller.send(method.clone(), path, body).await;
        assert_eq!(answer.0, *status, "{method} {path}: {}", answer.1);
    }

    async fn add_phrase(&mut self) {
        let entry = json!({"phrase": format!("phrase {}", self.dice.below(30)), "soundsLike": ["fray s"]});
        let (status, answer) = self.caller.post(VOCABULARY, &entry).await;
        if self.vocabulary.iter().any(|(_, existing)| existing["phrase"] == entry["phrase"]) {
            assert_eq!(status, 409, "{answer}");
            return;
        }
        assert_eq!(status, 201, "{answer}");
        self.vocabulary.push((answer["id"].as_str().unwrap().to_owned(), entry));
    }

    async fn remove_phrase(&mut self) {
        let missing = format!("{VOCABULARY}/{:026}", 0);
        if self.vocabulary.is_empty() {
            assert_eq!(self.caller.send(Method::DELETE, &missing, None).await.0, 404);
            return;
        }
        let index = self.dice.below(self.vocabulary.len());
        let path = format!("{VOCABULARY}/{}", self.vocabulary.remove(index).0);
        assert_eq!(self.caller.send(Method::DELETE, &path, None).await.0, 204);
        assert_eq!(self.caller.get(&path).await.0, 404);
    }

    async fn list_vocabulary(&mut self) {
        let (status, answer) = self.caller.get(&format!("{VOCABULARY}?limit=100")).await;
        let with_id = |(id, entry): &(String, Value)| json!({"id": id, "phrase": entry["phrase"], "soundsLike": entry["soundsLike"]});
        let expected: Vec<_> = self.vocabulary.iter().map(with_id).collect();
        assert_eq!((status, &answer["custom-vocabularies"]), (200, &json!(expected)));
    }

    async fn switch(&mut self) {
        let active = self.dice.below(2) == 0;
        let (status, answer) = self.caller.send(Method::PATCH, ENTITY, Some(&json!({"active": active}))).await;
        assert_eq!((status, &answer["active"]), (200, &json!(active)));
        self.masks_email = active;
        let (status, answer) = self.caller.get(ENTITY).await;
        assert_eq!((status, &answer["active"]), (200, &json!(active)));
    }
}

fn mask(text: &str) -> String {
    text.replace("ada@", "***@")
}

fn id_and_text(item: &Value) -> (String, String) {
    let member = |name: &str| item[name].as_str().unwrap().to_owned();
    (member("messageId"), member("text"))
}

async fn assert_responses_match_the_model(env: &TestEnvironment) {
    let tenants = ["acme", "globex"];
    let credentials = tenants.map(|tenant| env.create_credential(tenant));
    let server = env.serve();
    let mut clients = JoinSet::new();
    for (number, seed) in (0..6).zip(1_u64..) {
        let client = ModelClient {
            caller: server.caller(&credentials[number % tenants.len()]),
            dice: SeededRng::new(seed * 7_919),
            name: format!("client-{number}"),
            configures: number < tenants.len(),
            conversations: BTreeMap::new(),
            vocabulary: Vec::new(),
            masks_email: false,
            message_count: 0,
        };
        clients.spawn(client.run());
    }
    clients.join_all().await;
}

#[actix_web::test]
async fn every_response_over_sqlite_matches_the_model() {
    assert_responses_match_the_model(&TestEnvironment::new()).await;
}

#[actix_web::test]
async fn every_response_over_postgresql_matches_the_model() {
    let Some(cluster) = Cluster::start() else { return };
    assert_responses_match_the_model(&TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url())).await;
}
