//! `parlance redact`, as it is put into a pipe.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Output, Stdio},
};

use crate::process::Home;

fn redact(arguments: &[&str], input: &str) -> Output {
    let home = Home::new();
    let mut command = home.command(&[&["redact"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn masked(arguments: &[&str], input: &str) -> String {
    let output = redact(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const TEXT: &str = "my ssn is 219-09-9999\nwrite to zoe@example.com\n";

#[test]
fn the_default_entities_are_masked() {
    assert_eq!(masked(&[], TEXT), "my ssn is ***-**-9999\nwrite to zoe@example.com\n");
}

#[test]
fn named_entities_are_masked_instead() {
    assert_eq!(masked(&["--entity", "EMAIL"], TEXT), "my ssn is 219-09-9999\nwrite to ***@example.com\n");
}

#[test]
fn all_entities_are_masked_but_those_excepted() {
    assert_eq!(masked(&["--all"], TEXT), "my ssn is ***-**-9999\nwrite to ***@example.com\n");
    let excepted = ["--all", "--except", "SSN", "--except", "NUMERIC_SEQUENCE"];
    assert_eq!(masked(&excepted, TEXT), "my ssn is 219-09-9999\nwrite to ***@example.com\n");
}

#[test]
fn a_bad_line_stops_it_after_what_came_before() {
    let output = redact(&["--jsonl"], "{\"text\": \"a\"}\nhush\n{\"text\": \"b\"}\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"text\":\"a\",\"spans\":[]}\n");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.starts_with("parlance: line 2: is not JSON") && !complaint.contains("hush"), "{complaint}");
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let home = Home::new();
    let mut command = home.command(&["redact", "--jsonl"]);
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
fn a_label_that_names_nothing_is_refused() {
    for arguments in [&["--entity", "NONE"][..], &["--except", "SSN"], &["--all", "--entity", "SSN"]] {
        assert_eq!(redact(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}
