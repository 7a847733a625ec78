//! Tests of feed downloads: whole files and byte ranges, at a signed URL.

use parlance_domain::hex;
use reqwest::Method;
use serde_json::{Value, json};

use crate::feeds::{FEEDS_PATH, period_body, post, signed_url, start_with_export};

#[actix_web::test]
async fn a_downloaded_feed_matches_the_transcript() {
    let (_service, client, date) = start_with_export(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let file = client.get(&signed_url(&client, &date).await).await;
    let rows: Vec<Value> = file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let transcript = client.get("/conversation/v1/conversation/messages?externalId=call-1").await.ok();
    let transcript_rows: Vec<_> = transcript["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["messageId"].clone(),
                item["text"].clone(),
                item["createdTimestamp"].clone(),
                item["clientTimestamp"].clone(),
            )
        })
        .collect();
    let exported_rows: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["messageId"].clone(),
                row["text"].clone(),
                row["createdTimestamp"].clone(),
                row["clientTimestamp"].clone(),
            )
        })
        .collect();
    assert_eq!(exported_rows, transcript_rows);
    assert_eq!(rows[0]["text"], "my card is **** **** **** 1111");
}

#[actix_web::test]
async fn a_file_has_its_listed_digest_and_size() {
    use sha2::{Digest, Sha256};
    let (_service, client, date) = start_with_export(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let files = post(&client, "listfeedfiles", period_body(&date)).await.ok();
    let file = client.get(&signed_url(&client, &date).await).await;
    assert_eq!(files["files"][0]["sha256"], hex::encode(&Sha256::digest(file.text.as_bytes())));
    assert_eq!((&files["files"][0]["bytes"], &files["revision"]), (&json!(file.text.len()), &json!(1)));
}

#[actix_web::test]
async fn a_signed_url_needs_no_credential_and_cannot_be_altered() {
    let (service, client, date) = start_with_export(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let anonymous = service.client_with_credential("nobody", "nothing");
    let url = signed_url(&client, &date).await;
    assert_eq!(anonymous.get(&url).await.status, 200);
    let altered_urls = [
        url.replace("tenant=acme", "tenant=globex"),
        url.replace("format=jsonl", "format=csv"),
        url.replace("expires=1", "expires=2"),
        format!("{}{}", &url[..url.len() - 4], "0000"),
    ];
    for altered_url in altered_urls {
        assert_eq!(anonymous.get(&altered_url).await.status, 401, "{altered_url}");
    }
    assert_eq!(anonymous.get(&format!("{FEEDS_PATH}/feedfile")).await.status, 400);
}

#[actix_web::test]
async fn a_requested_range_of_a_file_is_returned() {
    let (_service, client, date) = start_with_export(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let url = signed_url(&client, &date).await;
    let whole = client.get(&url).await;
    let tag = whole.header("etag").to_owned();
    let with = async |name: &'static str, value: &str| {
        client.send(&Method::GET, &url, |request| request.header(name, value)).await
    };
    let part = with("range", "bytes=1-9").await;
    assert_eq!((part.status, part.text.as_str()), (206, &whole.text[1..10]));
    assert_eq!(part.header("content-range"), format!("bytes 1-9/{}", whole.text.len()));
    assert_eq!(with("range", "bytes=-5").await.text, whole.text[whole.text.len() - 5..]);
    let beyond = with("range", "bytes=999999-").await;
    assert_eq!((beyond.status, beyond.header("content-range")), (416, &*format!("bytes */{}", whole.text.len())));
    assert_eq!(with("if-none-match", &tag).await.status, 304);
    assert_eq!(with("if-none-match", "\"other\"").await.text, whole.text);
}

/// The signed URL of a file in the response to a request with `headers`.
async fn signed_url_for_request(client: &support::client::Client, date: &str, headers: &[(&str, &str)]) -> String {
    let mut body = period_body(date);
    body["fileName"] = post(client, "listfeedfiles", body.clone()).await.ok()["files"][0]["fileName"].clone();
    let path = format!("{FEEDS_PATH}/getfeedfile");
    let sent = client.send(&Method::POST, &path, |request| {
        headers.iter().fold(request.json(&body), |request, (name, value)| request.header(*name, *value))
    });
    sent.await.ok()["url"].as_str().unwrap().to_owned()
}

const FORGED_HOST: [(&str, &str); 4] = [
    ("host", "evil.example"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-proto", "https"),
    ("forwarded", "host=evil.example;proto=https"),
];

#[actix_web::test]
async fn a_signed_url_is_a_path_whatever_host_the_request_names() {
    let (_service, client, date) = start_with_export(&[]).await;
    let url = signed_url_for_request(&client, &date, &FORGED_HOST).await;
    assert!(url.starts_with("/fileexporter/v1/static/feedfile?tenant=acme&"), "{url}");
}

#[actix_web::test]
async fn a_signed_url_starts_with_the_configured_public_url() {
    let (_service, client, date) = start_with_export(&[("PARLANCE_PUBLIC_URL", "https://talk.example/api")]).await;
    let url = signed_url_for_request(&client, &date, &FORGED_HOST).await;
    assert!(url.starts_with("https://talk.example/api/fileexporter/v1/static/feedfile?tenant=acme&"), "{url}");
}
