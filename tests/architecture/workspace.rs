//! The workspace: its dependencies as cargo reports them, and its files.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::Value;

/// A dependency that a crate declares.
pub(crate) struct Dependency {
    pub(crate) package: String,
    pub(crate) name: String,
    pub(crate) features: Vec<String>,
    pub(crate) default_features: bool,
}

/// A file of the workspace.
pub(crate) struct Source {
    /// The path from the root of the workspace, with `/` as the separator.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// The folder of the crate, and the path below its `src` folder.
    pub(crate) fn split_at_src(&self) -> Option<(&str, &str)> {
        self.path.split_once("/src/")
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Runs cargo and returns its output. Cargo runs offline: the build of this test has fetched all dependencies.
pub(crate) fn cargo(arguments: &[&str]) -> String {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).arg("--offline").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "cargo {arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// All dependencies of all crates of the workspace: normal, development and build dependencies.
pub(crate) fn dependencies() -> Vec<Dependency> {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let dependencies_of = |package: &Value| {
        let name = text(&package["name"]);
        let declared = package["dependencies"].as_array().unwrap().clone();
        declared.into_iter().map(move |dependency| Dependency {
            package: name.clone(),
            name: text(&dependency["name"]),
            features: dependency["features"].as_array().unwrap().iter().map(text).collect(),
            default_features: dependency["uses_default_features"] == true,
        })
    };
    packages.iter().flat_map(dependencies_of).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The files with `extension` below a folder of the workspace.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    assert!(!found.is_empty(), "{folder} has no {extension} file: has the folder moved?");
    found
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|actual| actual == extension) {
            found.push(read(&path));
        }
    }
}

/// One file of the workspace.
pub(crate) fn file(path: &str) -> Source {
    read(&root().join(path))
}

fn read(path: &Path) -> Source {
    let parts: Vec<_> =
        path.strip_prefix(root()).unwrap().iter().map(|part| part.to_string_lossy().into_owned()).collect();
    Source { path: parts.join("/"), text: fs::read_to_string(path).unwrap() }
}

/// Whether the workspace has a file or folder whose path is `path` or ends with it.
///
/// Build output and installed packages are ignored.
pub(crate) fn path_exists(path: &str) -> bool {
    static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut paths = Vec::new();
        list(&root(), "", &mut paths);
        paths
    });
    let path = path.trim_start_matches("./").trim_end_matches('/');
    !path.is_empty()
        && PATHS.iter().any(|candidate| {
            candidate.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
}

fn list(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if [".git", "target", "node_modules"].contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &format!("{path}/"), paths);
        }
        paths.push(path);
    }
}

/// The sources below the `src` folders of the crates.
pub(crate) fn crate_sources() -> Vec<Source> {
    files("crates", "rs").into_iter().filter(|source| source.split_at_src().is_some()).collect()
}

/// The Rust sources in `crates` and `tests`.
pub(crate) fn sources() -> Vec<Source> {
    [files("crates", "rs"), files("tests", "rs")].into_iter().flatten().collect()
}

/// Fails with `instruction` and the list of `violations`, unless the list is empty.
#[track_caller]
pub(crate) fn assert_none(violations: &[String], instruction: &str) {
    assert!(violations.is_empty(), "{instruction}\n  {}\n", violations.join("\n  "));
}
