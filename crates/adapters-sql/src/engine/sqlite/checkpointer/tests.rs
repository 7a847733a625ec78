//! Tests of the checkpointer.

use std::time::Instant;

use tempfile::TempDir;

use super::*;
use crate::engine::sqlite::{DatabaseLocation, WalDatabase, with_suffix};

/// A database with a checkpointer, which the thread of the test calls after each commit.
struct Fixture {
    writer: Connection,
    checkpointer: Checkpointer,
    signals: WriterSignals,
    location: DatabaseLocation,
    _folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let WalDatabase { folder, location, writer } = WalDatabase::new();
        let signals = WriterSignals::default();
        Checkpointer::count_wal_pages(&writer);
        let checkpointer = Checkpointer::start(location.open_writer().unwrap(), signals.clone()).unwrap();
        Self { writer, checkpointer, signals, location, _folder: folder }
    }

    /// Writes more than the WAL limit.
    fn exceed_wal_limit(&self) {
        self.writer.execute("INSERT INTO written VALUES (randomblob(17000000))", ()).unwrap();
        self.checkpointer.after_commit();
    }

    /// Overwrites content, and truncates the WAL without waiting for readers.
    fn overwrite(&self) {
        self.writer.execute_batch("INSERT INTO written VALUES ('old'); UPDATE written SET value = 'new'").unwrap();
        self.checkpointer.truncate_within(Duration::ZERO);
    }

    fn wal_bytes(&self) -> u64 {
        let DatabaseLocation::File(file) = &self.location else { unreachable!("the database is a file") };
        std::fs::metadata(with_suffix(file, "-wal")).unwrap().len()
    }

    /// Another connection, which holds a snapshot of the current content until its transaction ends.
    fn reader(&self) -> Connection {
        let reader = self.location.open_writer().unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM written").unwrap();
        reader
    }
}

#[test]
fn a_full_wal_that_is_checkpointed_causes_no_pressure() {
    let fixture = Fixture::new();
    fixture.exceed_wal_limit();
    assert!(!fixture.signals.has_wal_pressure());
}

#[test]
fn a_reader_of_older_pages_causes_pressure_on_a_full_wal() {
    let fixture = Fixture::new();
    let _reader = fixture.reader();
    fixture.exceed_wal_limit();
    assert!(fixture.signals.has_wal_pressure());
}

#[test]
fn a_full_wal_is_checkpointed_without_another_write_once_its_reader_ends() {
    let fixture = Fixture::new();
    let reader = fixture.reader();
    fixture.exceed_wal_limit();
    reader.execute_batch("COMMIT").unwrap();
    wait_until(|| !fixture.signals.has_wal_pressure());
}

#[test]
fn a_blocked_truncation_causes_pressure() {
    let fixture = Fixture::new();
    let _reader = fixture.reader();
    fixture.overwrite();
    fixture.checkpointer.after_commit();
    assert!(fixture.signals.has_wal_pressure());
}

#[test]
fn a_blocked_truncation_is_attempted_again_after_a_wait_until_the_reader_ends() {
    let fixture = Fixture::new();
    let reader = fixture.reader();
    fixture.overwrite();
    assert_eq!(fixture.checkpointer.connection.checkpoint(), Some(TRUNCATE_RETRY_INTERVAL));
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!((fixture.checkpointer.connection.checkpoint(), fixture.wal_bytes()), (None, 0));
}

#[test]
fn overwritten_content_leaves_the_wal_without_another_write_once_its_reader_ends() {
    let fixture = Fixture::new();
    let reader = fixture.reader();
    fixture.overwrite();
    assert!(fixture.wal_bytes() > 0);
    reader.execute_batch("COMMIT").unwrap();
    wait_until(|| fixture.wal_bytes() == 0);
    wait_until(|| !fixture.signals.has_wal_pressure());
}

fn wait_until(is_met: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_met() {
        assert!(begun.elapsed() < Duration::from_secs(10), "the WAL is still not checkpointed");
        thread::yield_now();
    }
}

#[test]
fn the_pressure_stays_if_the_wal_cannot_be_measured() {
    let (signals, without_wal) = (WriterSignals::default(), Connection::open_in_memory().unwrap());
    let checkpointer = Checkpointer::start(without_wal, signals.clone()).unwrap();
    signals.set_wal_pressure(true);
    checkpointer.connection.checkpoint_passive();
    assert!(signals.has_wal_pressure());
}

#[test]
fn a_blocked_checkpoint_is_retried_without_a_wake_up() {
    let (wake, woken) = sync_channel(1);
    let (report, attempts) = sync_channel(0);
    let blocked_checkpoint = move || {
        // The test may have ended.
        let _ = report.send(());
        Some(RETRY_INTERVAL)
    };
    let thread = thread::spawn(move || checkpoint_when_woken(&woken, blocked_checkpoint));
    wake.send(()).unwrap();
    for _ in 0..3 {
        attempts.recv_timeout(Duration::from_secs(10)).unwrap();
    }
    drop((wake, attempts));
    thread.join().unwrap();
}
