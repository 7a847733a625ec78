//! A part that the server depends on, which a test can take away: a PostgreSQL cluster of its own.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

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
        url_at(self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
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

/// The address of a cluster's own database at this port.
pub(crate) fn url_at(port: u16) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/postgres")
}

/// Sends a signal to a process that the test started.
pub(crate) fn signal(process: u32, name: &str) {
    // Every shell has `kill` built in; a program of that name is not everywhere.
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status().unwrap();
    assert!(sent.success());
}
