//! Two processes over one PostgreSQL.

use std::time::{Duration, Instant};

use parlance_adapters_sql::SqlLeases;
use parlance_domain::{
    lease::{Duty, LeaseRequest, LeaseStore, ReplicaId},
    time::Timestamp,
};
use reqwest::Method;
use serde_json::{Value, json};
use support::{database::TestDatabase, receiver::Receiver};

use crate::{
    delivery::{PROMISED, add, is_delivered, metric, serve, wait_for},
    process::{Home, Server, conversation},
};

const DELIVERED: &str = "parlance_vocabulary_deliveries_total{outcome=\"delivered\"}";

async fn texts(server: &Server, credential: &Value, messages: &str) -> String {
    server.request(credential, messages, None).send().await.unwrap().text().await.unwrap()
}

#[actix_web::test]
async fn a_switch_holds_at_once_where_it_was_thrown_and_soon_on_the_other_replica() {
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    let credential = home.credential();
    let replica = || home.serve(&["--redaction-refresh-seconds", "2"]);
    let (one, other) = (replica(), replica());
    let path = "/conversation/v1/conversations";
    let created = one.request(&credential, path, Some(&conversation("call-1"))).send().await.unwrap();
    let messages = format!("{path}/{}/messages", created.json::<Value>().await.unwrap()["id"].as_str().unwrap());
    let sender = json!({"role": "customer", "externalId": "customer-7"});
    let body = json!({"text": "write to olga@example.com", "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(one.request(&credential, &messages, Some(&body)).send().await.unwrap().status(), 200);
    for replica in [&one, &other] {
        assert!(texts(replica, &credential, &messages).await.contains("olga@example.com"));
    }

    let switch = "/configuration/v1/redaction/redaction-entity/EMAIL";
    let on = json!({"active": true});
    assert_eq!(one.call(Method::PATCH, &credential, switch, Some(&on)).send().await.unwrap().status(), 200);
    assert!(texts(&one, &credential, &messages).await.contains("write to ****@example.com"));
    let begun = Instant::now();
    while texts(&other, &credential, &messages).await.contains("olga") {
        assert!(begun.elapsed() < PROMISED, "the switch does not reach the other replica");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[actix_web::test]
async fn one_replica_delivers_and_when_it_is_killed_the_other_takes_over() {
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    let (credential, mut receiver) = (home.credential(), Receiver::start());
    let url = receiver.url("/{tenant}");
    let replicas = [serve(&home, &url), serve(&home, &url)];
    for number in 0..10 {
        add(&replicas[number % 2].0, &credential, &format!("phrase {number}")).await;
        wait_for(&replicas[0].0, &credential, is_delivered(number as u64 + 1)).await;
    }
    let counts = [metric(&replicas[0].1, DELIVERED).await, metric(&replicas[1].1, DELIVERED).await];
    assert!(counts == [10, 0] || counts == [0, 10], "{counts:?}");
    assert_eq!(receiver.received().len(), 10);

    let [first, second] = replicas;
    let ((mut deliverer, _), (other, metrics)) = if counts[0] > 0 { (first, second) } else { (second, first) };
    receiver.go_away();
    add(&other, &credential, "while the component is away").await;
    wait_for(&other, &credential, |status| status["lastError"]["kind"] == "unreachable").await;
    deliverer.signal("KILL");
    deliverer.end();
    receiver.come_back();
    wait_for(&other, &credential, is_delivered(11)).await;
    assert_eq!((metric(&metrics, DELIVERED).await, receiver.received().len()), (1, 11));
}

#[actix_web::test]
async fn a_replica_that_stops_in_order_gives_its_duty_back() {
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    let (credential, receiver) = (home.credential(), Receiver::start());
    let (mut replica, _) = serve(&home, &receiver.url("/"));
    add(&replica, &credential, "IEEE").await;
    wait_for(&replica, &credential, is_delivered(1)).await;
    replica.signal("TERM");
    let (status, log) = replica.end();
    assert!(status.success(), "{log}");
    let leases = SqlLeases::new(database.open().await);
    // Seen from long ago no lease has run out: only one that was given back is free.
    let (now, until) = (Timestamp::EPOCH.plus_seconds(1), Timestamp::EPOCH.plus_seconds(2));
    let (duty, replica) = (Duty::VocabularyDelivery, ReplicaId::from_bits(1));
    assert!(leases.take(&LeaseRequest { duty, replica, now, until }).await.unwrap().is_some(), "{log}");
}
