//! A process of the server, and a client of it.

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

use crate::outside::signal;

/// How long a test waits for what must happen.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Between two looks at what a test waits for: short, and long enough to leave the processor to the server.
pub(crate) async fn pause() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

pub(crate) const CONVERSATIONS: &str = "/conversation/v1/conversations";

/// Where a server runs: its folder, and its settings.
pub(crate) struct Place {
    folder: TempDir,
    settings: Vec<(String, String)>,
}

impl Place {
    /// Over the embedded database, at a rate that no test reaches by chance.
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), settings: Vec::new() };
        let place = place.with("LISTEN", "127.0.0.1:0").with("LOG_FORMAT", "json");
        place.with("RATE_LIMIT_PER_SECOND", "1000000").with("RATE_LIMIT_BURST", "1000000")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.push((format!("PARLANCE_{name}"), value.to_owned()));
        self
    }

    /// The same, with variables of other programs.
    pub(crate) fn with_variables(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.settings.extend(variables);
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.started_by(Command::new(env!("CARGO_BIN_EXE_parlance")), arguments)
    }

    fn started_by(&self, mut command: Command, arguments: &[&str]) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("PATH", path);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What a command prints that succeeds.
    pub(crate) fn print(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A new credential of a tenant with every permission: its id and its secret. The database is made where it is missing.
    pub(crate) fn credential(&self, tenant: &str) -> (String, String) {
        self.print(&["migrate"]);
        let printed = self.print(&["credential", "create", "--tenant", tenant, "--name", "test", "--json"]);
        let issued: Value = serde_json::from_str(&printed).unwrap();
        let member = |name: &str| issued[name].as_str().unwrap().to_owned();
        (member("apiId"), member("apiSecret"))
    }

    /// Starts the server, and waits until it listens.
    pub(crate) fn serve(&self) -> Replica {
        Replica::of(self.command(&["serve"]))
    }

    /// Starts the server by a line of a shell that ends in `exec "$0" "$@"`.
    pub(crate) fn serve_by(&self, line: &str) -> Replica {
        let shell = ["-c", line, env!("CARGO_BIN_EXE_parlance"), "serve"];
        Replica::of(self.started_by(Command::new("sh"), &shell))
    }
}

/// A running server. It is killed when it is dropped.
pub(crate) struct Replica {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
}

impl Replica {
    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::default();
        let addresses = drain(child.stderr.take().unwrap(), Arc::clone(&log));
        let address = addresses.recv_timeout(PATIENCE).unwrap();
        Self { child, address, log }
    }

    /// The warnings and errors that it has logged so far. They are written before the answer of their request.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a loss of power would: it gets no chance to finish anything.
    pub(crate) fn kill(&mut self) {
        signal(self.child.id(), "KILL");
        self.child.wait().unwrap();
    }

    pub(crate) fn caller(&self, (id, secret): &(String, String)) -> Caller {
        parlance::tls::install_provider();
        let http = Client::builder().timeout(PATIENCE).build().unwrap();
        Caller { http, base: format!("http://{}", self.address), id: id.clone(), secret: secret.clone() }
    }

    /// The most memory that the process has had, in KiB.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the log to its end, so that the server never waits for that. Keeps what is no line of a request that was
/// served, and gives the address that it listens on.
fn drain(log: ChildStderr, kept: Arc<Mutex<String>>) -> Receiver<String> {
    let (told, addresses) = channel();
    thread::spawn(move || {
        for line in BufReader::new(log).lines().map_while(Result::ok) {
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["message"] == "listening" {
                // The test may have given up waiting.
                let _ = told.send(event["address"].as_str().unwrap_or_default().to_owned());
            }
            if event["message"] != "request" {
                let mut kept = kept.lock().unwrap();
                kept.push_str(&line);
                kept.push('\n');
            }
        }
    });
    addresses
}

/// A client with a credential.
#[derive(Clone)]
pub(crate) struct Caller {
    http: Client,
    base: String,
    id: String,
    secret: String,
}

/// A status and a body, `null` where there was none.
pub(crate) type Answer = (u16, Value);

impl Caller {
    /// What the server answers, or nothing where it is gone.
    pub(crate) async fn try_send(&self, method: Method, path: &str, body: Option<&Value>) -> Option<Answer> {
        self.try_with_key(method, path, body, None).await
    }

    /// The same, with a key that makes it safe to send again.
    pub(crate) async fn try_with_key(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Option<Answer> {
        let request = self.http.request(method, format!("{}{path}", self.base));
        let request = request.header("svc-api-id", &self.id).header("svc-api-secret", &self.secret);
        let request = body.iter().fold(request, RequestBuilder::json);
        let request = key.iter().fold(request, |request, key| request.header("idempotency-key", *key));
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let text = response.text().await.ok()?;
        Some((status, serde_json::from_str(&text).unwrap_or_default()))
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        self.try_send(method, path, body).await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Creates as many conversations, and gives the paths of their messages.
    pub(crate) async fn open_many(&self, conversations: usize) -> Vec<String> {
        let mut paths = Vec::new();
        for number in 0..conversations {
            paths.push(self.open(&format!("call-{number}")).await);
        }
        paths
    }

    /// Creates a conversation, and gives the path of its messages.
    pub(crate) async fn open(&self, external_id: &str) -> String {
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
