//! Tests of the modes of files that the program creates, also under a umask of 000.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::process::{TestEnvironment, conversation};

/// Runs a command under a umask of 000.
fn run_unmasked(env: &TestEnvironment, arguments: &[&str]) -> Output {
    let command = env.command(arguments);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"umask 000; exec "$0" "$@""#]).arg(command.get_program()).args(command.get_args());
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    shell.env_clear().envs(variables).current_dir(env.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Returns every path below a directory.
fn paths_below(directory: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], paths_below(&path)].concat() } else { vec![path] })
        .collect()
}

#[test]
fn a_database_is_private_to_its_owner() {
    let env = TestEnvironment::new();
    run_unmasked(&env, &["migrate"]);
    assert_eq!(mode(env.path().join("parlance.db")), 0o600);
}

#[test]
fn the_write_ahead_log_and_its_index_are_private_to_their_owner() {
    let env = TestEnvironment::new();
    run_unmasked(&env, &["migrate"]);
    let _server = env.serve(&[]);
    for name in ["parlance.db-wal", "parlance.db-shm"] {
        assert_eq!(mode(env.path().join(name)), 0o600, "{name}");
    }
}

#[test]
fn a_copy_and_a_restored_database_are_private_to_their_owner() {
    let env = TestEnvironment::new();
    run_unmasked(&env, &["migrate"]);
    run_unmasked(&env, &["backup", "copy.db"]);
    assert_eq!(mode(env.path().join("copy.db")), 0o600);
    fs::set_permissions(env.path().join("copy.db"), Permissions::from_mode(0o666)).unwrap();
    fs::remove_file(env.path().join("parlance.db")).unwrap();
    run_unmasked(&env, &["restore", "copy.db"]);
    assert_eq!(mode(env.path().join("parlance.db")), 0o600);
}

/// Exports the feeds of one conversation into `feeds`, and returns every path below that directory.
async fn export_feeds(env: &TestEnvironment, arguments: &[&str]) -> Vec<PathBuf> {
    let credential = env.create_credential();
    let server = env.serve(&["--feed-export-at", "never"]);
    let created = server.request(&credential, "/conversation/v1/conversations", Some(&conversation("call-1")));
    assert_eq!(created.send().await.unwrap().status(), 200);
    drop(server);
    let file = env.path().join("parlance.db");
    let sql = "UPDATE conversations SET created_at = created_at - 86400000000";
    rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
    run_unmasked(env, &[&["feed", "export"], arguments].concat());
    let paths = paths_below(&env.path().join("feeds"));
    assert!(paths.iter().any(|path| path.ends_with("_SUCCESS")), "{paths:?}");
    paths
}

#[actix_web::test]
async fn feeds_are_writable_by_their_owner_and_readable_by_their_group() {
    let env = TestEnvironment::new();
    for path in export_feeds(&env, &[]).await {
        assert_eq!(mode(&path), if path.is_dir() { 0o750 } else { 0o640 }, "{}", path.display());
    }
    assert_eq!(mode(env.path().join("feeds")), 0o750);
}

#[actix_web::test]
async fn feeds_have_the_mode_of_the_setting_output_mode() {
    let env = TestEnvironment::new();
    for path in export_feeds(&env, &["--output-mode", "0660"]).await {
        assert_eq!(mode(&path), if path.is_dir() { 0o770 } else { 0o660 }, "{}", path.display());
    }
}

#[actix_web::test]
async fn feeds_inherit_the_group_of_their_directory() {
    let env = TestEnvironment::new();
    let feeds = env.path().join("feeds");
    fs::create_dir(&feeds).unwrap();
    // Only a privileged process may give the directory to any group.
    let group =
        if std::os::unix::fs::chown(&feeds, None, Some(1)).is_ok() { 1 } else { fs::metadata(&feeds).unwrap().gid() };
    fs::set_permissions(&feeds, Permissions::from_mode(0o2750)).unwrap();
    for path in export_feeds(&env, &[]).await {
        assert_eq!(fs::metadata(&path).unwrap().gid(), group, "{}", path.display());
        assert!(!path.is_dir() || mode(&path) == 0o2750, "{}", path.display());
    }
}

#[test]
fn an_output_mode_for_everybody_is_refused() {
    let output = TestEnvironment::new().run(&["--output-mode", "0644", "feed", "export"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("parlance: output_mode (from --output-mode): must be 0600, 0640 or 0660"), "{stderr}");
}

#[test]
fn a_server_warns_if_other_users_can_access_the_database() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    fs::set_permissions(env.path().join("parlance.db"), Permissions::from_mode(0o640)).unwrap();
    let mut server = env.serve(&[]);
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    assert!(log.contains("users other than the owner have access to the database") && log.contains("0640"), "{log}");
}
