//! A process of the program, with a folder of its own.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread,
};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use support::client::http;
use tempfile::TempDir;

/// A folder that commands run in, where the default database is made.
pub(crate) struct Home {
    folder: TempDir,
    database_url: String,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::over("sqlite://parlance.db")
    }

    /// A folder whose commands use this database.
    pub(crate) fn over(database_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, database_url: database_url.to_owned(), variables: Vec::new() }
    }

    /// The same folder, whose commands have these variables in their environment too.
    pub(crate) fn with<const COUNT: usize>(mut self, variables: [(&'static str, &str); COUNT]) -> Self {
        self.variables.extend(variables.map(|(name, value)| (name, value.to_owned())));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlance"));
        command.args(arguments).current_dir(self.path()).env_clear().env("PARLANCE_LISTEN", "127.0.0.1:0");
        command.env("PARLANCE_DATABASE_URL", &self.database_url).envs(self.variables.iter().cloned());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command prints that succeeds.
    pub(crate) fn print(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A folder with a database in which there is nothing yet.
    pub(crate) fn migrated() -> Self {
        let home = Self::new();
        home.print(&["migrate"]);
        home
    }

    /// Changes the embedded database past the program.
    pub(crate) fn tamper(&self, sql: &str) {
        rusqlite::Connection::open(self.path().join("parlance.db")).unwrap().execute_batch(sql).unwrap();
    }

    /// The exit code and the one line of a command that fails.
    pub(crate) fn refusal(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(line.lines().count(), 1, "{line}");
        (output.status.code().unwrap(), line.trim_end().to_owned())
    }

    /// A credential of the tenant `acme`, as JSON, in a database that is made where it is missing.
    pub(crate) fn credential(&self) -> Value {
        self.print(&["migrate"]);
        let printed = self.print(&["credential", "create", "--tenant", "acme", "--name", "test", "--json"]);
        serde_json::from_str(&printed).unwrap()
    }

    /// Starts the server, and waits until it listens.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        let mut command = self.command(&[&["serve", "--log-format", "json"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let log = lines(child.stderr.take().unwrap());
        let mut server = Server { child, out, log, address: String::new(), logged: String::new() };
        let listening = server.wait_for("listening");
        listening["address"].as_str().unwrap().clone_into(&mut server.address);
        server
    }
}

/// A running server. It is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    log: mpsc::Receiver<String>,
    address: String,
    logged: String,
}

impl Server {
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The next line of log with this message.
    pub(crate) fn wait_for(&mut self, message: &str) -> Value {
        loop {
            let line = self.log.recv();
            assert!(line.is_ok(), "the server ended before it logged {message:?}: {}", self.logged);
            let line = line.unwrap();
            self.logged.push_str(&line);
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["message"] == message {
                return event;
            }
        }
    }

    /// The next line that it prints.
    pub(crate) fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// How many of its threads have a name that begins so.
    #[cfg(target_os = "linux")]
    pub(crate) fn threads(&self, name: &str) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
        names.filter(|own| own.starts_with(name)).count()
    }

    /// How often its first thread, which answers no requests, had to wait for something.
    #[cfg(target_os = "linux")]
    pub(crate) fn waits_of_first_thread(&self) -> u64 {
        let id = self.child.id();
        let status = std::fs::read_to_string(format!("/proc/{id}/task/{id}/status")).unwrap();
        let waits = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        waits.unwrap().trim().parse().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        // Every shell has `kill` built in; a program of that name is not everywhere.
        let kill = format!("kill -{name} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end, and gives all that it logged.
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        self.logged.extend(self.log.iter());
        (self.child.wait().unwrap(), self.logged.clone())
    }

    /// A request with a credential.
    pub(crate) fn request(&self, credential: &Value, path: &str, body: Option<&Value>) -> RequestBuilder {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        self.call(method, credential, path, body)
    }

    /// A request of this method with a credential.
    pub(crate) fn call(&self, method: Method, credential: &Value, path: &str, body: Option<&Value>) -> RequestBuilder {
        let request = http().request(method, format!("http://{}{path}", self.address));
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let header = |name: &str| credential[name].as_str().unwrap().to_owned();
        request.header("svc-api-id", header("apiId")).header("svc-api-secret", header("apiSecret"))
    }

    /// The status of the answer to a search.
    pub(crate) async fn status(&self, credential: &Value) -> u16 {
        let request = self.request(credential, "/conversation/v1/conversations?externalId=a", None);
        request.send().await.unwrap().status().as_u16()
    }
}

/// What is read there, line by line, on a thread of its own, so that a server never waits until somebody reads its log.
fn lines(log: ChildStderr) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut log = BufReader::new(log);
        let mut line = String::new();
        while log.read_line(&mut line).unwrap() > 0 && sender.send(std::mem::take(&mut line)).is_ok() {}
    });
    lines
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Overwrites the first page of a table with garbage. Nobody may have the database open.
pub(crate) fn overwrite_page(database: &Path, table: &str) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: u32 = connection.query_row(root, [table], |row| row.get(0)).unwrap();
    connection.close().unwrap();
    let mut bytes = std::fs::read(database).unwrap();
    let begin = usize::try_from(root - 1).unwrap() * 4_096;
    bytes[begin..begin + 4_096].fill(0xa5);
    std::fs::write(database, bytes).unwrap();
}

pub(crate) fn conversation(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}
