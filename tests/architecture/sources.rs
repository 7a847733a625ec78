//! How the sources are written: short files, names that say something, nothing left to do, and one contract a store.

use crate::workspace::{Source, assert_none, file, files, sources};

const MOST_LINES: usize = 300;

/// Files that may be longer, each with the reason beside it.
const LONGER: [&str; 11] = [
    // Lists, which are looked up and not read.
    "crates/redaction/src/registry/list.rs",
    "crates/redaction/src/validate/vat.rs",
    "crates/redaction/src/cues/phrases.rs",
    "crates/redaction/src/tokenize/words.rs",
    "crates/redaction/src/tables/english_common.rs",
    "crates/redaction/src/tables/given_names.rs",
    "crates/redaction/src/tables/phone_countries.rs",
    "crates/redaction/src/tables/profanity.rs",
    "crates/redaction/src/tables/street_types.rs",
    "crates/redaction/src/tables/surnames.rs",
    "crates/redaction/src/tables/tld.rs",
];

const EMPTY_NAMES: [&str; 8] = ["util", "utils", "common", "helper", "helpers", "manager", "misc", "types"];

/// The sources below the `src` of a crate.
fn crate_sources() -> Vec<Source> {
    files("crates", "rs").into_iter().filter(|source| source.path.contains("/src/")).collect()
}

/// The places of the sources in which something holds.
fn where_holds(sources: &[Source], holds: impl Fn(&Source) -> bool) -> Vec<String> {
    sources.iter().filter(|source| holds(source)).map(|source| source.path.clone()).collect()
}

#[test]
fn every_store_has_a_contract() {
    let ports = file("crates/domain/src/ports.rs").text;
    let names = ports.lines().filter_map(|line| line.trim().strip_prefix("pub use ")?.split(';').next());
    let stores: Vec<_> = names
        .filter_map(|path| path.rsplit("::").next())
        .filter(|name| name.ends_with("Store"))
        .map(in_snake_case)
        .collect();
    assert!(!stores.is_empty(), "ports.rs re-exports no store one a line: has its form changed?");

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
        "a port is its contract suite: write tests/contracts/<store>.rs, as for the other stores, for:",
    );
}

fn in_snake_case(name: &str) -> String {
    let separated = name
        .chars()
        .map(|letter| if letter.is_uppercase() { format!("_{}", letter.to_lowercase()) } else { letter.to_string() });
    separated.collect::<String>().trim_start_matches('_').to_owned()
}

#[test]
fn no_file_is_too_long_to_read_at_once() {
    let mut sources = crate_sources();
    sources.extend(files("tests", "rs"));
    let long = sources.iter().filter(|source| !LONGER.contains(&source.path.as_str()));
    let long = long.map(|source| (source.text.lines().count(), &source.path)).filter(|(lines, _)| *lines > MOST_LINES);
    let long: Vec<_> = long.map(|(lines, path)| format!("{path} has {lines} lines")).collect();
    assert_none(&long, "split these by what they are about, or name them in LONGER with the reason:");
}

#[test]
fn every_file_and_module_has_a_name_that_says_something() {
    let mut wrong = Vec::new();
    for source in sources() {
        let parts = source.path.split('/').map(|part| part.trim_end_matches(".rs"));
        let modules = source.text.lines().filter_map(|line| {
            let (before, after) = line.split_once("mod ")?;
            let declares = before.trim().is_empty() || before.trim_start().starts_with("pub");
            declares.then(|| after.trim_end_matches([' ', ';', '{']))
        });
        let empty = parts.chain(modules).filter(|name| EMPTY_NAMES.contains(name));
        wrong.extend(empty.map(|name| format!("{}: {name}", source.path)));
    }
    assert_none(&wrong, "name these after what is in them:");
}

#[test]
fn nothing_is_left_to_do() {
    // In parts, so that this file does not find itself.
    let marks = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("FIX", "ME"), concat!("TO", "DO:")];
    let three = concat!("X", "XX");
    let unfinished = where_holds(&sources(), |source| {
        let words = source.text.split(|letter: char| !letter.is_alphanumeric());
        marks.iter().any(|mark| source.text.contains(mark)) || words.into_iter().any(|word| word == three)
    });
    assert_none(&unfinished, "finish it, or write down as an issue what is missing, and take the mark out of:");
}

#[test]
fn every_table_is_reached_through_its_one_scoped_function() {
    let adapters: Vec<_> = files("crates/adapters-sql/src", "rs")
        .into_iter()
        .filter(|source| source.text.contains("Entity::find") && source.text.contains(" for Sql"))
        .collect();
    assert!(!adapters.is_empty(), "no store is found in adapters-sql: has its form changed?");
    let wrong = where_holds(&adapters, |source| {
        let unscoped = source.text.matches("Entity::find").count();
        let function = source.text.split("\nfn of(").nth(1).and_then(|rest| rest.split("\n}").next());
        unscoped != 1 || !function.is_some_and(|body| body.contains("Entity::find()") && body.contains("TenantId.eq"))
    });
    assert_none(
        &wrong,
        "`of`, which asks for a tenant, is the one place of `Entity::find()`: begin every query with it in:",
    );
}

#[test]
fn every_statement_on_conversations_that_is_written_out_names_its_tenant() {
    let adapters = files("crates/adapters-sql/src", "rs");
    let statements = adapters.iter().flat_map(|source| {
        let named = |word: &'static str, begin: &'static str, end: &'static str| {
            let rest = source.text.split(word).skip(1).filter_map(move |rest| rest.split_once(begin));
            rest.map(move |(name, rest)| (&source.path, name, rest.split(end).next().unwrap_or_default()))
        };
        named("const ", ": &str =", ";\n").chain(named("macro_rules! ", " {", "\n}\n"))
    });
    let tables = [
        "FROM conversations",
        "FROM messages",
        "INTO conversations",
        "INTO messages",
        "UPDATE messages",
        "UPDATE conversations",
    ];
    let statements: Vec<_> = statements.filter(|(.., sql)| tables.iter().any(|table| sql.contains(table))).collect();
    assert!(!statements.is_empty(), "no statement is found in adapters-sql: has its form changed?");
    // The last stands in a part of a statement whose rows are those that were given, each with its tenant.
    let scopes = ["tenant_id = $", "(tenant_id, ", "unnest($1", "tenant_id = message.tenant_id"];
    let wrong = statements.iter().filter(|(.., sql)| !scopes.iter().any(|scope| sql.contains(scope)));
    let wrong: Vec<_> = wrong.map(|(path, name, _)| format!("{path}: {name}")).collect();
    assert_none(&wrong, "no statement sees the rows of more than the tenant that is asked for:");
}

#[test]
fn every_module_says_what_it_is() {
    let silent = where_holds(&crate_sources(), |source| !source.text.starts_with("//! "));
    assert_none(&silent, "begin with `//!`, one sentence of what it is and why it is here:");
}
