//! Redis servers of one test each, on a port of their own. They end with their test.
//!
//! Without an installed server the tests on Redis are left out, which one line on standard error tells;
//! `PARLANCE_TEST_REQUIRE=redis` makes that a failure.

use std::{
    env,
    io::Write,
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
    server: Child,
}

impl TestRedis {
    /// A server of its own, or none where none is installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        let Ok(server) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
            tell_of_none();
            return None;
        };
        let started = Self { port, server };
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < deadline, "the Redis of the test does not start");
            std::thread::yield_now();
        }
        Some(started)
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
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
