//! Python tools of the tests, in an environment of their own under `target/tools`, from `PyPI` by pip.
//!
//! Where there is no Python or `PyPI`, what needs them is left out, and one line on standard error says so;
//! `PARLANCE_TEST_REQUIRE=s3` makes that a failure.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tools");

/// At the versions that the tests were written with.
const PACKAGES: [&str; 4] = ["moto[server]==5.2.5", "duckdb==2.0.0", "pandas==3.1.1", "pyarrow==26.0.1"];

/// The folder of the environment's programs, or none where the tests go without them.
///
/// # Panics
/// Where they are required and cannot be had.
#[must_use]
pub fn programs() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Result<Option<PathBuf>, String>> = OnceLock::new();
    match PROGRAMS.get_or_init(decide) {
        Ok(folder) => folder.as_deref(),
        Err(reason) => panic!("{reason}"),
    }
}

fn decide() -> Result<Option<PathBuf>, String> {
    let reason = match make() {
        Ok(folder) => return Ok(Some(folder)),
        Err(reason) => {
            format!("there are no Python tools: {reason}. Install python3 with its venv, and let pip reach PyPI.")
        }
    };
    if env::var("PARLANCE_TEST_REQUIRE").unwrap_or_default().split(',').any(|required| required.trim() == "s3") {
        return Err(reason);
    }
    // Not `eprintln!`, which the test harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "Tests with S3, DuckDB and pandas are left out, for {reason}");
    Ok(None)
}

/// Makes the environment where it is not there yet. Processes that want it at once take turns.
fn make() -> Result<PathBuf, String> {
    let said = |error: std::io::Error| error.to_string();
    let home = Path::new(TOOLS).join("feeds");
    let (programs, made) = (home.join("bin"), home.join(format!("made {}", PACKAGES.join(" ").replace('/', "_"))));
    fs::create_dir_all(TOOLS).map_err(said)?;
    let turn = fs::File::create(Path::new(TOOLS).join("feeds.lock")).map_err(said)?;
    turn.lock().map_err(said)?;
    if !made.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        let mut pip = Command::new(programs.join("python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES))?;
        fs::write(&made, "").map_err(said)?;
    }
    Ok(programs)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
    Err(format!("{command:?} failed: {said}"))
}
