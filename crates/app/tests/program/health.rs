//! Tests of the health endpoints on their own listener (`--health-listen`).

use std::net::TcpStream;

use serde_json::Value;
use support::client::http_client;

use crate::process::TestEnvironment;

#[actix_web::test]
async fn health_is_served_on_its_own_address_while_every_connection_of_callers_is_taken() {
    let env = TestEnvironment::new();
    env.create_credential();
    let mut server = env.serve(&["--health-listen", "127.0.0.1:0", "--max-connections", "1"]);
    let address = server.wait_for_log("serving health checks")["address"].as_str().unwrap().to_owned();
    // More than the maximum and the 64 connections that are accepted beyond it.
    let sockets: Vec<_> = (0..80).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    for (path, status) in [("live", "live"), ("ready", "ready")] {
        let answer = http_client().get(format!("http://{address}/health/{path}")).send().await.unwrap();
        let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(body["status"], status);
    }
    drop(sockets);
}

#[actix_web::test]
async fn the_health_address_serves_nothing_else() {
    let env = TestEnvironment::new();
    env.create_credential();
    let mut server = env.serve(&["--health-listen", "127.0.0.1:0"]);
    let address = server.wait_for_log("serving health checks")["address"].as_str().unwrap().to_owned();
    for path in ["", "openapi.json", "conversation/v1/conversations"] {
        let answer = http_client().get(format!("http://{address}/{path}")).send().await.unwrap();
        assert_eq!(answer.status(), 404, "/{path}");
    }
}
