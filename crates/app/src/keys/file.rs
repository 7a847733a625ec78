//! The file of the master key: 32 bytes that nobody else may read.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{KEY_BYTES, MasterKey};

/// What group and others may do with a file, as bits of its mode.
const OF_OTHERS: u32 = 0o077;

/// The same without reading by the group.
const OF_OTHERS_BUT_READING_BY_THE_GROUP: u32 = 0o037;

/// Why there is no key. Names the file, never what is in it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    #[error("{} cannot be read: {}", .0.display(), .1.kind())]
    Unreadable(PathBuf, io::Error),
    #[error("{} cannot be made: {}", .0.display(), .1.kind())]
    Unwritable(PathBuf, io::Error),
    #[error("{} has {} bytes, and must have {KEY_BYTES}", .0.display(), .1)]
    Size(PathBuf, u64),
    #[error("{path} has mode {mode:04o}, so that others may read or write it: chmod 600 {path}", path = .0.display(), mode = .1)]
    Mode(PathBuf, u32),
    #[error("{} is not a file", .0.display())]
    NoFile(PathBuf),
}

/// Reads the key; none where there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<MasterKey>, KeyFileError> {
    let unreadable = |error| KeyFileError::Unreadable(path.to_owned(), error);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err(KeyFileError::NoFile(path.to_owned()));
    }
    if is_open_to_others(&found) {
        return Err(KeyFileError::Mode(path.to_owned(), found.permissions().mode() & 0o7777));
    }
    if found.len() != KEY_BYTES as u64 {
        return Err(KeyFileError::Size(path.to_owned(), found.len()));
    }
    let mut bytes = [0; KEY_BYTES];
    file.read_exact(&mut bytes).map_err(unreadable)?;
    Ok(Some(MasterKey::from_bytes(bytes)))
}

/// A file of root's may be readable by the group of a service that does not run as root: so are secrets mounted.
fn is_open_to_others(found: &Metadata) -> bool {
    let of_root_for_another = found.uid() == 0 && !rustix::process::getuid().is_root();
    let forbidden = if of_root_for_another { OF_OTHERS_BUT_READING_BY_THE_GROUP } else { OF_OTHERS };
    found.permissions().mode() & forbidden != 0
}

/// Makes a new key, which has its name once it is on the disk whole. Where another process made one at the same time,
/// that one is the key.
pub(super) fn create(path: &Path) -> anyhow::Result<MasterKey> {
    let key = MasterKey::random()?;
    let unwritable = |error| KeyFileError::Unwritable(path.to_owned(), error);
    match put(path, &key.0) {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let there = read(path)?;
            there.ok_or_else(|| unwritable(error).into())
        }
        Err(error) => Err(unwritable(error).into()),
    }
}

/// Writes a file that only its owner may read, from its first moment on, and overwrites none.
pub(super) fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    // The mode of a temporary file is 0600.
    let mut unfinished = NamedTempFile::new_in(folder)?;
    unfinished.write_all(content)?;
    unfinished.as_file().sync_all()?;
    unfinished.persist_noclobber(path).map_err(|failed| failed.error)?;
    File::open(folder)?.sync_all()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn key_file(content: &[u8], mode: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[test]
    fn a_key_is_made_once_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let made = create(&path).unwrap();
        assert_eq!(create(&path).unwrap().0, made.0);
        assert_eq!(read(&path).unwrap().unwrap().0, made.0);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_of_another_size_is_refused() {
        for size in [0, 31, 33, 64] {
            let (_folder, path) = key_file(&vec![7; size], 0o600);
            let refused = read(&path).unwrap_err().to_string();
            assert_eq!(refused, format!("{} has {size} bytes, and must have 32", path.display()));
        }
    }

    #[test]
    fn a_key_that_others_may_read_is_refused() {
        for mode in [0o604, 0o602, 0o640, 0o620, 0o644, 0o666] {
            let (_folder, path) = key_file(&[7; 32], mode);
            let refused = read(&path).unwrap_err().to_string();
            assert!(refused.contains(&format!("has mode {mode:04o}")) && refused.contains("chmod 600"), "{refused}");
        }
        for mode in [0o600, 0o400] {
            let (_folder, path) = key_file(&[7; 32], mode);
            assert!(read(&path).unwrap().is_some());
        }
    }

    #[test]
    fn a_key_that_is_not_there_is_none() {
        assert!(read(Path::new("/nonexistent/key")).unwrap().is_none());
    }
}
