//! A process of the program, with a folder of its own.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Output, Stdio},
};

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder that commands run in, where the default database is made.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlance"));
        command.args(arguments).current_dir(self.path()).env_clear().env("PARLANCE_LISTEN", "127.0.0.1:0");
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

    /// A credential of the tenant `acme`, as JSON.
    pub(crate) fn credential(&self) -> Value {
        let printed = self.print(&["credential", "create", "--tenant", "acme", "--name", "test", "--json"]);
        serde_json::from_str(&printed).unwrap()
    }

    /// Starts the server, and waits until it listens.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        let mut command = self.command(&[&["serve", "--log-format", "json"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let log = BufReader::new(child.stderr.take().unwrap());
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
    log: BufReader<ChildStderr>,
    address: String,
    logged: String,
}

impl Server {
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The next line of log with this message.
    pub(crate) fn wait_for(&mut self, message: &str) -> Value {
        loop {
            let mut line = String::new();
            let length = self.log.read_line(&mut line).unwrap();
            assert!(length > 0, "the server ended before it logged {message:?}: {}", self.logged);
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

    pub(crate) fn signal(&self, name: &str) {
        // Every shell has `kill` built in; a program of that name is not everywhere.
        let kill = format!("kill -{name} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end, and gives all that it logged.
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        self.log.read_to_string(&mut self.logged).unwrap();
        (self.child.wait().unwrap(), self.logged.clone())
    }

    /// A request with a credential.
    pub(crate) fn request(&self, credential: &Value, path: &str, body: Option<&Value>) -> RequestBuilder {
        parlance::tls::use_ring();
        let url = format!("http://{}{path}", self.address);
        let request = match body {
            Some(body) => Client::new().post(url).json(body),
            None => Client::new().get(url),
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

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn conversation(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}
