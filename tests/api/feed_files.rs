//! The files of feeds: collected at an address that is signed, whole or in part.

use reqwest::Method;
use serde_json::{Value, json};

use crate::feeds::{AT, address, day, exported, post};

#[actix_web::test]
async fn what_is_collected_is_what_the_interface_shows() {
    let (_service, client, date) = exported(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let collected = client.get(&address(&client, &date).await).await;
    let rows: Vec<Value> = collected.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let transcript = client.get("/conversation/v1/conversation/messages?externalId=call-1").await.ok();
    let shown: Vec<_> = transcript["items"]
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
    let kept: Vec<_> = rows
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
    assert_eq!(kept, shown);
    assert_eq!(rows[0]["text"], "my card is **** **** **** 1111");
}

#[actix_web::test]
async fn a_file_is_what_its_digest_says() {
    use sha2::{Digest, Sha256};
    let (_service, client, date) = exported(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let files = post(&client, "listfeedfiles", day(&date)).await.ok();
    let collected = client.get(&address(&client, &date).await).await;
    let digest: Vec<_> = Sha256::digest(collected.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(files["files"][0]["sha256"], digest.concat());
    assert_eq!((&files["files"][0]["bytes"], &files["revision"]), (&json!(collected.text.len()), &json!(1)));
}

#[actix_web::test]
async fn an_address_needs_no_credential_and_cannot_be_bent() {
    let (service, client, date) = exported(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let stranger = service.client_of("nobody", "nothing");
    let address = address(&client, &date).await;
    assert_eq!(stranger.get(&address).await.status, 200);
    let bent = [
        address.replace("tenant=acme", "tenant=globex"),
        address.replace("format=jsonl", "format=csv"),
        address.replace("expires=1", "expires=2"),
        format!("{}{}", &address[..address.len() - 4], "0000"),
    ];
    for bent in bent {
        assert_eq!(stranger.get(&bent).await.status, 401, "{bent}");
    }
    assert_eq!(stranger.get(&format!("{AT}/feedfile")).await.status, 400);
}

#[actix_web::test]
async fn a_part_of_a_file_is_answered_where_it_is_asked_for() {
    let (_service, client, date) = exported(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let address = address(&client, &date).await;
    let whole = client.get(&address).await;
    let tag = whole.header("etag").to_owned();
    let with = async |name: &'static str, value: &str| {
        client.send(&Method::GET, &address, |request| request.header(name, value)).await
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

/// The address of a file as it is given to a request with these headers.
async fn address_given_to(client: &support::client::Client, date: &str, headers: &[(&str, &str)]) -> String {
    let mut body = day(date);
    body["fileName"] = post(client, "listfeedfiles", body.clone()).await.ok()["files"][0]["fileName"].clone();
    let path = format!("{AT}/getfeedfile");
    let sent = client.send(&Method::POST, &path, |request| {
        headers.iter().fold(request.json(&body), |request, (name, value)| request.header(*name, *value))
    });
    sent.await.ok()["url"].as_str().unwrap().to_owned()
}

const FOREIGN: [(&str, &str); 4] = [
    ("host", "evil.example"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-proto", "https"),
    ("forwarded", "host=evil.example;proto=https"),
];

#[actix_web::test]
async fn an_address_is_a_path_whatever_host_the_request_names() {
    let (_service, client, date) = exported(&[]).await;
    let address = address_given_to(&client, &date, &FOREIGN).await;
    assert!(address.starts_with("/fileexporter/v1/static/feedfile?tenant=acme&"), "{address}");
}

#[actix_web::test]
async fn an_address_begins_with_the_public_one_where_the_settings_tell_it() {
    let (_service, client, date) = exported(&[("PARLANCE_PUBLIC_URL", "https://talk.example/api")]).await;
    let address = address_given_to(&client, &date, &FOREIGN).await;
    assert!(address.starts_with("https://talk.example/api/fileexporter/v1/static/feedfile?tenant=acme&"), "{address}");
}
