//! The files that may hold stored values: those that the settings name, and further paths.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, ErrorKind},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{
    companion_files::beside,
    settings::Settings,
    stored_files::{FileLocation, StoredFile},
};

/// The paths to search.
#[derive(Debug, Default)]
pub(super) struct SearchPaths {
    /// Files and directories that must exist.
    pub(super) required: Vec<PathBuf>,
    /// Files that exist only while the database needs them.
    pub(super) transient: Vec<PathBuf>,
    /// Directories that are missing until something is stored in them.
    pub(super) directories: Vec<PathBuf>,
    /// Why what a setting names cannot be searched.
    pub(super) unreachable: Vec<String>,
}

impl SearchPaths {
    /// The files and directories in which a server with these settings stores data.
    pub(super) fn from_settings(settings: &Settings) -> Self {
        let mut paths = Self::default();
        // The key is a secret and holds no data.
        for kind in StoredFile::ALL.into_iter().filter(|kind| *kind != StoredFile::MasterKey) {
            match kind.location(settings) {
                FileLocation::File(file, suffixes) => {
                    paths.transient.extend(suffixes.iter().map(|suffix| beside(&file, suffix)));
                    paths.required.push(file);
                }
                FileLocation::Directory(directory) => paths.directories.push(directory),
                FileLocation::OutOfReach(reason) => paths.unreachable.push(reason),
                // The operator names copies and anchors by `--path`.
                FileLocation::Nowhere | FileLocation::Argument => {}
            }
        }
        paths
    }
}

/// What is done with each file, or with the error of a path that cannot be read.
type Visit<'visit> = dyn FnMut(&Path, io::Result<()>) -> anyhow::Result<()> + 'visit;

/// Lists files below paths, each file once however often it is named or linked.
#[derive(Debug, Default)]
pub(super) struct FileWalk {
    seen: BTreeSet<(u64, u64)>,
}

impl FileWalk {
    /// Calls `visit` with each file at or below a path, in the order of their names, and with the error of each path
    /// that cannot be read. Symbolic links are followed. Sockets, pipes and devices hold no stored bytes.
    pub(super) fn visit(&mut self, path: &Path, visit: &mut Visit<'_>) -> anyhow::Result<()> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return visit(path, Err(error)),
        };
        if !self.seen.insert((metadata.dev(), metadata.ino())) {
            return Ok(());
        }
        if metadata.is_file() {
            return visit(path, Ok(()));
        }
        if !metadata.is_dir() {
            return Ok(());
        }
        match entries(path) {
            Ok(entries) => entries.iter().try_for_each(|entry| self.visit(entry, visit)),
            Err(error) => visit(path, Err(error)),
        }
    }
}

fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether nothing is at a path.
pub(super) fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn each_file_is_listed_once_and_a_cycle_of_links_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::create_dir(path.join("b")).unwrap();
        fs::write(path.join("a"), "").unwrap();
        fs::write(path.join("b/c"), "").unwrap();
        fs::hard_link(path.join("a"), path.join("d")).unwrap();
        symlink(path, path.join("b/loop")).unwrap();
        symlink("missing", path.join("e")).unwrap();
        let (mut files, mut errors) = (Vec::new(), Vec::new());
        let mut walk = FileWalk::default();
        for start in [path, &path.join("b")] {
            walk.visit(start, &mut |file, result| {
                let list = if result.is_ok() { &mut files } else { &mut errors };
                list.push(file.strip_prefix(path).unwrap().to_owned());
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(files, ["a", "b/c"].map(PathBuf::from));
        assert_eq!(errors, [PathBuf::from("e")]);
    }
}
