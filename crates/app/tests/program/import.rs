//! Tests of `parlance import`: files of both formats, refused lines, exit codes, memory, and a server beside.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Output, Stdio},
};

use serde_json::{Value, json};
use support::database::TestDatabase;

use crate::process::TestEnvironment;

const HEADER: &str = "conversation_external_id,customer_external_id,conversation_timestamp,sender_role,sender_external_id,timestamp,text";

/// A line of a JSON Lines file with one message.
fn line(number: usize, text: &str) -> Value {
    let message = json!({
        "text": text,
        "sender": {"role": "customer", "externalId": "customer-7"},
        "timestamp": "2026-01-31T09:30:01Z",
    });
    json!({
        "externalId": format!("call-{number}"),
        "customer": {"externalId": "customer-7"},
        "timestamp": "2026-01-31T09:30:00Z",
        "messages": [message],
    })
}

/// A line of a CSV file.
fn csv_line(conversation: &str, text: &str) -> String {
    format!("{conversation},customer-7,2026-01-31T09:30:00Z,customer,customer-7,2026-01-31T09:30:01Z,{text}")
}

impl TestEnvironment {
    /// An environment with a tenant, and its credential.
    fn with_tenant() -> (Self, Value) {
        let env = Self::new();
        let credential = env.create_credential();
        (env, credential)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).unwrap();
    }

    fn import(&self, arguments: &[&str]) -> Output {
        self.run(&[&["import", "--tenant", "acme"], arguments].concat())
    }

    /// Imports a file, and returns the exit code, the summary without its seconds, and the lines of errors.
    fn import_file(&self, arguments: &[&str]) -> (i32, String, Vec<String>) {
        let output = self.import(arguments);
        let summary = String::from_utf8(output.stdout).unwrap();
        let summary = summary.rsplit_once(';').map_or(String::new(), |(counts, _)| counts.to_owned());
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), summary, errors.lines().map(str::to_owned).collect())
    }

    fn query(&self, sql: &str) -> Vec<String> {
        let database = rusqlite::Connection::open(self.path().join("parlance.db")).unwrap();
        let mut statement = database.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn texts(&self) -> Vec<String> {
        self.query("SELECT text FROM messages ORDER BY sent_at, id")
    }
}

fn counts(created: usize, unchanged: usize, added: usize, present: usize, refused: usize) -> String {
    format!(
        "{created} conversations added, 0 updated, {unchanged} unchanged; {added} messages added, {present} stored \
         before; {refused} lines refused"
    )
}

#[test]
fn a_json_lines_file_is_imported_once_and_masked() {
    let (env, _) = TestEnvironment::with_tenant();
    env.write("a.jsonl", format!("{}\n{}\n", line(1, "my ssn is 219-09-9999"), line(2, "hello")));
    assert_eq!(env.import_file(&["a.jsonl"]), (0, counts(2, 0, 2, 0, 0), vec![]));
    assert_eq!(env.import_file(&["a.jsonl"]), (0, counts(0, 2, 0, 2, 0), vec![]));
    assert_eq!(env.query("SELECT text FROM messages ORDER BY text"), ["hello", "my ssn is ***-**-9999"]);
}

#[test]
fn a_csv_file_is_imported_once_with_quotes_line_breaks_a_mark_and_metadata() {
    let (env, _) = TestEnvironment::with_tenant();
    let text = "\"he said \"\"hi, \r\nthere\"\"\"";
    let file =
        format!("\u{feff}{HEADER},metadata.queue\r\n{},sales\r\n{},\r\n", csv_line("x", text), csv_line("y", "b"));
    env.write("a.csv", file);
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(2, 0, 2, 0, 0), vec![]));
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(0, 2, 0, 2, 0), vec![]));
    assert_eq!(env.query("SELECT text FROM messages ORDER BY text DESC"), ["he said \"hi, \r\nthere\"", "b"]);
    let metadata = "SELECT coalesce(metadata, 'none') FROM conversations ORDER BY external_id";
    assert_eq!(env.query(metadata), ["{\"queue\":\"sales\"}", "none"]);
}

#[test]
fn equal_lines_of_one_file_are_different_messages() {
    let (env, _) = TestEnvironment::with_tenant();
    env.write("a.csv", format!("{HEADER}\n{}\n{}\n", csv_line("x", "ok"), csv_line("x", "ok")));
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(1, 0, 2, 0, 0), vec![]));
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(0, 1, 0, 2, 0), vec![]));
}

#[test]
fn equal_messages_whose_lines_describe_the_conversation_differently_are_all_stored() {
    let (env, _) = TestEnvironment::with_tenant();
    let line = csv_line("x", "ok");
    let lines = [
        format!("{line},1"),
        format!("{line},2"),
        format!("{},1", line.replacen("customer-7", "customer-8", 1)),
        format!("{},1", line.replacen("09:30:00Z", "09:29:00Z", 1)),
    ];
    env.write("a.csv", format!("{HEADER},metadata.n\n{}\n", lines.join("\n")));
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(1, 0, 4, 0, 0), vec![]));
    assert_eq!(env.import_file(&["a.csv"]), (0, counts(0, 1, 0, 4, 0), vec![]));
    let described = env.query("SELECT customer_external_id || metadata FROM conversations");
    assert_eq!(described, ["customer-7{\"n\":\"1\"}"]);
}

#[test]
fn a_record_whose_quotes_are_wrong_is_refused_with_all_its_lines_and_the_next_line_is_read() {
    let (env, _) = TestEnvironment::with_tenant();
    let lines = [
        HEADER,
        &csv_line("w", "\"a\"b"),
        &csv_line("x", "\"stray"),
        &csv_line("y", "b"),
        &csv_line("y", "\"c, d\""),
        &csv_line("z", "\"said \"\"e\"\"\""),
        &csv_line("z", "said \"f\""),
        &csv_line("v", "\"never closed"),
    ];
    env.write("a.csv", format!("{}\n{}", lines.join("\n"), format!("{}\n", csv_line("v", "g")).repeat(40_000)));
    let (code, summary, errors) = env.import_file(&["a.csv"]);
    assert_eq!((code, summary), (1, counts(1, 0, 2, 0, 40_005)));
    let quote = "must have a comma or the end of the line after the closing quote of a cell [csv]";
    let expected = [
        format!("a.csv:2: {quote}"),
        format!("a.csv:3-5: {quote}"),
        "a.csv:8-40008: must close its quotes before the end of the file [csv]".to_owned(),
    ];
    assert_eq!(errors[..3], expected);
    assert_eq!(env.query("SELECT text FROM messages ORDER BY text"), ["said \"e\"", "said \"f\""]);
}

#[test]
fn a_file_that_grew_adds_its_new_lines_and_one_that_was_cut_reports_its_last_line() {
    let (env, _) = TestEnvironment::with_tenant();
    let whole = format!("{}\n{}\n", line(1, "a"), line(2, "b"));
    env.write("a.jsonl", &whole[..whole.len() - 30]);
    let (code, summary, errors) = env.import_file(&["a.jsonl"]);
    assert_eq!((code, summary), (1, counts(1, 0, 1, 0, 1)));
    assert!(errors[0].starts_with("a.jsonl:2: is incomplete JSON: ends at column "), "{errors:?}");
    env.write("a.jsonl", format!("{whole}{}\n", line(3, "c")));
    assert_eq!(env.import_file(&["a.jsonl"]), (0, counts(2, 1, 2, 1, 0), vec![]));
}

#[test]
fn the_standard_input_needs_a_format() {
    let (env, _) = TestEnvironment::with_tenant();
    let mut command = env.command(&["import", "--tenant", "acme", "--format", "csv", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{HEADER}\n{}", csv_line("x", "hello")).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && env.texts() == ["hello"]);
    let (code, _, errors) = env.import_file(&["-"]);
    assert_eq!((code, errors[0].as_str()), (2, "-: the format is unknown: add --format jsonl or --format csv"));
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_imported() {
    let (env, _) = TestEnvironment::with_tenant();
    env.write("good.jsonl", line(1, "a").to_string());
    env.write("semicolons.csv", HEADER.replace(',', ";"));
    env.write("empty.csv", "");
    env.write("empty.jsonl", "");
    env.write("short.csv", "text\nhello\n");
    let files = ["missing.csv", "semicolons.csv", "short.csv", "empty.csv", "empty.jsonl", "good.jsonl"];
    let (code, summary, errors) = env.import_file(&files);
    assert_eq!((code, summary), (2, counts(1, 0, 1, 0, 0)));
    let expected = [
        "missing.csv: No such file or directory (os error 2)",
        "semicolons.csv: the header has semicolons: cells must be separated by commas",
        "short.csv: the header lacks the column conversation_external_id",
        "empty.csv: the file is empty: its first line must be a header",
        "parlance: 4 files were not read to the end: correct the cause, and import them again",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn a_database_that_cannot_be_opened_and_a_tenant_that_does_not_exist_exit_with_2() {
    let env = TestEnvironment::new();
    assert_eq!(env.import(&["a.jsonl"]).status.code(), Some(2));
    env.create_credential();
    let output = env.run(&["import", "--tenant", "other", "a.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("there is no tenant other"));
}

#[test]
fn a_dry_run_reports_and_writes_nothing() {
    let (env, _) = TestEnvironment::with_tenant();
    env.write("a.jsonl", format!("{}\n[]\n", line(1, "a")));
    let (code, summary, errors) = env.import_file(&["--dry-run", "a.jsonl"]);
    assert_eq!((code, summary.replace(" to add", " added")), (1, counts(1, 0, 1, 0, 1)));
    assert_eq!(errors[0], "a.jsonl:2: must be an object [type]");
    assert!(env.texts().is_empty());
}

#[test]
fn a_dry_run_counts_as_the_import_does() {
    let (env, _) = TestEnvironment::with_tenant();
    let count_both = |file: &str, expected: &str| {
        for arguments in [&["--dry-run", file][..], &[file]] {
            let (code, summary, _) = env.import_file(arguments);
            assert_eq!((code, summary.replace(" to add", " added").as_str()), (0, expected), "{arguments:?}");
        }
    };
    env.write("twice.jsonl", format!("{}\n{}\n", line(1, "a"), line(1, "a")));
    count_both("twice.jsonl", &counts(1, 1, 1, 1, 0));
    let mut changed = line(1, "a");
    changed["customer"]["externalId"] = json!("customer-8");
    changed["metadata"] = json!({"queue": "sales"});
    env.write("changed.jsonl", changed.to_string());
    count_both("changed.jsonl", &counts(0, 0, 0, 1, 0).replace("0 updated", "1 updated"));
    env.write("far.csv", format!("{HEADER}\n{}", format!("{}\n", csv_line("x", "ok")).repeat(13_000)));
    let added = 3 * 4_096;
    count_both("far.csv", &counts(1, 0, added, 13_000 - added, 0));
}

#[test]
fn identifiers_with_card_data_are_refused_line_by_line_if_the_policy_says_so() {
    let (env, _) = TestEnvironment::with_tenant();
    let card = "4111-1111-1111-1111";
    let sender = csv_line("x", "b").replace("customer,customer-7", &format!("customer,{card}"));
    let customer = csv_line("y", "c").replacen("customer-7", card, 1);
    let lines = [HEADER, &csv_line("x", "a"), &sender, &customer, &csv_line("x", "d")].join("\n");
    env.write("a.csv", lines);
    let (code, summary, mut errors) = env.import_file(&["--sensitive-identifiers", "refuse", "a.csv"]);
    assert_eq!((code, summary), (1, counts(1, 0, 2, 0, 2)));
    errors.sort();
    let rule = "must not contain a card number or a card verification code [sensitive_value]";
    assert_eq!(
        errors[..2],
        [format!("a.csv:3: sender_external_id {rule}"), format!("a.csv:4: customer_external_id {rule}")]
    );
    assert_eq!(env.texts(), ["a", "d"]);
}

#[test]
fn a_line_whose_description_of_the_conversation_is_refused_does_not_affect_the_other_lines() {
    let (env, _) = TestEnvironment::with_tenant();
    let bad = |text| csv_line("x", text).replacen("customer-7", "4111-1111-1111-1111", 1);
    let other = csv_line("x", "c").replacen("customer-7", "customer-8", 1);
    env.write("a.csv", [HEADER, &bad("a"), &csv_line("x", "b"), &other, &bad("d")].join("\n"));
    let (code, summary, errors) = env.import_file(&["--sensitive-identifiers", "refuse", "a.csv"]);
    assert_eq!((code, summary), (1, counts(1, 0, 2, 0, 2)));
    assert!(errors[0].starts_with("a.csv:2: customer_external_id "), "{errors:?}");
    assert!(errors[1].starts_with("a.csv:5: customer_external_id "), "{errors:?}");
    assert_eq!(env.texts(), ["b", "c"]);
    assert_eq!(env.query("SELECT customer_external_id FROM conversations"), ["customer-7"]);
}

/// Ten kinds of wrong lines, each with the start of its error.
fn wrong_lines() -> [(Vec<u8>, &'static str); 10] {
    let changed = |path: &str, value: Value| {
        let mut line = line(0, "hush");
        *line.pointer_mut(path).unwrap() = value;
        line.to_string().into_bytes()
    };
    let mut without = line(0, "hush");
    without.as_object_mut().unwrap().remove("customer");
    let mut invalid = line(0, "hush!").to_string().into_bytes();
    let at = invalid.iter().position(|byte| *byte == b'!').unwrap();
    invalid[at] = 0xff;
    [
        (b"hush".to_vec(), "is not JSON in UTF-8"),
        (invalid, "is not JSON in UTF-8"),
        (b"[\"hush\"]".to_vec(), "must be an object [type]"),
        (without.to_string().into_bytes(), "/customer is missing [required]"),
        (changed("/externalId", json!("")), "/externalId must have at least 1 character [min_characters]"),
        (changed("/timestamp", json!("2026-02-30T00:00:00Z")), "/timestamp must be an RFC 3339 date and time"),
        (changed("/messages/0/text", json!("")), "/messages/0/text must have at least 1 character [min_characters]"),
        (changed("/messages/0/text", json!(7)), "/messages/0/text must be a string [type]"),
        (changed("/messages/0/sender/role", json!("robot")), "/messages/0/sender/role must be one of agent"),
        (changed("/messages/0/text", json!("x".repeat(300_000))), "/messages/0/text must have at most 262144 bytes"),
    ]
}

#[test]
fn every_wrong_line_among_many_is_reported_by_number_and_reason_and_no_other_is_lost() {
    let (env, _) = TestEnvironment::with_tenant();
    let lines = std::env::var("PARLANCE_TEST_IMPORT_LINES").map_or(5_000, |lines| lines.parse().unwrap());
    let (mut file, mut expected) = (Vec::new(), Vec::new());
    let wrong = wrong_lines();
    for number in 1..=lines {
        if number % 100 == 0 {
            let (line, error) = &wrong[number / 100 % wrong.len()];
            file.extend_from_slice(line);
            expected.push((number, *error));
        } else {
            file.extend_from_slice(line(number, &format!("message {number}")).to_string().as_bytes());
        }
        file.push(b'\n');
    }
    env.write("a.jsonl", file);
    let (code, summary, errors) = env.import_file(&["a.jsonl"]);
    let good = lines - expected.len();
    assert_eq!((code, summary), (1, counts(good, 0, good, 0, expected.len())));
    let numbered = errors.iter().filter_map(|line| {
        let (number, error) = line.strip_prefix("a.jsonl:")?.split_once(": ")?;
        Some((number.parse::<usize>().ok()?, error))
    });
    let mut numbered: Vec<_> = numbered.collect();
    numbered.sort_unstable();
    assert_eq!(numbered.len(), expected.len());
    for ((number, error), (expected_number, start)) in numbered.iter().zip(expected) {
        assert!(*number == expected_number && error.starts_with(start) && !error.contains("hush"), "{number} {error}");
    }
    let stored = env.query("SELECT CAST(count(DISTINCT text) AS TEXT) FROM messages");
    assert_eq!(stored, [good.to_string()]);
    assert!(env.query("SELECT text FROM messages WHERE text LIKE '%hush%'").is_empty());
}

#[actix_web::test]
async fn a_file_is_imported_while_a_server_writes_to_the_same_database() {
    for database in [None, TestDatabase::postgres()] {
        let Some(url) = database.as_ref().map_or(Some("sqlite://parlance.db"), |database| Some(database.url())) else {
            continue;
        };
        let env = TestEnvironment::with_database_url(url);
        let credential = env.create_credential();
        let server = env.serve(&[]);
        let lines = (0..2_000).fold(String::new(), |mut lines, number| {
            writeln!(lines, "{}", line(number, "hello")).unwrap();
            lines
        });
        env.write("a.jsonl", lines);
        let mut import = env.command(&["import", "--tenant", "acme", "a.jsonl"]);
        let mut import = import.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut written = 0;
        while import.try_wait().unwrap().is_none() {
            let body = crate::process::conversation(&format!("live-{written}"));
            let response = server.request(&credential, "/conversation/v1/conversations", Some(&body)).send().await;
            assert_eq!(response.unwrap().status(), 200);
            written += 1;
        }
        let output = import.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("2000 conversations added"));
        let path = "/conversation/v1/conversation/messages?externalId=call-1999";
        let transcript: Value = server.request(&credential, path, None).send().await.unwrap().json().await.unwrap();
        assert_eq!(transcript["items"][0]["text"], "hello");
        assert!(written > 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn lines_as_long_as_allowed_need_less_than_70_megabytes() {
    let (env, _) = TestEnvironment::with_tenant();
    let message = line(1, "a")["messages"][0].clone();
    let mut long = line(1, "a");
    let count = 4 * 1024 * 1024 / (message.to_string().len() + 1) - 10;
    long["messages"] = Value::Array(vec![message; count]);
    let long = long.to_string();
    let lines: String = (0..2).map(|number| long.replace("call-1", &format!("call-{number}")) + "\n").collect();
    env.write("a.jsonl", lines + &"x".repeat(20_000_000));
    let (code, peak) = peak_megabytes(&env, "a.jsonl");
    assert!(code == Some(1) && peak < 70, "{code:?}, {peak} MB");
}

/// Imports a file, and returns the exit code and the greatest memory that it allocated, in megabytes. The pages of the program
/// file are left out: a debug build has many more of them than a release.
#[cfg(target_os = "linux")]
fn peak_megabytes(env: &TestEnvironment, file: &str) -> (Option<i32>, u64) {
    let mut command = env.command(&["import", "--tenant", "acme", file]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or_default() / 1_000);
        if let Some(exit) = child.try_wait().unwrap() {
            return (exit.code(), peak);
        }
        std::thread::yield_now();
    }
}

#[actix_web::test]
async fn a_public_set_of_dialogues_is_imported_listed_read_and_exported() {
    let (env, credential) = TestEnvironment::with_tenant();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/star/dialogues.jsonl");
    let file = file.to_str().unwrap();
    let (code, summary, errors) = env.import_file(&["--feed-day", "client-time", file]);
    assert_eq!((code, errors), (0, vec![]));
    assert!(summary.starts_with("17 conversations added"), "{summary}");
    let server = env.serve(&[]);
    let list = "/conversation/v1/conversations?externalId=star-1";
    let found: Value = server.request(&credential, list, None).send().await.unwrap().json().await.unwrap();
    assert_eq!(found["items"][0]["metadata"]["domains"], "doctor");
    let path = "/conversation/v1/conversation/messages?externalId=star-1&format=txt";
    let transcript = server.request(&credential, path, None).send().await.unwrap().text().await.unwrap();
    assert!(transcript.contains("Could I get your name, please?"), "{transcript}");
    drop(server);
    env.run_ok(&[
        "feed",
        "export",
        "--tenant",
        "acme",
        "--from",
        "2020-05-13",
        "--to",
        "2020-05-13",
        "--feed-formats",
        "jsonl",
        "--feed-compression",
        "none",
    ]);
    let day = "feeds/acme/messages/version=1/format=jsonl/dt=2020-05-13";
    let files = fs::read_dir(env.path().join(day)).unwrap().map(|entry| entry.unwrap().path());
    let rows: String = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert!(rows.contains("Could I get your name, please?"), "{rows}");
}

#[test]
fn messages_in_the_day_of_their_own_time_revise_feed_days_that_were_exported() {
    let (env, _) = TestEnvironment::with_tenant();
    let export = || env.run_ok(&["feed", "export", "--tenant", "acme", "--from", "2026-01-31", "--to", "2026-01-31"]);
    let manifest = || {
        let path = "feeds/acme/messages/version=1/format=jsonl/dt=2026-01-31/_manifest.json";
        let text = fs::read_to_string(env.path().join(path)).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        (manifest["revision"].clone(), manifest["rows"].clone())
    };
    export();
    assert_eq!(manifest(), (json!(1), json!(0)));
    env.write("a.jsonl", line(1, "a").to_string());
    env.write("b.jsonl", line(2, "b").to_string());
    env.import_file(&["b.jsonl"]);
    export();
    assert_eq!(manifest(), (json!(1), json!(0)));
    env.import_file(&["--feed-day", "client-time", "a.jsonl"]);
    export();
    assert_eq!(manifest(), (json!(2), json!(1)));
}
