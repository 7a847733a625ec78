//! The log: one line a request, and nothing in it that a caller chose.

use serde_json::{Value, json};

use crate::process::{Home, conversation};

#[actix_web::test]
async fn a_request_is_logged_with_its_id_tenant_route_status_and_duration() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&[]);
    let request = server.request(&credential, "/conversation/v1/conversations/NONE/messages?limit=5", None);
    let answer = request.send().await.unwrap();
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let line = server.wait_for("request");
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
    let home = Home::new();
    let mut server = home.serve(&[]);
    server.status(&json!({"apiId": "", "apiSecret": ""})).await;
    let line = server.wait_for("request");
    assert_eq!((&line["api_id"], &line["tenant"], &line["status"]), (&json!("-"), &json!("-"), &json!(401)));
}

#[actix_web::test]
async fn the_address_of_the_client_is_left_out_where_the_settings_say_so() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&["--log-client-address", "false"]);
    server.status(&credential).await;
    assert_eq!(server.wait_for("request").get("client_address"), None);
}

#[actix_web::test]
async fn a_well_formed_request_id_and_trace_of_the_caller_are_kept() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&[]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let request = server.request(&credential, "/conversation/v1/conversations", None);
    let request = request.header("x-request-id", "web-1_2.3");
    let answer = request.header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01")).send().await.unwrap();
    assert_eq!(answer.headers()["x-request-id"], "web-1_2.3");
    assert_eq!(answer.json::<Value>().await.unwrap()["error"]["requestId"], "web-1_2.3");
    let line = server.wait_for("request");
    assert_eq!((&line["request_id"], &line["trace_id"]), (&json!("web-1_2.3"), &json!(trace)));
}

#[actix_web::test]
async fn any_other_request_id_and_trace_of_the_caller_are_neither_echoed_nor_logged() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&[]);
    for given in ["hush hush", "hush=1", &"hush".repeat(17), "hush\"", ""] {
        let request = server.request(&credential, "/conversation/v1/conversations", None);
        let answer = request.header("x-request-id", given).header("traceparent", given).send().await.unwrap();
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert!(id.len() == 26 && !answer.text().await.unwrap().contains("hush"), "{given}");
        let line = server.wait_for("request");
        assert_eq!((&line["request_id"], line.get("trace_id")), (&json!(id), None), "{given}");
    }
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_is_logged() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&["--log-level", "debug"]);
    let path = "/conversation/v1/conversations";
    let mut body = conversation("hush-call");
    body["customer"]["name"] = json!("hush-name");
    body["metadata"] = json!({"hush-key": "hush-value"});
    let created = server.request(&credential, path, Some(&body)).send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let message = json!({"text": "hush-text", "sender": {"role": "agent", "externalId": "hush-agent"}, "timestamp": "2026-01-31T09:30:00Z"});
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
    let (_, log) = server.end();
    assert!(log.matches("\"request\"").count() >= 8, "{log}");
    assert!(!log.contains("hush") && !log.contains(credential["apiSecret"].as_str().unwrap()), "{log}");
}
