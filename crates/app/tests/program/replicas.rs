//! Tests of two servers over one PostgreSQL database.

use std::time::{Duration, Instant};

use parlance_adapters_sql::SqlLeases;
use parlance_domain::{
    lease::{LeaseName, LeaseRequest, LeaseStore, ReplicaId},
    limits::LEASE_SECONDS,
};
use reqwest::Method;
use serde_json::{Value, json};
use support::{database::TestDatabase, transcription_receiver::Receiver};

use crate::{
    delivery::{MAX_DELIVERY_TIME, add_phrase, counter_value, is_delivered, serve_with_delivery, wait_for_status},
    process::{Server, TestEnvironment, conversation},
};

const DELIVERED: &str = "parlance_vocabulary_deliveries_total{outcome=\"delivered\"}";

async fn list_messages(server: &Server, credential: &Value, messages: &str) -> String {
    server.request(credential, messages, None).send().await.unwrap().text().await.unwrap()
}

#[actix_web::test]
async fn a_switch_applies_at_once_on_its_replica_and_soon_on_the_other() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let credential = env.create_credential();
    let replica = || env.serve(&["--redaction-refresh-seconds", "2"]);
    let (first, second) = (replica(), replica());
    let path = "/conversation/v1/conversations";
    let created = first.request(&credential, path, Some(&conversation("call-1"))).send().await.unwrap();
    let messages = format!("{path}/{}/messages", created.json::<Value>().await.unwrap()["id"].as_str().unwrap());
    let sender = json!({"role": "customer", "externalId": "customer-7"});
    let body = json!({"text": "write to olga@example.com", "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(first.request(&credential, &messages, Some(&body)).send().await.unwrap().status(), 200);
    for replica in [&first, &second] {
        assert!(list_messages(replica, &credential, &messages).await.contains("olga@example.com"));
    }

    let switch = "/configuration/v1/redaction/redaction-entity/EMAIL";
    let on = json!({"active": true});
    assert_eq!(
        first.request_with_method(Method::PATCH, &credential, switch, Some(&on)).send().await.unwrap().status(),
        200
    );
    assert!(list_messages(&first, &credential, &messages).await.contains("write to ****@example.com"));
    let start = Instant::now();
    while list_messages(&second, &credential, &messages).await.contains("olga") {
        assert!(start.elapsed() < MAX_DELIVERY_TIME, "the other replica never applies the switch");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[actix_web::test]
async fn only_one_replica_delivers_and_the_other_takes_over_after_a_kill() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let (credential, mut receiver) = (env.create_credential(), Receiver::start());
    let url = receiver.url("/{tenant}");
    let replicas = [serve_with_delivery(&env, &url), serve_with_delivery(&env, &url)];
    for number in 0..10 {
        add_phrase(&replicas[number % 2].0, &credential, &format!("phrase {number}")).await;
        wait_for_status(&replicas[0].0, &credential, is_delivered(number as u64 + 1)).await;
    }
    let counts = [counter_value(&replicas[0].1, DELIVERED).await, counter_value(&replicas[1].1, DELIVERED).await];
    assert!(counts == [10, 0] || counts == [0, 10], "{counts:?}");
    assert_eq!(receiver.received().len(), 10);

    let [first, second] = replicas;
    let ((mut deliverer, _), (other, metrics)) = if counts[0] > 0 { (first, second) } else { (second, first) };
    receiver.stop();
    add_phrase(&other, &credential, "while the component is away").await;
    wait_for_status(&other, &credential, |status| status["lastError"]["kind"] == "unreachable").await;
    deliverer.signal("KILL");
    deliverer.wait_for_exit();
    receiver.restart();
    wait_for_status(&other, &credential, is_delivered(11)).await;
    assert_eq!((counter_value(&metrics, DELIVERED).await, receiver.received().len()), (1, 11));
}

#[actix_web::test]
async fn a_replica_releases_its_lease_on_graceful_shutdown() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let (credential, receiver) = (env.create_credential(), Receiver::start());
    let (mut replica, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&replica, &credential, "IEEE").await;
    wait_for_status(&replica, &credential, is_delivered(1)).await;
    replica.signal("TERM");
    let (status, log) = replica.wait_for_exit();
    assert!(status.success(), "{log}");
    let leases = SqlLeases::new(database.open().await);
    // For a request of this length no lease of the replica counts as expired before its time, and the test is faster than
    // that: so the lease can only be free because it was released.
    let (name, replica) = (LeaseName::VocabularyDelivery, ReplicaId::from_bits(1));
    let request = LeaseRequest { name, replica, seconds: LEASE_SECONDS };
    assert!(leases.acquire(&request).await.unwrap().is_some(), "{log}");
}
