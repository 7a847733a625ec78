//! Files that are for their owner alone, and which of them are not.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

/// Rights of others than the owner.
const OTHERS: u32 = 0o077;

/// The files of the embedded database that others than their owner have a right to, each with its mode. Those that are not
/// there are left out.
pub(crate) fn open_to_others(database: &Path) -> Vec<(String, u32)> {
    let files = ["", "-wal", "-shm"].map(|suffix| format!("{}{suffix}", database.display()));
    let mode = |file: &String| fs::metadata(file).map(|found| found.permissions().mode() & 0o777).ok();
    let modes = files.into_iter().filter_map(|file| mode(&file).map(|mode| (file, mode)));
    modes.filter(|(_, mode)| mode & OTHERS != 0).collect()
}
