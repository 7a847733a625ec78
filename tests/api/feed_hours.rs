//! Tests of feeds by hours: hours are listed, and the files of a day are found with and without their hour.

use std::fs;

use serde_json::json;
use support::service::TestService;

use crate::feeds::{dataset_body, period_body, post, start_with_export};

const HOURLY: [(&str, &str); 2] = [("PARLANCE_FEED_INTERVALS", "hourly"), ("PARLANCE_FEED_COMPRESSION", "none")];

#[actix_web::test]
async fn the_files_of_a_day_are_those_of_its_hours() {
    let (_service, client, date) = start_with_export(&HOURLY).await;
    let listed = post(&client, "listfeedintervals", period_body(&date)).await.ok();
    let hours: Vec<_> = (0..24).map(|hour| format!("hr={hour:02}")).collect();
    let expected =
        json!({"feed": "messages", "version": "1", "format": "format=jsonl", "date": date, "intervals": hours});
    assert_eq!(listed, expected);
    let of_day = post(&client, "listfeedfiles", period_body(&date)).await.ok();
    let path = of_day["files"][0]["fileName"].as_str().unwrap().to_owned();
    let (hour, name) = path.split_once('/').unwrap();
    let mut body = period_body(&date);
    body["interval"] = json!(hour);
    let of_hour = post(&client, "listfeedfiles", body.clone()).await.ok();
    assert_eq!((&of_hour["files"][0]["fileName"], &of_hour["interval"]), (&json!(name), &json!(hour)));
    assert_eq!(of_hour["files"][0]["sha256"], of_day["files"][0]["sha256"]);
    body["fileName"] = json!(name);
    let mut in_day = period_body(&date);
    in_day["fileName"] = json!(path);
    for body in [body, in_day] {
        let url = post(&client, "getfeedfile", body).await.ok()["url"].as_str().unwrap().to_owned();
        assert_eq!(client.get(&url).await.text.lines().count(), 2);
        let moved = url.replace(&hour.replace("hr=", "interval="), "interval=99");
        assert_ne!(client.get(&moved).await.status, 200);
    }
}

#[actix_web::test]
async fn hours_of_another_producer_are_listed_and_collected() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let day = service.feeds_directory().join("acme/calls/version=1/format=jsonl/dt=2026-01-31");
    for hour in ["hr=07", "hr=08", "hr=9"] {
        fs::create_dir_all(day.join(hour)).unwrap();
        fs::write(day.join(hour).join("part-0.jsonl"), "{}\n").unwrap();
    }
    fs::write(day.join("hr=07/_SUCCESS"), "").unwrap();
    let mut body = dataset_body("calls", "1", "jsonl");
    body["date"] = json!("2026-01-31");
    let listed = post(&client, "listfeedintervals", body.clone()).await.ok();
    assert_eq!(listed["intervals"], json!(["hr=07"]));
    assert_eq!(post(&client, "listfeedfiles", body.clone()).await.status, 404, "the day is not complete");
    fs::write(day.join("_SUCCESS"), "").unwrap();
    let files = post(&client, "listfeedfiles", body.clone()).await.ok()["files"].clone();
    assert_eq!(files, json!([{"fileName": "hr=07/part-0.jsonl", "bytes": 3}]));
    body["fileName"] = json!("hr=07/part-0.jsonl");
    let url = post(&client, "getfeedfile", body.clone()).await.ok()["url"].as_str().unwrap().to_owned();
    assert_eq!(client.get(&url).await.text, "{}\n");
    body["interval"] = json!("07");
    assert_eq!(post(&client, "getfeedfile", body.clone()).await.status, 404, "a path within an hour has no hour");
    (body["interval"], body["fileName"]) = (json!("08"), json!("part-0.jsonl"));
    assert_eq!(post(&client, "getfeedfile", body).await.status, 404, "the hour is not complete");
}

#[actix_web::test]
async fn a_day_that_was_written_as_a_whole_has_no_hours() {
    let (_service, client, date) = start_with_export(&[]).await;
    assert_eq!(post(&client, "listfeedintervals", period_body(&date)).await.ok()["intervals"], json!([]));
    let mut unknown = period_body(&date);
    unknown["feed"] = json!("unknown");
    assert_eq!(post(&client, "listfeedintervals", unknown).await.status, 404);
    for interval in ["24", "7", "hr=", "hr=07/x"] {
        let mut body = period_body(&date);
        body["interval"] = json!(interval);
        assert_eq!(post(&client, "listfeedfiles", body).await.status, 400, "{interval}");
    }
}
