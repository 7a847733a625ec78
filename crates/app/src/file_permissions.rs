//! Permissions of files that only their owner may access.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

/// Permission bits of the group and of others.
const GROUP_AND_OTHERS: u32 = 0o077;

/// Returns the files of the embedded database that the group or others may access, each with its mode. Missing files
/// are left out.
pub(crate) fn exposed_files(database: &Path) -> Vec<(String, u32)> {
    let files = ["", "-wal", "-shm"].map(|suffix| format!("{}{suffix}", database.display()));
    let mode = |file: &String| fs::metadata(file).map(|metadata| metadata.permissions().mode() & 0o777).ok();
    let modes = files.into_iter().filter_map(|file| mode(&file).map(|mode| (file, mode)));
    modes.filter(|(_, mode)| mode & GROUP_AND_OTHERS != 0).collect()
}
