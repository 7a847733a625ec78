//! Every file that the program writes is on the list of files, which says what an erasure does with it.

use std::path::{Path, PathBuf};

use parlance::{
    settings::{SettingFlags, Settings, Sources},
    stored_files::{FileErasure, FileLocation, StoredFile},
};
use reqwest::Method;
use serde_json::Value;

use crate::{
    delivery::{add_phrase, is_delivered, wait_for_status},
    privacy_compact::erase_customer,
    process::{Server, TestEnvironment, conversation},
};

/// The settings by which a server writes every kind of file below one directory.
fn variables(directory: &Path) -> [(&'static str, String); 4] {
    let below = |scheme: &str, name: &str| format!("{scheme}://{}/{name}", directory.display());
    [
        ("PARLANCE_DATABASE_URL", below("sqlite", "parlance.db")),
        ("PARLANCE_FEEDS_URL", below("file", "feeds")),
        ("PARLANCE_LEDGER_URL", below("file", "ledger")),
        ("PARLANCE_VOCABULARY_DELIVERY_URL", below("file", "vocabularies")),
    ]
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Writes to the database, to the ledger and to the vocabularies.
async fn write(server: &Server, credential: &Value) {
    let path = "/conversation/v1/conversations";
    let created = server.request(credential, path, Some(&conversation("call-1"))).send().await.unwrap();
    let created: Value = created.json().await.unwrap();
    let erased = format!("{path}/{}", created["id"].as_str().unwrap());
    let erase = server.request_with_method(Method::DELETE, credential, &erased, None);
    assert_eq!(erase.send().await.unwrap().status(), 204);
    let kept = server.request(credential, path, Some(&conversation("call-2"))).send().await.unwrap();
    assert_eq!(kept.status(), 200);
    add_phrase(server, credential, "IEEE").await;
    wait_for_status(server, credential, is_delivered(1)).await;
    // A run of the erasure that still goes on could replace a day of a feed while the test exports it.
    erase_customer(server, credential).await;
}

#[actix_web::test]
async fn every_file_that_the_program_writes_is_on_the_list_of_files() {
    let env = TestEnvironment::new();
    let directory = env.path().join("data");
    let variables = variables(&directory);
    std::fs::create_dir_all(directory.join("vocabularies")).unwrap();
    let env = env.with_variables(std::array::from_fn::<_, 4, _>(|index| (variables[index].0, &*variables[index].1)));
    env.run_ok(&["migrate"]);
    let permissions =
        ["privacy:operate", "conversation:read", "conversation:write", "configuration:read", "configuration:write"];
    let permissions = permissions.iter().flat_map(|permission| ["--permission", permission]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    let printed = env.run_ok(&create.into_iter().chain(permissions).collect::<Vec<_>>());
    let credential = serde_json::from_str(&printed).unwrap();
    let server = env.serve(&[]);
    write(&server, &credential).await;
    let database = rusqlite::Connection::open(directory.join("parlance.db")).unwrap();
    database.execute_batch("UPDATE conversations SET created_at = created_at - 86400000000").unwrap();
    env.run_ok(&["feed", "export"]);

    let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone());
    let settings = Settings::read(&Sources::new(&SettingFlags::default(), variable, None).unwrap()).unwrap();
    let files = files_below(&directory);
    let locations = StoredFile::ALL.map(|kind| (kind, kind.location(&settings)));
    let unlisted: Vec<_> =
        files.iter().filter(|file| !locations.iter().any(|(_, location)| location.contains(file))).collect();
    assert!(
        unlisted.is_empty(),
        "say in crates/app/src/stored_files.rs what an erasure does with these files, and see to it: {unlisted:?}"
    );
    for (kind, location) in &locations {
        let is_written = files.iter().any(|file| location.contains(file));
        assert!(is_written || *location == FileLocation::Argument, "{kind:?} was not written: {files:?}");
    }
    drop(server);
}

#[test]
fn only_copies_that_a_receipt_names_keep_what_was_erased() {
    let kept = StoredFile::ALL.into_iter().filter(|kind| kind.erasure() == FileErasure::NotCovered);
    assert_eq!(kept.collect::<Vec<_>>(), [StoredFile::Backups]);
}
