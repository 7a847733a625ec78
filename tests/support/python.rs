//! The Python tools of the tests: virtual environments in `target/tools`, with packages from `PyPI`.
//!
//! Without Python or `PyPI`, the tests that need the tools are skipped, and one line on standard error reports it. If
//! `PARLANCE_TEST_REQUIRE` has the name of the tools, missing tools are a failure.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use crate::requirements::{is_required, report_skipped};

const TOOLS_DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tools");

/// A virtual environment.
struct Environment {
    /// The name of its folder.
    name: &'static str,
    /// The name in `PARLANCE_TEST_REQUIRE`.
    requirement: &'static str,
    /// What the tests need it for.
    purpose: &'static str,
    /// The packages, at the versions that the tests were written with.
    packages: &'static [&'static str],
}

/// S3, `DuckDB` and pandas.
const FEEDS: Environment = Environment {
    name: "feeds",
    requirement: "s3",
    purpose: "S3, DuckDB and pandas",
    packages: &["moto[server]==5.2.5", "duckdb==2.0.0", "pandas==3.1.1", "pyarrow==26.0.1"],
};

/// The Presidio Analyzer, an environment of its own: its packages have bounds of their own.
const PRESIDIO: Environment = Environment {
    name: "presidio",
    requirement: "presidio",
    purpose: "a real Presidio Analyzer",
    packages: &["presidio-analyzer==2.2.366"],
};

/// The directory of the programs of the tools for feeds, such as `python`; `None` if the tests run without them.
///
/// # Panics
/// If the tools are required and cannot be installed.
#[must_use]
pub fn programs_directory() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Result<Option<PathBuf>, String>> = OnceLock::new();
    directory(&PROGRAMS, &FEEDS)
}

/// The directory of the programs of the Presidio Analyzer; `None` if the tests run without it.
///
/// # Panics
/// If it is required and cannot be installed.
#[must_use]
pub fn presidio_directory() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Result<Option<PathBuf>, String>> = OnceLock::new();
    directory(&PROGRAMS, &PRESIDIO)
}

fn directory(
    programs: &'static OnceLock<Result<Option<PathBuf>, String>>,
    environment: &Environment,
) -> Option<&'static Path> {
    match programs.get_or_init(|| find(environment)) {
        Ok(directory) => directory.as_deref(),
        Err(reason) => panic!("{reason}"),
    }
}

fn find(environment: &Environment) -> Result<Option<PathBuf>, String> {
    let reason = match install(environment) {
        Ok(directory) => return Ok(Some(directory)),
        Err(reason) => {
            format!("there are no Python tools: {reason}. Install python3 with venv, and allow pip to reach PyPI.")
        }
    };
    if is_required(environment.requirement) {
        return Err(reason);
    }
    report_skipped(&format!("Tests with {} are skipped, because {reason}", environment.purpose));
    Ok(None)
}

/// Creates the environment if it does not exist. A lock serializes concurrent processes.
fn install(environment: &Environment) -> Result<PathBuf, String> {
    let message = |error: std::io::Error| error.to_string();
    let Environment { name, packages, .. } = environment;
    let folder = Path::new(TOOLS_DIRECTORY).join(name);
    let (programs, marker) =
        (folder.join("bin"), folder.join(format!("made {}", packages.join(" ").replace('/', "_"))));
    fs::create_dir_all(TOOLS_DIRECTORY).map_err(message)?;
    let lock_file = fs::File::create(Path::new(TOOLS_DIRECTORY).join(format!("{name}.lock"))).map_err(message)?;
    lock_file.lock().map_err(message)?;
    if !marker.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let mut pip = Command::new(programs.join("python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(*packages))?;
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
