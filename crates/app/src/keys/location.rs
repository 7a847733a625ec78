//! The location of the master key, according to the settings.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use parlance_adapters_sql::backup;

use super::{file, master_key::MasterKey};
use crate::{companion_files::beside, settings::Settings};

/// The location of the master key.
#[derive(Debug)]
pub(crate) enum KeyLocation {
    /// A file.
    File(KeyFile),
    /// No file: the database and its key are in memory.
    Memory,
    /// No key: the database is PostgreSQL, and no file is set.
    None,
}

/// The file of the master key.
#[derive(Debug)]
pub(crate) struct KeyFile {
    path: PathBuf,
    can_create: bool,
}

impl KeyLocation {
    /// Returns the file that the setting names, else the file beside the embedded database.
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        let database_file = backup::database_file(settings.database_url.reveal()).ok();
        let can_create = database_file.is_some();
        let path = settings.master_key_file.clone().or_else(|| database_file.map(|database| beside(&database, ".key")));
        match path {
            Some(path) => Self::File(KeyFile { path, can_create }),
            None if settings.database_url.scheme() == "sqlite" => Self::Memory,
            None => Self::None,
        }
    }

    /// The path of the file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        if let Self::File(KeyFile { path, .. }) = self { Some(path) } else { None }
    }

    /// Reads the key. Returns `None` if there is no key.
    pub(crate) fn load(&self) -> anyhow::Result<Option<MasterKey>> {
        let Self::File(KeyFile { path, can_create }) = self else { return Ok(None) };
        let key = file::read(path).context("master_key_file")?;
        if key.is_none() && !can_create {
            let path = path.display();
            return Err(anyhow!(
                "{path} does not exist: create it with mode 0600, for example by `head -c 32 /dev/urandom`"
            ))
            .context("master_key_file");
        }
        Ok(key)
    }

    /// Reads the previous key, which a rotation replaces, from another file.
    pub(crate) fn load_previous(path: &Path) -> anyhow::Result<MasterKey> {
        let missing = || anyhow!("{} does not exist", path.display());
        file::read(path)?.ok_or_else(missing)
    }

    /// Creates a key for a server after [`load`](Self::load) has found none. Returns `None` if no key can be stored.
    pub(crate) fn create(&self) -> anyhow::Result<Option<MasterKey>> {
        match self {
            Self::File(KeyFile { path, .. }) => {
                let key = file::create(path).context("master_key_file")?;
                let file = path.display().to_string();
                tracing::info!(file, "created the master key: keep a copy of it, but not beside the database");
                Ok(Some(key))
            }
            Self::Memory => MasterKey::random().map(Some),
            Self::None => Ok(None),
        }
    }

    /// Advice for an operator whose key is missing.
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::File(KeyFile { path, .. }) => format!("put the key back at {}", path.display()),
            Self::Memory | Self::None => "set master_key_file to the file of that key".to_owned(),
        }
    }

    /// The path of the marker file beside the key. The marker records that the heads are signed.
    pub(super) fn marker_path(&self) -> Option<PathBuf> {
        let Self::File(KeyFile { path, .. }) = self else { return None };
        Some(beside(path, ".signing"))
    }

    /// Whether the first server creates the key.
    pub(crate) fn can_create(&self) -> bool {
        matches!(self, Self::File(KeyFile { can_create: true, .. }))
    }
}

/// Writes the marker file that records that the heads are signed. Returns whether the file exists.
pub(super) fn write_marker(marker: &Path) -> bool {
    file::write_new(marker, b"The heads of the audit log are signed by the key beside this file.\n").is_ok()
        || marker.exists()
}
