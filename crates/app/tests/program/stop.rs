//! Stopping: requests in flight finish, and the program ends well.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use support::database::TestDatabase;

use crate::process::{Home, conversation};

/// Stops a server by this signal while the body of a request that writes is half sent.
fn stop_with_a_request_in_flight(home: &Home, arguments: &[&str], signal: &str) {
    let credential = home.credential();
    let mut server = home.serve(arguments);
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
    // The server asks for the body when its handler has begun.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).unwrap();
    assert_eq!(&asked[..], b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(first.as_bytes()).unwrap();
    server.signal(signal);
    server.wait_for("stopping: requests in flight may finish");
    stream.write_all(rest.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (status, log) = server.end();
    assert!(status.code() == Some(0) && log.contains("\"stopped\""), "{status} {log}");
}

#[test]
fn sigterm_lets_a_request_in_flight_finish() {
    stop_with_a_request_in_flight(&Home::new(), &[], "TERM");
}

#[test]
fn sigint_lets_a_request_in_flight_finish() {
    stop_with_a_request_in_flight(&Home::new(), &[], "INT");
}

#[test]
fn one_thread_that_answers_and_writes_to_postgresql_lets_a_request_in_flight_finish() {
    let Some(database) = TestDatabase::postgres() else { return };
    stop_with_a_request_in_flight(&Home::over(database.url()), &["--workers", "1"], "TERM");
}

#[test]
fn a_second_signal_does_not_wait() {
    let home = Home::new();
    let mut server = home.serve(&["--shutdown-timeout-seconds", "3600"]);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(stream, "GET /health/live HTTP/1.1\r\nHost: x\r\n").unwrap();
    server.signal("TERM");
    server.wait_for("stopping: requests in flight may finish");
    server.signal("TERM");
    let (status, _) = server.end();
    assert_eq!(status.code(), Some(0));
}
