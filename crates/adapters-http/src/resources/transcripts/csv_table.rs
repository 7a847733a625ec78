//! A transcript as CSV (RFC 4180) with a header row.

use parlance_domain::message::Message;

use crate::resources::transcripts::writer::TranscriptWriter;

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
        write_record(out, [message.id.as_str(), &sent_at, &created_at, role, sender, message.text.as_str()]);
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

fn write_record(out: &mut Vec<u8>, fields: [&str; 6]) {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    // A write to a Vec fails only if the records differ in length, and this writer writes one record.
    let _ = writer.write_record(fields);
}

#[cfg(test)]
mod tests {
    use super::{super::sample::render, *};

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
}
