//! Tests of `parlance serve --sandbox`.

use std::fs;

use serde_json::{Value, json};
use support::client::http_client;

use crate::process::{Server, TestEnvironment};

/// Reads the greeting up to the `curl` command, and returns the credential and that command.
pub(crate) fn read_greeting(server: &mut Server) -> (Value, String) {
    let mut credential = json!({});
    loop {
        let line = server.next_stdout_line();
        if let Some((name, value)) = line.split_once(':') {
            match name {
                "svc-api-id" => credential["apiId"] = json!(value.trim()),
                "svc-api-secret" => credential["apiSecret"] = json!(value.trim()),
                _ => {}
            }
        }
        if line.starts_with("curl ") {
            return (credential, line);
        }
    }
}

/// Splits a shell command into words. Supports single quotes only.
fn shell_words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(ToOwned::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[actix_web::test]
async fn the_printed_curl_command_creates_a_conversation() {
    let env = TestEnvironment::new();
    let mut server = env.serve_sandbox();
    let (_, line) = read_greeting(&mut server);
    let words = shell_words(&line);
    let url = words.iter().find(|word| word.starts_with("http://")).unwrap();
    let mut request = http_client().post(url);
    for pair in words.windows(2) {
        match (pair[0].as_str(), pair[1].split_once(": ")) {
            ("-H", Some((name, value))) => request = request.header(name, value),
            ("-d", _) => request = request.body(pair[1].clone()),
            _ => {}
        }
    }
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let created: Value = answer.json().await.unwrap();
    assert_eq!(created["id"].as_str().map(str::len), Some(26));
}

#[actix_web::test]
async fn the_next_start_prints_a_new_secret_of_the_same_credential_and_the_old_one_stays_valid() {
    let env = TestEnvironment::new();
    let (first, _) = read_greeting(&mut env.serve_sandbox());
    let mut server = env.serve_sandbox();
    let (second, _) = read_greeting(&mut server);
    assert_eq!(first["apiId"], second["apiId"]);
    assert_ne!(first["apiSecret"], second["apiSecret"]);
    assert_eq!((server.search_status(&first).await, server.search_status(&second).await), (200, 200));
}

#[actix_web::test]
async fn the_database_holds_no_secret() {
    let env = TestEnvironment::new();
    let (credential, _) = read_greeting(&mut env.serve_sandbox());
    let secret = credential["apiSecret"].as_str().unwrap().as_bytes().to_vec();
    let paths = fs::read_dir(env.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut files = paths.filter(|path| path.is_file()).map(|path| fs::read(path).unwrap());
    assert!(files.all(|bytes| !bytes.windows(secret.len()).any(|window| window == secret)));
}

#[test]
fn the_sandbox_is_for_the_embedded_database_only() {
    let output =
        TestEnvironment::new().run(&["serve", "--sandbox", "--database-url", "postgres://u:hush@127.0.0.1:1/x"]);
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(line.starts_with("parlance: database_url: the sandbox is for the embedded database"), "{line}");
}

impl TestEnvironment {
    fn serve_sandbox(&self) -> Server {
        self.serve(&["--sandbox"])
    }
}
