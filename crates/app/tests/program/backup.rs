//! `parlance backup` while a server writes, and `parlance restore`.

use std::fs;

use serde_json::Value;

use crate::process::{Home, Server, conversation};

const PATH: &str = "/conversation/v1/conversations";

async fn create(server: &Server, credential: &Value, name: &str) -> u16 {
    server.request(credential, PATH, Some(&conversation(name))).send().await.unwrap().status().as_u16()
}

async fn is_there(server: &Server, credential: &Value, name: &str) -> bool {
    let found = server.request(credential, &format!("{PATH}?externalId={name}"), None).send().await.unwrap();
    !found.json::<Value>().await.unwrap()["items"].as_array().unwrap().is_empty()
}

fn refusal(home: &Home, arguments: &[&str]) -> String {
    let output = home.run(arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[actix_web::test]
async fn a_copy_that_is_made_while_the_server_writes_holds_all_that_was_acknowledged_before() {
    let home = Home::new();
    let credential = home.credential();
    let server = home.serve(&[]);
    assert_eq!(create(&server, &credential, "before").await, 200);
    let mut backup = home.command(&["backup", "copy.db"]).spawn().unwrap();
    let mut written = 0;
    while backup.try_wait().unwrap().is_none() {
        assert_eq!(create(&server, &credential, &format!("during-{written}")).await, 200);
        written += 1;
    }
    assert!(backup.wait().unwrap().success());

    let elsewhere = Home::new();
    fs::rename(home.path().join("copy.db"), elsewhere.path().join("copy.db")).unwrap();
    let printed = elsewhere.print(&["restore", "copy.db"]);
    assert!(printed.starts_with("The copy is verified and in place: parlance.db\nacme  1:"), "{printed}");
    assert!(printed.contains("Before it is used: master_key_file: "), "{printed}");
    fs::copy(home.path().join("parlance.db.key"), elsewhere.path().join("parlance.db.key")).unwrap();
    let restored = elsewhere.serve(&[]);
    assert!(is_there(&restored, &credential, "before").await);
}

#[test]
fn a_copy_overwrites_nothing() {
    let home = Home::new();
    home.credential();
    fs::write(home.path().join("copy.db"), "precious").unwrap();
    assert_eq!(
        refusal(&home, &["backup", "copy.db"]),
        "parlance: backup: copy.db is there already: move it away first\n"
    );
    assert_eq!(fs::read_to_string(home.path().join("copy.db")).unwrap(), "precious");
}

#[test]
fn a_restore_overwrites_no_database() {
    let home = Home::new();
    home.credential();
    home.print(&["backup", "copy.db"]);
    let refused = refusal(&home, &["restore", "copy.db"]);
    assert_eq!(refused, "parlance: restore: parlance.db is there already: move it away first\n");
}

#[test]
fn a_damaged_copy_is_not_put_in_place() {
    let home = Home::new();
    home.credential();
    home.print(&["backup", "copy.db"]);
    let mut bytes = fs::read(home.path().join("copy.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4_096].fill(0xff);
    fs::remove_file(home.path().join("parlance.db")).unwrap();
    for (name, content) in [("copy.db", &bytes[..]), ("text.db", b"no database"), ("short.db", &bytes[..5_000])] {
        fs::write(home.path().join(name), content).unwrap();
        let refused = refusal(&home, &["restore", name]);
        assert!(refused.contains("is not a sound database") || refused.contains("is not a database"), "{refused}");
        assert!(!home.path().join("parlance.db").exists());
    }
}

#[test]
fn postgresql_is_left_to_its_own_tools() {
    let home = Home::new();
    let refused = refusal(&home, &["--database-url", "postgres://u:hush@db/x", "backup", "copy.db"]);
    assert!(refused.contains("pg_dump") && !refused.contains("hush"), "{refused}");
}
