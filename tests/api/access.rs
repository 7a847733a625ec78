//! Spec §5: credentials, permissions, and what one tenant learns of another.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::json;
use support::{
    client::{conversation, message},
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

#[actix_web::test]
async fn a_missing_an_unknown_and_a_wrong_credential_get_one_answer() {
    let service = TestService::start().await;
    let issued = service.credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let unknown_id = format!("acme.{}", "0".repeat(26));
    for (id, secret) in [("", ""), (id, ""), ("", secret), (id, "wrong"), (&unknown_id, secret), ("nonsense", secret)] {
        let answer = service.client_of(id, secret).get(&format!("{PATH}?externalId=a")).await;
        let request_id = answer.header("x-request-id").to_owned();
        let body = answer.text.replace(&request_id, "ID");
        let said =
            r#""rule":"credential","message":"must be that of a credential, whose id and secret belong together""#;
        let details =
            format!(r#"{{"pointer":"header:svc-api-id",{said}}},{{"pointer":"header:svc-api-secret",{said}}}"#);
        let error = r#""requestId":"ID","message":"Unauthorized","code":"401-01""#;
        assert_eq!(body, format!(r#"{{"error":{{{error},"details":[{details}]}}}}"#));
        let mut headers = answer.headers.clone();
        assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        let length = format!("content-length: {}", answer.text.len());
        let expected = [&length, "www-authenticate: ApiKey realm=\"parlance\"", "content-type: application/json"];
        assert!(headers.len() == 3 && expected.iter().all(|line| headers.iter().any(|own| own == line)), "{headers:?}");
    }
}

#[actix_web::test]
async fn every_operation_needs_its_permission_and_no_other() {
    let service = TestService::start().await;
    let owner = service.client("acme").await;
    let id = owner.upsert("call-1").await;
    let (read, write) = (Permission::ReadConversations, Permission::WriteConversations);
    let messages = format!("{PATH}/{id}/messages");
    for (method, path, body, needed) in [
        (Method::POST, PATH.to_owned(), Some(conversation("call-1")), write),
        (Method::GET, format!("{PATH}?externalId=call-1"), None, read),
        (Method::GET, format!("{PATH}/{id}"), None, read),
        (Method::POST, messages.clone(), Some(message("hello", "2026-01-31T09:30:00Z")), write),
        (Method::GET, messages, None, read),
        (Method::GET, "/conversation/v1/conversation/messages?externalId=call-1".to_owned(), None, read),
    ] {
        let others: Vec<_> = Permission::ALL.into_iter().filter(|permission| *permission != needed).collect();
        for (permissions, status) in [(vec![needed], 200), (others, 403)] {
            let client = service.client_with("acme", &permissions).await;
            let sent = client.send(&method, &path, |request| match &body {
                Some(body) => request.json(body),
                None => request,
            });
            assert_eq!(sent.await.status, status, "{method} {path} with {permissions:?}");
        }
    }
}

#[actix_web::test]
async fn a_missing_permission_is_told_before_the_body_is_read() {
    let service = TestService::start().await;
    let reader = service.client_with("acme", &[Permission::ReadConversations]).await;
    assert_eq!(reader.post_bytes(PATH, "{").await.refusal(), (403, vec![" permission".into()]));
}

#[actix_web::test]
async fn a_tenant_can_neither_read_list_extend_nor_detect_anothers_conversation() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let id = acme.upsert("call-1").await;
    acme.say(&id, "secret", "2026-01-31T09:30:00Z").await;
    let nothing = "01JZX900000000000000000000";

    let without_id = |text: &str| {
        let mut body: serde_json::Value = serde_json::from_str(text).unwrap();
        body["error"].as_object_mut().unwrap().remove("requestId");
        body
    };
    let mut by_its_id = conversation("call-9");
    by_its_id["id"] = json!(id);
    let mut by_no_id = conversation("call-9");
    by_no_id["id"] = json!(nothing);
    for (of_acme, of_nobody) in [
        (globex.get(&format!("{PATH}/{id}")).await, globex.get(&format!("{PATH}/{nothing}")).await),
        (globex.get(&format!("{PATH}/{id}/messages")).await, globex.get(&format!("{PATH}/{nothing}/messages")).await),
        (
            globex.post(&format!("{PATH}/{id}/messages"), &message("x", "2026-01-31T09:30:00Z")).await,
            globex.post(&format!("{PATH}/{nothing}/messages"), &message("x", "2026-01-31T09:30:00Z")).await,
        ),
        (
            globex.get(&format!("/conversation/v1/conversation/messages?conversationId={id}")).await,
            globex.get(&format!("/conversation/v1/conversation/messages?conversationId={nothing}")).await,
        ),
        (
            globex.get("/conversation/v1/conversation/messages?externalId=call-1").await,
            globex.get("/conversation/v1/conversation/messages?externalId=call-none").await,
        ),
        (globex.post(PATH, &by_its_id).await, globex.post(PATH, &by_no_id).await),
    ] {
        assert_eq!(of_acme.status, 404);
        assert_eq!(without_id(&of_acme.text), without_id(&of_nobody.text));
    }
    assert_eq!(globex.get(&format!("{PATH}?externalId=call-1")).await.ok(), json!({"items": []}));
    assert_ne!(globex.upsert("call-1").await, id);
    assert_eq!(acme.get(&format!("{PATH}/{id}/messages")).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn over_its_rate_a_credential_is_told_when_to_try_again_and_another_is_not_held_back() {
    let slow = [("PARLANCE_RATE_LIMIT_PER_SECOND", "1"), ("PARLANCE_RATE_LIMIT_BURST", "3")];
    let service = TestService::over(support::database::TestDatabase::sqlite(), &slow).await;
    let (eager, patient) = (service.client("acme").await, service.client("acme").await);
    let path = format!("{PATH}?externalId=a");
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(eager.get(&path).await);
    }
    let last = statuses.last().unwrap();
    assert_eq!(statuses.iter().map(|answer| answer.status).collect::<Vec<_>>(), [200, 200, 200, 429]);
    assert_eq!((last.header("retry-after"), last.header("ratelimit")), ("1", "\"credential\";r=0;t=1"));
    assert_eq!(patient.get(&path).await.status, 200);
}

#[actix_web::test]
async fn the_names_of_the_credential_headers_are_configurable() {
    let prefix = [("PARLANCE_HEADER_PREFIX", "Acme")];
    let service = TestService::over(support::database::TestDatabase::sqlite(), &prefix).await;
    let issued = service.credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let path = format!("{PATH}?externalId=a");
    let named = vec!["header:acme-api-id credential".to_owned(), "header:acme-api-secret credential".to_owned()];
    assert_eq!(service.client_of(id, secret).get(&path).await.refusal(), (401, named));
    let nobody = service.client_of("", "");
    let renamed =
        nobody.send(&Method::GET, &path, |request| request.header("acme-api-id", id).header("acme-api-secret", secret));
    assert_eq!(renamed.await.status, 200);
}
