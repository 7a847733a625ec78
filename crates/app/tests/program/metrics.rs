//! Tests of the metrics: their values, and that they hold nothing that callers send.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::http_client, database::TestDatabase};

use crate::{
    delivery::{counter_value, series_value},
    process::{Server, TestEnvironment, conversation},
};

fn serve(env: &TestEnvironment) -> (Server, String) {
    let mut server = env.serve(&["--metrics-listen", "127.0.0.1:0"]);
    let address = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    (server, address)
}

async fn scrape(address: &str) -> String {
    http_client().get(format!("http://{address}/metrics")).send().await.unwrap().text().await.unwrap()
}

/// Creates a conversation and appends a message.
async fn append_message(server: &Server, credential: &Value, external_id: &str, text: &str) {
    let path = "/conversation/v1/conversations";
    let created = server.request(credential, path, Some(&conversation(external_id))).send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let sender = json!({"role": "customer", "externalId": "hush-customer"});
    let body = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    let sent = server.request(credential, &format!("{path}/{id}/messages"), Some(&body)).send().await.unwrap();
    assert_eq!(sent.status(), 200);
}

#[actix_web::test]
async fn requests_are_counted_by_operation_and_status() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let (server, address) = serve(&env);
    append_message(&server, &credential, "call-1", "hello").await;
    server.request(&credential, "/conversation/v1/conversations/NONE", None).send().await.unwrap();
    server.request_with_method(Method::PUT, &credential, "/conversation/v1/conversations", None).send().await.unwrap();
    for (series, count) in [
        ("http_requests_total{method=\"POST\",route=\"/conversation/v1/conversations\",status=\"200\"}", 1),
        (
            "http_requests_total{method=\"GET\",route=\"/conversation/v1/conversations/{conversationId}\",status=\"404\"}",
            1,
        ),
        ("http_requests_total{method=\"other\",route=\"other\",status=\"405\"}", 1),
        ("http_request_duration_seconds_count{method=\"POST\",route=\"/conversation/v1/conversations\"}", 1),
    ] {
        assert_eq!(counter_value(&address, &format!("parlance_{series}")).await, count, "{series}");
    }
}

#[actix_web::test]
async fn redactions_are_counted_by_entity_when_their_message_is_stored() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let (server, address) = serve(&env);
    append_message(&server, &credential, "call-1", "my card is 4111 1111 1111 1111 and my ssn is 212-34-5678").await;
    for (label, count) in [("CREDIT_CARD_NUMBER", 1), ("SSN", 1), ("EMAIL", 0)] {
        assert_eq!(
            counter_value(&address, &format!("parlance_redactions_total{{entity=\"{label}\"}}")).await,
            count,
            "{label}"
        );
    }
}

#[actix_web::test]
async fn the_build_and_the_database_connections_are_reported() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    let version = env.run_ok(&["--version"]);
    let commit = version.split_once('(').unwrap().1.split([' ', ')']).next().unwrap();
    let build = format!("parlance_build_info{{version=\"{}\",commit=\"{commit}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(counter_value(&address, &build).await, 1);
    assert!(counter_value(&address, "parlance_database_connections_open{pool=\"writer\"}").await >= 1);
    assert_eq!(counter_value(&address, "parlance_database_connections_lost_total").await, 0);
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_creates_or_labels_a_series() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let (server, address) = serve(&env);
    let send = async |number: usize| {
        append_message(&server, &credential, &format!("hush-{number}"), "hush, my card is 4111 1111 1111 1111").await;
        for path in [format!("/hush-{number}"), format!("/conversation/v1/conversations/HUSH{number}?hush=hush")] {
            let method = Method::from_bytes(format!("HUSH{number}").as_bytes()).unwrap();
            server.request_with_method(method, &credential, &path, None).send().await.unwrap();
            server.request(&json!({"apiId": "hush", "apiSecret": "hush"}), &path, None).send().await.unwrap();
        }
    };
    // The first response with a status creates a series.
    send(0).await;
    let before = scrape(&address).await;
    for number in 1..20 {
        send(number).await;
    }
    let after = scrape(&address).await;
    assert_eq!(after.lines().count(), before.lines().count());
    let lower = after.to_lowercase();
    assert!(!lower.contains("hush") && !lower.contains("acme") && !lower.contains("4111"), "{after}");
}

#[actix_web::test]
async fn the_metrics_address_serves_the_metrics_and_nothing_else() {
    let env = TestEnvironment::new();
    let (server, address) = serve(&env);
    let get = async |address: &str, path: &str| {
        http_client().get(format!("http://{address}{path}")).send().await.unwrap().status().as_u16()
    };
    assert_eq!(get(&address, "/metrics").await, 200);
    assert_eq!((get(&address, "/health/live").await, get(server.address(), "/metrics").await), (404, 404));
}

#[actix_web::test]
async fn rate_limit_fallbacks_are_counted_while_redis_is_unreachable() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&["--metrics-listen", "127.0.0.1:0", "--redis-url", "redis://127.0.0.1:1"]);
    let address = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    assert_eq!(counter_value(&address, "parlance_rate_limit_fallbacks_total").await, 0);
    assert_eq!([server.search_status(&credential).await, server.search_status(&credential).await], [200, 200]);
    assert_eq!(counter_value(&address, "parlance_rate_limit_fallbacks_total").await, 2);
}

#[actix_web::test]
async fn failed_authentications_are_counted_by_reason() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let (server, address) = serve(&env);
    let unknown = format!("acme.{}", "0".repeat(26));
    for presented in [
        json!({"apiId": "", "apiSecret": ""}),
        json!({"apiId": unknown, "apiSecret": "wrong"}),
        json!({"apiId": credential["apiId"], "apiSecret": "wrong"}),
    ] {
        assert_eq!(server.search_status(&presented).await, 401);
    }
    for (reason, count) in [("missing", 1), ("unknown_credential", 1), ("wrong_secret", 1), ("revoked", 0)] {
        let series = format!("parlance_authentication_failures_total{{reason=\"{reason}\"}}");
        assert_eq!(counter_value(&address, &series).await, count, "{reason}");
    }
}

#[actix_web::test]
async fn the_last_bucket_of_each_histogram_is_infinite_and_holds_every_observation() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let (server, address) = serve(&env);
    append_message(&server, &credential, "call-1", "hello").await;
    let labels = "method=\"POST\",route=\"/conversation/v1/conversations\"";
    let last = format!("parlance_http_request_duration_seconds_bucket{{le=\"+Inf\",{labels}}}");
    assert_eq!(counter_value(&address, &last).await, 1);
}

#[cfg(target_os = "linux")]
#[actix_web::test]
async fn the_process_reports_its_memory_files_start_and_processor_time() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    for name in ["process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds"] {
        assert!(series_value(&address, name).await > 0.0, "{name}");
    }
    assert!(series_value(&address, "process_cpu_seconds_total").await >= 0.0);
}

async fn assert_pools_are_reported(env: &TestEnvironment, pools: &[&str]) {
    let (_server, address) = serve(env);
    for pool in pools {
        for name in ["open", "in_use", "idle"] {
            let series = format!("parlance_database_connections_{name}{{pool=\"{pool}\"}}");
            assert!(series_value(&address, &series).await >= 0.0, "{series}");
        }
    }
    assert!(series_value(&address, "parlance_database_writes_queued").await >= 0.0);
}

#[actix_web::test]
async fn every_pool_of_sqlite_is_reported() {
    assert_pools_are_reported(&TestEnvironment::new(), &["writer", "reader", "native_reader"]).await;
}

#[actix_web::test]
async fn the_largest_number_of_connections_is_reported_for_each_pool_with_a_limit() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    let max =
        async |pool| counter_value(&address, &format!("parlance_database_connections_max{{pool=\"{pool}\"}}")).await;
    assert_eq!([max("writer").await, max("reader").await], [1, 4]);
}

#[actix_web::test]
async fn every_pool_of_postgresql_is_reported() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    assert_pools_are_reported(&env, &["shared", "native_reader", "copy", "native_writer"]).await;
}

#[actix_web::test]
async fn the_series_of_feed_exports_exist_from_the_start() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    for series in [
        "feed_rows_total{feed=\"conversations\",format=\"jsonl\"}",
        "feed_export_failures_total",
        "feed_export_last_success_timestamp_seconds",
    ] {
        assert!(series_value(&address, &format!("parlance_{series}")).await.abs() < f64::EPSILON, "{series}");
    }
}

/// The metrics in the tables of the page about metrics.
fn documented_metrics() -> BTreeSet<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/metrics.md");
    let page = std::fs::read_to_string(page).unwrap();
    let names = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    names
        .filter(|name| ["parlance_", "process_"].iter().any(|prefix| name.starts_with(prefix)))
        .map(str::to_owned)
        .collect()
}

#[cfg(target_os = "linux")]
#[actix_web::test]
async fn the_docs_list_exactly_the_metrics_that_are_served() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    let page = scrape(&address).await;
    let mut served: BTreeSet<_> =
        page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).map(str::to_owned).collect();
    // No pool of SQLite measures this.
    served.insert("parlance_database_connections_waiting".to_owned());
    assert_eq!(served, documented_metrics());
}

#[actix_web::test]
async fn the_metrics_are_openmetrics_if_the_client_accepts_it_and_else_prometheus_text() {
    let env = TestEnvironment::new();
    let (_server, address) = serve(&env);
    let accepted = "application/openmetrics-text;version=1.0.0;q=0.5, text/plain;version=0.0.4;q=0.4";
    let open = http_client().get(format!("http://{address}/metrics")).header("accept", accepted).send().await.unwrap();
    assert!(open.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    assert!(open.text().await.unwrap().ends_with("# EOF\n"));
    let plain = scrape(&address).await;
    assert!(plain.contains("# TYPE parlance_http_requests_total counter\n") && !plain.contains("# EOF"));
}
