//! A PostgreSQL that is back serves at once: no request fails for the connections that its restart ended.

use futures_util::future::join_all;

use crate::{
    outside::Cluster,
    replica::{CONVERSATIONS, Caller, Place, message},
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
