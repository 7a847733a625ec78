//! The mode of files that are written for other programs.

/// Who may read and write a file that is there for other programs: its owner always, the group as the operator says, and
/// nobody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMode(u32);

/// A text or number that is no such mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 0600, 0640 or 0660: others than the owner and the group get no right")]
pub struct InvalidFileMode;

impl FileMode {
    /// Reads a mode in octal digits.
    ///
    /// # Errors
    /// [`InvalidFileMode`] where the text is another than the three.
    pub fn parse(octal: &str) -> Result<Self, InvalidFileMode> {
        let mode = u32::from_str_radix(octal, 8).map_err(|_| InvalidFileMode)?;
        // The owner writes, or the service could not replace the file; nobody may run it.
        if matches!(mode, 0o600 | 0o640 | 0o660) { Ok(Self(mode)) } else { Err(InvalidFileMode) }
    }

    /// The mode of a file.
    #[must_use]
    pub fn of_file(self) -> u32 {
        self.0
    }

    /// The mode of a folder of such files, which whoever may read them may enter.
    #[must_use]
    pub fn of_folder(self) -> u32 {
        self.0 | (self.0 & 0o440) >> 2
    }
}

impl Default for FileMode {
    /// The group may read.
    fn default() -> Self {
        Self(0o640)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_can_be_entered_by_whoever_may_read_its_files() {
        for (text, file, folder) in [("0600", 0o600, 0o700), ("640", 0o640, 0o750), ("0660", 0o660, 0o770)] {
            let mode = FileMode::parse(text).unwrap();
            assert_eq!((mode.of_file(), mode.of_folder()), (file, folder));
        }
        assert_eq!(FileMode::default(), FileMode::parse("0640").unwrap());
    }

    #[test]
    fn everybody_gets_no_right_and_the_owner_keeps_theirs() {
        for text in ["", "644", "0604", "0440", "0700", "4640", "0620", "-640", "0x1a0", "rw-"] {
            assert_eq!(FileMode::parse(text), Err(InvalidFileMode), "{text}");
        }
    }
}
