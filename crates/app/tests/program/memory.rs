//! Tests that the memory of the process, which holds secrets and texts, is not written to disk.
#![cfg(target_os = "linux")]

use crate::process::TestEnvironment;

#[test]
fn a_server_leaves_no_core_dump() {
    let server = TestEnvironment::new().serve(&[]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.process_id())).unwrap();
    let core = limits.lines().find_map(|line| line.strip_prefix("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().take(2).collect::<Vec<_>>(), ["0", "0"], "{limits}");
}
