//! The checks of files and their disk.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::file_permissions::exposed_files;

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};

/// Minimum free space on the disk of the embedded database, in mebibytes. Below it, the doctor warns.
const MIN_FREE_MIB: u64 = 512;

pub(super) fn check_disk(file: &Path) -> CheckResult {
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(disk) = rustix::fs::statvfs(directory) else {
        return Failed(format!(
            "{} does not exist or cannot be entered: create it for the database file",
            directory.display()
        ));
    };
    let free_mib = disk.f_bavail.saturating_mul(disk.f_frsize) >> 20;
    if free_mib < MIN_FREE_MIB {
        return Warning(format!("{free_mib} MiB are free: free more space, because writes fail on a full disk"));
    }
    Passed(format!("{free_mib} MiB are free"))
}

/// Checks that only the owner may access the files of the database.
pub(super) fn check_modes(database: &Path) -> CheckResult {
    let exposed = exposed_files(database);
    if exposed.is_empty() {
        return Passed("only the owner has access to the database".to_owned());
    }
    let files: Vec<_> = exposed.iter().map(|(file, mode)| format!("{file} ({mode:04o})")).collect();
    Warning(format!("users other than the owner have access to the database: chmod 600 {}", files.join(" ")))
}

/// Checks that a secret file is not readable by everyone on the machine.
pub(super) fn check_secrecy(description: &str, file: &Path) -> CheckResult {
    match fs::metadata(file).map(|metadata| metadata.permissions().mode()) {
        Ok(mode) if mode & 0o004 != 0 => {
            Warning(format!("everyone on this machine can read {description}: chmod o-rwx {}", file.display()))
        }
        Ok(_) => Passed(format!("{description} is not readable by everyone")),
        Err(error) => Failed(format!("{} cannot be read: {error}", file.display())),
    }
}
