//! Tests of `parlance privacy scan`: stored values are found in every file and every form.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};

use crate::process::TestEnvironment;

/// Two values, on the lines 1 and 3.
const CANARIES: &str = "jane.doe@example.org\n\nZoë \"Z\" +49 (30) 1234-5678\n";

/// What is printed of directories into which nothing was written.
const ABSENT: &str = "does not exist: feeds\ndoes not exist: parlance.db.ledger\nsearched: files ";

const SCAN: [&str; 5] = ["privacy", "scan", "--canaries", "canaries", "--json"];

/// An environment with an empty database and the list of values.
fn environment() -> TestEnvironment {
    let env = TestEnvironment::migrated();
    fs::write(env.path().join("canaries"), CANARIES).unwrap();
    env
}

/// The exit code and the output of a scan.
fn scan(env: &TestEnvironment, arguments: &[&str]) -> (i32, Value) {
    let output = env.run(&[&SCAN[..], arguments].concat());
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        assert!(!text.contains("jane.doe") && !text.contains("1234"), "a value is printed: {text}");
    }
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

/// The file, the number of the value, the form and whether it was compressed, of each finding.
fn found(report: &Value) -> Vec<(String, u64, String, bool)> {
    let findings = report["findings"].as_array().unwrap().iter().map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap().to_owned();
        let decompressed = finding["decompressed"].as_bool().unwrap();
        (text("file"), finding["value"].as_u64().unwrap(), text("form"), decompressed)
    });
    findings.collect()
}

/// Stores one message past the program, with the first value in its text.
fn insert_message(env: &TestEnvironment) {
    env.tamper(
        "INSERT INTO conversations VALUES ('acme', 'C1', 'call-1', NULL, NULL, 'customer-7', NULL, NULL, 0,
            1728000000000000, 0);
        INSERT INTO messages
            (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with)
        VALUES ('acme', 'C1', 0, 'M1', 1, 'agent-1', 'write to jane.doe@example.org please', 1728000000000000,
            'ffffffffffffffffff')",
    );
}

#[test]
fn a_stored_value_is_found_until_its_bytes_are_gone() {
    let env = environment();
    assert_eq!(scan(&env, &[]).0, 0);
    insert_message(&env);
    let (code, report) = scan(&env, &[]);
    assert_eq!(code, 1);
    let expected = ("parlance.db".to_owned(), 1, "utf8".to_owned(), false);
    assert!(found(&report).iter().all(|finding| *finding == expected) && !found(&report).is_empty(), "{report}");
    env.tamper("DELETE FROM messages; DELETE FROM conversations; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    let (code, report) = scan(&env, &[]);
    assert_eq!((code, found(&report)), (0, Vec::new()));
}

#[test]
fn a_value_is_found_in_the_logs_of_the_database() {
    let env = environment();
    for suffix in ["-wal", "-shm", "-journal", ".unfinished"] {
        let name = format!("parlance.db{suffix}");
        fs::write(env.path().join(&name), CANARIES).unwrap();
        let (code, report) = scan(&env, &[]);
        assert_eq!((code, found(&report)[0].0.as_str()), (1, name.as_str()), "{report}");
        fs::remove_file(env.path().join(name)).unwrap();
    }
}

#[test]
fn a_value_is_found_in_the_ledger_of_erasures() {
    let env = environment();
    fs::create_dir(env.path().join("parlance.db.ledger")).unwrap();
    fs::write(env.path().join("parlance.db.ledger/ABC.jsonl"), CANARIES).unwrap();
    let (code, report) = scan(&env, &[]);
    assert_eq!((code, found(&report)[0].0.as_str()), (1, "parlance.db.ledger/ABC.jsonl"), "{report}");
}

#[test]
fn a_value_is_found_in_feeds_of_every_format_and_compression() {
    let env = environment();
    env.create_credential();
    insert_message(&env);
    for compression in ["gzip", "zstd", "none"] {
        let _ = fs::remove_dir_all(env.path().join("feeds"));
        let period = ["--tenant", "acme", "--from", "2024-10-04", "--to", "2024-10-04"];
        env.run_ok(&[&["feed", "export", "--feed-compression", compression][..], &period].concat());
        let (code, report) = scan(&env, &[]);
        let files: Vec<_> = found(&report).into_iter().filter(|(_, _, form, _)| form == "utf8").collect();
        let is_compressed = compression != "none";
        for (format, is_decoded) in [("jsonl", is_compressed), ("csv", is_compressed), ("parquet", true)] {
            let is_found = files.iter().any(|(file, value, _, decompressed)| {
                file.contains(&format!(".{format}")) && *value == 1 && *decompressed == is_decoded
            });
            assert!(code == 1 && is_found, "{compression} {format}: {report}");
        }
    }
}

#[test]
fn each_written_form_is_found_in_a_further_path() {
    let env = environment();
    let copies = env.path().join("copies/nested");
    fs::create_dir_all(&copies).unwrap();
    let utf16 = |bytes: fn(u16) -> [u8; 2]| "jane.doe@example.org".encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    for (value, form, content) in [
        (1, "utf16le", utf16(u16::to_le_bytes)),
        (1, "utf16be", utf16(u16::to_be_bytes)),
        (1, "percent", b"jane.doe%40example.org".to_vec()),
        (1, "hex", b"6a616e652e646f65406578616d706c652e6f7267".to_vec()),
        (1, "base64", b"eGphbmUuZG9lQGV4YW1wbGUub3JneQ==".to_vec()),
        (3, "json", br#"{"a":"Zo\u00eb \"Z\" +49 (30) 1234-5678"}"#.to_vec()),
        (3, "csv", "\"Zoë \"\"Z\"\" +49 (30) 1234-5678\"".into()),
        (3, "digits", "Zoë \"Z\" +493012345678".into()),
    ] {
        fs::write(copies.join("copy"), [&b"before "[..], &content, b" after"].concat()).unwrap();
        let (code, report) = scan(&env, &["--path", "copies"]);
        let expected = ("copies/nested/copy".to_owned(), value, form.to_owned(), false);
        assert_eq!((code, found(&report)), (1, vec![expected]), "{form}");
    }
    fs::remove_file(copies.join("copy")).unwrap();
    assert_eq!(scan(&env, &["--path", "copies"]).0, 0);
}

#[test]
fn a_value_over_the_border_of_a_chunk_is_found_once_with_its_offset() {
    let env = environment();
    for before in [1 << 20, (1 << 20) + 30, (1 << 20) + 90, 3 << 20] {
        let content = [&vec![b'.'; before - 9][..], b"jane.doe@example.org", &vec![b'.'; 1 << 20]].concat();
        fs::write(env.path().join("large"), content).unwrap();
        let (code, report) = scan(&env, &["--path", "large", "--only-paths"]);
        assert_eq!((code, found(&report).len()), (1, 1), "{before}");
        assert_eq!(report["findings"][0]["offset"], json!(before - 9));
    }
}

#[test]
fn what_cannot_be_searched_is_named_with_exit_code_2() {
    let env = environment();
    fs::write(env.path().join("cut.gz"), [0x1f, 0x8b, 8, 0]).unwrap();
    for (arguments, error) in [
        (&["--path", "missing"][..], "parlance: not searched to its end: missing: "),
        (&["--path", "cut.gz"], "parlance: not searched to its end: cut.gz: "),
        (&["--feeds-url", "s3://bucket/feeds"], "parlance: not searched: feeds_url: is a bucket"),
        (&["--database-url", "postgres://h/n"], "parlance: not searched: database_url: is not a file"),
        (&["--database-url", "sqlite://none.db"], "parlance: not searched to its end: none.db: "),
    ] {
        let (code, line) = env.run_failing(&[&SCAN[..], arguments].concat());
        assert!(code == 2 && line.starts_with(error), "{line}");
    }
    // A finding does not hide that a file was not searched.
    fs::write(env.path().join("copy"), CANARIES).unwrap();
    let (code, report) = scan(&env, &["--path", "copy", "--path", "missing"]);
    assert_eq!((code, report["notSearched"].as_array().unwrap().len(), found(&report).len() > 1), (2, 1, true));
}

#[test]
fn an_unreadable_file_is_named_unless_the_user_may_read_everything() {
    let env = environment();
    let path = env.path().join("secret");
    fs::write(&path, CANARIES).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let (code, report) = scan(&env, &["--path", "secret", "--only-paths"]);
    if fs::read(&path).is_ok() {
        assert_eq!((code, found(&report).is_empty()), (1, false));
    } else {
        assert_eq!((code, report["notSearched"].as_array().unwrap().len()), (2, 1));
    }
}

#[test]
fn the_first_value_of_a_list_with_a_byte_order_mark_is_found() {
    let env = environment();
    fs::write(env.path().join("canaries"), format!("\u{feff}{CANARIES}")).unwrap();
    fs::write(env.path().join("copy"), "..jane.doe@example.org").unwrap();
    let (code, report) = scan(&env, &["--path", "copy", "--only-paths"]);
    assert_eq!((code, found(&report)), (1, vec![("copy".to_owned(), 1, "utf8".to_owned(), false)]));
}

#[test]
fn a_list_that_cannot_be_used_is_refused_by_its_line() {
    let env = environment();
    fs::write(env.path().join("canaries"), "jane.doe@example.org\nshort\n").unwrap();
    let (code, line) = env.run_failing(&SCAN);
    let expected = "parlance: --canaries: canaries: line 2 has fewer than 6 bytes: so short a value occurs by chance";
    assert_eq!((code, line.as_str()), (2, expected));
    fs::remove_file(env.path().join("canaries")).unwrap();
    assert_eq!(env.run_failing(&SCAN).0, 2);
}

#[test]
fn the_text_output_has_a_line_for_each_finding_and_the_counts() {
    let env = environment();
    fs::write(env.path().join("copy"), "..jane.doe@example.org").unwrap();
    let output = env.run(&["privacy", "scan", "--canaries", "canaries", "--path", "copy", "--only-paths"]);
    let expected = "copy  offset 2  value 1  utf8\nsearched: files 1, bytes 22; found: 1\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(1), expected));
    let output = env.run(&["privacy", "scan", "--canaries", "canaries"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && printed.starts_with(ABSENT), "{printed}");
}
