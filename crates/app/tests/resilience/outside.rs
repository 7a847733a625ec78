//! The parts that the server depends on, which a test can take away: a PostgreSQL cluster and a Redis of its own.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use crate::replica::PATIENCE;

const CLUSTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/support/cluster.sh");

pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// Tells that a part is not installed, which is a failure where `PARLANCE_TEST_REQUIRE` names it.
fn leave_out(part: &str, reason: &str) {
    let required = env::var("PARLANCE_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|word| word.trim() == part), "{part} is required: {reason}");
    // Not `eprintln!`, which the test harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "A test is left out, for there is no {part}: {reason}");
}

/// A PostgreSQL cluster, stopped and removed with this value.
pub(crate) struct Cluster {
    port: u16,
    shell: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Cluster {
    /// A cluster of its own, or none where no server is installed.
    pub(crate) fn start() -> Option<Self> {
        let port = free_port();
        let mut command = Command::new("sh");
        command.args([CLUSTER, &port.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().unwrap();
        let (orders, answers) = (shell.stdin.take(), BufReader::new(shell.stdout.take().unwrap()));
        let mut cluster = Self { port, shell, orders, answers };
        let answer = cluster.answer();
        if answer != "ready" {
            leave_out("postgres", &answer);
            return None;
        }
        Some(cluster)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Does one of `stop`, `start`, `pause`, `resume`.
    pub(crate) fn order(&mut self, order: &str) {
        writeln!(self.orders.as_mut().unwrap(), "{order}").unwrap();
        assert_eq!(self.answer(), "done");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.orders.take());
        // The shell stops the cluster now; it may have failed to start one.
        let _ = self.shell.wait();
    }
}

/// A Redis that keeps nothing on disk, ended with this value.
pub(crate) struct Redis {
    port: u16,
    server: Child,
}

impl Redis {
    /// A Redis of its own, or none where none is installed.
    pub(crate) fn start() -> Option<Self> {
        let port = free_port();
        match serve(port) {
            Ok(server) => Some(Self { port, server }),
            Err(error) => {
                leave_out("redis", &error.to_string());
                None
            }
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.server.id(), name);
    }

    pub(crate) fn restart(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        self.server = serve(self.port).unwrap();
    }
}

fn serve(port: u16) -> std::io::Result<Child> {
    let mut command = Command::new("redis-server");
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(Instant::now() < deadline, "the Redis of the test does not start");
        std::thread::yield_now();
    }
    Ok(server)
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Sends a signal to a process that the test started.
pub(crate) fn signal(process: u32, name: &str) {
    // Every shell has `kill` built in; a program of that name is not everywhere.
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status().unwrap();
    assert!(sent.success());
}
