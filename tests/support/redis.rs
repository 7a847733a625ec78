//! Redis servers for single tests, each on its own port. A server stops at the end of its test.
//!
//! If no server is installed, the tests on Redis are skipped, and one line on standard error reports it.
//! With `PARLANCE_TEST_REQUIRE=redis`, a missing server is a failure.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::Once,
    time::{Duration, Instant},
};

use crate::requirements::{is_required, report_skipped};

/// The time limit for the start of a server.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A Redis server without persistence.
#[derive(Debug)]
pub struct TestRedis {
    port: u16,
    arguments: &'static [&'static str],
    server: Child,
}

impl TestRedis {
    /// Starts a server; `None` if none is installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// Starts a server with further arguments of `redis-server`.
    #[must_use]
    pub fn start_with(arguments: &'static [&'static str]) -> Option<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let Ok(server) = spawn_server(port, arguments) else {
            report_missing_server();
            return None;
        };
        Some(Self { port, arguments, server })
    }

    /// Kills the server, and starts it again on the same port.
    pub fn restart(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        self.server = spawn_server(self.port, self.arguments).unwrap();
    }

    /// The process id of the server, for signals.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// The URL of the server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Sets a key to a value, without the adapter.
    pub fn set(&self, key: &str, value: &str) {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        write!(connection, "SET {key} {value}\r\n").unwrap();
        let mut response = [0; 5];
        connection.read_exact(&mut response).unwrap();
        assert_eq!(&response, b"+OK\r\n");
    }

    /// The URL with a password and a database number.
    #[must_use]
    pub fn url_with(&self, password: &str, database: u8) -> String {
        format!("redis://:{password}@127.0.0.1:{}/{database}", self.port)
    }
}

/// Starts a server, and waits until it accepts connections.
fn spawn_server(port: u16, arguments: &[&str]) -> std::io::Result<Child> {
    let mut command = Command::new("redis-server");
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.args(arguments);
    let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let deadline = Instant::now() + START_TIMEOUT;
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(Instant::now() < deadline, "the Redis server did not start in time");
        std::thread::yield_now();
    }
    Ok(server)
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn report_missing_server() {
    static REPORTED: Once = Once::new();
    assert!(!is_required("redis"), "redis-server is required, but not installed");
    REPORTED.call_once(|| report_skipped("Tests on Redis are skipped, because redis-server is not installed"));
}
