//! Tests of the log: one line for each request, without content that callers send.

use serde_json::{Value, json};

use crate::process::{Server, TestEnvironment, conversation};

#[actix_web::test]
async fn a_request_is_logged_with_its_id_tenant_route_status_and_duration() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&[]);
    let request = server.request(&credential, "/conversation/v1/conversations/NONE/messages?limit=5", None);
    let answer = request.send().await.unwrap();
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let line = server.wait_for_log("request");
    assert_eq!(
        (&line["request_id"], &line["tenant"], &line["route"], &line["method"], &line["status"]),
        (
            &json!(id),
            &json!("acme"),
            &json!("/conversation/v1/conversations/{conversationId}/messages"),
            &json!("GET"),
            &json!(404)
        )
    );
    assert!(line["duration_ms"].as_f64().is_some_and(|duration| duration > 0.0));
    assert_eq!((&line["api_id"], &line["client_address"]), (&credential["apiId"], &json!("127.0.0.1")));
}

#[actix_web::test]
async fn a_request_without_a_credential_is_logged_without_an_api_id() {
    let env = TestEnvironment::new();
    let mut server = env.serve(&[]);
    server.search_status(&json!({"apiId": "", "apiSecret": ""})).await;
    let line = server.wait_for_log("request");
    assert_eq!((&line["api_id"], &line["tenant"], &line["status"]), (&json!("-"), &json!("-"), &json!(401)));
}

#[actix_web::test]
async fn the_client_address_is_omitted_if_log_client_address_is_false() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&["--log-client-address", "false"]);
    server.search_status(&credential).await;
    assert_eq!(server.wait_for_log("request").get("client_address"), None);
}

#[actix_web::test]
async fn a_well_formed_request_id_and_trace_of_the_caller_are_kept() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&[]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let request = server.request(&credential, "/conversation/v1/conversations", None);
    let request = request.header("x-request-id", "web-1_2.3");
    let answer = request.header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01")).send().await.unwrap();
    assert_eq!(answer.headers()["x-request-id"], "web-1_2.3");
    assert_eq!(answer.json::<Value>().await.unwrap()["error"]["requestId"], "web-1_2.3");
    let line = server.wait_for_log("request");
    assert_eq!((&line["request_id"], &line["trace_id"]), (&json!("web-1_2.3"), &json!(trace)));
}

#[actix_web::test]
async fn a_malformed_request_id_or_trace_of_the_caller_is_neither_echoed_nor_logged() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&[]);
    for value in ["hush hush", "hush=1", &"hush".repeat(17), "hush\"", ""] {
        let request = server.request(&credential, "/conversation/v1/conversations", None);
        let answer = request.header("x-request-id", value).header("traceparent", value).send().await.unwrap();
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert!(id.len() == 26 && !answer.text().await.unwrap().contains("hush"), "{value}");
        let line = server.wait_for_log("request");
        assert_eq!((&line["request_id"], line.get("trace_id")), (&json!(id), None), "{value}");
    }
}

/// Creates a conversation with this server, and returns the id of the request.
async fn create_conversation(server: &Server, credential: &Value) -> String {
    let body = conversation("hush-call");
    let answer = server.request(credential, "/conversation/v1/conversations", Some(&body)).send().await.unwrap();
    answer.headers()["x-request-id"].to_str().unwrap().to_owned()
}

#[actix_web::test]
async fn at_debug_a_call_of_the_store_is_logged_with_its_request_and_tenant_alone() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&["--log-level", "debug"]);
    let id = create_conversation(&server, &credential).await;
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    let mut events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let call = events.find(|event| event["span"]["name"] == "sql.conversations.upsert").unwrap();
    let (span, spans) = (
        json!({"name": "sql.conversations.upsert", "tenant": "acme"}),
        json!([{"name": "http.request", "request_id": id}]),
    );
    assert_eq!((&call["message"], &call["span"], &call["spans"]), (&json!("close"), &span, &spans));
}

#[actix_web::test]
async fn at_info_no_call_of_a_store_is_logged() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&[]);
    create_conversation(&server, &credential).await;
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    assert!(log.contains("\"request\"") && !log.contains("\"close\"") && !log.contains("\"span\""), "{log}");
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_is_logged() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&["--log-level", "debug"]);
    let path = "/conversation/v1/conversations";
    let mut body = conversation("hush-call");
    body["customer"]["name"] = json!("hush-name");
    body["metadata"] = json!({"hush-key": "hush-value"});
    let created = server.request(&credential, path, Some(&body)).send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let message = json!({
        "text": "hush-text",
        "sender": {"role": "agent", "externalId": "hush-agent"},
        "timestamp": "2026-01-31T09:30:00Z"
    });
    for (path, body) in [
        (format!("{path}/{id}/messages"), Some(message)),
        (format!("{path}?externalId=hush-query"), None),
        (format!("{path}/hush-path"), None),
        ("/hush-route".to_owned(), None),
        (path.to_owned(), Some(json!({"externalId": 7, "hush-member": "hush"}))),
        ("/conversation/v1/conversation/messages?externalId=hush-call".to_owned(), None),
    ] {
        server.request(&credential, &path, body.as_ref()).send().await.unwrap();
    }
    server.request(&json!({"apiId": "hush-id", "apiSecret": "hush-secret"}), path, None).send().await.unwrap();
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    assert!(log.matches("\"request\"").count() >= 8, "{log}");
    assert!(!log.contains("hush") && !log.contains(credential["apiSecret"].as_str().unwrap()), "{log}");
}
