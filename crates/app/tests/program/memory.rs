//! The memory of the program, which holds secrets and texts, is not written to the disk.
#![cfg(target_os = "linux")]

use crate::process::Home;

#[test]
fn a_server_leaves_no_core_dump() {
    let server = Home::new().serve(&[]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.process())).unwrap();
    let core = limits.lines().find_map(|line| line.strip_prefix("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().take(2).collect::<Vec<_>>(), ["0", "0"], "{limits}");
}
