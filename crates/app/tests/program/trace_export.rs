//! Tests of the export of traces: what leaves the process, and what happens without a collector.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    collector::{self, Collector},
    delivery::{counter_value, series_value},
    process::{Server, TestEnvironment, conversation},
};

const PATH: &str = "/conversation/v1/conversations";

/// The longest time that any request may take while the collector is out of reach.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(1);

/// Sends requests with a canary in every part that a caller chooses.
async fn send_canaries(server: &Server, credential: &Value) {
    let mut body = conversation("hush-call");
    body["customer"]["name"] = json!("hush-name");
    body["metadata"] = json!({"hush-key": "hush-value"});
    let created = server.request(credential, PATH, Some(&body)).header("idempotency-key", "hush-idempotency");
    let created = created.header("tracestate", "hush=hush").header("baggage", "hush=hush").send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let sender = json!({"role": "agent", "externalId": "hush-agent", "name": "hush-sender"});
    let text = "hush, my card is 4111 1111 1111 1111";
    let message = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    let transcript = "/conversation/v1/conversation/messages?externalId=hush-call&format=txt";
    let vocabulary = json!({"phrase": "hush-phrase", "soundsLike": ["hush-sound"]});
    for (path, body) in [
        (format!("{PATH}/{id}/messages"), Some(&message)),
        (format!("{PATH}/{id}/messages?limit=hush"), None),
        (format!("{PATH}?externalId=hush-query"), None),
        (format!("{PATH}/hush-path"), None),
        ("/hush-route?hush".to_owned(), None),
        (PATH.to_owned(), Some(&json!({"externalId": 7, "hush-member": "hush"}))),
        (transcript.to_owned(), None),
        ("/configuration/v1/custom-vocabularies".to_owned(), Some(&vocabulary)),
    ] {
        let request = server.request(credential, &path, body).header("user-agent", "hush").header("x-hush", "hush");
        let request = request.header("x-request-id", "hush hush").header("traceparent", "hush").header("host", "hush");
        request.header("forwarded", "proto=hush").header("x-forwarded-proto", "hush").send().await.unwrap();
    }
    let method = Method::from_bytes(b"HUSH").unwrap();
    server.request_with_method(method, credential, PATH, None).send().await.unwrap();
    server.request(&json!({"apiId": "hush-id", "apiSecret": "hush-secret"}), PATH, None).send().await.unwrap();
}

async fn assert_no_canary_is_exported(env: TestEnvironment) {
    let (credential, collector) = (env.create_credential(), Collector::start());
    let server = collector::serve(&env, &collector, "1", &["--log-level", "debug"]);
    send_canaries(&server, &credential).await;
    collector::stop(server);
    assert!(collector.spans().len() > 20);
    let secret = |name: &str| credential[name].as_str().unwrap().to_owned();
    for request in collector.requests() {
        let text = String::from_utf8_lossy(&request.body).to_lowercase();
        for canary in ["hush", "4111", "customer-7", "127.0.0.1", "select ", "insert ", "update ", "postgres"] {
            assert!(!text.contains(canary), "{canary} in {text}");
        }
        for canary in [secret("apiSecret"), secret("apiId")] {
            assert!(!text.contains(&canary.to_lowercase()), "a credential in {text}");
        }
    }
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_is_exported_from_sqlite() {
    assert_no_canary_is_exported(TestEnvironment::new()).await;
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_is_exported_from_postgresql() {
    let Some(database) = support::database::TestDatabase::postgres() else { return };
    assert_no_canary_is_exported(TestEnvironment::with_database_url(database.url())).await;
}

#[actix_web::test]
async fn without_the_setting_no_connection_is_made() {
    let collector = Collector::start();
    let endpoint = collector.endpoint();
    let env = TestEnvironment::new().with_variables([("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())]);
    let credential = env.create_credential();
    let server = env.serve(&["--otlp-sampling", "1"]);
    assert_eq!(server.search_status(&credential).await, 200);
    collector::stop(server);
    assert_eq!(collector.requests().len(), 0);
}

#[actix_web::test]
async fn spans_are_sent_to_the_path_of_traces_with_the_headers_of_the_settings() {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    std::fs::write(env.path().join("headers"), "authorization=Bearer%20hush,x-scope=one\n").unwrap();
    let credential = env.create_credential();
    let server = collector::serve(&env, &collector, "1", &["--otlp-headers-file", "headers"]);
    server.search_status(&credential).await;
    let log = collector::stop(server);
    let request = collector.requests().remove(0);
    let header = |name: &str| request.headers.iter().find(|(header, _)| header == name).unwrap().1.clone();
    assert_eq!(request.line, "POST /v1/traces");
    assert_eq!((header("authorization"), header("x-scope")), ("Bearer hush".to_owned(), "one".to_owned()));
    assert_eq!(header("content-type"), "application/x-protobuf");
    assert!(!log.contains("hush"));
}

#[actix_web::test]
async fn spans_name_the_service_its_version_and_the_process() {
    for (variables, name) in [
        ([("OTEL_SERVICE_NAME", ""), ("OTEL_RESOURCE_ATTRIBUTES", "")], "parlance"),
        ([("OTEL_SERVICE_NAME", ""), ("OTEL_RESOURCE_ATTRIBUTES", "service.name=one,a=b")], "one"),
        ([("OTEL_SERVICE_NAME", "two"), ("OTEL_RESOURCE_ATTRIBUTES", "service.name=one,a=b")], "two"),
    ] {
        let (env, collector) = (TestEnvironment::new().with_variables(variables), Collector::start());
        let credential = env.create_credential();
        let server = collector::serve(&env, &collector, "1", &[]);
        server.search_status(&credential).await;
        collector::stop(server);
        assert_eq!(collector.resource_attribute("service.name").as_deref(), Some(name));
        assert_eq!(collector.resource_attribute("service.version").as_deref(), Some(env!("CARGO_PKG_VERSION")));
        assert!(collector.resource_attribute("service.instance.id").is_some_and(|id| id.len() == 32));
    }
}

/// Sends requests to a server whose collector accepts nothing, until at least one span is dropped.
async fn assert_requests_are_not_delayed(server: &Server, credential: &Value, metrics: &str) {
    let start = Instant::now();
    while counter_value(metrics, "parlance_trace_spans_dropped_total").await == 0 {
        assert!(start.elapsed() < Duration::from_mins(1), "no span is dropped");
        let sent = Instant::now();
        assert_eq!(server.search_status(credential).await, 200);
        assert!(sent.elapsed() < MAX_REQUEST_TIME, "{:?}", sent.elapsed());
    }
}

#[actix_web::test]
async fn a_dead_collector_delays_no_request_and_is_one_warning() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let arguments =
        ["--metrics-listen", "127.0.0.1:0", "--otlp-endpoint", "http://127.0.0.1:1", "--otlp-sampling", "1"];
    let mut server = env.serve(&[&arguments[..], &["--rate-limit-burst", "100000"]].concat());
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    assert_requests_are_not_delayed(&server, &credential, &metrics).await;
    assert!(series_value(&metrics, "parlance_trace_exports_failed_total").await >= 1.0);
    let log = collector::stop(server);
    assert_eq!(log.matches("failed to send traces").count(), 1, "{log}");
}

#[actix_web::test]
async fn a_silent_collector_delays_no_request_and_the_stop_for_a_few_seconds_only() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    // The system accepts connections for it. It never reads them.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let arguments = ["--metrics-listen", "127.0.0.1:0", "--otlp-endpoint", &endpoint, "--otlp-sampling", "1"];
    let mut server = env.serve(&[&arguments[..], &["--rate-limit-burst", "100000"]].concat());
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    assert_requests_are_not_delayed(&server, &credential, &metrics).await;
    assert_eq!(server.search_status(&credential).await, 200);
    let stopped = Instant::now();
    collector::stop(server);
    assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
}

#[actix_web::test]
async fn spans_that_the_collector_refuses_are_counted() {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    let credential = env.create_credential();
    collector.set_status(400);
    let mut server = collector::serve(&env, &collector, "1", &["--metrics-listen", "127.0.0.1:0"]);
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    assert_requests_are_not_delayed(&server, &credential, &metrics).await;
    assert!(series_value(&metrics, "parlance_trace_exports_failed_total").await >= 1.0);
}

/// The log of one request at this level, with or without traces, without what differs between two runs.
async fn log_of_a_request(level: &str, sampling: Option<&str>) -> Vec<(Value, Value)> {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    let credential = env.create_credential();
    let server = match sampling {
        Some(sampling) => collector::serve(&env, &collector, sampling, &["--log-level", level]),
        None => env.serve(&["--log-level", level]),
    };
    server.request(&credential, PATH, Some(&conversation("call-1"))).send().await.unwrap();
    let log = collector::stop(server);
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let without_ids = |mut line: Value| {
        line["span"].as_object_mut().map(|span| span.remove("request_id"));
        (line["message"].take(), line["span"].take())
    };
    let is_of_a_call = |(message, span): &(Value, Value)| message == "request" || span["name"] != Value::Null;
    let mut lines: Vec<_> = lines.map(without_ids).filter(is_of_a_call).collect();
    lines.retain(|(_, span)| !span["name"].as_str().is_some_and(|name| name.contains("lease")));
    lines.sort_by_key(|(message, span)| format!("{message}{span}"));
    lines.dedup();
    lines
}

#[actix_web::test]
async fn traces_add_no_line_to_the_log() {
    for level in ["info", "debug"] {
        let without = log_of_a_request(level, None).await;
        assert!(!without.is_empty());
        for sampling in ["0", "1"] {
            assert_eq!(log_of_a_request(level, Some(sampling)).await, without, "{level}, {sampling}");
        }
    }
}

#[test]
fn the_doctor_reports_whether_the_collector_answers() {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    env.run_ok(&["migrate"]);
    let report = |endpoint: &str| {
        let report = env.run_ok(&["doctor", "--otlp-endpoint", endpoint]);
        report.lines().find(|line| line.contains("traces: ")).unwrap().to_owned()
    };
    assert_eq!(report(&collector.endpoint()), "ok    traces: the collector accepts spans");
    collector.set_status(401);
    assert!(report(&collector.endpoint()).starts_with("warn  traces: the collector answers 401: check otlp_headers"));
    assert!(report("http://127.0.0.1:1").starts_with("warn  traces: the collector does not answer"));
    assert!(env.run_ok(&["doctor"]).contains("ok    traces: none"));
}
