//! Tests of traces: which requests have spans, and what the spans say.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use parlance_adapters_transcription::signature_headers;
use parlance_domain::time::{MICROS_PER_SECOND, Timestamp};
use serde_json::{Value, json};
use support::{database::TestDatabase, transcription_receiver::Receiver};

use crate::{
    collector::{self, Collector, hex, names, number_attribute, span, text_attribute},
    delivery::{add_phrase, is_delivered, wait_for_status},
    process::{Server, TestEnvironment, conversation},
};

const PATH: &str = "/conversation/v1/conversations";
const MESSAGES: &str = "POST /conversation/v1/conversations/{conversationId}/messages";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Creates a conversation and returns the path of its messages.
async fn create_conversation(server: &Server, credential: &Value) -> String {
    let created = server.request(credential, PATH, Some(&conversation("call-1"))).send().await.unwrap();
    format!("{PATH}/{}/messages", created.json::<Value>().await.unwrap()["id"].as_str().unwrap())
}

/// Appends a message with these headers, and returns the request id and the status.
async fn append(server: &Server, credential: &Value, path: &str, headers: &[(&str, &str)]) -> (String, u16) {
    let sender = json!({"role": "customer", "externalId": "customer-7"});
    let body = json!({"text": "hello", "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    let request = server.request(credential, path, Some(&body));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = request.send().await.unwrap();
    (answer.headers()["x-request-id"].to_str().unwrap().to_owned(), answer.status().as_u16())
}

fn traceparent(trace: &str, flags: &str) -> String {
    format!("00-{trace}-{PARENT}-{flags}")
}

/// The environments of the databases that this machine can run, and what keeps them.
fn environments() -> Vec<(TestEnvironment, Option<TestDatabase>)> {
    let postgres = TestDatabase::postgres();
    let postgres = postgres.map(|database| (TestEnvironment::with_database_url(database.url()), Some(database)));
    [(TestEnvironment::new(), None)].into_iter().chain(postgres).collect()
}

fn assert_parent(spans: &[Span], child: &str, parent: &str) {
    assert_eq!(span(spans, child).parent_span_id, span(spans, parent).span_id, "{child} in {:?}", names(spans));
}

#[actix_web::test]
async fn a_sampled_request_has_a_span_for_each_part_of_its_work() {
    for (env, _database) in environments() {
        let (credential, collector) = (env.create_credential(), Collector::start());
        let server = collector::serve(&env, &collector, "0", &[]);
        let path = create_conversation(&server, &credential).await;
        let (id, _) = append(&server, &credential, &path, &[("traceparent", &traceparent(TRACE, "01"))]).await;
        collector::stop(server);
        let spans = collector.spans();
        assert!(spans.iter().all(|span| hex(&span.trace_id) == TRACE), "{spans:?}");
        let root = span(&spans, MESSAGES);
        assert_eq!((hex(&root.parent_span_id), root.kind()), (PARENT.to_owned(), SpanKind::Server));
        for child in ["http.authentication", "redaction", "sql.messages.append"] {
            assert_parent(&spans, child, MESSAGES);
        }
        assert_parent(&spans, "sql.writer.commit", "sql.messages.append");
        for (key, value) in [
            ("http.request.method", "POST"),
            ("http.route", "/conversation/v1/conversations/{conversationId}/messages"),
            ("url.scheme", "http"),
            ("request_id", &id),
        ] {
            assert_eq!(text_attribute(&root.attributes, key).as_deref(), Some(value), "{key}");
        }
        assert_eq!(number_attribute(&root.attributes, "http.response.status_code"), Some(200));
        assert_eq!(text_attribute(&span(&spans, "sql.messages.append").attributes, "tenant").as_deref(), Some("acme"));
    }
}

#[actix_web::test]
async fn each_traced_write_of_a_shared_commit_has_a_span_of_it() {
    for (env, _database) in environments() {
        let (credential, collector) = (env.create_credential(), Collector::start());
        let server = collector::serve(&env, &collector, "0", &[]);
        let traces: Vec<_> = (1..=32_u128).map(|number| hex(&number.to_be_bytes())).collect();
        let sent = traces.iter().map(|trace| {
            let request = server.request(&credential, PATH, Some(&conversation(trace)));
            request.header("traceparent", traceparent(trace, "01")).send()
        });
        assert!(join_all(sent).await.into_iter().all(|answer| answer.unwrap().status() == 200));
        collector::stop(server);
        let spans = collector.spans();
        for trace in traces {
            let spans: Vec<_> = spans.iter().filter(|span| hex(&span.trace_id) == trace).cloned().collect();
            assert_parent(&spans, "sql.writer.commit", "sql.conversations.upsert");
            let commit = span(&spans, "sql.writer.commit");
            assert!(number_attribute(&commit.attributes, "writes").is_some_and(|writes| writes >= 1));
        }
        let writes = spans.iter().filter_map(|span| number_attribute(&span.attributes, "writes"));
        assert!(writes.max().is_some_and(|writes| writes > 1), "no commit was shared");
    }
}

/// The traces of the requests that are sent with these headers, at this share, with the log.
async fn traces_of(sampling: &str, requests: &[&[(&str, &str)]]) -> (Vec<String>, String) {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    let credential = env.create_credential();
    let server = collector::serve(&env, &collector, sampling, &[]);
    for headers in requests {
        append(&server, &credential, &format!("{PATH}/NONE/messages"), headers).await;
    }
    let log = collector::stop(server);
    let roots: Vec<_> = collector.spans().into_iter().filter(|span| span.name == MESSAGES).collect();
    (roots.iter().map(|root| format!("{}-{}", hex(&root.trace_id), hex(&root.parent_span_id))).collect(), log)
}

#[actix_web::test]
async fn a_request_that_its_caller_does_not_sample_has_no_span() {
    let unsampled = traceparent(TRACE, "00");
    assert_eq!(traces_of("1", &[&[("traceparent", &unsampled)]]).await.0, [] as [String; 0]);
}

#[actix_web::test]
async fn the_share_decides_for_requests_without_a_traceparent() {
    assert_eq!(traces_of("1", &[&[], &[], &[]]).await.0.len(), 3);
    assert_eq!(traces_of("0", &[&[], &[], &[]]).await.0.len(), 0);
}

#[actix_web::test]
async fn a_malformed_traceparent_is_ignored() {
    let values = [
        String::new(),
        "x".to_owned(),
        format!("00-{TRACE}-{PARENT}"),
        format!("00-{TRACE}-{PARENT}-1"),
        format!("00-{TRACE}-{PARENT}-01-more"),
        format!("ff-{TRACE}-{PARENT}-01"),
        format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
        format!("00-{TRACE}-0000000000000000-01"),
        format!("00-{}-{PARENT}-01", "0".repeat(32)),
        format!("00-{TRACE}{TRACE}-{PARENT}-01"),
        "00".repeat(2_000),
    ];
    let requests: Vec<_> = values.iter().map(|value| [("traceparent", value.as_str())]).collect();
    let twice = traceparent(TRACE, "01");
    let twice = [("traceparent", twice.as_str()), ("traceparent", twice.as_str())];
    let requests: Vec<_> = requests.iter().map(|headers| &headers[..]).chain([&twice[..]]).collect();
    let (traces, _) = traces_of("1", &requests).await;
    assert_eq!(traces.iter().collect::<BTreeSet<_>>().len(), requests.len());
    assert!(traces.iter().all(|trace| trace.ends_with('-') && !trace.starts_with(TRACE)), "{traces:?}");
    assert_eq!(traces_of("0", &requests).await.0, [] as [String; 0]);
}

#[actix_web::test]
async fn the_log_line_of_a_traced_request_has_its_trace() {
    let (traces, log) = traces_of("1", &[&[]]).await;
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let line = lines.into_iter().find(|line| line["message"] == "request").unwrap();
    assert_eq!(format!("{}-", line["trace_id"].as_str().unwrap()), traces[0]);
}

#[actix_web::test]
async fn other_log_lines_of_a_traced_request_have_its_trace_once() {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    let credential = env.create_credential();
    let server = collector::serve(&env, &collector, "0", &["--redis-url", "redis://127.0.0.1:1"]);
    append(&server, &credential, PATH, &[("traceparent", &traceparent(TRACE, "01"))]).await;
    let log = collector::stop(server);
    let lost = "the shared rate limit is out of reach: this replica counts alone";
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    assert_eq!(lines.into_iter().find(|line| line["message"] == lost).unwrap()["trace_id"], TRACE);
    assert!(log.lines().all(|line| line.matches("\"trace_id\"").count() <= 1), "{log}");
}

#[actix_web::test]
async fn a_failed_request_is_an_error() {
    let (env, collector) = (TestEnvironment::new(), Collector::start());
    let credential = env.create_credential();
    let server = collector::serve(&env, &collector, "1", &[]);
    let lock = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = server.request(&credential, PATH, Some(&conversation("call-1"))).send().await.unwrap();
    lock.execute_batch("ROLLBACK").unwrap();
    assert_eq!(answer.status(), 503);
    collector::stop(server);
    let spans = collector.spans();
    let root = span(&spans, "POST /conversation/v1/conversations");
    assert_eq!(root.status.as_ref().unwrap().code(), StatusCode::Error);
    assert_eq!(text_attribute(&root.attributes, "error.type").as_deref(), Some("503"));
}

#[actix_web::test]
async fn a_delivery_has_a_trace_which_it_sends_on() {
    let (env, collector, component) = (TestEnvironment::new(), Collector::start(), Receiver::start());
    let credential = env.create_credential();
    let (url, secret) = (component.url("/{tenant}"), "a key of sixteen bytes or more");
    let arguments = ["--vocabulary-delivery-url", &url, "--vocabulary-delivery-secret", secret];
    let server = collector::serve(&env, &collector, "1", &arguments);
    add_phrase(&server, &credential, "IEEE").await;
    wait_for_status(&server, &credential, is_delivered(1)).await;
    collector::stop(server);
    let (spans, sent) = (collector.spans(), component.received().remove(0));
    let header = |name: &str| sent.headers.iter().find(|(header, _)| header == name).unwrap().1.clone();
    let request = span(&spans, "PUT");
    assert_eq!(header("traceparent"), format!("00-{}-{}-01", hex(&request.trace_id), hex(&request.span_id)));
    assert_eq!(request.kind(), SpanKind::Client);
    assert_eq!(number_attribute(&request.attributes, "http.response.status_code"), Some(204));
    assert_parent(&spans, "PUT", "transcription.http_component.push");
    assert_parent(&spans, "transcription.http_component.push", "vocabulary.delivery");
    let seconds: i64 = header("parlance-timestamp").parse().unwrap();
    let sent_at = Timestamp::from_micros(seconds * MICROS_PER_SECOND).unwrap();
    assert_eq!(header("parlance-signature"), signature_headers(secret.as_bytes(), sent_at, &sent.body).signature);
}
