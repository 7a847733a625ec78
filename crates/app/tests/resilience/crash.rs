//! `kill -9` under concurrent writers: what was acknowledged is there, and once.

use crate::{
    outside::Cluster,
    replica::{Place, Replica},
    writers::{Ledger, Writers},
};

/// How often the server is killed.
fn kills() -> usize {
    std::env::var("PARLANCE_TEST_KILLS").map_or(3, |kills| kills.parse().unwrap())
}

/// Kills the server again and again, each time after another number of acknowledged writes.
async fn survives_kills(place: &Place) {
    let (credential, ledger) = (place.credential("acme"), Ledger::default());
    let mut server: Replica = place.serve();
    let paths = server.caller(&credential).open_many(4).await;
    for round in 0..kills() {
        let caller = server.caller(&credential);
        let writers = Writers::start(&[caller], &paths, &ledger);
        Writers::until_more(&ledger, 5 + round * 7 % 60).await;
        server.kill();
        let outcomes = writers.stop().await;
        assert!(outcomes.iter().all(|outcome| [None, Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
        server = place.serve();
        ledger.check(&server.caller(&credential), &paths).await;
    }
}

#[actix_web::test]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills_over_sqlite() {
    survives_kills(&Place::new()).await;
}

#[actix_web::test]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    survives_kills(&Place::new().with("DATABASE_URL", &cluster.url())).await;
}
