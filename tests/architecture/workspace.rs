//! The workspace as cargo and the file system know it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::Value;

/// A dependency that a crate declares.
pub(crate) struct Dependency {
    pub(crate) by: String,
    pub(crate) on: String,
    pub(crate) features: Vec<String>,
    pub(crate) default_features: bool,
}

/// A file of the workspace.
pub(crate) struct Source {
    /// Its path from the root of the workspace, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// What cargo prints. It never goes to the network: all that the workspace needs was fetched to build this test.
pub(crate) fn cargo(arguments: &[&str]) -> String {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).arg("--offline").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "cargo {arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Every dependency of every crate of the workspace, of whatever kind.
pub(crate) fn dependencies() -> Vec<Dependency> {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let of = |package: &Value| {
        let by = text(&package["name"]);
        let declared = package["dependencies"].as_array().unwrap().clone();
        declared.into_iter().map(move |dependency| Dependency {
            by: by.clone(),
            on: text(&dependency["name"]),
            features: dependency["features"].as_array().unwrap().iter().map(text).collect(),
            default_features: dependency["uses_default_features"] == true,
        })
    };
    packages.iter().flat_map(of).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Every file of this kind below a folder of the workspace.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    assert!(!found.is_empty(), "no {extension} file is found in {folder}: has the folder moved?");
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

/// Whether the workspace has a file or folder whose path is this, or ends with it. What is built or installed is left out.
pub(crate) fn exists(path: &str) -> bool {
    static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut paths = Vec::new();
        list(&root(), "", &mut paths);
        paths
    });
    let path = path.trim_start_matches("./").trim_end_matches('/');
    !path.is_empty()
        && PATHS
            .iter()
            .any(|known| known.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

fn list(folder: &Path, before: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if [".git", "target", "node_modules"].contains(&name.as_str()) {
            continue;
        }
        let path = format!("{before}{name}");
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &format!("{path}/"), paths);
        }
        paths.push(path);
    }
}

/// Every Rust source of the workspace.
pub(crate) fn sources() -> Vec<Source> {
    [files("crates", "rs"), files("tests", "rs")].into_iter().flatten().collect()
}

/// Fails with what to do, where anything is amiss.
#[track_caller]
pub(crate) fn assert_none(amiss: &[String], what_to_do: &str) {
    assert!(amiss.is_empty(), "{what_to_do}\n  {}\n", amiss.join("\n  "));
}
