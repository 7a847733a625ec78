//! Tests of the sources: short files, meaningful names, no unfinished code, tenant scopes, a contract for each store.

use crate::workspace::{Source, assert_none, crate_sources, file, files, sources};

const MAX_LINES: usize = 300;

/// Files that may be longer, with the reason.
const LONG_FILES: [&str; 18] = [
    // These files are lists, which engineers search and do not read.
    "crates/domain/src/limits.rs",
    "crates/redaction/src/registry/list.rs",
    "crates/redaction/src/validate/vat.rs",
    "crates/redaction/src/cues/phrases.rs",
    "crates/redaction/src/tokenize/words.rs",
    "crates/redaction/src/detect/credential/word_list.rs",
    "crates/redaction/src/tagger/word_class.rs",
    "crates/redaction/src/tables/english_common.rs",
    "crates/redaction/src/tables/eponyms.rs",
    "crates/redaction/src/tables/given_names.rs",
    "crates/redaction/src/tables/phone_countries.rs",
    "crates/redaction/src/tables/profanity.rs",
    "crates/redaction/src/tables/street_types.rs",
    "crates/redaction/src/tables/surnames.rs",
    "crates/redaction/src/tables/tld.rs",
    // Half of these files is lists of words, which only the rules beside them read.
    "crates/redaction/src/cues/composed.rs",
    "crates/redaction/src/numbers/foreign_numbers.rs",
    // This file is to be split by topic.
    "crates/redaction/src/detect/cue_link.rs",
];

const VAGUE_NAMES: [&str; 8] = ["util", "utils", "common", "helper", "helpers", "manager", "misc", "types"];

/// The paths of the sources for which `condition` is true.
fn paths_where(sources: &[Source], condition: impl Fn(&Source) -> bool) -> Vec<String> {
    sources.iter().filter(|source| condition(source)).map(|source| source.path.clone()).collect()
}

#[test]
fn every_store_has_a_contract() {
    let ports = file("crates/domain/src/ports.rs").text;
    let names = ports.lines().filter_map(|line| line.trim().strip_prefix("pub use ")?.split(';').next());
    let stores: Vec<_> = names
        .filter_map(|path| path.rsplit("::").next())
        .filter(|name| name.ends_with("Store") && !name.starts_with("Mock"))
        .map(to_snake_case)
        .collect();
    assert!(!stores.is_empty(), "ports.rs has no line that re-exports a store: has its form changed?");

    let suites = file("tests/contracts/main.rs").text;
    let contracts = files("tests/contracts", "rs");
    let has_contract = |store: &str| {
        let path = format!("tests/contracts/{store}.rs");
        let lists_cases = contracts.iter().any(|source| source.path == path && source.text.contains("contract!["));
        lists_cases && suites.lines().any(|line| line == format!("mod {store};"))
    };
    let without: Vec<_> = stores.into_iter().filter(|store| !has_contract(store)).collect();
    assert_none(
        &without,
        "every store needs a contract suite: add tests/contracts/<store>.rs, as for the other stores, for:",
    );
}

/// A second handle would be a second writer of a SQLite file, and a second set of pools on PostgreSQL.
#[test]
fn a_server_opens_its_database_once() {
    let opens = |source: &Source| {
        let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        code.matches("Stores::open").count() + code.matches("Database::open").count()
    };
    // The sample of the sandbox comes from a database in memory.
    let openers = ["crates/app/src/commands/", "crates/app/src/wiring.rs", "crates/app/src/sample.rs"];
    let wrong = paths_where(&files("crates/app/src", "rs"), |source| {
        opens(source) > 0 && !openers.iter().any(|opener| source.path.starts_with(opener))
    });
    assert_none(&wrong, "use the database that the command has opened in:");
    assert_eq!(opens(&file("crates/app/src/commands/serve.rs")), 1);
}

pub(crate) fn to_snake_case(name: &str) -> String {
    let separated = name
        .chars()
        .map(|letter| if letter.is_uppercase() { format!("_{}", letter.to_lowercase()) } else { letter.to_string() });
    separated.collect::<String>().trim_start_matches('_').to_owned()
}

#[test]
fn no_file_exceeds_the_maximum_length() {
    let mut sources = crate_sources();
    sources.extend(files("tests", "rs"));
    let long = sources.iter().filter(|source| !LONG_FILES.contains(&source.path.as_str()));
    let long = long.map(|source| (source.text.lines().count(), &source.path)).filter(|(lines, _)| *lines > MAX_LINES);
    let long: Vec<_> = long.map(|(lines, path)| format!("{path} has {lines} lines")).collect();
    assert_none(&long, "split these by topic, or add them to LONG_FILES with the reason:");
}

#[test]
fn every_file_and_module_has_a_meaningful_name() {
    let mut wrong = Vec::new();
    for source in sources() {
        let parts = source.path.split('/').map(|part| part.trim_end_matches(".rs"));
        let modules = source.text.lines().filter_map(|line| {
            let (before, after) = line.split_once("mod ")?;
            let declares = before.trim().is_empty() || before.trim_start().starts_with("pub");
            declares.then(|| after.trim_end_matches([' ', ';', '{']))
        });
        let empty = parts.chain(modules).filter(|name| VAGUE_NAMES.contains(name));
        wrong.extend(empty.map(|name| format!("{}: {name}", source.path)));
    }
    assert_none(&wrong, "name these after their content:");
}

#[test]
fn every_file_of_tests_is_compiled() {
    let is_declared = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or_default();
        let declaration = format!("mod {};", name.trim_end_matches(".rs"));
        file(&format!("{folder}/main.rs"))
            .text
            .lines()
            .any(|line| line.trim_start_matches("pub(crate) ") == declaration)
    };
    let folders = [
        "tests/api",
        "tests/architecture",
        "tests/contracts",
        "tests/simulation",
        "crates/app/tests/program",
        "crates/app/tests/resilience",
        "crates/domain/tests/services",
    ];
    let forgotten: Vec<_> = folders
        .into_iter()
        .flat_map(|folder| files(folder, "rs").into_iter().map(|source| source.path))
        .filter(|path| !path.ends_with("/main.rs") && !is_declared(path))
        .collect();
    assert_none(&forgotten, "declare these files by `mod` in the `main.rs` of their folder:");
}

#[test]
fn no_source_is_marked_as_unfinished() {
    // `concat!` splits the marks, so that the test does not find its own source.
    let marks = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("FIX", "ME"), concat!("TO", "DO:")];
    let mark = concat!("X", "XX");
    let unfinished = paths_where(&sources(), |source| {
        let words = source.text.split(|letter: char| !letter.is_alphanumeric());
        marks.iter().any(|mark| source.text.contains(mark)) || words.into_iter().any(|word| word == mark)
    });
    assert_none(&unfinished, "finish the code or open an issue for the missing part, and remove the mark from:");
}

#[test]
fn every_query_of_an_entity_starts_with_its_tenant_scope() {
    let scope = file("crates/adapters-sql/src/control_plane/entities/tenant_scope.rs");
    assert!(scope.text.contains("E::find()") && scope.text.contains("rows.filter(E::TENANT.eq("));
    let wrong = paths_where(&files("crates/adapters-sql/src", "rs"), |source| {
        source.text.contains("Entity::find") && !source.path.contains("/migrations/")
    });
    assert_none(&wrong, "start every query of an entity with `tenant_rows`, which takes the tenant, in:");
    // The operator lists the credentials of all tenants.
    let readers_of_all = ["control_plane/entities/tenant_scope.rs", "control_plane/credentials/mod.rs"];
    let wrong = paths_where(&files("crates/adapters-sql/src", "rs"), |source| {
        source.text.contains("rows_of") && !readers_of_all.iter().any(|reader| source.path.ends_with(reader))
    });
    assert_none(&wrong, "only the list of credentials reads all tenants: call `tenant_rows` in:");
}

#[test]
fn every_sql_statement_on_conversations_or_messages_names_the_tenant() {
    let adapters = files("crates/adapters-sql/src", "rs");
    let statements = adapters.iter().flat_map(|source| {
        let named = |word: &'static str, begin: &'static str, end: &'static str| {
            let rest = source.text.split(word).skip(1).filter_map(move |rest| rest.split_once(begin));
            rest.map(move |(name, rest)| (&source.path, name, rest.split(end).next().unwrap_or_default()))
        };
        named("const ", ": &str =", ";\n")
    });
    let files = files("crates/adapters-sql/src", "sql");
    let statements = statements.chain(files.iter().map(|source| (&source.path, "the file", source.text.as_str())));
    let tables = [
        "FROM conversations",
        "FROM messages",
        "INTO conversations",
        "INTO messages",
        "UPDATE messages",
        "UPDATE conversations",
    ];
    let statements: Vec<_> = statements.filter(|(.., sql)| tables.iter().any(|table| sql.contains(table))).collect();
    assert!(!statements.is_empty(), "the search finds no statement in adapters-sql: has its form changed?");
    // The last scopes are for a part of a statement whose input rows each have a tenant, and for a macro that takes it.
    let scopes =
        ["tenant_id = $", "(tenant_id, ", "unnest($1", "tenant_id = message.tenant_id", "tenant_id = \", $tenant"];
    let wrong = statements.iter().filter(|(.., sql)| !scopes.iter().any(|scope| sql.contains(scope)));
    let wrong: Vec<_> = wrong.map(|(path, name, _)| format!("{path}: {name}")).collect();
    assert_none(&wrong, "restrict these statements to the rows of one tenant:");
}

#[test]
fn every_module_has_a_doc_comment() {
    let undocumented = paths_where(&crate_sources(), |source| {
        !source.text.starts_with("//! ") && !source.text.starts_with("#![doc = include_str!(\"../README.md\")]")
    });
    assert_none(&undocumented, "start these with `//!` and one sentence that says what the module is for:");
}
