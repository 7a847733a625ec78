//! Tests of recovery: requests succeed at once after a restart of PostgreSQL, and a server fails over between hosts.

use futures_util::future::join_all;

use crate::{
    outage::wait_for_status,
    postgres_cluster::{Cluster, multi_host_url},
    proxy::PostgresProxy,
    replica::{CONVERSATIONS, Caller, TestEnvironment, message},
    writers::{Ledger, Writers},
};

/// Returns the paths of readiness and of reads through every connection pool.
pub(crate) fn read_paths(messages: &str) -> [String; 6] {
    [
        "/health/ready".to_owned(),
        format!("{CONVERSATIONS}?externalId=call-1"),
        messages.to_owned(),
        "/configuration/v1/custom-vocabularies".to_owned(),
        "/configuration/v1/redaction/redaction-entity/EMAIL".to_owned(),
        "/conversation/v1/conversation/messages?externalId=call-1&format=txt".to_owned(),
    ]
}

/// Reads each path 20 times concurrently, so that every pool has many connections.
pub(crate) async fn read_concurrently(caller: &Caller, paths: &[String]) -> Vec<(String, u16)> {
    let read = async |path: &String| (path.clone(), caller.get(path).await.0);
    join_all(paths.iter().cycle().take(20 * paths.len()).map(read)).await
}

#[actix_web::test]
async fn after_a_restart_of_the_database_no_read_and_no_readiness_check_is_a_503() {
    let Some(mut cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let messages = caller.create_conversation("call-1").await;
    let paths = read_paths(&messages);
    for round in 0..2 {
        assert_eq!(caller.post(&messages, &message(&format!("parcel {round}"))).await.0, 200);
        read_concurrently(&caller, &paths).await;
        cluster.run("stop");
        cluster.run("start");
        for path in &paths {
            assert_eq!(caller.get(path).await.0, 200, "{path} is the first request after a restart");
        }
        let failed: Vec<_> =
            read_concurrently(&caller, &paths).await.into_iter().filter(|(_, status)| *status != 200).collect();
        assert_eq!(failed, []);
    }
}

#[actix_web::test]
async fn after_a_restart_of_the_database_the_first_write_succeeds() {
    let Some(mut cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let messages = caller.create_conversation("call-1").await;
    for round in 0..3 {
        assert_eq!(caller.post(&messages, &message(&format!("parcel {round}"))).await.0, 200, "write {round}");
        cluster.run("stop");
        cluster.run("start");
    }
}

#[actix_web::test]
async fn a_replica_fails_over_to_the_next_host_of_its_database_and_back_without_a_restart() {
    let Some(cluster) = Cluster::start() else { return };
    let hosts = [PostgresProxy::start(cluster.port()), PostgresProxy::start(cluster.port())];
    let env =
        TestEnvironment::new().with_setting("DATABASE_URL", &multi_host_url(hosts.each_ref().map(PostgresProxy::port)));
    let (credential, ledger) = (env.create_credential("acme"), Ledger::default());
    let server = env.serve();
    let caller = server.caller(&credential);
    let paths = caller.create_conversations(4).await;
    let writers = Writers::start(std::slice::from_ref(&caller), &paths, &ledger);
    for (down, up) in [(0, 1), (1, 0), (0, 1)] {
        hosts[up].set_refusing(false);
        hosts[down].set_refusing(true);
        wait_for_status(&caller, "/health/ready", 200).await;
        wait_for_status(&caller, "/configuration/v1/custom-vocabularies", 200).await;
        wait_for_status(&caller, &paths[0], 200).await;
        Writers::wait_for_more(&ledger, 20).await;
    }
    let outcomes = writers.stop().await;
    assert!(outcomes.iter().all(|outcome| [Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
    ledger.assert_stored_once(&caller, &paths).await;
}

#[actix_web::test]
async fn a_host_that_accepts_no_writes_is_skipped() {
    let Some((standby, primary)) = Cluster::start().zip(Cluster::start()) else { return };
    let database = parlance_adapters_sql::Database::open(&standby.url()).await.unwrap();
    for sql in ["ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"] {
        database.execute_unprepared(sql).await.unwrap();
    }
    database.close().await.unwrap();
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &multi_host_url([standby.port(), primary.port()]));
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let messages = caller.create_conversation("call-1").await;
    assert_eq!(caller.post(&messages, &message("parcel")).await.0, 200);
    for path in read_paths(&messages) {
        assert_eq!(caller.get(&path).await.0, 200, "{path}");
    }
}
