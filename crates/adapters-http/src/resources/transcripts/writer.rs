//! The interface of the writers of transcripts.

use parlance_domain::message::Message;

/// Writes a transcript in one format, message by message.
pub(crate) trait TranscriptWriter {
    /// Writes the part before the first message.
    fn begin(&mut self, out: &mut Vec<u8>);
    /// Writes one message.
    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>);
    /// Writes the part after the last message.
    fn end(&mut self, out: &mut Vec<u8>);
}
