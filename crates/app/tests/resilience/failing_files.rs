//! A library that fails single calls of the program on the files of SQLite (`failing_files.c`).

use std::{fs::File, os::unix::fs::FileExt, path::PathBuf, process::Command, sync::OnceLock};

use tempfile::{NamedTempFile, TempDir};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/resilience/failing_files.c");

/// The numbers of the shared file, in their order.
const CALL: usize = 0;
const AT: usize = 1;
const ERROR: usize = 2;
const FAILED: usize = 3;
const CALLS: usize = 4;
const FIELDS: usize = 9;

/// A kind of call, as the library numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Write = 1,
    Sync = 2,
    Read = 3,
    Truncate = 4,
}

/// What a call fails with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// `EIO`: the disk failed.
    Broken = 5,
    /// `ENOSPC`: there is no room.
    Full = 28,
    /// Half of a write succeeds, then there is no room.
    Short = 0,
}

/// The library and the file that tells it what to fail.
pub(crate) struct FailingFiles {
    shared: NamedTempFile,
}

impl FailingFiles {
    pub(crate) fn new() -> Self {
        let shared = NamedTempFile::new().unwrap();
        shared.as_file().set_len(8 * FIELDS as u64).unwrap();
        Self { shared }
    }

    /// What a program is started with, so that its calls can fail.
    pub(crate) fn variables(&self) -> [(String, String); 2] {
        let shared = self.shared.path().to_str().unwrap().to_owned();
        let library = library().to_str().unwrap().to_owned();
        [("LD_PRELOAD".to_owned(), library), ("PARLANCE_TEST_FAULTS".to_owned(), shared)]
    }

    /// From now on the `at`-th call of this kind fails, once.
    pub(crate) fn fail(&self, call: Call, at: u64, fault: Fault) {
        self.set(CALL, 0);
        self.set(AT, at);
        self.set(ERROR, fault as u64);
        self.set(FAILED, 0);
        self.set(CALL, call as u64);
    }

    /// From now on nothing fails. Tells whether anything has.
    pub(crate) fn stop(&self) -> bool {
        self.set(CALL, 0);
        self.get(FAILED) > 0
    }

    /// How many calls of a kind there were.
    pub(crate) fn calls(&self, call: Call) -> u64 {
        self.get(CALLS + call as usize)
    }

    fn set(&self, field: usize, number: u64) {
        self.file().write_all_at(&number.to_ne_bytes(), 8 * field as u64).unwrap();
    }

    fn get(&self, field: usize) -> u64 {
        let mut bytes = [0; 8];
        self.file().read_exact_at(&mut bytes, 8 * field as u64).unwrap();
        u64::from_ne_bytes(bytes)
    }

    fn file(&self) -> &File {
        self.shared.as_file()
    }
}

/// The library, compiled once.
fn library() -> PathBuf {
    static LIBRARY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, library) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("failing_files.so");
        let flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-U_FORTIFY_SOURCE", SOURCE, "-ldl", "-o"];
        let compiled = Command::new("cc").args(flags).arg(&library).status().unwrap();
        assert!(compiled.success(), "cc compiles failing_files.c");
        (folder, library)
    });
    library.clone()
}
