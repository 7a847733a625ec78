//! Tests of graceful shutdown: requests in flight finish, and the exit code is 0.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use support::database::TestDatabase;

use crate::process::{TestEnvironment, conversation};

/// Sends a signal to a server while the body of a write is half sent, and checks that the write succeeds.
fn stop_with_a_request_in_flight(env: &TestEnvironment, arguments: &[&str], signal: &str) {
    let credential = env.create_credential();
    let mut server = env.serve(arguments);
    let body = conversation("call-1").to_string();
    let (first, rest) = body.split_at(20);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let (id, secret) = (credential["apiId"].as_str().unwrap(), credential["apiSecret"].as_str().unwrap());
    write!(
        stream,
        "POST /conversation/v1/conversations HTTP/1.1\r\nHost: x\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n\
         content-length: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len()
    )
    .unwrap();
    // The server requests the body once the handler runs.
    let mut interim_response = [0; 25];
    stream.read_exact(&mut interim_response).unwrap();
    assert_eq!(&interim_response[..], b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(first.as_bytes()).unwrap();
    server.signal(signal);
    server.wait_for_log("stopping: requests in flight may finish");
    stream.write_all(rest.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (status, log) = server.wait_for_exit();
    assert!(status.code() == Some(0) && log.contains("\"stopped\""), "{status} {log}");
}

#[test]
fn sigterm_lets_a_request_in_flight_finish() {
    stop_with_a_request_in_flight(&TestEnvironment::new(), &[], "TERM");
}

#[test]
fn sigint_lets_a_request_in_flight_finish() {
    stop_with_a_request_in_flight(&TestEnvironment::new(), &[], "INT");
}

#[test]
fn a_single_worker_over_postgresql_lets_a_request_in_flight_finish() {
    let Some(database) = TestDatabase::postgres() else { return };
    stop_with_a_request_in_flight(&TestEnvironment::with_database_url(database.url()), &["--workers", "1"], "TERM");
}

#[test]
fn a_second_signal_stops_the_server_at_once() {
    let env = TestEnvironment::new();
    let mut server = env.serve(&["--shutdown-timeout-seconds", "3600"]);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(stream, "GET /health/live HTTP/1.1\r\nHost: x\r\n").unwrap();
    server.signal("TERM");
    server.wait_for_log("stopping: requests in flight may finish");
    server.signal("TERM");
    let (status, _) = server.wait_for_exit();
    assert_eq!(status.code(), Some(0));
}
