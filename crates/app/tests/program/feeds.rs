//! Feeds by the program: exported by hand and once a day, and whole whenever it is killed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::{client::http, dice::Dice};

use crate::process::{Home, conversation};

/// Days of 2024-10-04 and after: 20,000 and more after 1970.
const FIRST_DAY: i64 = 20_000;

impl Home {
    fn feeds(&self) -> PathBuf {
        self.path().join("feeds")
    }

    /// Puts messages into the database behind the program's back: so many on each of so many days from a first one on.
    fn fill(&self, first: i64, days: u32, messages: u32) {
        self.credential();
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
    let pairs: Vec<_> = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.concat()
}

/// The folders of days below a folder.
fn days(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders
        .into_iter()
        .flat_map(
            |path| {
                if path.file_name().unwrap().to_str().unwrap().starts_with("dt=") { vec![path] } else { days(&path) }
            },
        )
        .collect()
}

/// Holds every complete day to its manifest, and gives the number of its rows.
fn rows_of_complete_days(home: &Home) -> Vec<u64> {
    let complete = days(&home.feeds()).into_iter().filter(|day| day.join("_SUCCESS").exists());
    complete.map(|day| whole(&day)).collect()
}

fn whole(day: &Path) -> u64 {
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

/// How many files there are that no reader is to see, of all that an export makes.
fn left_over(home: &Home) -> usize {
    let folders = days(&home.feeds());
    let names = folders.iter().flat_map(|day| fs::read_dir(day).unwrap()).map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with("_part") || name.starts_with("_progress") || name.contains('#')).count()
}

const EXPORT: [&str; 9] =
    ["feed", "export", "--to", "2024-10-06", "--feed-formats", "jsonl", "--feed-compression", "none", "--tenant"];

fn export(home: &Home) -> std::process::Command {
    let mut command = home.command(&EXPORT);
    command.arg("acme").stderr(Stdio::null()).stdout(Stdio::null());
    command
}

/// Begins an export from nothing, kills it after so long, and tells whether it was still under way.
fn is_killed_after(home: &Home, moment: Duration) -> bool {
    if home.feeds().exists() {
        fs::remove_dir_all(home.feeds()).unwrap();
    }
    let mut child = export(home).spawn().unwrap();
    let until = Instant::now() + moment;
    while Instant::now() < until && child.try_wait().unwrap().is_none() {
        std::hint::spin_loop();
    }
    let under_way = child.try_wait().unwrap().is_none();
    // It may have ended already.
    let _ = child.kill();
    child.wait().unwrap();
    under_way
}

#[test]
fn whenever_an_export_is_killed_every_listed_day_is_whole_and_the_next_run_completes_it() {
    let home = Home::new();
    home.fill(FIRST_DAY, 3, 8_000);
    let begun = Instant::now();
    assert!(export(&home).status().unwrap().success());
    let whole_run = begun.elapsed();
    let undisturbed = rows_of_complete_days(&home);
    assert_eq!(undisturbed.iter().sum::<u64>(), 24_001, "the messages and their conversation");
    let mut dice = Dice::new(5);
    for _ in 0..20 {
        let mut moment = whole_run.mul_f64(f64::from(u32::try_from(dice.below(1_000)).unwrap()) / 1_000.0);
        // The machine may be faster by now than when the whole run was timed.
        while !is_killed_after(&home, moment) {
            moment /= 2;
        }
        rows_of_complete_days(&home);
        fs::create_dir_all(home.feeds()).unwrap();
        assert!(export(&home).status().unwrap().success());
        assert_eq!(rows_of_complete_days(&home).iter().sum::<u64>(), 24_001);
        assert_eq!(left_over(&home), 0, "nothing is left of the run that was killed");
    }
}

#[test]
fn what_was_exported_is_listed_as_a_calendar() {
    let home = Home::new();
    home.fill(FIRST_DAY, 3, 10);
    assert!(export(&home).status().unwrap().success());
    let printed = home.print(&["feed", "list"]);
    assert!(printed.contains("acme  messages  version=1  format=jsonl\n  2024-10   3 days: 4-6\n"), "{printed}");
}

#[test]
fn a_day_that_is_not_over_is_told_and_not_written() {
    let home = Home::new();
    home.fill(FIRST_DAY, 1, 1);
    let output = home.run(&["feed", "export", "--to", "9999-01-01"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.starts_with("parlance: --to: 9999-01-01 is not over yet"), "{told}");
    assert!(!home.feeds().exists());
}

#[test]
fn a_day_that_is_exported_before_it_is_over_is_not_listed() {
    let home = Home::new();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    home.fill(i64::try_from(seconds / 86_400).unwrap(), 1, 10);
    let output = home.run(&["feed", "export", "--unfinished", "--feed-formats", "jsonl"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.lines().any(|line| line.ends_with(" bytes, revision 1, not complete")), "{told}");
    let listed = home.print(&["feed", "list"]);
    assert!(listed.contains("acme  messages") && !listed.contains("day"), "{listed}");
}

#[test]
fn elsewhere_than_on_a_terminal_each_day_is_a_plain_line() {
    let home = Home::new();
    home.fill(FIRST_DAY, 1, 10);
    let output = home.command(&["feed", "export", "--to", "2024-10-04", "--feed-formats", "jsonl"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let line = told.lines().find(|line| line.starts_with("acme messages jsonl 2024-10-04: 10 rows, ")).unwrap();
    assert!(line.ends_with(" bytes, revision 1") && !told.contains('\u{1b}'), "{told}");
}

#[actix_web::test]
async fn a_server_produces_feeds_at_its_time_of_day() {
    let home = Home::new();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let yesterday = i64::try_from(seconds / 86_400).unwrap() - 1;
    home.fill(yesterday, 1, 10);
    // The next whole minute, and the one after it where that is too near.
    let minute = (seconds + 3) / 60 % 1_440 + 1;
    let at = format!("{:02}:{:02}", minute / 60 % 24, minute % 60);
    let mut server = home.serve(&["--feed-export-at", &at, "--feed-formats", "jsonl"]);
    let credential = home.credential();
    server.wait_for("feeds are up to date");
    let body = json!({"feed": "messages", "version": "1", "format": "jsonl"});
    let answer =
        server.request(&credential, "/fileexporter/v1/static/listfeeddates", Some(&body)).send().await.unwrap();
    let dates = answer.json::<Value>().await.unwrap();
    assert_eq!(dates["dates"].as_array().unwrap().len(), 1);
    let status = server.request(&credential, "/conversation/v1/conversations", Some(&conversation("call-2")));
    assert_eq!(status.timeout(Duration::from_secs(9)).send().await.unwrap().status(), 200);
}

#[actix_web::test]
async fn a_file_in_a_bucket_is_handed_out_by_an_address_of_the_bucket_that_any_client_can_read() {
    let Some((bucket, _)) = support::s3::bucket().await else { return };
    let bucket_server = support::s3::server().unwrap();
    let home = Home::new().with([
        ("PARLANCE_FEEDS_URL", &*format!("s3://{bucket}/feeds")),
        ("AWS_ENDPOINT", bucket_server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    home.fill(FIRST_DAY, 1, 10);
    assert!(export(&home).status().unwrap().success());
    let (server, credential) = (home.serve(&[]), home.credential());
    let ask = async |operation: &str, body: &Value| {
        let path = format!("/fileexporter/v1/static/{operation}");
        server.request(&credential, &path, Some(body)).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let mut body = json!({"feed": "messages", "version": "1", "format": "jsonl", "date": "2024-10-04"});
    let file = ask("listfeedfiles", &body).await["files"][0].clone();
    body["fileName"] = file["fileName"].clone();
    let url = ask("getfeedfile", &body).await["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with(bucket_server) && url.contains("X-Amz-Expires=900&"), "{url}");
    let collected = http().get(&url).send().await.unwrap();
    assert_eq!(collected.status(), 200);
    let content = collected.bytes().await.unwrap();
    assert_eq!((json!(content.len()), json!(digest(&content))), (file["bytes"].clone(), file["sha256"].clone()));
    assert!(content.starts_with(b"{\"messageId\":\"M1000000\","));
}
