//! Files and folders of a directory, given to the programs that collect them.
//!
//! The process makes everything for its owner alone. What is for others is widened afterwards, so that no file is ever open
//! to more than it ends with.

use std::{
    fs::{self, Permissions},
    io::{self, ErrorKind},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::Path,
};

use parlance_domain::file_mode::FileMode;

/// The bit by which what is made in a folder has the folder's group.
const SETGID: u32 = 0o2000;

/// Makes a folder with those above it, each with the mode of a folder and the group of the one above it. Folders that are
/// there stay as they are.
pub(crate) fn make_folder(folder: &Path, mode: FileMode) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folder(above, mode)?;
    }
    match fs::create_dir(folder) {
        Ok(()) => hand_over(folder, mode.of_folder()),
        // Another replica made it meanwhile.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives a file its mode, and the group of its folder. A file that another run renamed meanwhile had both before.
pub(crate) fn hand_over_file(file: &Path, mode: FileMode) -> io::Result<()> {
    match hand_over(file, mode.of_file()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

fn hand_over(path: &Path, mode: u32) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, own) = (fs::metadata(parent)?, fs::metadata(path)?);
    if own.gid() != folder.gid() {
        match chown(path, None, Some(folder.gid())) {
            // A process that is not in that group cannot give to it: the file stays with the group of the process.
            Err(error) if error.kind() != ErrorKind::PermissionDenied => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    let inherited = if own.is_dir() { folder.mode() & SETGID } else { 0 };
    fs::set_permissions(path, Permissions::from_mode(mode | inherited))
}
