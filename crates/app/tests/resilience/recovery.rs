//! A PostgreSQL that is back serves at once: no request fails for the connections that its restart ended.

use futures_util::future::join_all;

use crate::{
    outage::until,
    outside::Cluster,
    proxy::PostgresProxy,
    replica::{CONVERSATIONS, Caller, Place, message},
    writers::{Ledger, Writers},
};

/// Reads by every pool of connections, and readiness.
fn reads(messages: &str) -> [String; 6] {
    [
        "/health/ready".to_owned(),
        format!("{CONVERSATIONS}?externalId=call-1"),
        messages.to_owned(),
        "/configuration/v1/custom-vocabularies".to_owned(),
        "/configuration/v1/redaction/redaction-entity/EMAIL".to_owned(),
        "/conversation/v1/conversation/messages?externalId=call-1&format=txt".to_owned(),
    ]
}

/// Each of these reads many times at once, so that every pool has many connections.
async fn read_at_once(caller: &Caller, paths: &[String]) -> Vec<(String, u16)> {
    let read = async |path: &String| (path.clone(), caller.get(path).await.0);
    join_all(paths.iter().cycle().take(20 * paths.len()).map(read)).await
}

#[actix_web::test]
async fn after_a_restart_of_the_database_no_read_and_no_readiness_answer_is_a_503() {
    let Some(mut cluster) = Cluster::start() else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url());
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    let messages = caller.open("call-1").await;
    let paths = reads(&messages);
    for round in 0..2 {
        assert_eq!(caller.post(&messages, &message(&format!("parcel {round}"))).await.0, 200);
        read_at_once(&caller, &paths).await;
        cluster.order("stop");
        cluster.order("start");
        for path in &paths {
            assert_eq!(caller.get(path).await.0, 200, "{path} is the first after a restart");
        }
        let failed: Vec<_> =
            read_at_once(&caller, &paths).await.into_iter().filter(|(_, status)| *status != 200).collect();
        assert_eq!(failed, []);
    }
}

#[actix_web::test]
async fn after_a_restart_of_the_database_the_first_write_lands() {
    let Some(mut cluster) = Cluster::start() else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url());
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    let messages = caller.open("call-1").await;
    for round in 0..3 {
        assert_eq!(caller.post(&messages, &message(&format!("parcel {round}"))).await.0, 200, "write {round}");
        cluster.order("stop");
        cluster.order("start");
    }
}

/// The address of several hosts on these ports, of which one must take writes.
fn url_of(ports: [u16; 2]) -> String {
    let [one, other] = ports;
    format!("postgres://postgres@127.0.0.1:{one},127.0.0.1:{other}/postgres?target_session_attrs=read-write")
}

#[actix_web::test]
async fn a_replica_goes_on_at_the_next_host_of_its_database_and_back_without_a_restart() {
    let Some(cluster) = Cluster::start() else { return };
    let hosts = [PostgresProxy::start(cluster.port()), PostgresProxy::start(cluster.port())];
    let place = Place::new().with("DATABASE_URL", &url_of(hosts.each_ref().map(PostgresProxy::port)));
    let (credential, ledger) = (place.credential("acme"), Ledger::default());
    let server = place.serve();
    let caller = server.caller(&credential);
    let paths = caller.open_many(4).await;
    let writers = Writers::start(std::slice::from_ref(&caller), &paths, &ledger);
    for (down, up) in [(0, 1), (1, 0), (0, 1)] {
        hosts[up].refuse(false);
        hosts[down].refuse(true);
        until(&caller, "/health/ready", 200).await;
        until(&caller, "/configuration/v1/custom-vocabularies", 200).await;
        until(&caller, &paths[0], 200).await;
        Writers::until_more(&ledger, 20).await;
    }
    let outcomes = writers.stop().await;
    assert!(outcomes.iter().all(|outcome| [Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
    ledger.check(&caller, &paths).await;
}

#[actix_web::test]
async fn a_host_that_takes_no_writes_is_passed_over() {
    let Some((standby, primary)) = Cluster::start().zip(Cluster::start()) else { return };
    let database = parlance_adapters_sql::Database::open(&standby.url()).await.unwrap();
    for sql in ["ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"] {
        database.execute_unprepared(sql).await.unwrap();
    }
    database.close().await.unwrap();
    let place = Place::new().with("DATABASE_URL", &url_of([standby.port(), primary.port()]));
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    let messages = caller.open("call-1").await;
    assert_eq!(caller.post(&messages, &message("parcel")).await.0, 200);
    for path in reads(&messages) {
        assert_eq!(caller.get(&path).await.0, 200, "{path}");
    }
}
