//! The modes of what the program writes, also where it is started with a mask that lets everybody do everything.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::process::{Home, conversation};

/// Runs a command with a mask of 000.
fn run_unmasked(home: &Home, arguments: &[&str]) -> Output {
    let command = home.command(arguments);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"umask 000; exec "$0" "$@""#]).arg(command.get_program()).args(command.get_args());
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    shell.env_clear().envs(variables).current_dir(home.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], below(&path)].concat() } else { vec![path] })
        .collect()
}

#[test]
fn a_database_is_made_for_its_owner_alone() {
    let home = Home::new();
    run_unmasked(&home, &["migrate"]);
    assert_eq!(mode(home.path().join("parlance.db")), 0o600);
}

#[test]
fn the_log_of_a_database_and_its_index_are_for_its_owner_alone() {
    let home = Home::new();
    run_unmasked(&home, &["migrate"]);
    let _server = home.serve(&[]);
    for name in ["parlance.db-wal", "parlance.db-shm"] {
        assert_eq!(mode(home.path().join(name)), 0o600, "{name}");
    }
}

#[test]
fn a_copy_and_what_is_restored_of_it_are_for_their_owner_alone() {
    let home = Home::new();
    run_unmasked(&home, &["migrate"]);
    run_unmasked(&home, &["backup", "copy.db"]);
    assert_eq!(mode(home.path().join("copy.db")), 0o600);
    fs::set_permissions(home.path().join("copy.db"), Permissions::from_mode(0o666)).unwrap();
    fs::remove_file(home.path().join("parlance.db")).unwrap();
    run_unmasked(&home, &["restore", "copy.db"]);
    assert_eq!(mode(home.path().join("parlance.db")), 0o600);
}

/// Feeds of one conversation below `feeds`, and every path of them.
async fn exported(home: &Home, arguments: &[&str]) -> Vec<PathBuf> {
    let credential = home.credential();
    let server = home.serve(&["--feed-export-at", "never"]);
    let created = server.request(&credential, "/conversation/v1/conversations", Some(&conversation("call-1")));
    assert_eq!(created.send().await.unwrap().status(), 200);
    drop(server);
    let file = home.path().join("parlance.db");
    let earlier = "UPDATE conversations SET created_at = created_at - 86400000000";
    rusqlite::Connection::open(file).unwrap().execute_batch(earlier).unwrap();
    run_unmasked(home, &[&["feed", "export"], arguments].concat());
    let paths = below(&home.path().join("feeds"));
    assert!(paths.iter().any(|path| path.ends_with("_SUCCESS")), "{paths:?}");
    paths
}

#[actix_web::test]
async fn feeds_are_for_their_owner_to_write_and_their_group_to_read() {
    let home = Home::new();
    for path in exported(&home, &[]).await {
        assert_eq!(mode(&path), if path.is_dir() { 0o750 } else { 0o640 }, "{}", path.display());
    }
    assert_eq!(mode(home.path().join("feeds")), 0o750);
}

#[actix_web::test]
async fn feeds_have_the_mode_that_the_operator_says() {
    let home = Home::new();
    for path in exported(&home, &["--output-mode", "0660"]).await {
        assert_eq!(mode(&path), if path.is_dir() { 0o770 } else { 0o660 }, "{}", path.display());
    }
}

#[actix_web::test]
async fn feeds_keep_the_group_of_the_folder_that_they_are_put_into() {
    let home = Home::new();
    let feeds = home.path().join("feeds");
    fs::create_dir(&feeds).unwrap();
    // Only a privileged process may give the folder to just any group.
    let group =
        if std::os::unix::fs::chown(&feeds, None, Some(1)).is_ok() { 1 } else { fs::metadata(&feeds).unwrap().gid() };
    fs::set_permissions(&feeds, Permissions::from_mode(0o2750)).unwrap();
    for path in exported(&home, &[]).await {
        assert_eq!(fs::metadata(&path).unwrap().gid(), group, "{}", path.display());
        assert!(!path.is_dir() || mode(&path) == 0o2750, "{}", path.display());
    }
}

#[test]
fn no_output_is_for_everybody() {
    let refused = Home::new().run(&["--output-mode", "0644", "feed", "export"]);
    assert_eq!(refused.status.code(), Some(2));
    let complaint = String::from_utf8(refused.stderr).unwrap();
    assert!(
        complaint.starts_with("parlance: output_mode (from --output-mode): must be 0600, 0640 or 0660"),
        "{complaint}"
    );
}

#[test]
fn a_server_warns_of_a_database_that_others_have_rights_to() {
    let home = Home::new();
    home.print(&["migrate"]);
    fs::set_permissions(home.path().join("parlance.db"), Permissions::from_mode(0o640)).unwrap();
    let mut server = home.serve(&[]);
    server.signal("TERM");
    let (_, log) = server.end();
    assert!(log.contains("others than the owner have rights to the database") && log.contains("0640"), "{log}");
}
