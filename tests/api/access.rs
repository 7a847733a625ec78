//! Tests of spec §5: credentials, permissions, and the isolation of tenants.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{conversation_body, message_body},
    openapi_document::OpenApiDocument,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

#[actix_web::test]
async fn missing_unknown_and_wrong_credentials_get_the_same_response() {
    let service = TestService::start().await;
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let unknown_id = format!("acme.{}", "0".repeat(26));
    for (id, secret) in [("", ""), (id, ""), ("", secret), (id, "wrong"), (&unknown_id, secret), ("nonsense", secret)] {
        let answer = service.client_with_credential(id, secret).get(&format!("{PATH}?externalId=a")).await;
        let request_id = answer.header("x-request-id").to_owned();
        let body = answer.text.replace(&request_id, "ID");
        let violation = r#""rule":"credential","message":"must be the id and secret of one valid credential""#;
        let details = format!(
            r#"{{"pointer":"header:svc-api-id",{violation}}},{{"pointer":"header:svc-api-secret",{violation}}}"#
        );
        let error = r#""requestId":"ID","message":"Unauthorized","code":"401-01""#;
        assert_eq!(body, format!(r#"{{"error":{{{error},"details":[{details}]}}}}"#));
        let mut headers = answer.headers.clone();
        assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        let length = format!("content-length: {}", answer.text.len());
        let expected = [&length, "www-authenticate: ApiKey realm=\"parlance\"", "content-type: application/json"];
        assert!(
            headers.len() == 3 && expected.iter().all(|line| headers.iter().any(|header| header == line)),
            "{headers:?}"
        );
    }
}

#[actix_web::test]
async fn every_operation_needs_its_permission_and_no_other() {
    let service = TestService::start().await;
    let owner = service.client("acme").await;
    let id = owner.upsert("call-1").await;
    let (read, write) = (Permission::ReadConversations, Permission::WriteConversations);
    let messages = format!("{PATH}/{id}/messages");
    let message = owner.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    for (method, path, body, needed) in [
        (Method::POST, PATH.to_owned(), Some(conversation_body("call-1")), write),
        (Method::GET, format!("{PATH}?externalId=call-1"), None, read),
        (Method::GET, format!("{PATH}?customerExternalId=customer-7"), None, read),
        (Method::GET, format!("{PATH}/{id}"), None, read),
        (Method::GET, format!("{messages}/{message}"), None, read),
        (Method::POST, messages.clone(), Some(message_body("hello", "2026-01-31T09:30:00Z")), write),
        (Method::GET, messages, None, read),
        (Method::GET, "/privacy/v1/erasures".to_owned(), None, Permission::OperatePrivacy),
        (Method::GET, "/privacy/v1/holds".to_owned(), None, Permission::OperatePrivacy),
        (Method::GET, "/privacy/v1/requests".to_owned(), None, Permission::OperatePrivacy),
        (Method::GET, "/privacy/v1/retention".to_owned(), None, Permission::OperatePrivacy),
        (Method::GET, "/conversation/v1/conversation/messages?externalId=call-1".to_owned(), None, read),
    ] {
        let others: Vec<_> = Permission::ALL.into_iter().filter(|permission| *permission != needed).collect();
        for (permissions, status) in [(vec![needed], 200), (others, 403)] {
            let client = service.client_with_permissions("acme", &permissions).await;
            let sent = client.send(&method, &path, |request| match &body {
                Some(body) => request.json(body),
                None => request,
            });
            assert_eq!(sent.await.status, status, "{method} {path} with {permissions:?}");
        }
    }
}

/// The method and a path of every operation of the OpenAPI document that needs a credential.
fn operations_with_credential() -> Vec<(Method, String)> {
    let document = OpenApiDocument::load();
    let paths = document.json()["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let needs_credential =
            |operation: &Value| operation["security"].as_array().is_none_or(|needed| !needed.is_empty());
        let methods = item.as_object().unwrap().iter().filter(move |(_, operation)| needs_credential(operation));
        let segments =
            path.split('/').map(|part| if part.starts_with('{') { "01JZX900000000000000000000" } else { part });
        let path = segments.collect::<Vec<_>>().join("/");
        // A stream that opens would not end.
        let path = if path.ends_with("/stream") { format!("{path}?view=unknown") } else { path };
        methods.map(move |(method, _)| (method.to_ascii_uppercase().parse().unwrap(), path.clone()))
    });
    operations.collect()
}

#[actix_web::test]
async fn exactly_one_permission_opens_each_operation_of_the_document() {
    let service = TestService::start().await;
    let operations = operations_with_credential();
    assert!(operations.len() > 20, "the search finds too few operations: {operations:?}");
    let mut opened = vec![0; operations.len()];
    for permission in Permission::ALL {
        let client = service.client_with_permissions("acme", &[permission]).await;
        for ((method, path), count) in operations.iter().zip(&mut opened) {
            let answer = client.send(method, path, |request| request).await;
            *count += usize::from(answer.status != 403);
        }
    }
    // A back-test reads conversations by way of the configuration, so no single permission opens it.
    let expected = |path: &str| usize::from(!path.ends_with("/redaction/backtest"));
    let wrong: Vec<_> = operations.iter().zip(opened).filter(|((_, path), count)| *count != expected(path)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[actix_web::test]
async fn a_back_test_needs_two_permissions() {
    let service = TestService::start().await;
    let path = "/configuration/v1/redaction/backtest";
    let body = json!({"entities": ["EMAIL"], "since": "2026-01-31T00:00:00Z", "until": "2026-02-01T00:00:00Z"});
    let (first, second) = (Permission::ReadConfiguration, Permission::ReadConversations);
    for (permissions, status) in [(vec![first], 403), (vec![second], 403), (vec![first, second], 200)] {
        let client = service.client_with_permissions("acme", &permissions).await;
        assert_eq!(client.post(path, &body).await.status, status, "{permissions:?}");
    }
}

#[actix_web::test]
async fn a_missing_permission_is_reported_before_the_body_is_read() {
    let service = TestService::start().await;
    let reader = service.client_with_permissions("acme", &[Permission::ReadConversations]).await;
    assert_eq!(reader.post_bytes(PATH, "{").await.error_details(), (403, vec![" permission".into()]));
}

#[actix_web::test]
async fn a_tenant_cannot_read_list_extend_or_detect_conversations_of_another_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let id = acme.upsert("call-1").await;
    acme.add_message(&id, "secret", "2026-01-31T09:30:00Z").await;
    let missing_id = "01JZX900000000000000000000";

    let without_id = |text: &str| {
        let mut body: Value = serde_json::from_str(text).unwrap();
        body["error"].as_object_mut().unwrap().remove("requestId");
        body
    };
    let mut body_with_existing_id = conversation_body("call-9");
    body_with_existing_id["id"] = json!(id);
    let mut body_with_missing_id = conversation_body("call-9");
    body_with_missing_id["id"] = json!(missing_id);
    for (existing, missing) in [
        (globex.get(&format!("{PATH}/{id}")).await, globex.get(&format!("{PATH}/{missing_id}")).await),
        (
            globex.get(&format!("{PATH}/{id}/messages")).await,
            globex.get(&format!("{PATH}/{missing_id}/messages")).await,
        ),
        (
            globex.post(&format!("{PATH}/{id}/messages"), &message_body("x", "2026-01-31T09:30:00Z")).await,
            globex.post(&format!("{PATH}/{missing_id}/messages"), &message_body("x", "2026-01-31T09:30:00Z")).await,
        ),
        (
            globex.get(&format!("/conversation/v1/conversation/messages?conversationId={id}")).await,
            globex.get(&format!("/conversation/v1/conversation/messages?conversationId={missing_id}")).await,
        ),
        (
            globex.get("/conversation/v1/conversation/messages?externalId=call-1").await,
            globex.get("/conversation/v1/conversation/messages?externalId=call-none").await,
        ),
        (globex.post(PATH, &body_with_existing_id).await, globex.post(PATH, &body_with_missing_id).await),
    ] {
        assert_eq!(existing.status, 404);
        assert_eq!(without_id(&existing.text), without_id(&missing.text));
    }
    assert_eq!(globex.get(&format!("{PATH}?externalId=call-1")).await.ok(), json!({"items": []}));
    assert_ne!(globex.upsert("call-1").await, id);
    assert_eq!(acme.get(&format!("{PATH}/{id}/messages")).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_credential_over_its_rate_gets_retry_after_and_other_credentials_are_not_limited() {
    let rate_limit = [("PARLANCE_RATE_LIMIT_PER_SECOND", "1"), ("PARLANCE_RATE_LIMIT_BURST", "3")];
    let service = TestService::start_with(support::database::TestDatabase::sqlite(), &rate_limit).await;
    let (limited_client, other_client) = (service.client("acme").await, service.client("acme").await);
    let path = format!("{PATH}?externalId=a");
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(limited_client.get(&path).await);
    }
    let last = answers.last().unwrap();
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [200, 200, 200, 429]);
    assert_eq!((last.header("retry-after"), last.header("ratelimit")), ("1", "\"credential\";r=0;t=1"));
    assert_eq!(other_client.get(&path).await.status, 200);
}

#[actix_web::test]
async fn the_names_of_the_credential_headers_are_configurable() {
    let prefix = [("PARLANCE_HEADER_PREFIX", "Acme")];
    let service = TestService::start_with(support::database::TestDatabase::sqlite(), &prefix).await;
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let path = format!("{PATH}?externalId=a");
    let named = vec!["header:acme-api-id credential".to_owned(), "header:acme-api-secret credential".to_owned()];
    assert_eq!(service.client_with_credential(id, secret).get(&path).await.error_details(), (401, named));
    let anonymous = service.client_with_credential("", "");
    let renamed = anonymous
        .send(&Method::GET, &path, |request| request.header("acme-api-id", id).header("acme-api-secret", secret));
    assert_eq!(renamed.await.status, 200);
}
