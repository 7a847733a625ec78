//! Passes the commit and its date to the program, for `parlance --version`, the log and the metrics.
//!
//! `PARLANCE_BUILD_COMMIT` replaces the commit, and `PARLANCE_BUILD_DATE` or `SOURCE_DATE_EPOCH` its date. Without these
//! variables, both come from git. Without git, they are empty.

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

/// Number of hexadecimal digits of a commit that the program shows.
const COMMIT_DIGITS: usize = 12;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let repository = Repository::of_workspace();
    if let Some(repository) = &repository {
        repository.watch();
    }
    let from_git = |arguments: &[&str]| repository.as_ref().and_then(|repository| repository.git(arguments));
    let commit = match variable("PARLANCE_BUILD_COMMIT") {
        Some(commit) => shorten(&commit)?,
        None => from_git(&["rev-parse", "HEAD"]).map_or(Ok(String::new()), |commit| shorten(&commit))?,
    };
    let seconds = variable("SOURCE_DATE_EPOCH").or_else(|| from_git(&["log", "-1", "--format=%ct"]));
    let date = variable("PARLANCE_BUILD_DATE").unwrap_or_default();
    println!("cargo:rustc-env=BUILD_COMMIT={commit}");
    println!("cargo:rustc-env=BUILD_COMMIT_DATE={}", valid_date(&date)?);
    println!("cargo:rustc-env=BUILD_COMMIT_SECONDS={}", valid_seconds(&seconds.unwrap_or_default())?);
    Ok(())
}

/// Returns a variable that is set and not empty. A change of the variable runs this script again.
fn variable(name: &str) -> Option<String> {
    println!("cargo:rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn shorten(commit: &str) -> Result<String, Box<dyn Error>> {
    let is_commit = commit.len() >= COMMIT_DIGITS && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let short = commit.get(..COMMIT_DIGITS).filter(|_| is_commit).map(str::to_ascii_lowercase);
    short.ok_or_else(|| "PARLANCE_BUILD_COMMIT must be a commit: 12 or more hexadecimal digits".into())
}

fn valid_date(date: &str) -> Result<&str, Box<dyn Error>> {
    let has_form =
        |(index, byte): (usize, u8)| if [4, 7].contains(&index) { byte == b'-' } else { byte.is_ascii_digit() };
    let is_date = date.is_empty() || (date.len() == 10 && date.bytes().enumerate().all(has_form));
    is_date.then_some(date).ok_or_else(|| "PARLANCE_BUILD_DATE must be a date such as 2026-01-31".into())
}

fn valid_seconds(seconds: &str) -> Result<&str, Box<dyn Error>> {
    let is_number = seconds.is_empty() || seconds.parse::<u32>().is_ok();
    is_number.then_some(seconds).ok_or_else(|| "SOURCE_DATE_EPOCH must be a number of seconds since 1970".into())
}

/// The git repository whose work tree is this workspace.
struct Repository {
    root: PathBuf,
}

impl Repository {
    /// Returns `None` if this workspace is not the top of a work tree, as with an unpacked source archive that lies in
    /// another repository, or if git is not installed.
    fn of_workspace() -> Option<Self> {
        let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).parent()?.parent()?.canonicalize().ok()?;
        let repository = Self { root };
        let top = PathBuf::from(repository.git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
        (top == repository.root).then_some(repository)
    }

    /// Returns the output of git without white space at both ends, or `None` if git fails or is not installed.
    fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git").args(arguments).current_dir(&self.root).output().ok()?;
        let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
        Some(text.trim().to_owned())
    }

    /// Runs this script again when the commit changes. git returns the paths for work trees of their own as well. Cargo
    /// would run the script at every build if it watched a file that does not exist.
    fn watch(&self) {
        let mut files = vec!["HEAD".to_owned(), "logs/HEAD".to_owned()];
        if let Some(reference) = self.git(&["symbolic-ref", "--quiet", "HEAD"]) {
            let is_loose = self.path(&reference).is_some_and(|path| path.exists());
            files.push(if is_loose { reference } else { "packed-refs".to_owned() });
        }
        let paths = files.iter().filter_map(|file| self.path(file)).filter(|path| path.exists());
        paths.for_each(|path| println!("cargo:rerun-if-changed={}", path.display()));
    }

    fn path(&self, file: &str) -> Option<PathBuf> {
        self.git(&["rev-parse", "--git-path", file]).map(|path| self.root.join(path))
    }
}
