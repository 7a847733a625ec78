//! Prints the page of the catalogue in `docs/redaction-entities.md`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(parlance_redaction::catalogue_page().as_bytes())
}
