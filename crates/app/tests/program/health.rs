//! Tests of the health endpoints on their own listener (`--health-listen`), and of `parlance health`.

use std::{
    net::{TcpListener, TcpStream},
    time::{Duration, Instant},
};

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

/// Runs `parlance health` with these arguments, and returns its exit code, its output and its errors.
fn health(env: &TestEnvironment, arguments: &[&str]) -> (i32, String, String) {
    let output = env.run(&[&["health"], arguments].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_reports_a_server_that_is_ready() {
    let env = TestEnvironment::migrated();
    let server = env.serve(&[]);
    assert_eq!(health(&env, &["--listen", server.address()]), (0, "ready\n".to_owned(), String::new()));
}

#[test]
fn the_command_asks_the_loopback_address_if_the_server_listens_on_every_address() {
    let env = TestEnvironment::migrated();
    let server = env.serve(&[]);
    let every_address = server.address().replace("127.0.0.1", "0.0.0.0");
    assert_eq!(health(&env, &["--listen", &every_address]).0, 0);
}

#[test]
fn the_command_asks_the_health_address_if_there_is_one() {
    let env = TestEnvironment::migrated();
    let mut server = env.serve(&["--health-listen", "127.0.0.1:0"]);
    let address = server.wait_for_log("serving health checks")["address"].as_str().unwrap().to_owned();
    assert_eq!(health(&env, &["--listen", "127.0.0.1:1", "--health-listen", &address]).0, 0);
}

#[test]
fn a_server_that_is_about_to_stop_is_live_and_not_ready() {
    let env = TestEnvironment::migrated();
    let mut server = env.serve(&["--shutdown-delay-seconds", "60"]);
    let address = server.address().to_owned();
    server.signal("TERM");
    server.wait_for_log("stopping: requests in flight may finish");
    let deadline = Instant::now() + Duration::from_secs(10);
    while health(&env, &["--listen", &address]).0 == 0 {
        assert!(Instant::now() < deadline, "the server stays ready");
    }
    let not_ready = format!("parlance: listen: the server at {address} is not ready: its log has the cause\n");
    assert_eq!(health(&env, &["--listen", &address]), (1, String::new(), not_ready));
    assert_eq!(health(&env, &["--listen", &address, "--live"]), (0, "live\n".to_owned(), String::new()));
}

#[test]
fn the_command_fails_if_no_server_answers() {
    let (code, line) = TestEnvironment::new().run_failing(&["health", "--listen", "127.0.0.1:1"]);
    assert_eq!(code, 1);
    assert!(line.starts_with("parlance: listen: no server answers at 127.0.0.1:1"), "{line}");
}

#[test]
fn the_command_refuses_settings_without_an_address_that_can_be_asked() {
    let env = TestEnvironment::new();
    let port_zero = "parlance: listen: port 0 is another port at each start: set a port";
    assert_eq!(env.run_failing(&["health"]), (1, port_zero.to_owned()));
    let tls = ["health", "--tls-certificate-file", "cert.pem", "--tls-key-file", "key.pem"];
    let needs_tls = "parlance: health_listen: is not set, and `listen` needs TLS: set health_listen";
    assert_eq!(env.run_failing(&tls), (1, needs_tls.to_owned()));
}

#[test]
fn the_command_waits_for_a_server_that_starts_later() {
    let env = TestEnvironment::migrated();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut waiting = env.command(&["health", "--wait", "60", "--listen", &address]).spawn().unwrap();
    let server = env.serve(&["--listen", &address]);
    assert!(waiting.wait().unwrap().success());
    drop(server);
}
