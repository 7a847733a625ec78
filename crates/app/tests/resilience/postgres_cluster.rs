//! A PostgreSQL cluster that a test can stop and pause, free ports, and signals to processes.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use support::requirements::{is_required, report_skipped};

const CLUSTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/support/cluster.sh");

pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A PostgreSQL cluster. Dropping this value stops and removes the cluster.
pub(crate) struct Cluster {
    port: u16,
    shell: Child,
    commands: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Cluster {
    /// Starts a new cluster. Returns `None` if the cluster cannot start, for example without an installed server.
    pub(crate) fn start() -> Option<Self> {
        let port = free_port();
        let mut command = Command::new("sh");
        command.args([CLUSTER, &port.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().unwrap();
        let (commands, replies) = (shell.stdin.take(), BufReader::new(shell.stdout.take().unwrap()));
        let mut cluster = Self { port, shell, commands, replies };
        let reply = cluster.read_reply();
        if reply != "ready" {
            assert!(!is_required("postgres"), "postgres is required: {reply}");
            report_skipped(&format!("Skipped a test, because postgres is missing: {reply}"));
            return None;
        }
        Some(cluster)
    }

    pub(crate) fn url(&self) -> String {
        url_for_port(self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Runs one of the commands `stop`, `start`, `pause` and `resume`.
    pub(crate) fn run(&mut self, command: &str) {
        writeln!(self.commands.as_mut().unwrap(), "{command}").unwrap();
        assert_eq!(self.read_reply(), "done");
    }

    fn read_reply(&mut self) -> String {
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.commands.take());
        // The shell stops the cluster at the end of its input. There is no cluster if the start failed.
        let _ = self.shell.wait();
    }
}

/// Returns the URL of the database `postgres` on this port.
pub(crate) fn url_for_port(port: u16) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/postgres")
}

/// Sends a signal to a process that the test started.
pub(crate) fn send_signal(process_id: u32, name: &str) {
    // `kill` is built into every shell, but not every system has a `kill` program.
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process_id}")]).status().unwrap();
    assert!(sent.success());
}
