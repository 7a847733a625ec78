//! Where the value of a setting comes from.

use std::{fmt, path::PathBuf};

/// The source of a value. Its text names the source in errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A flag, such as `--listen`.
    Flag(String),
    /// An environment variable.
    Variable(String),
    /// A line of the settings file.
    SettingsFile {
        /// The path of the file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The file that another setting names.
    SecretFile {
        /// The setting that names the file.
        setting: &'static str,
        /// The path of the file.
        path: PathBuf,
    },
    /// No source: the setting is not set.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Variable(name) => f.write_str(name),
            Self::SettingsFile { path, line } => write!(f, "{}:{line}", path.display()),
            Self::SecretFile { setting, .. } => write!(f, "the file of {setting}"),
            Self::Default => f.write_str("the default"),
        }
    }
}
