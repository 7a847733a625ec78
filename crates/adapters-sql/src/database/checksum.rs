//! The checksum file beside a copy, in the format of `sha256sum`: the SHA-256 digest, two spaces, and the name.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use parlance_domain::hex;
use sha2::{Digest, Sha256};

use super::backup_error::{BackupError, io_error};
use crate::engine::sqlite::with_suffix;

/// Maximum number of bytes that are read of a checksum file.
const MAX_FILE_BYTES: u64 = 64 * 1024;

const BUFFER_BYTES: usize = 256 * 1024;

/// The SHA-256 digest of a file.
pub(super) type Checksum = [u8; 32];

/// The path of the checksum file of a copy.
pub(super) fn checksum_file(copy: &Path) -> PathBuf {
    with_suffix(copy, ".sha256")
}

/// Reads a file to its end and writes the bytes to `into`. Returns their digest.
///
/// # Errors
/// If one of both fails.
pub(super) fn copy_and_digest(from: &Path, into: &mut impl Write) -> io::Result<Checksum> {
    let mut from = File::open(from)?;
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; BUFFER_BYTES]);
    loop {
        let count = match from.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        hasher.update(bytes);
        into.write_all(bytes)?;
    }
    Ok(hasher.finalize().into())
}

/// Writes the checksum file of a copy, readable for its owner only, and flushes it to the disk.
///
/// # Errors
/// If the file exists or cannot be written.
pub(super) fn save(copy: &Path, checksum: &Checksum) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(checksum_file(copy))?;
    let name = copy.file_name().unwrap_or_default().to_string_lossy();
    // `sha256sum` marks a line whose name has escaped characters with a backslash.
    let escaped = name.replace('\\', "\\\\").replace('\n', "\\n");
    let mark = if escaped == name { "" } else { "\\" };
    file.write_all(format!("{mark}{}  {escaped}\n", hex::encode(checksum)).as_bytes())?;
    file.sync_all()
}

/// The checksum in the checksum file of a copy; `None` if there is no such file. The name in the file is not compared,
/// because the copy may have been renamed.
///
/// # Errors
/// [`BackupError::Io`] or [`BackupError::InvalidChecksum`] if the file cannot be read.
pub(super) fn load(copy: &Path) -> Result<Option<Checksum>, BackupError> {
    let path = checksum_file(copy);
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(&path, error)),
    }
    let digits = text.strip_prefix('\\').unwrap_or(&text).split_whitespace().next().unwrap_or_default();
    hex::decode(digits).map(Some).ok_or(BackupError::InvalidChecksum(path))
}

/// Removes the checksum file of a copy that was not made.
pub(super) fn remove(copy: &Path) {
    // The file may not exist. If it cannot be removed, the next copy reports it.
    let _ = fs::remove_file(checksum_file(copy));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["copy.db", "back\\slash", "new\nline"] {
            let copy = folder.path().join(name);
            fs::write(&copy, "abc").unwrap();
            let checksum = copy_and_digest(&copy, &mut io::sink()).unwrap();
            save(&copy, &checksum).unwrap();
            assert_eq!(load(&copy).unwrap(), Some(checksum), "{name}");
        }
        let line = fs::read_to_string(folder.path().join("copy.db.sha256")).unwrap();
        assert_eq!(line, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  copy.db\n");
    }

    #[test]
    fn a_missing_checksum_file_is_allowed_and_an_unreadable_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.db");
        assert!(load(&copy).unwrap().is_none());
        fs::write(folder.path().join("copy.db.sha256"), "no digest").unwrap();
        assert!(matches!(load(&copy), Err(BackupError::InvalidChecksum(_))));
    }
}
