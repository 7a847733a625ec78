//! Tests of invalid requests: each is rejected with its status and rule, and nothing is stored.

use serde_json::{Value, json};
use support::{
    client::{Client, conversation_body, message_body},
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

async fn assert_nothing_is_stored(client: &Client) {
    let found = client.get(&format!("{PATH}?externalId=call-1")).await.ok();
    assert_eq!(found, json!({"items": []}));
}

#[actix_web::test]
async fn a_body_that_is_not_a_json_object_in_utf_8_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let whole = conversation_body("call-1").to_string();
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let utf_16: Vec<u8> = whole.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let broken: [Vec<u8>; 14] = [
        b"".into(),
        b" ".into(),
        whole.as_bytes()[..whole.len() - 1].into(),
        format!("{whole}{whole}").into(),
        format!("[{whole}]").into(),
        whole.replace(':', "=").into(),
        whole.replace('"', "'").into(),
        whole.replace("call-1", "call-\u{0}1").into(),
        [b"\xff\xfe", whole.as_bytes()].concat(),
        whole.replace("call-1", "call-1\\ud800").into(),
        utf_16,
        deep.into(),
        b"null".into(),
        format!("\u{feff}{whole}").into(),
    ];
    for body in broken {
        let excerpt = String::from_utf8_lossy(&body).chars().take(60).collect::<String>();
        assert_eq!(client.post_bytes(PATH, body).await.status, 400, "{excerpt}");
    }
    assert_nothing_is_stored(&client).await;
}

#[actix_web::test]
async fn an_unsupported_media_type_or_content_encoding_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = conversation_body("call-1").to_string();
    for (header, value) in [
        ("content-type", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-encoding", "gzip"),
    ] {
        let answer =
            client.send(&reqwest::Method::POST, PATH, |request| request.header(header, value).body(body.clone())).await;
        assert_eq!(answer.status, 400, "{header}: {value}");
        assert!(answer.text.contains(&format!("header:{header}")), "{}", answer.text);
    }
    assert_nothing_is_stored(&client).await;
}

#[actix_web::test]
async fn an_invalid_timestamp_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-2").await;
    for timestamp in [
        json!("2026-01-31"),
        json!("2026-02-30T00:00:00Z"),
        json!("2026-13-01T00:00:00Z"),
        json!("2026-01-31T24:00:00Z"),
        json!("2026-01-31T09:30Z"),
        json!("31.01.2026 09:30"),
        json!("2026-01-31T09:30:00.Z"),
        json!("yesterday"),
        json!(""),
        json!("2026-01-31T09:30:00+25:00"),
        json!("2026-01-31T09:30:00.0123456789Z"),
        json!(" 2026-01-31T09:30:00Z"),
        json!(1_769_851_800),
        json!(null),
        json!(["2026-01-31T09:30:00Z"]),
        json!(true),
    ] {
        let mut body = conversation_body("call-1");
        body["timestamp"] = timestamp.clone();
        assert_eq!(client.post(PATH, &body).await.status, 400, "{timestamp}");
        let mut body = message_body("hello", "");
        body["timestamp"] = timestamp.clone();
        assert_eq!(client.post(&format!("{PATH}/{id}/messages"), &body).await.status, 400, "{timestamp}");
    }
    assert_nothing_is_stored(&client).await;
    assert_eq!(client.get(&format!("{PATH}/{id}/messages")).await.ok(), json!({"items": []}));
}

/// Values of all JSON types except those in `accepted`.
fn values_of_other_types(accepted: &[&str]) -> Vec<Value> {
    let values = [
        ("null", Value::Null),
        ("boolean", json!(true)),
        ("number", json!(7)),
        ("string", json!("text")),
        ("array", json!([])),
        ("array", json!(["externalId", "name"])),
        ("object", json!({"x": 1})),
    ];
    values.into_iter().filter(|(name, _)| !accepted.contains(name)).map(|(_, value)| value).collect()
}

#[actix_web::test]
async fn a_conversation_member_of_the_wrong_type_is_400_with_its_pointer() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (pointer, accepted) in [
        ("/id", &["string"][..]),
        ("/externalId", &["string"]),
        ("/timestamp", &["string"]),
        ("/customer", &[]),
        ("/customer/externalId", &["string"]),
        ("/customer/name", &["string"]),
        ("/agent", &["null"]),
        ("/agent/externalId", &["string"]),
        ("/agent/name", &["string"]),
        ("/metadata", &["null"]),
        ("/metadata/channel", &["string"]),
    ] {
        for value in values_of_other_types(accepted) {
            let mut body = conversation_body("call-1");
            body["id"] = json!("X");
            body["agent"] = json!({"externalId": "agent-1", "name": "Grace"});
            body["customer"]["name"] = json!("Ada");
            body["metadata"] = json!({"channel": "phone"});
            *body.pointer_mut(pointer).unwrap() = value.clone();
            let (status, details) = client.post(PATH, &body).await.error_details();
            let named = details.iter().any(|detail| detail.starts_with(pointer));
            assert!(status == 400 && named, "{pointer} = {value}: {status} {details:?}");
        }
    }
    assert_nothing_is_stored(&client).await;
}

#[actix_web::test]
async fn a_message_member_of_the_wrong_type_is_400_with_its_pointer() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = format!("{PATH}/{}/messages", client.upsert("call-2").await);
    for (pointer, accepted) in [
        ("/text", &["string"][..]),
        ("/sender", &[]),
        ("/sender/role", &[]),
        ("/sender/externalId", &["string"]),
        ("/timestamp", &["string"]),
    ] {
        for value in values_of_other_types(accepted) {
            let mut body = message_body("hello", "2026-01-31T09:30:00Z");
            *body.pointer_mut(pointer).unwrap() = value.clone();
            let (status, details) = client.post(&path, &body).await.error_details();
            let named = details.iter().any(|detail| detail.starts_with(pointer));
            assert!(status == 400 && named, "{pointer} = {value}: {status} {details:?}");
        }
    }
    assert_eq!(client.get(&path).await.ok(), json!({"items": []}));
}

#[actix_web::test]
async fn all_missing_members_are_reported_at_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-2").await;
    let missing =
        |members: &[&str]| (400, members.iter().map(|member| format!("{member} required")).collect::<Vec<_>>());
    assert_eq!(
        client.post(PATH, &json!({})).await.error_details(),
        missing(&["/externalId", "/customer", "/timestamp"])
    );
    let path = format!("{PATH}/{id}/messages");
    assert_eq!(client.post(&path, &json!({})).await.error_details(), missing(&["/text", "/sender", "/timestamp"]));
    let sender = json!({"text": "a", "sender": {}, "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(client.post(&path, &sender).await.error_details(), missing(&["/sender/role", "/sender/externalId"]));
}

#[actix_web::test]
async fn a_value_over_its_limit_is_422_and_one_at_its_limit_is_stored() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let pairs =
        |count: usize| json!((0..count).map(|n| (format!("k{n}"), json!("v"))).collect::<serde_json::Map<_, _>>());
    let one = |key: usize, value: usize| json!({"é".repeat(key): "é".repeat(value)});
    for (pointer, good, bad, rule) in [
        ("/customer/externalId", json!("é".repeat(256)), json!("é".repeat(257)), "max_characters"),
        ("/customer/externalId", json!("x"), json!(""), "min_characters"),
        ("/customer/externalId", json!("\u{a0}"), json!("a\u{0}b"), "no_control_characters"),
        ("/customer/name", json!("é".repeat(256)), json!("é".repeat(257)), "max_characters"),
        ("/customer/name", json!(""), json!("a\u{0}"), "no_nul"),
        ("/metadata", pairs(50), pairs(51), "max_pairs"),
        ("/metadata", one(128, 1_024), one(129, 1), "max_characters"),
        ("/metadata", one(1, 1), one(0, 1), "min_characters"),
    ] {
        let mut body = conversation_body("call-2");
        body["customer"]["name"] = json!("Ada");
        body["metadata"] = json!({});
        *body.pointer_mut(pointer).unwrap() = good;
        assert_eq!(client.post(PATH, &body).await.status, 200);
        body["externalId"] = json!("call-1");
        *body.pointer_mut(pointer).unwrap() = bad;
        assert_eq!(client.post(PATH, &body).await.error_details(), (422, vec![format!("{pointer} {rule}")]));
    }
    assert_nothing_is_stored(&client).await;
}

#[actix_web::test]
async fn an_invalid_metadata_value_is_reported_by_its_key() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (value, status, rule) in
        [(json!(1), 400, "type"), (json!("é".repeat(1_025)), 422, "max_characters"), (json!("a\u{0}"), 422, "no_nul")]
    {
        let mut body = conversation_body("call-1");
        body["metadata"] = json!({"a/b~c": value});
        assert_eq!(client.post(PATH, &body).await.error_details(), (status, vec![format!("/metadata/a~1b~0c {rule}")]));
    }
    assert_nothing_is_stored(&client).await;
}

#[actix_web::test]
async fn an_unknown_member_is_reported_with_the_allowed_members() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = "/configuration/v1/custom-vocabularies";
    let answer = client.post(path, &json!({"phrase": "IEEE", "soundsLike": [], "hush, expected `x`": 1})).await;
    assert_eq!(answer.error_details(), (400, vec![" unknown_member".to_owned()]));
    assert!(answer.text.contains("members: phrase, soundsLike") && !answer.text.contains("hush"), "{}", answer.text);
}

#[actix_web::test]
async fn an_empty_text_or_a_text_with_nul_is_422() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = format!("{PATH}/{}/messages", client.upsert("call-2").await);
    for (text, rule) in [("", "min_characters"), ("a\u{0}b", "no_nul")] {
        let refusal = client.post(&path, &message_body(text, "2026-01-31T09:30:00Z")).await.error_details();
        assert_eq!(refusal, (422, vec![format!("/text {rule}")]));
    }
}

#[actix_web::test]
async fn errors_repeat_nothing_of_the_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation_body("call-1");
    body["metadata"] = json!({"key": 7, "other": "hush-value"});
    body["timestamp"] = json!("hush-time");
    assert!(!client.post(PATH, &body).await.text.contains("hush"));
    body["metadata"] = json!({"hush\u{7}": 7, "other": "hush-value"});
    assert!(!client.post(PATH, &body).await.text.contains("hush"));
    body["metadata"] = json!("hush-metadata");
    assert!(!client.post(PATH, &body).await.text.contains("hush"));
    assert!(!client.get(&format!("{PATH}?externalId=a&externalId=hush")).await.text.contains("hush"));
    assert!(!client.get("/conversation/v1/hush").await.text.contains("hush"));
}
