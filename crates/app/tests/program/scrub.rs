//! A server over a damaged file finds the damage by itself, and tells of it.

use std::time::{Duration, Instant};

use serde_json::Value;
use support::client::http;

use crate::process::{Home, overwrite_page};

/// Longer than the first step of a pass takes to come.
const PATIENCE: Duration = Duration::from_mins(1);

async fn text(url: String) -> String {
    http().get(url).send().await.unwrap().text().await.unwrap()
}

#[actix_web::test]
async fn damage_is_told_by_readiness_and_a_metric_while_the_rest_is_served() {
    let home = Home::new();
    let credential = home.credential();
    overwrite_page(&home.path().join("parlance.db"), "vocabularies");
    let mut server = home.serve(&["--metrics-listen", "127.0.0.1:0"]);
    let metrics = server.wait_for("metrics can be read")["address"].as_str().unwrap().to_owned();
    let ready = format!("http://{}/health/ready", server.address());
    let begun = Instant::now();
    loop {
        let told: Value = serde_json::from_str(&text(ready.clone()).await).unwrap();
        assert_eq!(told["status"], "ready", "what is not damaged is served");
        if told["parts"]["database_content"] == "down" {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing is found: {told}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.status(&credential).await, 200);
    let metrics = text(format!("http://{metrics}/metrics")).await;
    assert!(
        metrics.lines().any(|line| line.starts_with("parlance_scrub_faults ") && !line.ends_with(" 0")),
        "{metrics}"
    );
    let logged = server.wait_for("the database is damaged: run `parlance doctor --deep`");
    assert!(logged["fault"].as_str().unwrap().starts_with("vocabularies"), "{logged}");
}
