//! What is generated in `docs/` is what the code says.

use parlance_domain::redaction::catalogue_page;

use crate::workspace::file;

#[test]
fn the_page_of_redaction_entities_is_the_catalogue() {
    assert!(
        file("docs/redaction-entities.md").text == catalogue_page(),
        "docs/redaction-entities.md is out of date: run `just docs`"
    );
}
