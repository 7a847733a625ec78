//! Connections to PostgreSQL are cut before, amid and after a message of its protocol, for messages of every operation:
//! nothing acknowledged is lost, nothing that has a key is doubled, every answer is a promised one and comes in time.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    outage::TOLD_WITHIN,
    outside::{Cluster, url_at},
    proxy::{Cut, Direction, Moment, PostgresProxy},
    replica::{CONVERSATIONS, Caller, PATIENCE, Place, conversation, message, pause},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// At how many messages of each direction connections are cut.
fn cuts() -> usize {
    std::env::var("PARLANCE_TEST_CUTS").map_or(16, |cuts| cuts.parse().unwrap())
}

/// A client that sends everything until it succeeds, and finds only promised answers on the way.
struct Client<'caller> {
    caller: &'caller Caller,
    cut: String,
}

impl Client<'_> {
    /// Sends a request once.
    async fn send(&self, method: Method, path: &str, body: Option<&Value>, key: Option<&str>) -> (u16, Value) {
        let began = Instant::now();
        let answer = self.caller.try_with_key(method.clone(), path, body, key).await;
        let (what, took) = (format!("{method} {path} at {}", self.cut), began.elapsed());
        assert!(answer.is_some(), "{what} has no answer");
        let (status, body) = answer.unwrap();
        assert!(took < TOLD_WITHIN, "{what} takes {took:?}");
        let promised = [200, 201, 204, 503].contains(&status)
            || (status == 409 && key.is_some())
            || (status == 404 && method == Method::DELETE);
        assert!(promised, "{what} is {status}: {body}");
        (status, body)
    }

    /// Sends a request until it succeeds. It is sent with a key where it has one, and else does the same each time.
    async fn insist(&self, method: Method, path: &str, body: Option<&Value>, key: Option<&str>) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (status, answer) = self.send(method.clone(), path, body, key).await;
            if ![409, 503].contains(&status) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{method} {path} never succeeds at {}", self.cut);
            pause().await;
        }
    }

    async fn create(&self, path: &str, body: &Value, key: &str) -> Value {
        self.insist(Method::POST, path, Some(body), Some(key)).await
    }

    async fn get(&self, path: &str) -> Value {
        self.insist(Method::GET, path, None, None).await
    }

    /// Every operation on a conversation of its own, and what is there after it.
    async fn run(&self, number: usize) {
        let name = format!("call-{number}");
        let id = self.create(CONVERSATIONS, &conversation(&name), &name).await["id"].as_str().unwrap().to_owned();
        let path = format!("{CONVERSATIONS}/{id}/messages");
        let expected = self.say(&path, number).await;
        self.check(&path, &expected).await;
        assert_eq!(self.get(&format!("{CONVERSATIONS}?externalId={name}")).await["items"][0]["id"], id);
        self.configure(number).await;
        self.get("/health/ready").await;
    }

    /// Sends messages, alone and together, with a key and without, and gives what was acknowledged: ids and texts.
    async fn say(&self, path: &str, number: usize) -> Vec<(Value, String)> {
        let text = |place: usize| format!("parcel {number} {place}");
        let (one, other) = (message(&text(1)), message(&text(2)));
        let (first, second) = (text(1), text(2));
        let (one, other) = tokio::join!(self.create(path, &one, &first), self.create(path, &other, &second));
        let mut acknowledged = vec![(one["id"].clone(), text(1)), (other["id"].clone(), text(2))];
        let batch = json!({"messages": [message(&text(3)), message(&text(4))]});
        let ids = self.create(&format!("{path}/batch"), &batch, &text(3)).await["ids"].clone();
        acknowledged.extend([(ids[0].clone(), text(3)), (ids[1].clone(), text(4))]);
        let (status, plain) = self.send(Method::POST, path, Some(&message(&text(5))), None).await;
        if status == 200 {
            acknowledged.push((plain["id"].clone(), text(5)));
        }
        acknowledged
    }

    /// What was acknowledged is there, once; beside it only what has no key may be.
    async fn check(&self, path: &str, acknowledged: &[(Value, String)]) {
        let list = self.get(path).await;
        let items = list["items"].as_array().unwrap();
        for (id, text) in acknowledged {
            let found: Vec<_> = items.iter().filter(|item| item["text"] == *text).collect();
            assert_eq!(found.len(), 1, "{text} is there {} times after {}", found.len(), self.cut);
            assert_eq!(found[0]["messageId"], *id, "{text} after {}", self.cut);
        }
        assert!(items.len() <= 5, "{} messages are there after {}", items.len(), self.cut);
    }

    /// Adds an entry to the vocabulary and removes it, and throws a switch.
    async fn configure(&self, number: usize) {
        let phrase = format!("phrase {number}");
        let entry = json!({"phrase": phrase, "soundsLike": ["fray s"]});
        let id = self.create(VOCABULARY, &entry, &phrase).await["id"].clone();
        let list = self.get(&format!("{VOCABULARY}?limit=100")).await;
        let entries = list["custom-vocabularies"].as_array().unwrap();
        let ids: Vec<_> = entries.iter().filter(|entry| entry["phrase"] == phrase).map(|entry| &entry["id"]).collect();
        assert_eq!(ids, [&id], "after {}", self.cut);
        let path = format!("{VOCABULARY}/{}", id.as_str().unwrap());
        self.insist(Method::DELETE, &path, None, None).await;
        let active = json!({"active": number.is_multiple_of(2)});
        self.insist(Method::PATCH, ENTITY, Some(&active), None).await;
        assert_eq!(self.get(ENTITY).await["active"], active["active"], "after {}", self.cut);
    }
}

/// So many numbers of messages, evenly from the first to the last.
fn spread(messages: usize) -> impl Iterator<Item = usize> {
    let count = cuts().min(messages);
    (0..count).map(move |place| 1 + place * messages / count)
}

#[actix_web::test]
async fn nothing_acknowledged_is_lost_or_doubled_wherever_a_connection_to_postgresql_is_cut() {
    let Some(cluster) = Cluster::start() else { return };
    let proxy = PostgresProxy::start(cluster.port());
    let place = Place::new().with("DATABASE_URL", &url_at(proxy.port()));
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    let run = async |number, cut: String| Client { caller: &caller, cut }.run(number).await;
    // The first run opens connections, the second is what others are like.
    run(0, "no cut".to_owned()).await;
    proxy.plan(None);
    run(1, "no cut".to_owned()).await;
    let ([to_server, to_client], _) = proxy.seen();
    let (mut number, mut made) = (1, 0);
    for (direction, messages) in [(Direction::ToServer, to_server), (Direction::ToClient, to_client)] {
        for message in spread(messages) {
            for moment in [Moment::Before, Moment::Amid, Moment::After] {
                let cut = Cut { direction, message, moment };
                number += 1;
                proxy.plan(Some(cut));
                run(number, format!("{cut:?}")).await;
                made += usize::from(proxy.seen().1);
            }
        }
    }
    let planned = number - 1;
    assert!(made * 10 >= planned * 9, "{made} of {planned} cuts were made");
}

/// A connection that is cut while it opens is told in time as well.
#[actix_web::test]
async fn a_connection_that_is_cut_while_it_opens_is_a_503_in_time() {
    let Some(cluster) = Cluster::start() else { return };
    let proxy = PostgresProxy::start(cluster.port());
    let place = Place::new().with("DATABASE_URL", &url_at(proxy.port()));
    let credential = place.credential("acme");
    for message in 1..=6 {
        for direction in [Direction::ToServer, Direction::ToClient] {
            let server = place.serve();
            let caller = server.caller(&credential);
            proxy.plan(Some(Cut { direction, message, moment: Moment::Amid }));
            let client = Client { caller: &caller, cut: format!("{direction:?} {message} of a new connection") };
            client.run(message * 2 + usize::from(direction == Direction::ToClient)).await;
        }
    }
}
