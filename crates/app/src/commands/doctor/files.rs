//! What the doctor finds of files and the disk that they are on.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::private_files::open_to_others;

use super::{
    Finding,
    Finding::{Bad, Doubtful, Good},
};

/// Least room on the disk of the embedded database, in mebibytes, below which the doctor warns.
const LEAST_ROOM: u64 = 512;

pub(super) fn look_at_disk(file: &Path) -> Finding {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(disk) = rustix::fs::statvfs(folder) else {
        return Bad(format!(
            "{} is not there or cannot be entered: make it, for the database's file",
            folder.display()
        ));
    };
    let room = disk.f_bavail.saturating_mul(disk.f_frsize) >> 20;
    if room < LEAST_ROOM {
        return Doubtful(format!("{room} MiB are free: make room before it is full, for then writes are refused"));
    }
    Good(format!("{room} MiB are free"))
}

/// Whether the files of the database are for their owner alone, as they are made.
pub(super) fn look_at_modes(database: &Path) -> Finding {
    let open = open_to_others(database);
    if open.is_empty() {
        return Good("the database is for its owner alone".to_owned());
    }
    let files: Vec<_> = open.iter().map(|(file, mode)| format!("{file} ({mode:04o})")).collect();
    Doubtful(format!("others than the owner have rights to the database: chmod 600 {}", files.join(" ")))
}

/// Whether everyone on the machine may read a file that is not for everyone.
pub(super) fn look_at_secrecy(what: &str, file: &Path) -> Finding {
    match fs::metadata(file).map(|found| found.permissions().mode()) {
        Ok(mode) if mode & 0o004 != 0 => {
            Doubtful(format!("everyone on this machine may read {what}: chmod o-rwx {}", file.display()))
        }
        Ok(_) => Good(format!("{what} is not for everyone to read")),
        Err(error) => Bad(format!("{} cannot be read: {error}", file.display())),
    }
}
