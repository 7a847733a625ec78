//! A transcript as CSV (RFC 4180) with a header row. No cell is a formula for a spreadsheet.

use std::borrow::Cow;

use parlance_domain::message::Message;

use crate::resources::transcripts::{line_ends::is_line_end, writer::TranscriptWriter};

const HEADER: [&str; 6] =
    ["messageId", "clientTimestamp", "createdTimestamp", "senderRole", "senderExternalId", "text"];

pub(super) struct CsvWriter;

impl TranscriptWriter for CsvWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        write_record(out, HEADER);
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let (sent_at, created_at) = (message.sent_at.to_string(), message.created_at.to_string());
        let (role, sender) = (message.sender.role.as_str(), message.sender.external_id.as_str());
        let (sender, text) = (inert(sender), inert(message.text.as_str()));
        write_record(out, [message.id.as_str(), &sent_at, &created_at, role, &sender, &text]);
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

/// The signs with which a formula begins, also in their full-width form (OWASP, CSV Injection).
const FORMULA_SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// The characters after which a program that splits cells at tabs or semicolons starts another cell, besides line ends.
const OTHER_SEPARATORS: [char; 2] = [';', '\t'];

/// The text with an apostrophe before each sign with which a cell could begin as a formula, so that a spreadsheet shows
/// it as text.
fn inert(text: &str) -> Cow<'_, str> {
    if !text.contains(FORMULA_SIGNS) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 4);
    let mut at_cell_start = true;
    for letter in text.chars() {
        if at_cell_start && FORMULA_SIGNS.contains(&letter) {
            out.push('\'');
        }
        let stays = at_cell_start && (letter.is_whitespace() || letter == '"');
        at_cell_start = stays || OTHER_SEPARATORS.contains(&letter) || is_line_end(letter);
        out.push(letter);
    }
    Cow::Owned(out)
}

fn write_record(out: &mut Vec<u8>, fields: [&str; 6]) {
    // The writer itself quotes a cell with a carriage return or a line feed, and with no other line end.
    let needs_quotes = |letter| is_line_end(letter) && !matches!(letter, '\r' | '\n');
    let needs_quotes = fields.iter().any(|field| field.contains(needs_quotes));
    let quote_style = if needs_quotes { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).quote_style(quote_style).from_writer(out);
    // A write to a Vec fails only if the records differ in length, and this writer writes one record.
    let _ = writer.write_record(fields);
}

#[cfg(test)]
mod tests {
    use super::{
        super::{line_ends::ENDS, sample::render},
        *,
    };

    #[test]
    fn a_header_row_comes_first() {
        assert_eq!(
            render(CsvWriter, &[]),
            "messageId,clientTimestamp,createdTimestamp,senderRole,senderExternalId,text\r\n"
        );
    }

    #[test]
    fn quotes_commas_and_line_breaks_are_kept() {
        let table = render(CsvWriter, &[(0, "a, \"b\"\nc")]);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!(row.get(5), Some("a, \"b\"\nc"));
        assert_eq!(row.get(4), Some("agent <7>"));
    }

    #[test]
    fn a_cell_with_any_line_end_is_quoted() {
        for end in ENDS {
            let table = render(CsvWriter, &[(0, &format!("a{end}=b"))]);
            assert!(table.ends_with(&format!(",\"a{end}'=b\"\r\n")), "{table:?}");
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            (" \t@SUM(A1)", " \t'@SUM(A1)"),
            ("-5 degrees", "'-5 degrees"),
            ("＝1", "'＝1"),
            ("a;=1", "a;'=1"),
            ("a\n\"+1", "a\n\"'+1"),
        ] {
            let table = render(CsvWriter, &[(0, text)]);
            let row = csv::Reader::from_reader(table.as_bytes()).records().next().unwrap().unwrap();
            assert_eq!(row.get(5), Some(cell));
        }
    }

    #[test]
    fn signs_inside_a_text_are_kept() {
        for text in ["a - b = c", "5+5", "mail me@example.com", "well, -5"] {
            assert_eq!(inert(text), text);
        }
    }
}
