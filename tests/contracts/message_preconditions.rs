//! Contract of preconditions: every store decides alike whether a batch's expected tail is the newest messages of its
//! conversation. SQLite compares messages, and PostgreSQL compares the digest of its function with that of the adapter.

use parlance_domain::{
    id::{ConversationId, MessageId},
    message::{AppendBatch, AppendOutcome, Message},
    redaction::MAX_CONTEXT,
    text::MessageText,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, conversation, from_micros, message},
    seeded_rng::SeededRng,
    stores::TestStores,
};

use crate::message_store_masking::batch_after;

contract![
    the_newest_messages_of_any_conversation_meet_the_precondition,
    a_tail_that_differs_in_any_part_does_not_meet_the_precondition,
];

/// Texts with spaces, digits and characters of several bytes, which could hide the end of one message from a digest.
const TEXTS: [&str; 6] = ["7", "1 2", "3 é 🦀", "0 0 1 7", "é", "two words"];

const CONVERSATIONS: u128 = 24;

/// A conversation of up to eight messages, oldest first. Many of them have the same time.
fn generate_messages(conversation: &ConversationId, first_number: u128, rng: &mut SeededRng) -> Vec<Message> {
    let texts = [TEXTS.as_slice(), AWKWARD_TEXTS.as_slice()].concat();
    let count = u128::try_from(rng.below(9)).unwrap();
    let mut messages: Vec<_> = (first_number..first_number + count)
        .map(|number| {
            let text = MessageText::parse(rng.pick(&texts).to_owned()).unwrap();
            let sent_at = from_micros(i64::try_from(rng.below(3)).unwrap());
            Message { text, ..message(number, conversation, sent_at) }
        })
        .collect();
    messages.sort_by_key(Message::position);
    messages
}

/// Stores generated conversations. Returns the identifier and the newest messages of each, oldest first.
async fn generate_conversations(stores: &TestStores) -> Vec<(ConversationId, Vec<Message>)> {
    let mut rng = SeededRng::new(7);
    let mut conversations = Vec::new();
    for number in 1..=CONVERSATIONS {
        let new = conversation(number, &format!("call-{number}"));
        stores.create_conversation(&acme(), &new, from_micros(5)).await;
        let messages = generate_messages(&new.id, number * 100, &mut rng);
        if !messages.is_empty() {
            let batch = AppendBatch {
                conversation: new.id.clone(),
                messages: messages.clone(),
                expected_tail: None,
                mask_updates: Vec::new(),
                idempotency_record: None,
            };
            assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended);
        }
        let tail = messages.get(messages.len().saturating_sub(MAX_CONTEXT)..).unwrap_or_default().to_vec();
        conversations.push((new.id, tail));
    }
    conversations
}

/// The outcome of appending one more message with this expected tail.
async fn append_after(stores: &TestStores, conversation: &ConversationId, tail: &[Message]) -> AppendOutcome {
    let next = message(1, conversation, from_micros(9));
    stores.messages.append_batch(&acme(), &batch_after(&next, tail, &[])).await.unwrap()
}

fn with_text(message: &Message, text: &str) -> Message {
    Message { text: MessageText::parse(text.to_owned()).unwrap(), ..message.clone() }
}

/// Tails that differ from this one in one part.
fn different_tails(conversation: &ConversationId, tail: &[Message]) -> Vec<Vec<Message>> {
    let with_one_more = [tail, &[message(2, conversation, from_micros(8))]].concat();
    let Some((newest, older)) = tail.split_last() else { return vec![with_one_more] };
    let replaced = |message: Message| [older, &[message]].concat();
    let text = newest.text.as_str();
    let mut different = vec![
        with_one_more,
        older.to_vec(),
        tail.split_first().map(|(_, newer)| newer.to_vec()).unwrap_or_default(),
        replaced(with_text(newest, &format!("{text}1"))),
        replaced(with_text(newest, &format!("1 {text}"))),
        replaced(Message { id: MessageId::from_bits(3), ..newest.clone() }),
        replaced(Message { sent_at: from_micros(7), ..newest.clone() }),
    ];
    if let Some((second, oldest)) = older.split_last() {
        // Without the lengths of the texts, this one message has the digest of the two newest messages.
        let (sent_at, id, second_text) = (second.sent_at.as_micros(), &second.id, second.text.as_str());
        let merged = format!("{text}{sent_at} {id} {} {second_text}", second_text.len());
        different.push([oldest, &[with_text(newest, &merged)]].concat());
        different.push([oldest, &[newest.clone(), second.clone()]].concat());
    }
    different
}

async fn the_newest_messages_of_any_conversation_meet_the_precondition(stores: TestStores) {
    for (conversation, tail) in generate_conversations(&stores).await {
        assert_eq!(append_after(&stores, &conversation, &tail).await, AppendOutcome::Appended, "{tail:?}");
    }
}

async fn a_tail_that_differs_in_any_part_does_not_meet_the_precondition(stores: TestStores) {
    for (conversation, tail) in generate_conversations(&stores).await {
        for different in different_tails(&conversation, &tail) {
            let outcome = append_after(&stores, &conversation, &different).await;
            assert_eq!(outcome, AppendOutcome::PreconditionFailed, "{different:?} is not {tail:?}");
        }
    }
}
