//! Where the master key is, by the settings.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use parlance_adapters_sql::backup;

use super::{MasterKey, file};
use crate::settings::Settings;

/// Where the master key is.
#[derive(Debug)]
pub(crate) enum KeyPlace {
    /// In this file.
    File(KeyFile),
    /// Nowhere: the database is in memory, and its key is as well.
    Memory,
    /// Nowhere: PostgreSQL, and the setting names no file.
    None,
}

/// A file for the master key.
#[derive(Debug)]
pub(crate) struct KeyFile {
    path: PathBuf,
    may_be_made: bool,
}

impl KeyPlace {
    /// The file that the setting names, or else one beside the embedded database.
    pub(crate) fn of(settings: &Settings) -> Self {
        let embedded = backup::database_file(settings.database_url.reveal()).ok();
        let beside = |database: &PathBuf| {
            let mut name = database.clone().into_os_string();
            name.push(".key");
            name.into()
        };
        let may_be_made = embedded.is_some();
        let path = settings.master_key_file.clone().or_else(|| embedded.as_ref().map(beside));
        match path {
            Some(path) => Self::File(KeyFile { path, may_be_made }),
            None if settings.database_url.kind() == "sqlite" => Self::Memory,
            None => Self::None,
        }
    }

    /// The key, where there is one.
    pub(crate) fn find(&self) -> anyhow::Result<Option<MasterKey>> {
        let Self::File(KeyFile { path, may_be_made }) = self else { return Ok(None) };
        let found = file::read(path).context("master_key_file")?;
        if found.is_none() && !may_be_made {
            let path = path.display();
            return Err(anyhow!("{path} is not there: make it, as `head -c 32 /dev/urandom` does, with mode 0600"))
                .context("master_key_file");
        }
        Ok(found)
    }

    /// A new key for a server, where [`find`](Self::find) found none and the server may make one.
    pub(crate) fn make(&self) -> anyhow::Result<Option<MasterKey>> {
        match self {
            Self::File(KeyFile { path, .. }) => {
                let made = file::create(path).context("master_key_file")?;
                let file = path.display().to_string();
                tracing::info!(file, "made the master key: keep a copy of it apart from the database");
                Ok(Some(made))
            }
            Self::Memory => MasterKey::random().map(Some),
            Self::None => Ok(None),
        }
    }

    /// What to do where there is no key.
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::File(KeyFile { path, .. }) => format!("put the key back at {}", path.display()),
            Self::Memory | Self::None => "set master_key_file to the file of that key".to_owned(),
        }
    }

    /// Where it is noted, beside the key, that its heads are signed.
    pub(super) fn note(&self) -> Option<PathBuf> {
        let Self::File(KeyFile { path, .. }) = self else { return None };
        let mut name = path.clone().into_os_string();
        name.push(".signing");
        Some(name.into())
    }

    /// Whether the key would be made by the first server.
    pub(crate) fn may_be_made(&self) -> bool {
        matches!(self, Self::File(KeyFile { may_be_made: true, .. }))
    }
}

/// Writes the note that heads are signed, and tells whether it is there.
pub(super) fn write_note(note: &Path) -> bool {
    file::put(note, b"The heads of the audit log are signed by the key beside this file.\n").is_ok() || note.exists()
}
