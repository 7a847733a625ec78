//! Health on an address of its own.

use std::net::TcpStream;

use serde_json::Value;
use support::client::http;

use crate::process::Home;

#[actix_web::test]
async fn health_is_answered_at_its_own_address_while_every_connection_of_callers_is_taken() {
    let home = Home::new();
    home.credential();
    let mut server = home.serve(&["--health-listen", "127.0.0.1:0", "--max-connections", "1"]);
    let address = server.wait_for("health is answered")["address"].as_str().unwrap().to_owned();
    // As many as there are places, those beyond the cap included, and more.
    let taken: Vec<_> = (0..80).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    for (path, status) in [("live", "live"), ("ready", "ready")] {
        let answer = http().get(format!("http://{address}/health/{path}")).send().await.unwrap();
        let told: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(told["status"], status);
    }
    drop(taken);
}

#[actix_web::test]
async fn nothing_else_is_answered_at_the_address_of_health() {
    let home = Home::new();
    home.credential();
    let mut server = home.serve(&["--health-listen", "127.0.0.1:0"]);
    let address = server.wait_for("health is answered")["address"].as_str().unwrap().to_owned();
    for path in ["", "openapi.json", "conversation/v1/conversations"] {
        let answer = http().get(format!("http://{address}/{path}")).send().await.unwrap();
        assert_eq!(answer.status(), 404, "/{path}");
    }
}
