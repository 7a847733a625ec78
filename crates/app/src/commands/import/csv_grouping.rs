//! Groups the lines of a CSV file by their conversation.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, RandomState},
};

use parlance_domain::{conversation::UpsertRequest, import::ConversationRecord, message::NewMessage, text::ExternalId};

use super::unit::{LineNumbers, MessageLines, NumberedRecord, RecordLines};

/// How many conversations of a file are remembered as seen.
const MAX_SEEN: usize = 1_000_000;

/// A good line.
pub(super) struct Line {
    pub(super) numbers: LineNumbers,
    pub(super) bytes: u64,
    pub(super) conversation: UpsertRequest,
    pub(super) message: NewMessage,
}

/// Groups the lines of a file.
#[derive(Default)]
pub(super) struct CsvGrouping {
    seen: SeenConversations,
}

impl CsvGrouping {
    /// One record for each conversation, in the order of the first line of each. The first line describes the conversation.
    /// Equal messages are different ones only within a record, so the record also has the lines with another description.
    pub(super) fn group(&mut self, lines: Vec<Line>) -> Vec<NumberedRecord> {
        let mut groups: Vec<(MessageLines, Vec<NewMessage>)> = Vec::new();
        let mut by_conversation: HashMap<ExternalId, usize> = HashMap::new();
        for Line { numbers, conversation, message, .. } in lines {
            let index = *by_conversation.entry(conversation.external_id.clone()).or_insert(groups.len());
            if index == groups.len() {
                groups.push((MessageLines { conversations: Vec::new(), messages: Vec::new() }, Vec::new()));
            }
            let Some((lines, messages)) = groups.get_mut(index) else { continue };
            if lines.conversations.last() != Some(&conversation) {
                lines.conversations.push(conversation);
            }
            lines.messages.push((numbers, lines.conversations.len() - 1));
            messages.push(message);
        }
        groups.into_iter().filter_map(|(lines, messages)| self.record(lines, messages)).collect()
    }

    fn record(&mut self, lines: MessageLines, messages: Vec<NewMessage>) -> Option<NumberedRecord> {
        let conversation = lines.conversations.first()?.clone();
        let updates = self.seen.insert(&conversation.external_id);
        let record = ConversationRecord { conversation, updates, messages };
        Some(NumberedRecord { record, lines: RecordLines::Messages(lines) })
    }
}

/// The conversations that the file has named. Only their hashes are kept.
#[derive(Default)]
struct SeenConversations {
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl SeenConversations {
    /// Whether this is the first line of the conversation. After [`MAX_SEEN`] conversations the memory begins anew, and a
    /// conversation can be new twice.
    fn insert(&mut self, conversation: &ExternalId) -> bool {
        if self.hashes.len() >= MAX_SEEN {
            self.hashes.clear();
        }
        self.hashes.insert(self.hasher.hash_one(conversation))
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        conversation::{Change, Participant},
        message::{Role, Sender},
        text::MessageText,
        time::Timestamp,
    };

    use super::*;

    fn line(number: u64, conversation: &str, customer: &str) -> Line {
        let id = |text: &str| ExternalId::parse(text).unwrap();
        let conversation = UpsertRequest {
            id: None,
            external_id: id(conversation),
            agent: Change::Keep,
            customer: Participant { external_id: id(customer), name: None },
            metadata: Change::Keep,
            started_at: Timestamp::EPOCH,
        };
        let sender = Sender { role: Role::Customer, external_id: id("c") };
        let message = NewMessage { sender, text: MessageText::parse("ok").unwrap(), sent_at: Timestamp::EPOCH };
        Line { numbers: LineNumbers::one(number), bytes: 1, conversation, message }
    }

    /// Each record: its conversation, the customer, whether it updates, and the lines with the customers that they name.
    fn described(records: &[NumberedRecord]) -> Vec<String> {
        let describe = |NumberedRecord { record, lines }: &NumberedRecord| {
            let RecordLines::Messages(lines) = lines else { panic!("a line is a message") };
            let customer = |index: usize| lines.conversations[index].customer.external_id.as_str();
            let lines: Vec<_> =
                lines.messages.iter().map(|(numbers, index)| format!("{numbers}{}", customer(*index))).collect();
            let (key, by) =
                (record.conversation.external_id.as_str(), record.conversation.customer.external_id.as_str());
            assert_eq!(lines.len(), record.messages.len());
            format!("{key} {by} {} {}", record.updates, lines.join(" "))
        };
        records.iter().map(describe).collect()
    }

    #[test]
    fn lines_of_one_conversation_make_one_record_that_its_first_line_describes() {
        let mut grouping = CsvGrouping::default();
        let lines = vec![line(2, "x", "a"), line(3, "y", "a"), line(4, "x", "b"), line(5, "x", "b"), line(6, "x", "a")];
        let records = grouping.group(lines);
        assert_eq!(described(&records), ["x a true 2a 4b 5b 6a", "y a true 3a"]);
        assert_eq!(described(&grouping.group(vec![line(7, "x", "c")])), ["x c false 7c"]);
        assert_eq!(described(&grouping.group(Vec::new())), [""; 0]);
    }
}
