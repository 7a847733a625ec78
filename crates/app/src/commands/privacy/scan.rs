//! `parlance privacy scan`.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::{Args, ValueHint};
use parlance_adapters_objects::{SIGNATURE_BYTES, StoredEncoding};

use super::{
    scan_report::ScanReport,
    search_paths::{FileWalk, SearchPaths, is_absent},
    value_list::{numbered_values, read_list},
    value_search::{ValueSearch, Values},
};
use crate::{
    commands::{EXIT_INVALID_ARGUMENTS, ExitError},
    settings::Settings,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The values to search for, one on each line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    canaries: PathBuf,
    /// A further file or directory to search, such as a backup or the data directory of a PostgreSQL server; can be
    /// given several times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    path: Vec<PathBuf>,
    /// Search only what --path names, not the files of the settings
    #[arg(long, requires = "path")]
    only_paths: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Searches all files. The exit code is 0 if nothing was found, 1 if something was found, and 2 if something could not
/// be read, whether or not something was found elsewhere.
pub(super) fn run(Options { canaries, path, only_paths, json }: Options, settings: &Settings) -> anyhow::Result<()> {
    let invalid_list = |error: anyhow::Error| invalid_argument(&error.context("--canaries"));
    let text = read_list(&canaries).map_err(invalid_list)?;
    let numbered = numbered_values(&text).with_context(|| canaries.display().to_string()).map_err(invalid_list)?;
    let values = Values::new(&numbered)?;
    let mut paths = if only_paths { SearchPaths::default() } else { SearchPaths::from_settings(settings) };
    paths.required.extend(path);
    let mut report = ScanReport::new(json);
    for reason in &paths.unreachable {
        report.unread(reason);
    }
    let (absent, present): (Vec<_>, Vec<_>) = paths.directories.iter().partition(|path| is_absent(path));
    for path in absent {
        report.absent(path)?;
    }
    let transient = paths.transient.iter().filter(|path| !is_absent(path));
    let mut walk = FileWalk::default();
    for path in paths.required.iter().chain(transient).chain(present) {
        walk.visit(path, &mut |file, result| {
            if let Err(error) = result.and_then(|()| scan_file(file, &values, &mut report)) {
                report.unreadable(file, &error)?;
            }
            Ok(())
        })?;
    }
    report.finish()
}

fn invalid_argument(error: &anyhow::Error) -> anyhow::Error {
    ExitError { code: EXIT_INVALID_ARGUMENTS, message: format!("{error:#}") }.into()
}

/// Searches the bytes of a file, and its content if that is compressed.
fn scan_file(path: &Path, values: &Values, report: &mut ScanReport) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut beginning = Vec::new();
    (&file).take(SIGNATURE_BYTES as u64).read_to_end(&mut beginning)?;
    file.seek(SeekFrom::Start(0))?;
    let mut search = ValueSearch::new(values, |finding| report.found(path, false, finding));
    io::copy(&mut file, &mut search)?;
    let bytes = search.finish()?;
    report.read(bytes);
    if let Some(encoding) = StoredEncoding::detect(&beginning) {
        let mut search = ValueSearch::new(values, |finding| report.found(path, true, finding));
        encoding.decode(file, &mut search)?;
        search.finish()?;
    }
    Ok(())
}
