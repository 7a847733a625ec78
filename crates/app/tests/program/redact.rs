//! Tests of `parlance redact` in a pipe.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Output, Stdio},
};

use crate::process::TestEnvironment;

fn redact(arguments: &[&str], input: &str) -> Output {
    let env = TestEnvironment::new();
    let mut command = env.command(&[&["redact"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn redact_text(arguments: &[&str], input: &str) -> String {
    let output = redact(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const TEXT: &str = "my ssn is 219-09-9999\nwrite to zoe@example.com\n";

#[test]
fn the_default_entities_are_masked() {
    assert_eq!(redact_text(&[], TEXT), "my ssn is ***-**-9999\nwrite to zoe@example.com\n");
}

#[test]
fn named_entities_are_masked_instead() {
    assert_eq!(redact_text(&["--entity", "EMAIL"], TEXT), "my ssn is 219-09-9999\nwrite to ***@example.com\n");
}

#[test]
fn all_entities_except_the_excepted_ones_are_masked() {
    assert_eq!(redact_text(&["--all"], TEXT), "my ssn is ***-**-9999\nwrite to ***@example.com\n");
    let excepted = ["--all", "--except", "SSN", "--except", "NUMERIC_SEQUENCE"];
    assert_eq!(redact_text(&excepted, TEXT), "my ssn is 219-09-9999\nwrite to ***@example.com\n");
}

#[test]
fn an_invalid_line_stops_the_command_after_the_lines_before_it() {
    let output = redact(&["--jsonl"], "{\"text\": \"a\"}\nhush\n{\"text\": \"b\"}\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"text\":\"a\",\"spans\":[]}\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("parlance: line 2: is not JSON") && !stderr.contains("hush"), "{stderr}");
}

#[test]
fn a_line_is_answered_before_the_next_line_is_sent() {
    let env = TestEnvironment::new();
    let mut command = env.command(&["redact", "--jsonl"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    for number in 0..3 {
        writeln!(input, "{{\"text\": \"message {number}\"}}").unwrap();
        let answer = lines.next().unwrap().unwrap();
        assert_eq!(answer, format!("{{\"text\":\"message {number}\",\"spans\":[]}}"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_unknown_label_or_an_invalid_combination_is_refused() {
    for arguments in [&["--entity", "NONE"][..], &["--except", "SSN"], &["--all", "--entity", "SSN"]] {
        assert_eq!(redact(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}
