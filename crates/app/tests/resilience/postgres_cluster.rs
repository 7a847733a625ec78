//! PostgreSQL clusters that a test can stop, pause and fail over, free ports, and signals to processes.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use support::requirements::{is_required, report_skipped};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/support");

pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A shell script that starts servers, and stops them when its input ends.
struct ServerScript {
    shell: Child,
    commands: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl ServerScript {
    /// Runs a script. Returns `None` if its servers cannot start, for example because they are not installed, unless
    /// `requirement` is required.
    fn start(script: &str, arguments: &[&str], requirement: &str) -> Option<Self> {
        let mut command = Command::new("sh");
        command.arg(format!("{SCRIPTS}/{script}")).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().unwrap();
        let (commands, replies) = (shell.stdin.take(), BufReader::new(shell.stdout.take().unwrap()));
        let mut script = Self { shell, commands, replies };
        let reply = script.read_reply();
        if reply != "ready" {
            assert!(!is_required(requirement), "{requirement} is required: {reply}");
            report_skipped(&format!("Skipped a test, because {requirement} is missing: {reply}"));
            return None;
        }
        Some(script)
    }

    /// Runs a command of the script.
    fn run(&mut self, command: &str) {
        writeln!(self.commands.as_mut().unwrap(), "{command}").unwrap();
        assert_eq!(self.read_reply(), "done");
    }

    fn read_reply(&mut self) -> String {
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for ServerScript {
    fn drop(&mut self) {
        drop(self.commands.take());
        // The shell stops its servers at the end of its input. There are none if the start failed.
        let _ = self.shell.wait();
    }
}

/// A PostgreSQL cluster of one or two servers. Dropping this value stops and removes the cluster.
pub(crate) struct Cluster {
    ports: Vec<u16>,
    script: ServerScript,
}

impl Cluster {
    /// Starts a new cluster. Returns `None` if the cluster cannot start, for example without an installed server.
    pub(crate) fn start() -> Option<Self> {
        let port = free_port();
        let script = ServerScript::start("cluster.sh", &[&port.to_string()], "postgres")?;
        Some(Self { ports: vec![port], script })
    }

    /// Starts a new primary with a synchronous standby. Returns `None` as [`start`](Self::start).
    pub(crate) fn start_pair() -> Option<Self> {
        let ports = [free_port(), free_port()];
        let [primary, standby] = ports.map(|port| port.to_string());
        let script = ServerScript::start("failover.sh", &[&primary, &standby], "postgres")?;
        Some(Self { ports: ports.to_vec(), script })
    }

    /// Returns the URL of the database `postgres`. Of two servers, only one that accepts writes is to be used.
    pub(crate) fn url(&self) -> String {
        match *self.ports {
            [first, second] => multi_host_url([first, second]),
            _ => url_for_port(self.port()),
        }
    }

    /// Returns the port of the first server.
    pub(crate) fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Runs one of the commands of the script of the cluster.
    pub(crate) fn run(&mut self, command: &str) {
        self.script.run(command);
    }

    /// Runs a command on another thread, so that the tasks of the test continue meanwhile.
    pub(crate) async fn run_in_background(mut self, command: &'static str) -> Self {
        let run = move || {
            self.run(command);
            self
        };
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}

/// A PgBouncer in front of a cluster. Dropping this value stops it.
pub(crate) struct Pooler {
    port: u16,
    _script: ServerScript,
}

impl Pooler {
    /// Starts PgBouncer with a pool mode. Returns `None` if it is not installed.
    pub(crate) fn start(cluster: &Cluster, pool_mode: &str) -> Option<Self> {
        let port = free_port();
        let arguments = [&*port.to_string(), &cluster.port().to_string(), pool_mode];
        let script = ServerScript::start("pgbouncer.sh", &arguments, "pgbouncer")?;
        Some(Self { port, _script: script })
    }

    pub(crate) fn url(&self) -> String {
        url_for_port(self.port)
    }
}

/// Returns the URL of the database `postgres` on this port.
pub(crate) fn url_for_port(port: u16) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/postgres")
}

/// Returns the URL of a database with two hosts on these ports, of which the server must use one that accepts writes.
pub(crate) fn multi_host_url([first, second]: [u16; 2]) -> String {
    format!("postgres://postgres@127.0.0.1:{first},127.0.0.1:{second}/postgres?target_session_attrs=read-write")
}

/// Sends a signal to a process that the test started.
pub(crate) fn send_signal(process_id: u32, name: &str) {
    // `kill` is built into every shell, but not every system has a `kill` program.
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process_id}")]).status().unwrap();
    assert!(sent.success());
}
