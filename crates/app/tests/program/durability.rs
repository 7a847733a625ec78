//! What was acknowledged is there after the process was killed.

use serde_json::{Value, json};

use crate::process::{Home, conversation};

#[actix_web::test]
async fn every_acknowledged_write_survives_a_kill() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&[]);
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
    server.end();

    let server = home.serve(&[]);
    let list = server.request(&credential, &messages, None).send().await.unwrap().json::<Value>().await.unwrap();
    let kept: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["messageId"].clone()).collect();
    assert_eq!(kept, acknowledged);
}
