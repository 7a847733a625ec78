//! Tests of feed exports, by command and by the server once a day, also across kills.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use parlance_domain::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::{client::http_client, seeded_rng::SeededRng};

use crate::process::{TestEnvironment, conversation};

/// Days from 1970-01-01 to 2024-10-04.
const FIRST_DAY: i64 = 20_000;

/// Longer than a server with an export takes to stop, and shorter than a lease of a killed server lasts.
const MAX_STOP_TIME: Duration = Duration::from_secs(10);

impl TestEnvironment {
    fn feeds(&self) -> PathBuf {
        self.path().join("feeds")
    }

    /// Inserts messages into the database past the program: `messages` on each of `days` days, from the day `first`.
    fn insert_messages(&self, first: i64, days: u32, messages: u32) {
        self.create_credential();
        let sql = format!(
            "INSERT INTO conversations VALUES ('acme', 'C1', 'call-1', NULL, NULL, 'customer-7', NULL, NULL, 0,
                {first} * 86400000000, 0);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {days} * {messages})
            INSERT INTO messages
                (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with)
            SELECT 'acme', 'C1', i, 'M' || (1000000 + i), 1, 'agent-1', 'message ' || i,
                ({first} + i / {messages}) * 86400000000 + i, 'ffffffffffffffffff' FROM n;"
        );
        let database = rusqlite::Connection::open(self.path().join("parlance.db")).unwrap();
        database.execute_batch(&sql).unwrap();
    }
}

fn digest(content: &[u8]) -> String {
    hex::encode(&Sha256::digest(content))
}

/// Returns the directories of days (`dt=…`) below a directory.
fn day_directories(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let directories: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    directories
        .into_iter()
        .flat_map(|path| {
            if path.file_name().unwrap().to_str().unwrap().starts_with("dt=") {
                vec![path]
            } else {
                day_directories(&path)
            }
        })
        .collect()
}

/// Checks every complete day against its manifest, and returns the number of rows of each.
fn rows_of_complete_days(env: &TestEnvironment) -> Vec<u64> {
    let complete = day_directories(&env.feeds()).into_iter().filter(|day| day.join("_SUCCESS").exists());
    complete.map(|day| check_day(&day)).collect()
}

/// Checks the files of a day against its manifest, and returns the number of rows.
fn check_day(day: &Path) -> u64 {
    let manifest: Value = serde_json::from_slice(&fs::read(day.join("_manifest.json")).unwrap()).unwrap();
    let mut rows = 0;
    for file in manifest["files"].as_array().unwrap() {
        let content = fs::read(day.join(file["name"].as_str().unwrap())).unwrap();
        assert_eq!(file["sha256"], digest(&content), "{}", day.display());
        let lines = content.split(|byte| *byte == b'\n').count() - 1;
        assert_eq!(file["rows"], json!(lines), "{}", day.display());
        rows += lines as u64;
    }
    assert_eq!(manifest["rows"], json!(rows));
    rows
}

/// Returns the number of temporary files of exports, which readers must not see.
fn temporary_file_count(env: &TestEnvironment) -> usize {
    let directories = day_directories(&env.feeds());
    let names = directories.iter().flat_map(|day| fs::read_dir(day).unwrap()).map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with("_part") || name.starts_with("_progress") || name.contains('#')).count()
}

const EXPORT: [&str; 9] =
    ["feed", "export", "--to", "2024-10-06", "--feed-formats", "jsonl", "--feed-compression", "none", "--tenant"];

fn export_command(env: &TestEnvironment) -> std::process::Command {
    let mut command = env.command(&EXPORT);
    command.arg("acme").stderr(Stdio::null()).stdout(Stdio::null());
    command
}

/// Removes all feeds, starts an export, kills it after a delay, and returns whether it was still running.
fn export_and_kill(env: &TestEnvironment, delay: Duration) -> bool {
    if env.feeds().exists() {
        fs::remove_dir_all(env.feeds()).unwrap();
    }
    let mut child = export_command(env).spawn().unwrap();
    let deadline = Instant::now() + delay;
    while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
        std::hint::spin_loop();
    }
    let was_running = child.try_wait().unwrap().is_none();
    // The export may have exited already.
    let _ = child.kill();
    child.wait().unwrap();
    was_running
}

#[test]
fn after_a_kill_every_listed_day_is_complete_and_the_next_export_completes_the_rest() {
    let env = TestEnvironment::new();
    env.insert_messages(FIRST_DAY, 3, 8_000);
    let start = Instant::now();
    assert!(export_command(&env).status().unwrap().success());
    let whole_run = start.elapsed();
    let uninterrupted = rows_of_complete_days(&env);
    assert_eq!(uninterrupted.iter().sum::<u64>(), 24_001, "24,000 messages and one conversation");
    let mut dice = SeededRng::new(5);
    for _ in 0..20 {
        let mut delay = whole_run.mul_f64(f64::from(u32::try_from(dice.below(1_000)).unwrap()) / 1_000.0);
        // This run may be faster than the run that was timed.
        while !export_and_kill(&env, delay) {
            delay /= 2;
        }
        rows_of_complete_days(&env);
        fs::create_dir_all(env.feeds()).unwrap();
        assert!(export_command(&env).status().unwrap().success());
        assert_eq!(rows_of_complete_days(&env).iter().sum::<u64>(), 24_001);
        assert_eq!(temporary_file_count(&env), 0, "files of the killed run remain");
    }
}

#[test]
fn exported_days_are_listed_as_a_calendar() {
    let env = TestEnvironment::new();
    env.insert_messages(FIRST_DAY, 3, 10);
    assert!(export_command(&env).status().unwrap().success());
    let printed = env.run_ok(&["feed", "list"]);
    assert!(printed.contains("acme  messages  version=1  format=jsonl\n  2024-10   3 days: 4-6\n"), "{printed}");
}

#[test]
fn a_day_that_is_not_over_is_reported_and_not_exported() {
    let env = TestEnvironment::new();
    env.insert_messages(FIRST_DAY, 1, 1);
    let output = env.run(&["feed", "export", "--to", "9999-01-01"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.starts_with("parlance: --to: 9999-01-01 is not over yet"), "{stderr}");
    assert!(!env.feeds().exists());
}

#[test]
fn a_day_that_is_exported_before_it_is_over_is_not_listed() {
    let env = TestEnvironment::new();
    env.insert_messages(yesterday() + 1, 1, 10);
    let output = env.run(&["feed", "export", "--unfinished", "--feed-formats", "jsonl"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.lines().any(|line| line.ends_with(" bytes, revision 1, not complete")), "{stderr}");
    let listed = env.run_ok(&["feed", "list"]);
    assert!(listed.contains("acme  messages") && !listed.contains("day"), "{listed}");
}

#[test]
fn without_a_terminal_each_day_is_reported_on_a_plain_line() {
    let env = TestEnvironment::new();
    env.insert_messages(FIRST_DAY, 1, 10);
    let output = env.command(&["feed", "export", "--to", "2024-10-04", "--feed-formats", "jsonl"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let line = stderr.lines().find(|line| line.starts_with("acme messages jsonl 2024-10-04: 10 rows, ")).unwrap();
    assert!(line.ends_with(" bytes, revision 1") && !stderr.contains('\u{1b}'), "{stderr}");
}

#[test]
fn an_export_waits_for_a_store_that_is_out_of_reach_says_why_and_goes_on() {
    let env = TestEnvironment::new();
    env.insert_messages(FIRST_DAY, 1, 10);
    // No directory can be made in the place of a file.
    fs::write(env.feeds(), "").unwrap();
    let mut exporting = export_command(&env).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(exporting.stderr.take().unwrap()).lines().map(Result::unwrap);
    let waiting = lines.next().unwrap();
    let expected =
        "The export of acme is tried again until it has made no progress for a minute: the store is out of reach: ";
    assert!(waiting.starts_with(expected), "{waiting}");
    fs::remove_file(env.feeds()).unwrap();
    let rest: Vec<_> = lines.collect();
    assert!(exporting.wait().unwrap().success(), "{rest:?}");
    assert!(rest.iter().all(|line| !line.starts_with("The export")), "{rest:?}");
    assert_eq!(rows_of_complete_days(&env).iter().sum::<u64>(), 11, "ten messages and one conversation");
}

fn seconds_since_epoch() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// The number of days from 1970-01-01 to yesterday.
fn yesterday() -> i64 {
    i64::try_from(seconds_since_epoch() / 86_400).unwrap() - 1
}

/// The next whole minute, or the minute after it if at most three seconds remain, as the setting `feed_export_at`.
fn next_minute() -> String {
    let minute = (seconds_since_epoch() + 3) / 60 % 1_440 + 1;
    format!("{:02}:{:02}", minute / 60 % 24, minute % 60)
}

#[actix_web::test]
async fn a_server_exports_feeds_at_the_configured_time_of_day() {
    let env = TestEnvironment::new();
    env.insert_messages(yesterday(), 1, 10);
    let mut server = env.serve(&["--feed-export-at", &next_minute(), "--feed-formats", "jsonl"]);
    let credential = env.create_credential();
    server.wait_for_log("feeds are up to date");
    let body = json!({"feed": "messages", "version": "1", "format": "jsonl"});
    let answer =
        server.request(&credential, "/fileexporter/v1/static/listfeeddates", Some(&body)).send().await.unwrap();
    let dates = answer.json::<Value>().await.unwrap();
    assert_eq!(dates["dates"].as_array().unwrap().len(), 1);
    let status = server.request(&credential, "/conversation/v1/conversations", Some(&conversation("call-2")));
    assert_eq!(status.timeout(Duration::from_secs(9)).send().await.unwrap().status(), 200);
}

#[test]
fn a_server_that_stops_during_an_export_ends_soon_and_releases_the_lease() {
    let env = TestEnvironment::new();
    env.insert_messages(yesterday(), 1, 60_000);
    // Each message is masked again, which takes much longer than this test.
    env.tamper("UPDATE messages SET masked_with = '0'");
    let mut server = env.serve(&["--feed-export-at", &next_minute()]);
    // The conversations of the day are exported before its messages.
    server.wait_for_log("exported a day or an hour of a feed");
    let stop = Instant::now();
    server.signal("TERM");
    let (status, log) = server.wait_for_exit();
    assert!(stop.elapsed() < MAX_STOP_TIME, "{:?}", stop.elapsed());
    assert!(status.success() && log.contains("the export of feeds was interrupted"), "{status} {log}");
    let database = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    let held_until: i64 = database
        .query_row("SELECT held_until FROM leases WHERE duty = 'feed-production'", [], |row| row.get(0))
        .unwrap();
    let messages = day_directories(&env.feeds().join("acme/messages"));
    let complete_days = messages.iter().filter(|day| day.join("_SUCCESS").exists()).count();
    assert_eq!((held_until, complete_days), (0, 0));
}

#[actix_web::test]
async fn a_file_in_a_bucket_is_served_by_a_presigned_url_that_any_client_can_read() {
    let Some((bucket, _)) = support::s3::create_bucket().await else { return };
    let bucket_server = support::s3::server_url().unwrap();
    let env = TestEnvironment::new().with_variables([
        ("PARLANCE_FEEDS_URL", &*format!("s3://{bucket}/feeds")),
        ("AWS_ENDPOINT", bucket_server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    env.insert_messages(FIRST_DAY, 1, 10);
    assert!(export_command(&env).status().unwrap().success());
    let (server, credential) = (env.serve(&[]), env.create_credential());
    let post = async |operation: &str, body: &Value| {
        let path = format!("/fileexporter/v1/static/{operation}");
        server.request(&credential, &path, Some(body)).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let mut body = json!({"feed": "messages", "version": "1", "format": "jsonl", "date": "2024-10-04"});
    let file = post("listfeedfiles", &body).await["files"][0].clone();
    body["fileName"] = file["fileName"].clone();
    let url = post("getfeedfile", &body).await["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with(bucket_server) && url.contains("X-Amz-Expires=900&"), "{url}");
    let collected = http_client().get(&url).send().await.unwrap();
    assert_eq!(collected.status(), 200);
    let content = collected.bytes().await.unwrap();
    assert_eq!((json!(content.len()), json!(digest(&content))), (file["bytes"].clone(), file["sha256"].clone()));
    assert!(content.starts_with(b"{\"messageId\":\"M1000000\","));
}
