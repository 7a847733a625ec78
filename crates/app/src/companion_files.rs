//! The paths of files and directories beside another file.

use std::path::{Path, PathBuf};

/// The path of a file with a suffix after its name, such as `parlance.db.key`.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
