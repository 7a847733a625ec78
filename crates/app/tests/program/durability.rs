//! Tests that acknowledged writes survive a kill of the server.

use serde_json::{Value, json};

use crate::process::{TestEnvironment, conversation};

#[actix_web::test]
async fn every_acknowledged_write_survives_a_kill() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server = env.serve(&[]);
    let path = "/conversation/v1/conversations";
    let created = server.request(&credential, path, Some(&conversation("call-1"))).send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let messages = format!("{path}/{id}/messages");
    let mut acknowledged = Vec::new();
    for number in 0..20 {
        let sender = json!({"role": "agent", "externalId": "agent-1"});
        let body = json!({"text": format!("message {number}"), "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
        let answer = server.request(&credential, &messages, Some(&body)).send().await.unwrap();
        acknowledged.push(answer.json::<Value>().await.unwrap()["id"].clone());
    }
    server.signal("KILL");
    server.wait_for_exit();

    let server = env.serve(&[]);
    let list = server.request(&credential, &messages, None).send().await.unwrap().json::<Value>().await.unwrap();
    let stored: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["messageId"].clone()).collect();
    assert_eq!(stored, acknowledged);
}
