//! Tests of the table of guarantees: each row names an existing test, its length and the outcome of its last long run.

use crate::workspace::{assert_none, file, path_exists};

const PAGE: &str = "docs/guarantees.md";
const COLUMNS: [&str; 5] = ["promise", "held by", "length", "last long run", "not promised"];

/// The cells of each table row on the page. The heads are included, and their separator lines are not.
fn rows() -> Vec<Vec<String>> {
    let page = file(PAGE).text;
    let lines = page.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.map(cells).collect()
}

/// Whether `text` is a date, a colon and an outcome, or one of the two texts for no long run.
fn is_an_outcome(text: &str) -> bool {
    let dated = text.split_once(": ").is_some_and(|(day, outcome)| {
        let form: String = day.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
        form == "0000-00-00" && ["passed", "failed"].iter().any(|word| outcome.starts_with(word))
    });
    dated || ["not yet run", "no long form"].contains(&text)
}

fn names_a_test(cell: &str) -> bool {
    cell.split('`').skip(1).step_by(2).any(path_exists)
}

#[test]
fn every_row_has_all_columns() {
    let wrong = rows().into_iter().filter(|row| row.len() != COLUMNS.len()).map(|row| row[0].clone());
    assert_none(&wrong.collect::<Vec<_>>(), &format!("give these rows of {PAGE} the columns {COLUMNS:?}:"));
}

#[test]
fn every_row_names_a_test_that_exists() {
    let promises = rows().into_iter().filter(|row| row[0] != COLUMNS[0]);
    let wrong = promises.filter(|row| !names_a_test(&row[1])).map(|row| row[0].clone());
    assert_none(&wrong.collect::<Vec<_>>(), &format!("name a test file in backticks in these rows of {PAGE}:"));
}

#[test]
fn every_row_has_a_length_and_the_outcome_of_its_last_long_run() {
    let promises = rows().into_iter().filter(|row| row[0] != COLUMNS[0]);
    let wrong = promises.filter(|row| row[2].is_empty() || !is_an_outcome(&row[3])).map(|row| row[0].clone());
    let instruction = "add the length, and `YYYY-MM-DD: passed`, `not yet run` or `no long form`, to these rows:";
    assert_none(&wrong.collect::<Vec<_>>(), instruction);
}
