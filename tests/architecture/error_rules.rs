//! Tests of the rules in `error.details`: the code and the page for callers list the same rules.

use std::collections::BTreeSet;

use crate::workspace::{assert_none, file, files};

const PAGE: &str = "docs/http-status-codes.md";

/// Functions of the HTTP adapter whose last argument but one is a rule.
const FUNCTIONS_WITH_RULE: [&str; 5] = ["Detail::new(", "refused_at(", "invalid_parameter(", ".read(", ".parse("];

/// The arguments of a call. `text` is the source after the opening parenthesis.
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

/// The rule in a string literal, without its quotation marks.
fn quoted_rule(argument: &str) -> Option<&str> {
    let rule = argument.strip_prefix('"')?.strip_suffix('"')?;
    let is_rule = !rule.is_empty() && rule.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    is_rule.then_some(rule)
}

fn rules_in_code() -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for source in files("crates/adapters-http/src", "rs") {
        let text = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        for call in FUNCTIONS_WITH_RULE.iter().flat_map(|name| text.split(name).skip(1)) {
            let arguments = arguments(call);
            rules.extend(arguments.iter().rev().nth(1).and_then(|rule| quoted_rule(rule)).map(str::to_owned));
        }
    }
    // Readiness probes also define rules.
    for source in ["crates/domain/src", "crates/adapters-sql/src", "crates/app/src"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
    {
        let failures = source.text.split("ProbeFailure {").skip(1).filter_map(|failure| failure.split("rule:").nth(1));
        rules.extend(failures.filter_map(|rule| quoted_rule(rule.split(',').next()?.trim())).map(str::to_owned));
    }
    let domain = file("crates/domain/src/text.rs").text;
    let arms = domain.split("fn rule(").nth(1).and_then(|rest| rest.split("\n    }\n").next()).unwrap();
    rules.extend(arms.split("=> ").skip(1).filter_map(|arm| quoted_rule(arm.split(',').next()?)).map(str::to_owned));
    rules
}

/// The rules in the first column of the table of rules on the page.
fn rules_on_the_page() -> BTreeSet<String> {
    let page = file(PAGE).text;
    let table = page.split("| rule | status | means |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let cells = table.lines().filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_rule_in_the_code_is_on_the_page() {
    let code = rules_in_code();
    assert!(code.len() > 25 && code.contains("failed_authentications"), "the search misses rules: {code:?}");
    let missing: Vec<_> = code.difference(&rules_on_the_page()).cloned().collect();
    assert_none(&missing, &format!("add a row to the table of rules in {PAGE} for:"));
}

#[test]
fn every_rule_on_the_page_is_in_the_code() {
    let gone: Vec<_> = rules_on_the_page().difference(&rules_in_code()).cloned().collect();
    assert_none(&gone, &format!("remove these rules from {PAGE}, or use them in the code:"));
}

#[test]
fn arguments_are_separated_at_top_level_commas_only() {
    assert_eq!(
        arguments("format!(\"a, {b}\"), \"rule\", \"x (, y\") + 1"),
        ["format!(\"a, {b}\")", "\"rule\"", "\"x (, y\""]
    );
}
