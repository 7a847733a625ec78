//! A server process in a temporary directory, and an HTTP client for the server.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::postgres_cluster::send_signal;

/// Timeout of a test for an event that must happen.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_mins(1);

/// Sleeps between two polls. The time is short, but long enough to leave the processor to the server.
pub(crate) async fn poll_delay() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

pub(crate) const CONVERSATIONS: &str = "/conversation/v1/conversations";

/// A temporary directory in which servers and commands run, with their environment variables.
pub(crate) struct TestEnvironment {
    directory: TempDir,
    variables: Vec<(String, String)>,
}

impl TestEnvironment {
    /// Creates an environment with the embedded database and a rate limit that no test reaches by chance.
    pub(crate) fn new() -> Self {
        let env = Self { directory: tempfile::tempdir().unwrap(), variables: Vec::new() };
        let env = env.with_setting("LISTEN", "127.0.0.1:0").with_setting("LOG_FORMAT", "json");
        env.with_setting("RATE_LIMIT_PER_SECOND", "1000000").with_setting("RATE_LIMIT_BURST", "1000000")
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Sets the environment variable `PARLANCE_{name}`.
    pub(crate) fn with_setting(mut self, name: &str, value: &str) -> Self {
        self.variables.push((format!("PARLANCE_{name}"), value.to_owned()));
        self
    }

    /// Sets environment variables by their full names.
    pub(crate) fn with_variables(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.variables.extend(variables);
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.configure(Command::new(env!("CARGO_BIN_EXE_parlance")), arguments)
    }

    fn configure(&self, mut command: Command, arguments: &[&str]) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.args(arguments).current_dir(self.directory.path()).env_clear().env("PATH", path);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command that must succeed, and returns its standard output.
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> String {
        self.run_program_ok(Path::new(env!("CARGO_BIN_EXE_parlance")), arguments)
    }

    /// Runs a command of another build of the program, which must succeed, and returns its standard output.
    pub(crate) fn run_program_ok(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.configure(Command::new(program), arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Migrates the database, creates a credential with every permission, and returns its id and its secret.
    pub(crate) fn create_credential(&self, tenant: &str) -> (String, String) {
        self.create_credential_with(Path::new(env!("CARGO_BIN_EXE_parlance")), tenant)
    }

    /// Does the same with another build of the program.
    pub(crate) fn create_credential_with(&self, program: &Path, tenant: &str) -> (String, String) {
        self.run_program_ok(program, &["migrate"]);
        let printed =
            self.run_program_ok(program, &["credential", "create", "--tenant", tenant, "--name", "test", "--json"]);
        let issued: Value = serde_json::from_str(&printed).unwrap();
        let member = |name: &str| issued[name].as_str().unwrap().to_owned();
        (member("apiId"), member("apiSecret"))
    }

    /// Starts a server and waits until it listens.
    pub(crate) fn serve(&self) -> Replica {
        Replica::start(self.command(&["serve"]))
    }

    /// Starts a server of another build of the program, and waits until it listens.
    pub(crate) fn serve_with(&self, program: &Path) -> Replica {
        Replica::start(self.configure(Command::new(program), &["serve"]))
    }

    /// Starts a server through a shell script that ends in `exec "$0" "$@"`.
    pub(crate) fn serve_through_shell(&self, script: &str) -> Replica {
        let arguments = ["-c", script, env!("CARGO_BIN_EXE_parlance"), "serve"];
        Replica::start(self.configure(Command::new("sh"), &arguments))
    }
}

/// A running server. Dropping this value kills the server.
pub(crate) struct Replica {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
}

impl Replica {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::default();
        let addresses = spawn_log_reader(child.stderr.take().unwrap(), Arc::clone(&log));
        let address = addresses.recv_timeout(TEST_TIMEOUT).unwrap();
        Self { child, address, log }
    }

    /// Returns the log so far, without the lines of requests. The server logs a warning or an error of a request before
    /// it sends the response.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the server with SIGKILL, so that it cannot finish anything.
    pub(crate) fn kill(&mut self) {
        send_signal(self.child.id(), "KILL");
        self.child.wait().unwrap();
    }

    /// Asks the server to stop, and waits until it has stopped. It must report success.
    pub(crate) fn stop(&mut self) {
        send_signal(self.child.id(), "TERM");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "the server stopped with {status}");
    }

    pub(crate) fn caller(&self, (id, secret): &(String, String)) -> Caller {
        parlance::tls::install_provider();
        let http = Client::builder().timeout(TEST_TIMEOUT).build().unwrap();
        Caller { http, base_url: format!("http://{}", self.address), id: id.clone(), secret: secret.clone() }
    }

    /// Returns the peak resident memory of the process, in KiB.
    pub(crate) fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the log to its end on a separate thread, so that the server never blocks on a full pipe. Appends every line
/// except the lines of requests to `lines`, and sends the address that the server listens on.
fn spawn_log_reader(log: ChildStderr, lines: Arc<Mutex<String>>) -> Receiver<String> {
    let (sender, addresses) = channel();
    thread::spawn(move || {
        for line in BufReader::new(log).lines().map_while(Result::ok) {
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["message"] == "listening" {
                // The test may have given up waiting.
                let _ = sender.send(event["address"].as_str().unwrap_or_default().to_owned());
            }
            if event["message"] != "request" {
                let mut lines = lines.lock().unwrap();
                lines.push_str(&line);
                lines.push('\n');
            }
        }
    });
    addresses
}

/// An HTTP client with a credential.
#[derive(Clone)]
pub(crate) struct Caller {
    http: Client,
    base_url: String,
    id: String,
    secret: String,
}

/// The status and the body of a response. A body that is not JSON is `null`.
pub(crate) type JsonResponse = (u16, Value);

impl Caller {
    /// Sends a request. Returns `None` without a complete response.
    pub(crate) async fn try_send(&self, method: Method, path: &str, body: Option<&Value>) -> Option<JsonResponse> {
        self.try_send_with_key(method, path, body, None).await
    }

    /// Sends a request with an optional idempotency key. Returns `None` without a complete response.
    pub(crate) async fn try_send_with_key(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Option<JsonResponse> {
        let request = self.http.request(method, format!("{}{path}", self.base_url));
        let request = request.header("svc-api-id", &self.id).header("svc-api-secret", &self.secret);
        let request = body.iter().fold(request, RequestBuilder::json);
        let request = key.iter().fold(request, |request, key| request.header("idempotency-key", *key));
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let text = response.text().await.ok()?;
        Some((status, serde_json::from_str(&text).unwrap_or_default()))
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> JsonResponse {
        self.try_send(method, path, body).await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> JsonResponse {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> JsonResponse {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Creates this many conversations, and returns the paths of their messages.
    pub(crate) async fn create_conversations(&self, conversations: usize) -> Vec<String> {
        let mut paths = Vec::new();
        for number in 0..conversations {
            paths.push(self.create_conversation(&format!("call-{number}")).await);
        }
        paths
    }

    /// Creates a conversation, and returns the path of its messages.
    pub(crate) async fn create_conversation(&self, external_id: &str) -> String {
        let (status, body) = self.post(CONVERSATIONS, &conversation(external_id)).await;
        assert_eq!(status, 200, "{body}");
        format!("{CONVERSATIONS}/{}/messages", body["id"].as_str().unwrap())
    }
}

pub(crate) fn conversation(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}

pub(crate) fn message(text: &str) -> Value {
    let sender = json!({"role": "agent", "externalId": "agent-1"});
    json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"})
}
