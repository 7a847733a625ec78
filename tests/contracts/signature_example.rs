//! Tests the example in the docs that verifies the signature of a delivered vocabulary.

use std::{fmt::Write, fs, process::Command};

use parlance::system::SystemClock;
use parlance_adapters_transcription::{SIGNATURE_HEADER, SignatureHeaders, TIMESTAMP_HEADER, signature_headers};
use parlance_domain::time::Clock;
use serde_json::json;

const KEY: &str = "a key of sixteen bytes or more";

/// The example needs Python and only its standard library.
#[test]
fn the_example_in_the_docs_accepts_only_a_genuine_request() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/delivery.md")).unwrap();
    let example = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let sent_at = SystemClock.now();
    let SignatureHeaders { timestamp, signature } = signature_headers(KEY.as_bytes(), sent_at, br#"{"version":7}"#);
    let old = signature_headers(KEY.as_bytes(), sent_at.plus_seconds(-600), br#"{"version":7}"#);
    let mut program = example.to_owned();
    for (timestamp, signature, body, genuine) in [
        (&timestamp, &signature, r#"{"version":7}"#, "True"),
        (&timestamp, &signature, r#"{"version":8}"#, "False"),
        (&old.timestamp, &old.signature, r#"{"version":7}"#, "False"),
        (&timestamp, &old.signature, r#"{"version":7}"#, "False"),
    ] {
        let headers = json!({TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: signature});
        let _ = writeln!(program, "assert is_genuine({headers}, b'{body}', '{KEY}') is {genuine}");
    }
    let output = Command::new("python3").args(["-c", &program]).output().expect("python3 must be installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
