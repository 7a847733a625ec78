//! File modes of files that other programs read.

/// The permission bits of a file that other programs read. The owner has read and write access, the operator chooses
/// the access of the group, and others have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMode(u32);

/// The text is not a supported mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 0600, 0640 or 0660: only the owner and the group may have access")]
pub struct InvalidFileMode;

impl FileMode {
    /// Only the owner may read and write: 0600.
    pub const OWNER_ONLY: Self = Self(0o600);

    /// Parses a mode in octal digits.
    ///
    /// # Errors
    /// [`InvalidFileMode`] unless the mode is 0600, 0640 or 0660.
    pub fn parse(octal: &str) -> Result<Self, InvalidFileMode> {
        let mode = u32::from_str_radix(octal, 8).map_err(|_| InvalidFileMode)?;
        // The owner needs write access, because the service replaces the file. Nobody may execute the file.
        if matches!(mode, 0o600 | 0o640 | 0o660) { Ok(Self(mode)) } else { Err(InvalidFileMode) }
    }

    /// The mode of a file.
    #[must_use]
    pub fn file_bits(self) -> u32 {
        self.0
    }

    /// The mode of a directory for such files. Everyone who may read the files may enter the directory.
    #[must_use]
    pub fn directory_bits(self) -> u32 {
        self.0 | (self.0 & 0o440) >> 2
    }
}

impl Default for FileMode {
    /// The group may read: 0640.
    fn default() -> Self {
        Self(0o640)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_can_be_entered_by_all_readers_of_its_files() {
        for (text, file, directory) in [("0600", 0o600, 0o700), ("640", 0o640, 0o750), ("0660", 0o660, 0o770)] {
            let mode = FileMode::parse(text).unwrap();
            assert_eq!((mode.file_bits(), mode.directory_bits()), (file, directory));
        }
        assert_eq!(FileMode::default(), FileMode::parse("0640").unwrap());
    }

    #[test]
    fn unsupported_modes_are_refused() {
        for text in ["", "644", "0604", "0440", "0700", "4640", "0620", "-640", "0x1a0", "rw-"] {
            assert_eq!(FileMode::parse(text), Err(InvalidFileMode), "{text}");
        }
    }
}
