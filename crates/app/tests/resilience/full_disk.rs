//! Tests of a full disk under the embedded database: writes are 503, no data is damaged, and writes succeed again once
//! there is space.

use std::{process::Command, time::Instant};

use crate::replica::{CONVERSATIONS, TEST_TIMEOUT, TestEnvironment, message};

/// Limits each file of the server to 1024 blocks of 512 bytes, which has the effect of a full disk. The ignored signal
/// XFSZ makes a larger write fail with an error.
const LIMIT_FILE_SIZE: &str = r#"trap '' XFSZ; ulimit -S -f 1024; exec "$0" "$@""#;

#[actix_web::test]
async fn a_full_disk_is_a_503_until_there_is_space_and_damages_nothing() {
    let env = TestEnvironment::new();
    let credential = env.create_credential("acme");
    let server = env.serve_through_shell(LIMIT_FILE_SIZE);
    let caller = server.caller(&credential);
    let path = caller.create_conversation("call-1").await;
    let text = "a long story ".repeat(4_000);
    let (deadline, mut written) = (Instant::now() + TEST_TIMEOUT, 0);
    let refused = loop {
        let (status, body) = caller.post(&path, &message(&format!("{written} {text}"))).await;
        if status != 200 {
            break (status, body["error"]["code"].clone());
        }
        written += 1;
        assert!(Instant::now() < deadline, "the disk is not full after {written} messages");
    };
    assert_eq!(refused, (503, "503-01".into()));
    assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=call-1")).await.0, 200, "stored data must be readable");

    let no_limit = ["--pid", &server.process_id().to_string(), "--fsize=unlimited"];
    assert!(Command::new("prlimit").args(no_limit).status().unwrap().success());
    assert_eq!(caller.post(&path, &message("there is room again")).await.0, 200);
    let (_, list) = caller.get(&path).await;
    assert_eq!(list["items"].as_array().unwrap().len(), written + 1, "a refused message must not be stored");
    drop(server);
    env.run_ok(&["backup", "sound.db"]);
}
