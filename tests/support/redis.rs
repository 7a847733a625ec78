//! Redis servers of one test each, on a port of their own. They end with their test.
//!
//! Without an installed server the tests on Redis are left out, which one line on standard error tells;
//! `PARLANCE_TEST_REQUIRE=redis` makes that a failure.

use std::{
    env,
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::Once,
    time::{Duration, Instant},
};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A Redis that keeps nothing on disk.
#[derive(Debug)]
pub struct TestRedis {
    port: u16,
    arguments: &'static [&'static str],
    server: Child,
}

impl TestRedis {
    /// A server of its own, or none where none is installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// The same, with further arguments of `redis-server`.
    #[must_use]
    pub fn start_with(arguments: &'static [&'static str]) -> Option<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let Ok(server) = serve(port, arguments) else {
            tell_of_none();
            return None;
        };
        Some(Self { port, arguments, server })
    }

    /// Ends the server and starts it anew on its port.
    pub fn restart(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        self.server = serve(self.port, self.arguments).unwrap();
    }

    /// The process of the server, for signals.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Sets a key to a value, past the adapter.
    pub fn set(&self, key: &str, value: &str) {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        write!(connection, "SET {key} {value}\r\n").unwrap();
        let mut answer = [0; 5];
        connection.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"+OK\r\n");
    }

    /// Its address with a password and the number of a database.
    #[must_use]
    pub fn url_with(&self, password: &str, database: u8) -> String {
        format!("redis://:{password}@127.0.0.1:{}/{database}", self.port)
    }
}

/// Starts a server, and waits until it accepts connections.
fn serve(port: u16, arguments: &[&str]) -> std::io::Result<Child> {
    let mut command = Command::new("redis-server");
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.args(arguments);
    let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(Instant::now() < deadline, "the Redis of the test does not start");
        std::thread::yield_now();
    }
    Ok(server)
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn tell_of_none() {
    static TOLD: Once = Once::new();
    let required = env::var("PARLANCE_TEST_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|word| word.trim() == "redis"),
        "no redis-server is installed, and it is required"
    );
    TOLD.call_once(|| {
        // Not `eprintln!`, which the test harness keeps to itself where a test passes.
        let _ = writeln!(std::io::stderr(), "Tests on Redis are left out, for no redis-server is installed");
    });
}
