//! Tests of the program behind PgBouncer: it works in session mode, and `parlance doctor` refuses transaction mode.

use std::ops::Deref;

use reqwest::Method;
use serde_json::json;

use crate::{
    postgres_cluster::{Cluster, Pooler},
    recovery::{read_concurrently, read_paths},
    replica::{TestEnvironment, message},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// An environment whose database is a new cluster behind PgBouncer.
struct PooledEnvironment {
    env: TestEnvironment,
    cluster: Cluster,
    _pooler: Pooler,
}

impl PooledEnvironment {
    /// Starts both with this mode of the pool. Returns `None` if the tests run without one of them.
    fn start(pool_mode: &str) -> Option<Self> {
        let cluster = Cluster::start()?;
        let pooler = Pooler::start(&cluster, pool_mode)?;
        let env = TestEnvironment::new().with_setting("DATABASE_URL", &pooler.url());
        Some(Self { env, cluster, _pooler: pooler })
    }
}

impl Deref for PooledEnvironment {
    type Target = TestEnvironment;

    fn deref(&self) -> &TestEnvironment {
        &self.env
    }
}

#[actix_web::test]
async fn every_store_works_through_a_pooler_in_session_mode() {
    let Some(env) = PooledEnvironment::start("session") else { return };
    // Migrates with the advisory lock.
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let messages = caller.create_conversation("call-1").await;
    for number in 0..20 {
        let (text, key) = (message(&format!("parcel {number}")), format!("key-{number}"));
        for attempt in ["first", "repeated"] {
            let sent = caller.try_send_with_key(Method::POST, &messages, Some(&text), Some(&key)).await.unwrap();
            assert_eq!(sent.0, 200, "the {attempt} attempt of {number}: {}", sent.1);
        }
    }
    assert_eq!(caller.post(VOCABULARY, &json!({"phrase": "IEEE", "soundsLike": []})).await.0, 201);
    assert_eq!(caller.send(Method::PATCH, ENTITY, Some(&json!({"active": true}))).await.0, 200);
    let refused: Vec<_> = read_concurrently(&caller, &read_paths(&messages)).await;
    let refused: Vec<_> = refused.into_iter().filter(|(_, status)| *status != 200).collect();
    assert_eq!(refused, []);
    assert_eq!(caller.get(&messages).await.1["items"].as_array().unwrap().len(), 20);
}

#[actix_web::test]
async fn a_feed_is_copied_through_a_pooler_in_session_mode() {
    let Some(env) = PooledEnvironment::start("session") else { return };
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let messages = caller.create_conversation("call-1").await;
    assert_eq!(caller.post(&messages, &message("parcel")).await.0, 200);
    let database = parlance_adapters_sql::Database::open(&env.cluster.url()).await.unwrap();
    // Only days that are over are exported.
    for table in ["conversations", "messages"] {
        database.execute_unprepared(&format!("UPDATE {table} SET created_at = 1728000000000000")).await.unwrap();
    }
    database.close().await.unwrap();
    env.run_ok(&["feed", "export", "--tenant", "acme", "--from", "2024-10-04", "--to", "2024-10-04"]);
    let listed = env.run_ok(&["feed", "list", "--tenant", "acme"]);
    assert!(listed.contains("2024-10   1 day:  4"), "{listed}");
}

#[actix_web::test]
async fn the_doctor_accepts_a_pooler_in_session_mode() {
    let Some(env) = PooledEnvironment::start("session") else { return };
    env.run_ok(&["migrate"]);
    let report = env.run_ok(&["doctor"]);
    assert!(report.contains("ok    sessions: each connection keeps its session"), "{report}");
}

#[actix_web::test]
async fn the_doctor_refuses_a_pooler_in_transaction_mode_with_advice() {
    let Some(env) = PooledEnvironment::start("transaction") else { return };
    let output = env.command(&["doctor"]).output().unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("FAIL  sessions: ") && report.contains("set pool_mode = session"), "{report}");
}
