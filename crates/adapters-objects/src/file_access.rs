//! Access of other programs to the files and directories of a store in the file system.
//!
//! The process creates each file and directory for its owner only, and then extends the access. A file is never
//! accessible to more users than in its final state.

use std::{
    fs::{self, Permissions},
    io::{self, ErrorKind},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::Path,
};

use parlance_domain::file_mode::FileMode;

/// The mode bit of a directory whose new files and directories inherit its group.
const SETGID: u32 = 0o2000;

/// Creates a directory and its missing parents. Each gets the directory bits of the mode, and the group of its parent.
/// Existing directories stay unchanged.
pub(crate) fn create_directory(directory: &Path, mode: FileMode) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        create_directory(parent, mode)?;
    }
    match fs::create_dir(directory) {
        Ok(()) => set_access(directory, mode.directory_bits()),
        // Another replica created the directory at the same time.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Sets the mode and the group of a file. A missing file is no error: another run has renamed it, after setting both.
pub(crate) fn set_file_access(file: &Path, mode: FileMode) -> io::Result<()> {
    match set_access(file, mode.file_bits()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Sets the mode, and the group of the parent directory.
fn set_access(path: &Path, mode: u32) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (parent, entry) = (fs::metadata(parent)?, fs::metadata(path)?);
    if entry.gid() != parent.gid() {
        match chown(path, None, Some(parent.gid())) {
            // A process outside the group cannot assign it. The file then keeps the group of the process.
            Err(error) if error.kind() != ErrorKind::PermissionDenied => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    let inherited = if entry.is_dir() { parent.mode() & SETGID } else { 0 };
    fs::set_permissions(path, Permissions::from_mode(mode | inherited))
}
