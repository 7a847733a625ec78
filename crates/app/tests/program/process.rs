//! Runs the `parlance` binary in a temporary directory.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread,
};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use support::client::http_client;
use tempfile::TempDir;

/// A temporary directory in which commands run, with a database and environment variables for them.
pub(crate) struct TestEnvironment {
    directory: TempDir,
    database_url: String,
    variables: Vec<(&'static str, String)>,
}

impl TestEnvironment {
    pub(crate) fn new() -> Self {
        Self::with_database_url("sqlite://parlance.db")
    }

    /// Creates an environment whose commands use this database.
    pub(crate) fn with_database_url(database_url: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, database_url: database_url.to_owned(), variables: Vec::new() }
    }

    /// Adds environment variables for the commands.
    pub(crate) fn with_variables<const COUNT: usize>(mut self, variables: [(&'static str, &str); COUNT]) -> Self {
        self.variables.extend(variables.map(|(name, value)| (name, value.to_owned())));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlance"));
        command.args(arguments).current_dir(self.path()).env_clear().env("PARLANCE_LISTEN", "127.0.0.1:0");
        command.env("PARLANCE_DATABASE_URL", &self.database_url).envs(self.variables.iter().cloned());
        command
    }

    /// Runs a command and waits for its exit.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed, and returns its standard output.
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Creates an environment with a migrated, empty database.
    pub(crate) fn migrated() -> Self {
        let env = Self::new();
        env.run_ok(&["migrate"]);
        env
    }

    /// Executes SQL on the embedded database, past the program.
    pub(crate) fn tamper(&self, sql: &str) {
        rusqlite::Connection::open(self.path().join("parlance.db")).unwrap().execute_batch(sql).unwrap();
    }

    /// Runs a command that prints one line of errors, and returns its exit code and that line.
    pub(crate) fn run_failing(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(line.lines().count(), 1, "{line}");
        (output.status.code().unwrap(), line.trim_end().to_owned())
    }

    /// Migrates the database, creates a credential of the tenant `acme`, and returns the credential as JSON.
    pub(crate) fn create_credential(&self) -> Value {
        self.run_ok(&["migrate"]);
        let printed = self.run_ok(&["credential", "create", "--tenant", "acme", "--name", "test", "--json"]);
        serde_json::from_str(&printed).unwrap()
    }

    /// Starts a server and waits until it listens.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        let mut command = self.command(&[&["serve", "--log-format", "json"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let log = spawn_line_reader(child.stderr.take().unwrap());
        let mut server = Server { child, stdout, log, address: String::new(), logged: String::new() };
        let listening = server.wait_for_log("listening");
        listening["address"].as_str().unwrap().clone_into(&mut server.address);
        server
    }
}

/// A running server. Dropping this value kills the server.
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    log: mpsc::Receiver<String>,
    address: String,
    logged: String,
}

impl Server {
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Waits for the next log line with this message, and returns the line.
    pub(crate) fn wait_for_log(&mut self, message: &str) -> Value {
        loop {
            let line = self.log.recv();
            assert!(line.is_ok(), "the server exited before it logged {message:?}: {}", self.logged);
            let line = line.unwrap();
            self.logged.push_str(&line);
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["message"] == message {
                return event;
            }
        }
    }

    /// Returns the next line of standard output.
    pub(crate) fn next_stdout_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Returns the number of threads whose name starts with this prefix.
    #[cfg(target_os = "linux")]
    pub(crate) fn thread_count(&self, prefix: &str) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
        names.filter(|name| name.starts_with(prefix)).count()
    }

    /// Returns the number of voluntary context switches of the main thread, which serves no requests.
    #[cfg(target_os = "linux")]
    pub(crate) fn main_thread_context_switches(&self) -> u64 {
        let id = self.child.id();
        let status = std::fs::read_to_string(format!("/proc/{id}/task/{id}/status")).unwrap();
        let switches = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        switches.unwrap().trim().parse().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        // `kill` is built into every shell, but not every system has a `kill` program.
        let kill = format!("kill -{name} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the exit, and returns the exit status and the whole log.
    pub(crate) fn wait_for_exit(&mut self) -> (ExitStatus, String) {
        self.logged.extend(self.log.iter());
        (self.child.wait().unwrap(), self.logged.clone())
    }

    /// Builds a request with a credential: a POST if there is a body, otherwise a GET.
    pub(crate) fn request(&self, credential: &Value, path: &str, body: Option<&Value>) -> RequestBuilder {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        self.request_with_method(method, credential, path, body)
    }

    /// Switches the entity `EMAIL` on for the tenant of a credential.
    pub(crate) async fn switch_email_on(&self, credential: &Value) {
        let (path, on) = ("/configuration/v1/redaction/redaction-entity/EMAIL", json!({"active": true}));
        let switched = self.request_with_method(Method::PATCH, credential, path, Some(&on)).send().await.unwrap();
        assert_eq!(switched.status(), 200);
    }

    /// Builds a request with this method and a credential.
    pub(crate) fn request_with_method(
        &self,
        method: Method,
        credential: &Value,
        path: &str,
        body: Option<&Value>,
    ) -> RequestBuilder {
        let request = http_client().request(method, format!("http://{}{path}", self.address));
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let header = |name: &str| credential[name].as_str().unwrap().to_owned();
        request.header("svc-api-id", header("apiId")).header("svc-api-secret", header("apiSecret"))
    }

    /// Sends a search and returns the status of the response.
    pub(crate) async fn search_status(&self, credential: &Value) -> u16 {
        let request = self.request(credential, "/conversation/v1/conversations?externalId=a", None);
        request.send().await.unwrap().status().as_u16()
    }
}

/// Reads lines on a separate thread, so that a server never blocks on a full pipe.
fn spawn_line_reader(log: ChildStderr) -> mpsc::Receiver<String> {
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
        // The server may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Overwrites the root page of a table with invalid bytes. The database must not be open.
pub(crate) fn overwrite_page(database: &Path, table: &str) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let query = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: u32 = connection.query_row(query, [table], |row| row.get(0)).unwrap();
    connection.close().unwrap();
    let mut bytes = std::fs::read(database).unwrap();
    let start = usize::try_from(root - 1).unwrap() * 4_096;
    bytes[start..start + 4_096].fill(0xa5);
    std::fs::write(database, bytes).unwrap();
}

pub(crate) fn conversation(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}
