//! The words of rules in `error.details`: those in the code are those on the page for callers.

use std::collections::BTreeSet;

use crate::workspace::{assert_none, file, files};

const PAGE: &str = "docs/http-status-codes.md";

/// Functions of the HTTP adapter that are told a rule, as the last argument but one.
const TOLD: [&str; 4] = ["Detail::new(", "wrong(", ".read(", ".parse("];

/// The arguments of a call, of which this is the text after its bracket.
fn arguments(text: &str) -> Vec<String> {
    let (mut arguments, mut depth, mut quoted) = (vec![String::new()], 0_u32, false);
    let mut previous = ' ';
    for letter in text.chars() {
        quoted ^= letter == '"' && previous != '\\';
        match letter {
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        previous = letter;
        arguments.last_mut().unwrap().push(letter);
    }
    let arguments = arguments.into_iter().map(|argument| argument.trim().to_owned());
    arguments.filter(|argument| !argument.is_empty()).collect()
}

/// A word in quotation marks, without them.
fn word(argument: &str) -> Option<&str> {
    let word = argument.strip_prefix('"')?.strip_suffix('"')?;
    let is_word = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    is_word.then_some(word)
}

fn words_in_code() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for source in files("crates/adapters-http/src", "rs") {
        let text = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        for call in TOLD.iter().flat_map(|name| text.split(name).skip(1)) {
            let arguments = arguments(call);
            words.extend(arguments.iter().rev().nth(1).and_then(|rule| word(rule)).map(str::to_owned));
        }
    }
    // Probes of readiness say what is wrong with their part.
    for source in ["crates/domain/src", "crates/adapters-sql/src", "crates/app/src"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
    {
        let failures = source.text.split("ProbeFailure {").skip(1).filter_map(|failure| failure.split("rule:").nth(1));
        words.extend(failures.filter_map(|rule| word(rule.split(',').next()?.trim())).map(str::to_owned));
    }
    let domain = file("crates/domain/src/text.rs").text;
    let rules = domain.split("fn rule(").nth(1).and_then(|rest| rest.split("\n    }\n").next()).unwrap();
    words.extend(rules.split("=> ").skip(1).filter_map(|arm| word(arm.split(',').next()?)).map(str::to_owned));
    words
}

/// The words in the first column of the page's table of rules.
fn words_on_the_page() -> BTreeSet<String> {
    let page = file(PAGE).text;
    let table = page.split("| rule | status | means |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let cells = table.lines().filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_rule_in_the_code_is_on_the_page() {
    let code = words_in_code();
    assert!(code.len() > 25 && code.contains("failed_authentications"), "rules are not found: {code:?}");
    let missing: Vec<_> = code.difference(&words_on_the_page()).cloned().collect();
    assert_none(&missing, &format!("add a row to the table of rules in {PAGE} for:"));
}

#[test]
fn every_rule_on_the_page_is_in_the_code() {
    let gone: Vec<_> = words_on_the_page().difference(&words_in_code()).cloned().collect();
    assert_none(&gone, &format!("take these rules out of {PAGE}, or name them where they are told:"));
}

#[test]
fn arguments_are_told_apart_by_their_commas_alone() {
    assert_eq!(
        arguments("format!(\"a, {b}\"), \"rule\", \"x (, y\") + 1"),
        ["format!(\"a, {b}\")", "\"rule\"", "\"x (, y\""]
    );
}
