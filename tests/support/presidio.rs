//! A real Presidio Analyzer, as a separate process on a free port. The process stops when the test process ends, even if
//! that is killed.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use crate::python;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/support/presidio_server.py");

struct Server {
    url: String,
    /// The shell that stops the server when its standard input ends. Only this process keeps that input open.
    _watcher: Child,
}

/// The URL of the analyzer; `None` if the tests run without it.
#[must_use]
pub fn server_url() -> Option<&'static str> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map(|server| server.url.as_str())
}

fn start() -> Option<Server> {
    let python = python::presidio_directory()?.join("python");
    let mut command = Command::new("sh");
    // The server must not hold the pipe of the watcher's input.
    command.args(["-c", "\"$@\" </dev/null & server=$!; cat >/dev/null; kill $server", "sh"]).arg(python).arg(PROGRAM);
    let mut watcher = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(watcher.stdout.take().unwrap()).read_line(&mut port).unwrap();
    assert!(!port.is_empty(), "the Presidio Analyzer of the tests did not start");
    Some(Server { url: format!("http://127.0.0.1:{}", port.trim()), _watcher: watcher })
}
