//! Tests of the decision records: numbered without gaps, each with a status and a date, each listed in the index.

use crate::workspace::{Source, assert_none, file, files};

const FOLDER: &str = "docs/adr";

/// The records, ordered by number.
fn records() -> Vec<Source> {
    let mut records = files(FOLDER, "md");
    records.sort_by(|one, other| one.path.cmp(&other.path));
    records
}

fn name(record: &Source) -> &str {
    record.path.rsplit('/').next().unwrap()
}

fn number(record: &Source) -> &str {
    &name(record)[..4]
}

#[test]
fn records_are_numbered_without_gaps() {
    let numbers: Vec<_> = records().iter().map(|record| number(record).to_owned()).collect();
    let expected: Vec<_> = (1..=numbers.len()).map(|number| format!("{number:04}")).collect();
    assert_eq!(numbers, expected, "{FOLDER} has a gap or a duplicate number: add the missing record or renumber");
}

#[test]
fn every_record_has_its_number_in_its_title() {
    let wrong = records().into_iter().filter(|record| !record.text.starts_with(&format!("# {}: ", number(record))));
    let wrong: Vec<_> = wrong.map(|record| record.path).collect();
    assert_none(&wrong, "start these records with `# NNNN: title`, where NNNN is the number in the file name:");
}

/// Whether a line has a status with a date, such as `Status: accepted, 2026-01-31`. More text may follow.
fn has_a_dated_status(text: &str) -> bool {
    let status = text.lines().find_map(|line| line.strip_prefix("Status: "));
    let date = status.and_then(|status| status.split_once(", ")).and_then(|(_, rest)| rest.get(..10));
    let digits = |date: &str| date.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    date.map(digits).is_some_and(|form: String| form == "0000-00-00")
}

#[test]
fn every_record_has_a_status_with_its_date() {
    let wrong = records().into_iter().filter(|record| !has_a_dated_status(&record.text));
    let wrong: Vec<_> = wrong.map(|record| record.path).collect();
    assert_none(&wrong, "add a line such as `Status: accepted, 2026-01-31.` below the title of:");
}

#[test]
fn every_record_is_listed_in_the_index() {
    let index = file("docs/README.md").text;
    let wrong = records()
        .into_iter()
        .filter(|record| !index.contains(&format!("| [{}](adr/{}) | ", number(record), name(record))));
    let wrong: Vec<_> = wrong.map(|record| record.path).collect();
    assert_none(&wrong, "add these to the table of records in docs/README.md:");
}
