//! Tests of feeds: produced feeds are listed, their files can be downloaded, and no other file can be reached.

use std::{fs, path::Path};

use parlance::system::SystemClock;
use parlance_domain::{access::Permission, feed::DayRange, time::Clock};
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client},
    service::TestService,
};

pub(crate) const FEEDS_PATH: &str = "/fileexporter/v1/static";

pub(crate) async fn post(client: &Client, operation: &str, body: Value) -> ApiResponse {
    client.post(&format!("{FEEDS_PATH}/{operation}"), &body).await
}

pub(crate) fn dataset_body(feed: &str, version: &str, format: &str) -> Value {
    json!({"feed": feed, "version": version, "format": format})
}

pub(crate) fn period_body(date: &str) -> Value {
    json!({"feed": "messages", "version": "1", "format": "jsonl", "date": date})
}

/// Writes a period of a feed of another producer.
fn create_foreign_period(feeds: &Path, tenant: &str, feed: &str, date: &str, files: &[(&str, &str)]) {
    let folder = feeds.join(tenant).join(feed).join("version=1/format=jsonl").join(format!("dt={date}"));
    fs::create_dir_all(&folder).unwrap();
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
}

/// Starts a service whose tenant `acme` has two messages and their export. Returns the date of the export too.
pub(crate) async fn start_with_export(settings: &[(&str, &str)]) -> (TestService, Client, String) {
    let service = TestService::start_with(support::database::TestDatabase::sqlite(), settings).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in ["my card is 4111 1111 1111 1111", "thank you"] {
        client.add_message(&id, text, "2026-01-31T09:30:00Z").await;
    }
    service.export_feeds("acme").await;
    let dates = post(&client, "listfeeddates", dataset_body("messages", "1", "jsonl")).await.ok();
    let date = dates["dates"][0].as_str().unwrap().to_owned();
    (service, client, date)
}

pub(crate) async fn signed_url(client: &Client, date: &str) -> String {
    let mut body = period_body(date);
    let files = post(client, "listfeedfiles", body.clone()).await.ok();
    body["fileName"] = files["files"][0]["fileName"].clone();
    post(client, "getfeedfile", body).await.ok()["url"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn dates_are_listed_in_the_form_of_the_specification() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for date in ["2026-02-01", "2026-01-31"] {
        create_foreign_period(
            service.feeds_directory(),
            "acme",
            "calls",
            date,
            &[("_SUCCESS", ""), ("part-0.jsonl", "{}\n")],
        );
    }
    create_foreign_period(service.feeds_directory(), "acme", "calls", "2026-02-02", &[("part-0.jsonl", "{}\n")]);
    let answer = post(&client, "listfeeddates", dataset_body("calls", "1", "jsonl")).await.ok();
    let expected =
        json!({"feed": "calls", "version": "1", "format": "format=jsonl", "dates": ["2026-01-31", "2026-02-01"]});
    assert_eq!(answer, expected);
}

#[actix_web::test]
async fn bare_and_prefixed_values_are_equivalent() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_foreign_period(service.feeds_directory(), "acme", "calls", "2026-01-31", &[("_SUCCESS", "")]);
    for (version, format) in [("1", "format=jsonl"), ("version=1", "jsonl"), ("version=1", "format=jsonl")] {
        let answer = post(&client, "listfeeddates", dataset_body("calls", version, format)).await.ok();
        assert_eq!((&answer["dates"], &answer["format"]), (&json!(["2026-01-31"]), &json!("format=jsonl")));
        assert_eq!(answer["version"], version);
    }
}

#[actix_web::test]
async fn a_feed_of_this_server_is_listed_before_its_first_export() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    assert_eq!(post(&client, "listfeeddates", dataset_body("messages", "1", "parquet")).await.ok()["dates"], json!([]));
    let feeds = post(&client, "listfeeds", json!({})).await.ok();
    assert_eq!(feeds["feeds"], json!(["conversations", "messages", "redaction_changes", "vocabulary_changes"]));
}

#[actix_web::test]
async fn an_unknown_feed_version_or_format_is_not_found() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (feed, version, format) in [("nothing", "1", "jsonl"), ("messages", "2", "jsonl"), ("messages", "1", "xml")] {
        assert_eq!(post(&client, "listfeeddates", dataset_body(feed, version, format)).await.status, 404);
    }
    assert_eq!(post(&client, "listfeedversions", json!({"feed": "nothing"})).await.status, 404);
    assert_eq!(post(&client, "listfeedformats", json!({"feed": "messages", "version": "2"})).await.status, 404);
    assert_eq!(post(&client, "getfeedschema", json!({"feed": "messages", "version": "2"})).await.status, 404);
    assert_eq!(post(&client, "listfeedfiles", period_body("2026-01-31")).await.status, 404);
}

#[actix_web::test]
async fn missing_and_mistyped_members_are_reported() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let refusal = post(&client, "listfeeddates", json!({"feed": null, "format": "a/b"})).await.error_details();
    assert_eq!(refusal, (400, vec!["/feed type".into(), "/version required".into(), "/format pattern".into()]));
}

#[actix_web::test]
async fn path_traversal_is_rejected() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_foreign_period(
        service.feeds_directory(),
        "globex",
        "calls",
        "2026-01-31",
        &[("_SUCCESS", ""), ("secret.jsonl", "hush")],
    );
    create_foreign_period(
        service.feeds_directory(),
        "acme",
        "calls",
        "2026-01-31",
        &[("_SUCCESS", ""), ("part-0.jsonl", "{}\n")],
    );
    let malicious_values = [
        "..",
        "../globex",
        "../../globex/calls",
        "/",
        "a/b",
        "calls/",
        "%2f",
        "..%2fglobex",
        "%2e%2e",
        "\0",
        "calls\0",
        "\\..\\globex",
        ".",
        "_SUCCESS",
        "_manifest.json",
        "calls/../calls",
        "globex",
        "acme/../globex/calls",
        "\u{202e}",
        "",
    ];
    for value in malicious_values {
        for member in ["feed", "version", "format", "date", "fileName"] {
            let mut body = json!({"feed": "calls", "version": "1", "format": "jsonl", "date": "2026-01-31", "fileName": "part-0.jsonl"});
            body[member] = json!(value);
            let status = post(&client, "getfeedfile", body).await.status;
            assert!(status == 400 || status == 404, "{member} {value:?}: {status}");
        }
    }
}

#[actix_web::test]
async fn a_tenant_finds_no_feeds_of_another_tenant() {
    let (service, _, date) = start_with_export(&[]).await;
    let other = service.client("globex").await;
    assert_eq!(post(&other, "listfeeddates", dataset_body("messages", "1", "jsonl")).await.ok()["dates"], json!([]));
    assert_eq!(post(&other, "listfeedfiles", period_body(&date)).await.status, 404);
    create_foreign_period(service.feeds_directory(), "acme", "calls", "2026-01-31", &[("_SUCCESS", "")]);
    assert_eq!(post(&other, "listfeedversions", json!({"feed": "calls"})).await.status, 404);
}

#[actix_web::test]
async fn feeds_require_the_permission_to_read_them() {
    let service = TestService::start().await;
    let others: Vec<_> = Permission::ALL.into_iter().filter(|one| *one != Permission::ReadFeeds).collect();
    let client = service.client_with_permissions("acme", &others).await;
    for operation in
        ["listfeeds", "listfeedversions", "listfeedformats", "listfeeddates", "listfeedfiles", "getfeedfile"]
    {
        assert_eq!(post(&client, operation, json!({})).await.status, 403, "{operation}");
    }
}

#[actix_web::test]
async fn a_file_of_another_producer_can_be_downloaded() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_foreign_period(
        service.feeds_directory(),
        "acme",
        "calls",
        "2026-01-31",
        &[("_SUCCESS", ""), ("part-0.jsonl", "{}\n"), ("_temporary", "x")],
    );
    let body = json!({"feed": "calls", "version": "1", "format": "jsonl", "date": "2026-01-31"});
    let files = post(&client, "listfeedfiles", body.clone()).await.ok();
    assert_eq!(files["files"], json!([{"fileName": "part-0.jsonl", "bytes": 3}]));
    let mut body = body;
    body["fileName"] = json!("part-0.jsonl");
    let url = post(&client, "getfeedfile", body).await.ok()["url"].as_str().unwrap().to_owned();
    assert_eq!(client.get(&url).await.text, "{}\n");
}

#[actix_web::test]
async fn an_incomplete_period_has_no_files() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_foreign_period(service.feeds_directory(), "acme", "calls", "2026-01-31", &[("part-0.jsonl", "{}\n")]);
    let body =
        json!({"feed": "calls", "version": "1", "format": "jsonl", "date": "2026-01-31", "fileName": "part-0.jsonl"});
    for operation in ["listfeedfiles", "getfeedfile"] {
        assert_eq!(post(&client, operation, body.clone()).await.status, 404, "{operation}");
    }
}

#[actix_web::test]
async fn a_period_exported_before_it_closed_is_not_listed_until_it_is_exported_again() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let dates = async || {
        post(&client, "listfeeddates", dataset_body("conversations", "1", "jsonl")).await.ok()["dates"].clone()
    };
    service.export_feeds_at("acme", SystemClock.now(), DayRange { include_open: true, ..DayRange::default() }).await;
    assert_eq!(dates().await, json!([]));
    service.export_feeds("acme").await;
    assert_eq!(dates().await.as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn the_served_schema_matches_the_rows() {
    let (_service, client, date) = start_with_export(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let schema = post(&client, "getfeedschema", json!({"feed": "messages", "version": "version=1"})).await.ok();
    let columns: Vec<_> = schema["columns"].as_array().unwrap().iter().map(|column| column["name"].clone()).collect();
    let file = client.get(&signed_url(&client, &date).await).await;
    let row: Value = serde_json::from_str(file.text.lines().next().unwrap()).unwrap();
    let mut names: Vec<_> = row.as_object().unwrap().keys().map(|name| json!(name)).collect();
    let mut sorted = columns.clone();
    sorted.sort_by_key(ToString::to_string);
    names.sort_by_key(ToString::to_string);
    assert_eq!(names, sorted);
    assert_eq!(schema["uniqueKey"], json!(["messageId"]));
}
