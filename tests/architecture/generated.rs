//! Tests that the generated pages in `docs/` are up to date.

use parlance_domain::redaction::catalogue_page;

use crate::workspace::file;

#[test]
fn the_page_of_redaction_entities_matches_the_catalogue() {
    assert!(
        file("docs/redaction-entities.md").text == catalogue_page(),
        "docs/redaction-entities.md is out of date: run `just docs`"
    );
}
