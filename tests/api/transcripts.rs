//! Tests of spec §4.6: the full transcript of a conversation.

use serde_json::json;
use support::{client::Client, database::TestDatabase, service::TestService};

const PATH: &str = "/conversation/v1/conversation/messages";

async fn create_conversation(client: &Client) -> String {
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    client.add_message(&id, "good\nday", "2026-01-31T09:30:01.5Z").await;
    id
}

#[actix_web::test]
async fn a_transcript_is_found_by_either_identifier() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = create_conversation(&client).await;
    let by_external_id = client.get(&format!("{PATH}?externalId=call-1")).await.ok();
    let by_id = client.get(&format!("{PATH}?conversationId={id}")).await.ok();
    assert_eq!(by_external_id["items"].as_array().unwrap().len(), 2);
    assert_eq!(by_external_id, by_id);
}

#[actix_web::test]
async fn exactly_one_identifier_is_required() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = create_conversation(&client).await;
    for query in [
        String::new(),
        format!("?externalId=call-1&conversationId={id}"),
        "?externalId=".into(),
        "?conversationId=abc".into(),
    ] {
        assert_eq!(client.get(&format!("{PATH}{query}")).await.status, 400, "{query}");
    }
}

#[actix_web::test]
async fn a_transcript_of_a_missing_conversation_is_404() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let by_external_id = client.get(&format!("{PATH}?externalId=call-1")).await;
    assert_eq!(by_external_id.error_details(), (404, vec!["query:externalId exists".into()]));
    let by_id = client.get(&format!("{PATH}?conversationId=01JZX900000000000000000000")).await;
    assert_eq!(by_id.error_details(), (404, vec!["query:conversationId exists".into()]));
}

#[actix_web::test]
async fn a_transcript_has_the_requested_format() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_conversation(&client).await;
    for (format, media_type, part) in [
        ("json", "application/json", r#"{"items":[{"text":"hello""#),
        ("txt", "text/plain", "[2026-01-31T09:30:00.000Z] customer (customer-7): hello\n"),
        ("csv", "text/csv", "customer,customer-7,\"good\nday\"\r\n"),
        ("md", "text/markdown", "**09:30:00 customer-7** (Customer)\n\nhello\n"),
        ("html", "text/html", "<p class=\"text\" dir=\"auto\" lang=\"\">good\nday</p>"),
        ("vcon", "application/vcon", r#""encoding":"none","body":"hello""#),
        ("vtt", "text/vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n<v customer customer-7>hello\n"),
    ] {
        let by_format = client.get(&format!("{PATH}?externalId=call-1&format={format}")).await;
        let by_header = client
            .send(&reqwest::Method::GET, &format!("{PATH}?externalId=call-1"), |request| {
                request.header("accept", media_type)
            })
            .await;
        assert!(
            by_format.header("content-type").starts_with(media_type) && by_format.text.contains(part),
            "{}",
            by_format.text
        );
        assert_eq!(by_format.text, by_header.text);
    }
    assert_eq!(
        client.get(&format!("{PATH}?externalId=call-1&format=pdf")).await.error_details(),
        (400, vec!["query:format enum".into()])
    );
}

#[actix_web::test]
async fn a_transcript_for_people_shows_times_in_the_requested_time_zone() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_conversation(&client).await;
    for (format, part) in [
        ("txt", "[2026-01-31T10:30:00.000+01:00] customer"),
        ("md", "**10:30:00 customer-7**"),
        ("html", "<time datetime=\"2026-01-31T10:30:00.000+01:00\">10:30:00</time>"),
        ("vcon", "\"start\":\"2026-01-31T10:30:00.000+01:00\""),
    ] {
        let path = format!("{PATH}?externalId=call-1&format={format}&timezone=Europe%2FBerlin");
        let transcript = client.get(&path).await;
        assert!(transcript.text.contains(part), "{}", transcript.text);
    }
}

#[actix_web::test]
async fn a_time_zone_must_be_known_and_fit_the_format() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_conversation(&client).await;
    for (query, details) in [
        ("format=html&timezone=Berlin", "query:timezone timezone"),
        ("format=csv&timezone=UTC", "query:timezone format"),
        ("timezone=UTC", "query:timezone format"),
        ("format=md&include=redactions", "query:include json_only"),
    ] {
        let refused = client.get(&format!("{PATH}?externalId=call-1&{query}")).await;
        assert_eq!(refused.error_details(), (400, vec![details.into()]), "{query}");
    }
}

#[actix_web::test]
async fn a_document_of_a_missing_conversation_is_404() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let by_external_id = client.get(&format!("{PATH}?externalId=call-1&format=html")).await;
    assert_eq!(by_external_id.error_details(), (404, vec!["query:externalId exists".into()]));
    let by_id = client.get(&format!("{PATH}?conversationId=01JZX900000000000000000000&format=vcon")).await;
    assert_eq!(by_id.error_details(), (404, vec!["query:conversationId exists".into()]));
}

#[actix_web::test]
async fn an_html_transcript_loads_nothing_and_masks_names_and_texts() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = json!({"externalId": "call-9", "timestamp": "2026-01-31T09:30:00Z",
        "customer": {"externalId": "customer-7", "name": "card 4111 1111 1111 1111"}});
    let id = client.post("/conversation/v1/conversations", &body).await.ok()["id"].as_str().unwrap().to_owned();
    client.add_message(&id, "my card is 4111 1111 1111 1111 <b>", "2026-01-31T09:30:00Z").await;
    let page = client.get(&format!("{PATH}?conversationId={id}&format=html")).await;
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    assert_eq!(page.header("content-disposition"), format!("inline; filename=\"transcript-{id}.html\""));
    assert!(!page.text.contains("4111 1111") && page.text.contains("&lt;b&gt;"), "{}", page.text);
}

const COLUMNS: &str = "tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at";

async fn list_ten_thousand(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let rows: Vec<_> = (0..10_000_u32)
        .map(|number| {
            // 7,919 and 10,000 are coprime, so the positions are a permutation of 0 to 9,999, which is not in order.
            let position = (number * 7_919) % 10_000;
            format!("('acme', '{id}', {position}, 'M{number:05}', 2, 'customer-7', 'message {position}', 0)")
        })
        .collect();
    let insert = format!("INSERT INTO messages ({COLUMNS}) VALUES {}", rows.join(", "));
    service.open_database().await.execute_unprepared(&insert).await.unwrap();
    for path in [format!("/conversation/v1/conversations/{id}/messages"), format!("{PATH}?externalId=call-1")] {
        let list = client.get(&path).await.ok();
        let items = list["items"].as_array().unwrap();
        assert_eq!(items.len(), 10_000);
        assert!(items.iter().enumerate().all(|(position, item)| item["text"] == json!(format!("message {position}"))));
    }
}

#[actix_web::test]
async fn ten_thousand_messages_are_returned_complete_and_in_order_on_sqlite() {
    list_ten_thousand(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn ten_thousand_messages_are_returned_complete_and_in_order_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    list_ten_thousand(database).await;
}
