//! The Python tools of the tests: a virtual environment in `target/tools`, with packages from `PyPI`.
//!
//! Without Python or `PyPI`, the tests that need the tools are skipped, and one line on standard error reports it.
//! With `PARLANCE_TEST_REQUIRE=s3`, missing tools are a failure.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use crate::requirements::{is_required, report_skipped};

const TOOLS_DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tools");

/// The packages, at the versions that the tests were written with.
const PACKAGES: [&str; 4] = ["moto[server]==5.2.5", "duckdb==2.0.0", "pandas==3.1.1", "pyarrow==26.0.1"];

/// The directory of the programs of the tools, such as `python`; `None` if the tests run without them.
///
/// # Panics
/// If the tools are required and cannot be installed.
#[must_use]
pub fn programs_directory() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Result<Option<PathBuf>, String>> = OnceLock::new();
    match PROGRAMS.get_or_init(find_tools) {
        Ok(directory) => directory.as_deref(),
        Err(reason) => panic!("{reason}"),
    }
}

fn find_tools() -> Result<Option<PathBuf>, String> {
    let reason = match install() {
        Ok(directory) => return Ok(Some(directory)),
        Err(reason) => {
            format!("there are no Python tools: {reason}. Install python3 with venv, and allow pip to reach PyPI.")
        }
    };
    if is_required("s3") {
        return Err(reason);
    }
    report_skipped(&format!("Tests with S3, DuckDB and pandas are skipped, because {reason}"));
    Ok(None)
}

/// Creates the environment if it does not exist. A lock serializes concurrent processes.
fn install() -> Result<PathBuf, String> {
    let message = |error: std::io::Error| error.to_string();
    let environment = Path::new(TOOLS_DIRECTORY).join("feeds");
    let (programs, marker) =
        (environment.join("bin"), environment.join(format!("made {}", PACKAGES.join(" ").replace('/', "_"))));
    fs::create_dir_all(TOOLS_DIRECTORY).map_err(message)?;
    let lock_file = fs::File::create(Path::new(TOOLS_DIRECTORY).join("feeds.lock")).map_err(message)?;
    lock_file.lock().map_err(message)?;
    if !marker.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let mut pip = Command::new(programs.join("python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES))?;
        fs::write(&marker, "").map_err(message)?;
    }
    Ok(programs)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let last_line = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
    Err(format!("{command:?} failed: {last_line}"))
}
