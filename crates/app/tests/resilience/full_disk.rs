//! No room for the embedded database: 503, nothing broken, and it goes on when there is room.

use std::{process::Command, time::Instant};

use crate::replica::{CONVERSATIONS, PATIENCE, Place, message};

/// Lets no file of the server grow over a mebibyte, as a full disk would, and lets that be an error and no signal.
const NO_ROOM: &str = r#"trap '' XFSZ; ulimit -S -f 1024; exec "$0" "$@""#;

#[actix_web::test]
async fn a_full_disk_is_503_and_breaks_nothing_and_passes() {
    let place = Place::new();
    let credential = place.credential("acme");
    let server = place.serve_by(NO_ROOM);
    let caller = server.caller(&credential);
    let path = caller.open("call-1").await;
    let text = "a long story ".repeat(4_000);
    let (deadline, mut written) = (Instant::now() + PATIENCE, 0);
    let refused = loop {
        let (status, body) = caller.post(&path, &message(&format!("{written} {text}"))).await;
        if status != 200 {
            break (status, body["error"]["code"].clone());
        }
        written += 1;
        assert!(Instant::now() < deadline, "{written} messages find room");
    };
    assert_eq!(refused, (503, "503-01".into()));
    assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=call-1")).await.0, 200, "what is there can be read");

    let room = ["--pid", &server.process().to_string(), "--fsize=unlimited"];
    assert!(Command::new("prlimit").args(room).status().unwrap().success());
    assert_eq!(caller.post(&path, &message("there is room again")).await.0, 200);
    let (_, list) = caller.get(&path).await;
    assert_eq!(list["items"].as_array().unwrap().len(), written + 1, "what was refused is not there");
    drop(server);
    place.print(&["backup", "sound.db"]);
}
