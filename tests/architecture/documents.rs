//! Tests of README and docs: the paths, links, commands, flags, settings and recipes that they name exist.

use std::collections::BTreeSet;

use parlance::{cli, settings};
use parlance_domain::privacy::ErasurePlace;

use crate::workspace::{Source, assert_none, file, files, path_exists, root};

/// The README, the changelog and every page of `docs/`.
fn pages() -> Vec<Source> {
    let mut pages = files("docs", "md");
    pages.extend([file("README.md"), file("CHANGELOG.md")]);
    pages
}

/// The inline code of a page: texts in backticks outside of code blocks.
fn inline_code(page: &Source) -> Vec<String> {
    let prose = page.text.split("```").step_by(2);
    let code = prose.flat_map(|text| text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)));
    code.map(str::to_owned).collect()
}

/// Prefixes of paths that a checkout may lack: files of the program, of a build or of the host.
const GENERATED_PATHS: [&str; 11] = [
    "_manifest.json",
    "_progress.json",
    "_SUCCESS",
    "acme.json",
    "parlance.toml",
    "parlance-VERSION",
    "target/",
    "pg_hba.conf",
    "roles.sql",
    "bad.toml",
    "parlance.db",
];

const ENDINGS: [&str; 10] = [".rs", ".toml", ".md", ".sh", ".sql", ".py", ".lua", ".json", ".yaml", ".csv"];

/// Whether inline code is the path of a file or folder of the repository.
fn is_path(text: &str) -> bool {
    let plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./{},".contains(letter));
    let folders = ["crates/", "tests/", "docs/", "benches/", "fuzz/", "examples/", ".ci/"];
    let named = folders.iter().any(|folder| text.starts_with(folder));
    let is_file = ENDINGS.iter().any(|ending| text.ends_with(ending)) && !text.starts_with('.');
    plain
        && !text.starts_with('/')
        && (named || is_file)
        && !GENERATED_PATHS.iter().any(|prefix| text.starts_with(prefix))
}

/// Expands `a/{b,c}.rs` to `a/b.rs` and `a/c.rs`.
fn expand_braces(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
}

#[test]
fn every_path_in_the_docs_exists() {
    let mut wrong = Vec::new();
    for page in pages() {
        let paths = inline_code(&page).into_iter().filter(|code| is_path(code)).flat_map(|path| expand_braces(&path));
        wrong.extend(paths.filter(|path| !path_exists(path)).map(|path| format!("{}: {path}", page.path)));
    }
    assert_none(&wrong, "correct or remove these paths, which do not exist:");
}

#[test]
fn every_link_has_an_existing_file_and_heading() {
    let mut wrong = Vec::new();
    for page in pages() {
        let folder = root().join(&page.path).parent().unwrap().to_owned();
        let prose: String = page.text.split("```").step_by(2).collect();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let found = if path.is_empty() { root().join(&page.path) } else { folder.join(path) };
            let has_heading =
                || heading.is_empty() || headings(&std::fs::read_to_string(&found).unwrap()).contains(heading);
            if !found.exists() || !has_heading() {
                wrong.push(format!("{}: {target}", page.path));
            }
        }
    }
    assert_none(&wrong, "correct these links, whose file or heading does not exist:");
}

/// The anchors of a page's headings.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |title: &str| -> String {
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
    };
    titles.map(anchor).collect()
}

/// The command lines of the program on a page, in inline code and in code blocks.
fn command_lines(page: &Source) -> Vec<String> {
    let blocks = page.text.split("```").skip(1).step_by(2).flat_map(str::lines).map(str::to_owned);
    let lines = blocks.chain(inline_code(page)).map(|line| line.trim_start_matches("$ ").to_owned());
    lines.filter(|line| line.starts_with("parlance ")).collect()
}

/// The error in a command line, if it has one.
fn command_error(line: &str) -> Option<String> {
    let commands = cli::commands();
    let (mut path, mut flags) = (String::new(), Vec::new());
    for word in line.split_whitespace().skip(1).take_while(|word| !["|", ">", "<", "#", "&&"].contains(word)) {
        let word = word.trim_end_matches([',', ';', ':']);
        let below = format!("{path} {word}").trim_start().to_owned();
        if let Some(flag) = word.strip_prefix("--") {
            flags.push(flag.split('=').next().unwrap_or_default().to_owned());
        } else if commands.contains_key(&below) {
            path = below;
        } else if path.is_empty() && flags.is_empty() && word != "help" && word != "COMMAND" {
            return Some(format!("there is no command {word}"));
        }
    }
    let is_known =
        |flag: &String| commands.iter().any(|(name, flags)| (*name == path || name.is_empty()) && flags.contains(flag));
    let unknown = flags.iter().find(|flag| !is_known(flag) && !["help", "version"].contains(&flag.as_str()));
    unknown.map(|flag| format!("`{path}` has no --{flag}"))
}

#[test]
fn every_command_line_in_the_docs_has_an_existing_command_and_flags() {
    let mut wrong = Vec::new();
    for page in pages() {
        let lines = command_lines(&page);
        wrong.extend(lines.iter().filter_map(|line| Some(format!("{}: {line}: {}", page.path, command_error(line)?))));
    }
    // The page about settings shows a flag that its command rejects.
    wrong.retain(|line| !line.contains("parlance --listen 0.0.0.0:80 migrate"));
    assert_none(&wrong, "correct these command lines:");
}

#[test]
fn every_variable_in_the_docs_is_a_setting() {
    let (table, tests, build) = (settings::settings_table(), files("tests", "rs"), file("crates/app/build.rs").text);
    let image = file("Dockerfile").text;
    let is_of_image = |name: &str| image.lines().any(|line| line.strip_prefix("ARG ") == Some(name));
    let mut wrong = Vec::new();
    for page in pages() {
        let words =
            page.text.split(|letter: char| !letter.is_ascii_uppercase() && !letter.is_ascii_digit() && letter != '_');
        let variables = words.filter(|word| word.starts_with("PARLANCE_") && word.len() > "PARLANCE_".len());
        let is_of_tests_or_build = |name: &str| {
            name.starts_with("PARLANCE_TEST")
                || build.contains(&format!("variable(\"{name}\")"))
                || tests.iter().any(|test| test.text.contains(&format!("\"{name}\"")))
        };
        let is_setting = |name: &str| name == "PARLANCE_CONFIG" || table.contains(&format!("`{name}`"));
        let unknown = variables.filter(|name| !is_setting(name) && !is_of_tests_or_build(name) && !is_of_image(name));
        wrong.extend(unknown.map(|name| format!("{}: {name}", page.path)));
    }
    assert_none(&wrong, "these variables belong to no setting and no build argument:");
}

#[test]
fn every_recipe_in_the_docs_exists() {
    let recipes = file("justfile").text;
    let is_recipe = |name: &str| {
        let starts_with_name = |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ':']));
        recipes.lines().any(|line| starts_with_name(line) && line.contains(':'))
    };
    let mut wrong = Vec::new();
    for page in pages() {
        let code = inline_code(&page);
        let named = code.iter().filter_map(|code| code.strip_prefix("just ")?.split_whitespace().next());
        wrong.extend(named.filter(|name| !is_recipe(name)).map(|name| format!("{}: just {name}", page.path)));
    }
    assert_none(&wrong, "the justfile has no such recipe:");
}

#[test]
fn every_place_of_a_receipt_is_in_the_docs() {
    let page = file("docs/privacy-receipts.md").text;
    let names = ErasurePlace::ALL.map(ErasurePlace::as_str);
    let is_missing = |name: &&str| !page.lines().any(|line| line.starts_with(&format!("| `{name}` | ")));
    let missing: Vec<_> = names.into_iter().filter(is_missing).map(str::to_owned).collect();
    assert_none(&missing, "add these to the table of places in docs/privacy-receipts.md:");
}
