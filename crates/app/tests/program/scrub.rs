//! Tests of the scrub: a server over a damaged database file finds and reports the damage.

use std::time::{Duration, Instant};

use serde_json::Value;
use support::client::http_client;

use crate::process::{TestEnvironment, overwrite_page};

/// Timeout for a scrub pass to find the damage.
const SCRUB_TIMEOUT: Duration = Duration::from_mins(1);

async fn fetch(url: String) -> String {
    http_client().get(url).send().await.unwrap().text().await.unwrap()
}

#[actix_web::test]
async fn damage_is_reported_by_readiness_a_metric_and_the_log_while_undamaged_data_is_served() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    overwrite_page(&env.path().join("parlance.db"), "vocabularies");
    let mut server = env.serve(&["--metrics-listen", "127.0.0.1:0"]);
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    let ready = format!("http://{}/health/ready", server.address());
    let start = Instant::now();
    loop {
        let body: Value = serde_json::from_str(&fetch(ready.clone()).await).unwrap();
        assert_eq!(body["status"], "ready", "undamaged data is served");
        if body["parts"]["database_content"] == "down" {
            break;
        }
        assert!(start.elapsed() < SCRUB_TIMEOUT, "the damage is not found: {body}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.search_status(&credential).await, 200);
    let metrics = fetch(format!("http://{metrics}/metrics")).await;
    assert!(
        metrics.lines().any(|line| line.starts_with("parlance_scrub_faults ") && !line.ends_with(" 0")),
        "{metrics}"
    );
    let event = server.wait_for_log("the database is damaged: run `parlance doctor --deep`");
    assert!(event["fault"].as_str().unwrap().starts_with("vocabularies"), "{event}");
}
