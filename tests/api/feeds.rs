//! Feeds, end to end: what is produced is listed, its files are collected, and nothing else can be reached.

use std::{fs, path::Path};

use parlance::system::SystemClock;
use parlance_domain::{access::Permission, feed::DayRange, time::Clock};
use serde_json::{Value, json};
use support::{
    client::{Answer, Client},
    service::TestService,
};

pub(crate) const AT: &str = "/fileexporter/v1/static";

pub(crate) async fn post(client: &Client, operation: &str, body: Value) -> Answer {
    client.post(&format!("{AT}/{operation}"), &body).await
}

pub(crate) fn table(feed: &str, version: &str, format: &str) -> Value {
    json!({"feed": feed, "version": version, "format": format})
}

pub(crate) fn day(date: &str) -> Value {
    json!({"feed": "messages", "version": "1", "format": "jsonl", "date": date})
}

/// Makes a day of another producer's feed.
fn foreign_day(feeds: &Path, tenant: &str, feed: &str, date: &str, files: &[(&str, &str)]) {
    let folder = feeds.join(tenant).join(feed).join("version=1/format=jsonl").join(format!("dt={date}"));
    fs::create_dir_all(&folder).unwrap();
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
}

/// A service whose tenant acme has said something today, and exported it.
pub(crate) async fn exported(settings: &[(&str, &str)]) -> (TestService, Client, String) {
    let service = TestService::over(support::database::TestDatabase::sqlite(), settings).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in ["my card is 4111 1111 1111 1111", "thank you"] {
        client.say(&id, text, "2026-01-31T09:30:00Z").await;
    }
    service.produce("acme").await;
    let dates = post(&client, "listfeeddates", table("messages", "1", "jsonl")).await.ok();
    let date = dates["dates"][0].as_str().unwrap().to_owned();
    (service, client, date)
}

pub(crate) async fn address(client: &Client, date: &str) -> String {
    let mut body = day(date);
    let files = post(client, "listfeedfiles", body.clone()).await.ok();
    body["fileName"] = files["files"][0]["fileName"].clone();
    post(client, "getfeedfile", body).await.ok()["url"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn dates_are_listed_in_the_form_of_the_specification() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for date in ["2026-02-01", "2026-01-31"] {
        foreign_day(service.feeds(), "acme", "calls", date, &[("_SUCCESS", ""), ("part-0.jsonl", "{}\n")]);
    }
    foreign_day(service.feeds(), "acme", "calls", "2026-02-02", &[("part-0.jsonl", "{}\n")]);
    let answer = post(&client, "listfeeddates", table("calls", "1", "jsonl")).await.ok();
    let expected =
        json!({"feed": "calls", "version": "1", "format": "format=jsonl", "dates": ["2026-01-31", "2026-02-01"]});
    assert_eq!(answer, expected);
}

#[actix_web::test]
async fn bare_and_prefixed_values_are_equal() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    foreign_day(service.feeds(), "acme", "calls", "2026-01-31", &[("_SUCCESS", "")]);
    for (version, format) in [("1", "format=jsonl"), ("version=1", "jsonl"), ("version=1", "format=jsonl")] {
        let answer = post(&client, "listfeeddates", table("calls", version, format)).await.ok();
        assert_eq!((&answer["dates"], &answer["format"]), (&json!(["2026-01-31"]), &json!("format=jsonl")));
        assert_eq!(answer["version"], version);
    }
}

#[actix_web::test]
async fn a_feed_that_is_produced_here_is_known_before_it_has_a_day() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    assert_eq!(post(&client, "listfeeddates", table("messages", "1", "parquet")).await.ok()["dates"], json!([]));
    let feeds = post(&client, "listfeeds", json!({})).await.ok();
    assert_eq!(feeds["feeds"], json!(["conversations", "messages", "redaction_changes", "vocabulary_changes"]));
}

#[actix_web::test]
async fn an_unknown_feed_version_or_format_is_not_found() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (feed, version, format) in [("nothing", "1", "jsonl"), ("messages", "2", "jsonl"), ("messages", "1", "xml")] {
        assert_eq!(post(&client, "listfeeddates", table(feed, version, format)).await.status, 404);
    }
    assert_eq!(post(&client, "listfeedversions", json!({"feed": "nothing"})).await.status, 404);
    assert_eq!(post(&client, "listfeedformats", json!({"feed": "messages", "version": "2"})).await.status, 404);
    assert_eq!(post(&client, "getfeedschema", json!({"feed": "messages", "version": "2"})).await.status, 404);
    assert_eq!(post(&client, "listfeedfiles", day("2026-01-31")).await.status, 404);
}

#[actix_web::test]
async fn what_is_missing_or_mistyped_is_named() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let refusal = post(&client, "listfeeddates", json!({"feed": null, "format": "a/b"})).await.refusal();
    assert_eq!(refusal, (400, vec!["/feed type".into(), "/version required".into(), "/format pattern".into()]));
}

#[actix_web::test]
async fn a_trick_with_paths_is_refused_and_reaches_nothing() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    foreign_day(service.feeds(), "globex", "calls", "2026-01-31", &[("_SUCCESS", ""), ("secret.jsonl", "hush")]);
    foreign_day(service.feeds(), "acme", "calls", "2026-01-31", &[("_SUCCESS", ""), ("part-0.jsonl", "{}\n")]);
    let tricks = [
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
    for trick in tricks {
        for member in ["feed", "version", "format", "date", "fileName"] {
            let mut body = json!({"feed": "calls", "version": "1", "format": "jsonl", "date": "2026-01-31", "fileName": "part-0.jsonl"});
            body[member] = json!(trick);
            let status = post(&client, "getfeedfile", body).await.status;
            assert!(status == 400 || status == 404, "{member} {trick:?}: {status}");
        }
    }
}

#[actix_web::test]
async fn a_tenant_sees_and_collects_nothing_of_anothers() {
    let (service, _, date) = exported(&[]).await;
    let other = service.client("globex").await;
    assert_eq!(post(&other, "listfeeddates", table("messages", "1", "jsonl")).await.ok()["dates"], json!([]));
    assert_eq!(post(&other, "listfeedfiles", day(&date)).await.status, 404);
    foreign_day(service.feeds(), "acme", "calls", "2026-01-31", &[("_SUCCESS", "")]);
    assert_eq!(post(&other, "listfeedversions", json!({"feed": "calls"})).await.status, 404);
}

#[actix_web::test]
async fn feeds_need_the_permission_to_read_them() {
    let service = TestService::start().await;
    let others: Vec<_> = Permission::ALL.into_iter().filter(|one| *one != Permission::ReadFeeds).collect();
    let client = service.client_with("acme", &others).await;
    for operation in
        ["listfeeds", "listfeedversions", "listfeedformats", "listfeeddates", "listfeedfiles", "getfeedfile"]
    {
        assert_eq!(post(&client, operation, json!({})).await.status, 403, "{operation}");
    }
}

#[actix_web::test]
async fn a_file_of_another_producer_is_collected_too() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    foreign_day(
        service.feeds(),
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
async fn a_day_that_is_not_complete_has_no_files() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    foreign_day(service.feeds(), "acme", "calls", "2026-01-31", &[("part-0.jsonl", "{}\n")]);
    let body =
        json!({"feed": "calls", "version": "1", "format": "jsonl", "date": "2026-01-31", "fileName": "part-0.jsonl"});
    for operation in ["listfeedfiles", "getfeedfile"] {
        assert_eq!(post(&client, operation, body.clone()).await.status, 404, "{operation}");
    }
}

#[actix_web::test]
async fn a_day_that_was_exported_before_it_was_over_is_not_listed_until_it_is_exported_again() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let dates =
        async || post(&client, "listfeeddates", table("conversations", "1", "jsonl")).await.ok()["dates"].clone();
    service.produce_at("acme", SystemClock.now(), DayRange { unfinished: true, ..DayRange::default() }).await;
    assert_eq!(dates().await, json!([]));
    service.produce("acme").await;
    assert_eq!(dates().await.as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn the_schema_that_is_served_is_that_of_the_rows() {
    let (_service, client, date) = exported(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let schema = post(&client, "getfeedschema", json!({"feed": "messages", "version": "version=1"})).await.ok();
    let columns: Vec<_> = schema["columns"].as_array().unwrap().iter().map(|column| column["name"].clone()).collect();
    let collected = client.get(&address(&client, &date).await).await;
    let row: Value = serde_json::from_str(collected.text.lines().next().unwrap()).unwrap();
    let mut names: Vec<_> = row.as_object().unwrap().keys().map(|name| json!(name)).collect();
    let mut sorted = columns.clone();
    sorted.sort_by_key(ToString::to_string);
    names.sort_by_key(ToString::to_string);
    assert_eq!(names, sorted);
    assert_eq!(schema["uniqueKey"], json!(["messageId"]));
}
