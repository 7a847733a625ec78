//! The file of the master key: 32 bytes that only its owner may read.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{key_size::KEY_BYTES, master_key::MasterKey};

/// Permission bits of the group and of others.
const GROUP_AND_OTHERS: u32 = 0o077;

/// The same bits except read access for the group.
const GROUP_AND_OTHERS_EXCEPT_GROUP_READ: u32 = 0o037;

/// Why a key file cannot be used. The text names the file and contains nothing from it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    #[error("{} cannot be read: {}", .0.display(), .1.kind())]
    Unreadable(PathBuf, io::Error),
    #[error("{} cannot be created: {}", .0.display(), .1.kind())]
    Unwritable(PathBuf, io::Error),
    #[error("{} has {} bytes, and must have {KEY_BYTES}", .0.display(), .1)]
    Size(PathBuf, u64),
    #[error("{path} has mode {mode:04o}, so other users can access it: chmod 600 {path}", path = .0.display(), mode = .1)]
    Mode(PathBuf, u32),
    #[error("{} is not a file", .0.display())]
    NotAFile(PathBuf),
}

/// Reads the key. Returns `None` if the file does not exist.
pub(super) fn read(path: &Path) -> Result<Option<MasterKey>, KeyFileError> {
    let unreadable = |error| KeyFileError::Unreadable(path.to_owned(), error);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(KeyFileError::NotAFile(path.to_owned()));
    }
    if is_open_to_others(&metadata) {
        return Err(KeyFileError::Mode(path.to_owned(), metadata.permissions().mode() & 0o7777));
    }
    if metadata.len() != KEY_BYTES as u64 {
        return Err(KeyFileError::Size(path.to_owned(), metadata.len()));
    }
    let mut bytes = [0; KEY_BYTES];
    file.read_exact(&mut bytes).map_err(unreadable)?;
    Ok(Some(MasterKey::from_bytes(bytes)))
}

/// Whether other users may access the file. If root owns it and the service does not run as root, its group may read
/// it, as with mounted secrets.
fn is_open_to_others(metadata: &Metadata) -> bool {
    let is_root_file_of_other_user = metadata.uid() == 0 && !rustix::process::getuid().is_root();
    let forbidden = if is_root_file_of_other_user { GROUP_AND_OTHERS_EXCEPT_GROUP_READ } else { GROUP_AND_OTHERS };
    metadata.permissions().mode() & forbidden != 0
}

/// Creates a new key. The file gets its name only after the whole key is on the disk. If another process creates one at
/// the same time, that key is returned.
pub(super) fn create(path: &Path) -> anyhow::Result<MasterKey> {
    let key = MasterKey::random()?;
    let unwritable = |error| KeyFileError::Unwritable(path.to_owned(), error);
    match write_new(path, &key.0) {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let existing = read(path)?;
            existing.ok_or_else(|| unwritable(error).into())
        }
        Err(error) => Err(unwritable(error).into()),
    }
}

/// Writes a new file that only its owner can ever read. Never overwrites a file.
pub(super) fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = parent_directory(path);
    // The mode of a temporary file is 0600.
    let mut temporary_file = NamedTempFile::new_in(directory)?;
    temporary_file.write_all(content)?;
    temporary_file.as_file().sync_all()?;
    temporary_file.persist_noclobber(path).map_err(|error| error.error)?;
    File::open(directory)?.sync_all()
}

fn parent_directory(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn key_file(content: &[u8], mode: u32) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (directory, path)
    }

    #[test]
    fn a_key_is_created_once_and_for_its_owner_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        let created = create(&path).unwrap();
        assert_eq!(create(&path).unwrap().0, created.0);
        assert_eq!(read(&path).unwrap().unwrap().0, created.0);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_of_the_wrong_size_is_refused() {
        for size in [0, 31, 33, 64] {
            let (_directory, path) = key_file(&vec![7; size], 0o600);
            let message = read(&path).unwrap_err().to_string();
            assert_eq!(message, format!("{} has {size} bytes, and must have 32", path.display()));
        }
    }

    #[test]
    fn a_key_that_other_users_can_access_is_refused() {
        for mode in [0o604, 0o602, 0o640, 0o620, 0o644, 0o666] {
            let (_directory, path) = key_file(&[7; 32], mode);
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(&format!("has mode {mode:04o}")) && message.contains("chmod 600"), "{message}");
        }
        for mode in [0o600, 0o400] {
            let (_directory, path) = key_file(&[7; 32], mode);
            assert!(read(&path).unwrap().is_some());
        }
    }

    #[test]
    fn a_missing_file_gives_no_key() {
        assert!(read(Path::new("/nonexistent/key")).unwrap().is_none());
    }
}
