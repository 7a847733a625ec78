//! Fault injection: a preloaded library (`failing_files.c`) fails single calls of the program on the files of SQLite.

use std::{fs::File, os::unix::fs::FileExt, path::PathBuf, process::Command, sync::OnceLock};

use tempfile::{NamedTempFile, TempDir};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/resilience/failing_files.c");

/// Indices of the fields in the shared file, as in `struct plan` of the library.
const FAILING_CALL: usize = 0;
const COUNTDOWN: usize = 1;
const ERROR_NUMBER: usize = 2;
const FAILURE_COUNT: usize = 3;
const CALL_COUNTS: usize = 4;
const FIELD_COUNT: usize = 9;

/// A kind of call, with its number in `enum call` of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOperation {
    Write = 1,
    Sync = 2,
    Read = 3,
    Truncate = 4,
}

/// The error of a failing call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// `EIO`: an input or output error.
    IoError = 5,
    /// `ENOSPC`: no space is left.
    NoSpace = 28,
    /// Half of a write succeeds, and the next write fails with `ENOSPC`.
    ShortWrite = 0,
}

/// Controls which calls fail, through a file that the library maps into memory.
pub(crate) struct FaultInjector {
    shared: NamedTempFile,
}

impl FaultInjector {
    pub(crate) fn new() -> Self {
        let shared = NamedTempFile::new().unwrap();
        shared.as_file().set_len(8 * FIELD_COUNT as u64).unwrap();
        Self { shared }
    }

    /// Returns the environment variables that load the library into a program.
    pub(crate) fn variables(&self) -> [(String, String); 2] {
        let shared = self.shared.path().to_str().unwrap().to_owned();
        let library = library_path().to_str().unwrap().to_owned();
        [("LD_PRELOAD".to_owned(), library), ("PARLANCE_TEST_FAULTS".to_owned(), shared)]
    }

    /// Makes one call of this kind fail: call number `countdown`, counted from one from now on.
    pub(crate) fn inject(&self, call: FileOperation, countdown: u64, fault: Fault) {
        self.set(FAILING_CALL, 0);
        self.set(COUNTDOWN, countdown);
        self.set(ERROR_NUMBER, fault as u64);
        self.set(FAILURE_COUNT, 0);
        self.set(FAILING_CALL, call as u64);
    }

    /// Ends the faults. Returns whether a call has failed.
    pub(crate) fn clear(&self) -> bool {
        self.set(FAILING_CALL, 0);
        self.get(FAILURE_COUNT) > 0
    }

    /// Returns the number of calls of this kind so far.
    pub(crate) fn call_count(&self, call: FileOperation) -> u64 {
        self.get(CALL_COUNTS + call as usize)
    }

    fn set(&self, field: usize, value: u64) {
        self.file().write_all_at(&value.to_ne_bytes(), 8 * field as u64).unwrap();
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

/// Returns the path of the library. The first call compiles the library.
fn library_path() -> PathBuf {
    static LIBRARY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, library) = LIBRARY.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let library = directory.path().join("failing_files.so");
        let flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-U_FORTIFY_SOURCE", SOURCE, "-ldl", "-o"];
        let compiled = Command::new("cc").args(flags).arg(&library).status().unwrap();
        assert!(compiled.success(), "cc cannot compile failing_files.c");
        (directory, library)
    });
    library.clone()
}
