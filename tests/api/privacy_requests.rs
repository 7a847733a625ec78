//! Tests of privacy requests: the erasure of a customer, its receipt, and the archive of what is stored.

use std::path::Path;

use parlance_domain::{access::Permission, hex, privacy::SignedReceipt};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::{
    client::{Client, message_body},
    database::TestDatabase,
    fixtures::acme,
    service::TestService,
    stores::TestStores,
};

use crate::erasure::{holds, start, start_on};

const CONVERSATIONS: &str = "/conversation/v1/conversations";
const REQUESTS: &str = "/privacy/v1/requests";
const AT: &str = "2026-01-31T09:30:00Z";
/// What no answer and no file holds after the erasure.
const CANARY: &str = "the parcel of Ada Lovelace is blue";

fn conversation_body(external_id: &str, customer: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": customer}, "timestamp": AT})
}

pub(crate) async fn create(client: &Client, external_id: &str, customer: &str) -> String {
    let created = client.post(CONVERSATIONS, &conversation_body(external_id, customer)).await.ok();
    created["id"].as_str().unwrap().to_owned()
}

/// Adds a message that a customer sends.
pub(crate) async fn send(client: &Client, conversation: &str, customer: &str, text: &str) {
    let mut body = message_body(text, AT);
    body["sender"] = json!({"role": "customer", "externalId": customer});
    let path = format!("{CONVERSATIONS}/{conversation}/messages");
    assert_eq!(client.post(&path, &body).await.status, 200);
}

pub(crate) fn body(kind: &str, customer: &str) -> Value {
    json!({"type": kind, "subject": {"customerExternalId": customer}, "reference": "CHG-7"})
}

/// Creates a request and waits until it has ended.
pub(crate) async fn run(client: &Client, body: &Value) -> Value {
    let created = client.post(REQUESTS, body).await;
    assert_eq!(created.status, 202, "{}", created.text);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    loop {
        let request = client.get(&format!("{REQUESTS}/{id}")).await.ok();
        if !request["endedAt"].is_null() {
            return request;
        }
        tokio::task::yield_now().await;
    }
}

pub(crate) fn path_of(request: &Value, part: &str) -> String {
    format!("{REQUESTS}/{}/{part}", request["id"].as_str().unwrap())
}

#[actix_web::test]
async fn the_erasure_of_a_customer_takes_their_conversations_and_their_messages_elsewhere() {
    let (_service, client, _key) = start().await;
    let (own, others) = (create(&client, "call-1", "ada").await, create(&client, "call-2", "grace").await);
    send(&client, &own, "ada", CANARY).await;
    send(&client, &others, "ada", CANARY).await;
    send(&client, &others, "grace", "this one stays").await;
    let ended = run(&client, &body("erasure", "ada")).await;
    assert_eq!(ended["status"], "completed");
    assert_eq!(
        (&ended["counts"]["conversations"], &ended["counts"]["messages"], &ended["counts"]["messagesElsewhere"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(client.get(&format!("{CONVERSATIONS}/{own}")).await.status, 404);
    let left = client.get(&format!("{CONVERSATIONS}/{others}/messages")).await.ok();
    let texts: Vec<_> = left["items"].as_array().unwrap().iter().map(|item| item["text"].clone()).collect();
    assert_eq!(texts, ["this one stays"]);
}

#[actix_web::test]
async fn a_former_customer_takes_the_conversation_along() {
    let (_service, client, _key) = start().await;
    let moved = create(&client, "call-1", "ada").await;
    assert_eq!(create(&client, "call-1", "grace").await, moved);
    assert_eq!(run(&client, &body("erasure", "ada")).await["counts"]["conversations"], json!(1));
    assert_eq!(client.get(&format!("{CONVERSATIONS}/{moved}")).await.status, 404);
}

#[actix_web::test]
async fn what_the_erasure_took_stays_refused_and_the_customer_may_come_back() {
    let (_service, client, _key) = start().await;
    let own = create(&client, "call-1", "ada").await;
    run(&client, &body("erasure", "ada")).await;
    let again = client.post(CONVERSATIONS, &conversation_body("call-1", "ada")).await;
    assert_eq!(again.error_details(), (409, vec!["/externalId erased".to_owned()]));
    let late = client.post(&format!("{CONVERSATIONS}/{own}/messages"), &message_body("late", AT)).await;
    assert_eq!(late.status, 404);
    assert_eq!(client.post(CONVERSATIONS, &conversation_body("call-2", "ada")).await.status, 200);
}

#[actix_web::test]
async fn a_dry_run_counts_and_erases_nothing() {
    let (_service, client, _key) = start().await;
    let own = create(&client, "call-1", "ada").await;
    send(&client, &own, "ada", CANARY).await;
    let mut dry = body("erasure", "ada");
    dry["dryRun"] = json!(true);
    let ended = run(&client, &dry).await;
    assert_eq!((&ended["counts"]["conversations"], &ended["counts"]["messages"]), (&json!(1), &json!(1)));
    assert_eq!(client.get(&format!("{CONVERSATIONS}/{own}")).await.status, 200);
    assert_eq!(client.get(&path_of(&ended, "receipt")).await.status, 404);
}

#[actix_web::test]
async fn the_receipt_of_an_erasure_is_signed_and_follows_the_one_before() {
    // Hexadecimal digits cannot spell it by chance.
    const CUSTOMER: &str = "zeppelin-pilot";
    let (_service, client, _key) = start().await;
    let mut receipts = Vec::new();
    for number in 1..=2 {
        create(&client, &format!("call-{number}"), CUSTOMER).await;
        let ended = run(&client, &body("erasure", CUSTOMER)).await;
        let answer = client.get(&path_of(&ended, "receipt")).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        receipts.push(SignedReceipt::parse(answer.text.as_bytes()).unwrap());
    }
    assert!(receipts[1].check_follows(&receipts[0]).is_ok());
    assert!(!receipts[0].to_file().contains(CUSTOMER));
}

#[actix_web::test]
async fn the_archive_holds_everything_of_the_customer_with_a_manifest() {
    let (_service, client, _key) = start().await;
    let (own, others) = (create(&client, "call-1", "ada").await, create(&client, "call-2", "grace").await);
    send(&client, &own, "ada", CANARY).await;
    send(&client, &others, "ada", "elsewhere").await;
    send(&client, &others, "grace", "not hers").await;
    let ended = run(&client, &body("access", "ada")).await;
    let archive = client.get(&path_of(&ended, "archive")).await;
    assert_eq!(archive.status, 200);
    let (lines, manifest) = archive.text.trim_end().rsplit_once('\n').unwrap();
    let parsed: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = parsed.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["conversation", "message", "message"]);
    assert_eq!((&parsed[0]["conversation"]["id"], &parsed[1]["message"]["text"]), (&json!(own), &json!(CANARY)));
    assert_eq!((&parsed[2]["conversationId"], &parsed[2]["message"]["text"]), (&json!(others), &json!("elsewhere")));
    let manifest: Value = serde_json::from_str(manifest).unwrap();
    let digest = hex::encode(&Sha256::digest(format!("{lines}\n")));
    assert_eq!((&manifest["conversations"], &manifest["messages"]), (&json!(1), &json!(2)));
    assert_eq!(manifest["sha256"], json!(digest));
}

#[actix_web::test]
async fn a_message_that_arrives_after_the_request_is_not_in_its_archive() {
    let (_service, client, _key) = start().await;
    let conversation = create(&client, "call-1", "ada").await;
    send(&client, &conversation, "ada", "before").await;
    let ended = run(&client, &body("access", "ada")).await;
    send(&client, &conversation, "grace", "after").await;
    let archive = client.get(&path_of(&ended, "archive")).await.text;
    assert!(archive.contains("before") && !archive.contains("after"), "{archive}");
}

#[actix_web::test]
async fn an_archive_of_a_customer_without_data_is_a_manifest_alone() {
    let (_service, client, _key) = start().await;
    let ended = run(&client, &body("access", "nobody")).await;
    let archive = client.get(&path_of(&ended, "archive")).await;
    assert_eq!((archive.status, archive.json()["conversations"].clone()), (200, json!(0)));
}

#[actix_web::test]
async fn an_erasure_has_no_archive_and_an_access_no_receipt() {
    let (_service, client, _key) = start().await;
    let (erasure, access) = (run(&client, &body("erasure", "ada")).await, run(&client, &body("access", "ada")).await);
    assert_eq!(client.get(&path_of(&erasure, "archive")).await.status, 404);
    assert_eq!(client.get(&path_of(&access, "receipt")).await.status, 404);
}

#[actix_web::test]
async fn a_request_names_what_is_wrong_with_it() {
    let (_service, client, _key) = start().await;
    let refused = |body: Value| {
        let client = &client;
        async move { client.post(REQUESTS, &body).await.error_details() }
    };
    assert_eq!(refused(body("forget", "ada")).await, (400, vec!["/type enum".to_owned()]));
    let unnamed = json!({"type": "access", "subject": {}, "reference": "CHG-7"});
    assert_eq!(refused(unnamed).await, (400, vec!["/subject/customerExternalId required".to_owned()]));
    let mut empty = body("access", "ada");
    empty["reference"] = json!("");
    assert_eq!(refused(empty).await, (422, vec!["/reference min_characters".to_owned()]));
}

#[actix_web::test]
async fn requests_of_another_tenant_are_not_seen_and_touch_nothing() {
    let (service, client, _key) = start().await;
    let other = service.client_with_permissions("globex", &Permission::ALL).await;
    let kept = create(&other, "call-1", "ada").await;
    let ended = run(&client, &body("erasure", "ada")).await;
    assert_eq!(other.get(&format!("{CONVERSATIONS}/{kept}")).await.status, 200);
    for part in ["", "/archive", "/receipt"] {
        let path = format!("{REQUESTS}/{}{part}", ended["id"].as_str().unwrap());
        assert_eq!(other.get(&path).await.status, 404, "{part}");
    }
}

#[actix_web::test]
async fn the_identifier_of_the_customer_stands_in_no_request_and_in_no_audit_record() {
    let (service, client, _key) = start().await;
    create(&client, "call-1", "ada-lovelace").await;
    let ended = run(&client, &body("erasure", "ada-lovelace")).await;
    assert!(!ended.to_string().contains("ada-lovelace"));
    let stores = TestStores::in_sql(&service.open_database().await);
    let records = stores.audit.records(&acme(), 0, 100).await.unwrap();
    let records: Vec<_> = records.iter().map(|record| format!("{:?}", record.entry)).collect();
    assert!(records.iter().any(|record| record.contains("PrivacyRequestCompleted")), "{records:?}");
    assert!(!records.iter().any(|record| record.contains("ada-lovelace")), "{records:?}");
}

#[actix_web::test]
async fn no_file_of_sqlite_holds_a_byte_of_the_customer_once_the_request_is_completed() {
    let database = TestDatabase::sqlite();
    let file = database.url().trim_start_matches("sqlite://").split('?').next().unwrap().to_owned();
    let directory = Path::new(&file).parent().unwrap().to_owned();
    let (_service, client, _key) = start_on(database).await;
    for number in 0..20 {
        let own = create(&client, &format!("call-{number}"), "zeppelin-pilot").await;
        send(&client, &own, "zeppelin-pilot", CANARY).await;
    }
    let others = create(&client, "call-99", "grace").await;
    send(&client, &others, "zeppelin-pilot", CANARY).await;
    run(&client, &body("erasure", "zeppelin-pilot")).await;
    assert!(!holds(&directory, CANARY.as_bytes()) && !holds(&directory, b"zeppelin-pilot"));
}

#[actix_web::test]
async fn without_a_master_key_no_request_is_taken() {
    let service = TestService::start().await;
    let client = service.client_with_permissions("acme", &Permission::ALL).await;
    assert_eq!(client.post(REQUESTS, &body("erasure", "ada")).await.status, 503);
}

#[actix_web::test]
async fn a_customer_is_erased_on_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (_service, client, _key) = start_on(database).await;
    let (own, others) = (create(&client, "call-1", "ada").await, create(&client, "call-2", "grace").await);
    send(&client, &own, "ada", CANARY).await;
    send(&client, &others, "ada", CANARY).await;
    let ended = run(&client, &body("erasure", "ada")).await;
    let counts = &ended["counts"];
    assert_eq!((&counts["conversations"], &counts["messagesElsewhere"]), (&json!(1), &json!(1)));
    let receipt = client.get(&path_of(&ended, "receipt")).await;
    assert!(receipt.text.contains("postgresql_bytes") && receipt.text.contains("wal_segments"), "{}", receipt.text);
    let access = run(&client, &body("access", "grace")).await;
    assert_eq!(client.get(&path_of(&access, "archive")).await.status, 200);
}
