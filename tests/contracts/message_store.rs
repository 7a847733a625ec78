//! Contract of message stores.

use std::{collections::HashSet, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Upsert, UpsertOutcome},
    id::{ConversationId, MessageId},
    message::{AppendOutcome, Message, MessagePage, MessagePosition, PageLimit, Role, Sender},
    text::MessageText,
};
use support::{
    fixtures::{
        AWKWARD_TEXTS, acme, ada, bare_conversation, conversation, external_id, from_micros, globex, message,
        upsert_for,
    },
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_appended_message_is_read_back_unchanged,
    every_role_is_read_back,
    texts_are_read_back_byte_for_byte,
    a_long_message_is_read_back_whole,
    a_missing_conversation_takes_no_message,
    another_tenants_conversation_takes_no_message,
    a_conversation_without_messages_has_an_empty_page,
    messages_are_ordered_by_the_time_they_were_sent,
    messages_sent_at_one_time_are_ordered_by_id,
    messages_one_microsecond_apart_are_ordered,
    messages_before_1970_come_first,
    pages_of_every_size_cover_all_messages,
    has_more_is_exact_at_the_last_message,
    a_page_can_start_after_a_position_that_no_message_has,
    the_largest_page_has_1000_messages,
    a_conversation_has_no_messages_of_another_conversation,
    a_tenant_does_not_see_another_tenants_messages,
    concurrent_appends_are_all_stored,
    an_update_of_a_conversation_keeps_its_messages,
    messages_are_found_by_their_positions_in_the_order_of_these,
];

pub(crate) async fn create_conversation(stores: &TestStores, tenant: &TenantId, number: u128) -> ConversationId {
    let new = conversation(number, &format!("call-{number}"));
    let id = new.id.clone();
    stores.create_conversation(tenant, &new, from_micros(5)).await;
    id
}

pub(crate) async fn append(stores: &TestStores, message: Message) -> Message {
    assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    message
}

/// Appends messages that were sent at these times. The messages are numbered from one, in the order of `times`.
async fn append_at(stores: &TestStores, conversation: &ConversationId, times: &[i64]) {
    for (number, micros) in (1..).zip(times) {
        append(stores, message(number, conversation, from_micros(*micros))).await;
    }
}

pub(crate) async fn page(
    stores: &TestStores,
    tenant: &TenantId,
    conversation: &ConversationId,
    after: Option<&MessagePosition>,
    limit: u64,
) -> MessagePage {
    stores.messages.page(tenant, conversation, after, PageLimit::new(limit).unwrap()).await.unwrap()
}

/// All messages of acme's conversation, which must fit into one page.
async fn all_messages(stores: &TestStores, conversation: &ConversationId) -> Vec<Message> {
    let page = page(stores, &acme(), conversation, None, 1_000).await;
    assert!(!page.has_more);
    page.messages
}

pub(crate) fn numbers(messages: &[Message]) -> Vec<u128> {
    messages.iter().map(|message| u128::from_str_radix(message.id.as_str(), 32).unwrap()).collect()
}

async fn an_appended_message_is_read_back_unchanged(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let sent = append(&stores, message(1, &conversation, from_micros(1_767_225_600_123_456))).await;
    assert_eq!(all_messages(&stores, &conversation).await, [sent]);
}

async fn every_role_is_read_back(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for (number, role) in (1..).zip(Role::ALL) {
        let sender = Sender { role, external_id: ada().external_id };
        append(&stores, Message { sender, ..message(number, &conversation, from_micros(0)) }).await;
    }
    let roles: Vec<_> = all_messages(&stores, &conversation).await.iter().map(|message| message.sender.role).collect();
    assert_eq!(roles, Role::ALL);
}

async fn texts_are_read_back_byte_for_byte(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut sent = Vec::new();
    for (number, text) in (1..).zip(AWKWARD_TEXTS) {
        let sender = Sender { role: Role::Agent, external_id: external_id(text) };
        let text = MessageText::parse(format!(" {text}\r\n\t{text}\u{1} ")).unwrap();
        sent.push(append(&stores, Message { sender, text, ..message(number, &conversation, from_micros(0)) }).await);
    }
    assert_eq!(all_messages(&stores, &conversation).await, sent);
}

async fn a_long_message_is_read_back_whole(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let text = MessageText::parse("what was said, 🦀 ".repeat(50_000)).unwrap();
    let sent = append(&stores, Message { text, ..message(1, &conversation, from_micros(0)) }).await;
    assert!(all_messages(&stores, &conversation).await == [sent], "the message of 1 MB was changed");
}

async fn a_missing_conversation_takes_no_message(stores: TestStores) {
    let missing = ConversationId::from_bits(1);
    let lost = message(1, &missing, from_micros(0));
    assert_eq!(stores.messages.append(&acme(), &lost).await.unwrap(), AppendOutcome::NoConversation);
    assert_eq!(create_conversation(&stores, &acme(), 1).await, missing);
    assert_eq!(all_messages(&stores, &missing).await, []);
}

async fn another_tenants_conversation_takes_no_message(stores: TestStores) {
    let own = create_conversation(&stores, &acme(), 1).await;
    let intruder = message(1, &own, from_micros(0));
    assert_eq!(stores.messages.append(&globex(), &intruder).await.unwrap(), AppendOutcome::NoConversation);
    assert_eq!(all_messages(&stores, &own).await, []);
    assert_eq!(page(&stores, &globex(), &own, None, 10).await.messages, []);
}

async fn a_conversation_without_messages_has_an_empty_page(stores: TestStores) {
    let silent = create_conversation(&stores, &acme(), 1).await;
    for conversation in [silent, ConversationId::from_bits(2)] {
        let empty = MessagePage { messages: Vec::new(), has_more: false };
        assert_eq!(page(&stores, &acme(), &conversation, None, 1).await, empty);
        let after = message(1, &conversation, from_micros(0)).position();
        assert_eq!(page(&stores, &acme(), &conversation, Some(&after), 1).await, empty);
    }
}

async fn messages_are_ordered_by_the_time_they_were_sent(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[3_000_000, 1_000_000, 20_000_000, 2_000_000]).await;
    assert_eq!(numbers(&all_messages(&stores, &conversation).await), [2, 4, 1, 3]);
}

async fn messages_sent_at_one_time_are_ordered_by_id(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for number in [9, 31, 1, 10, 16] {
        append(&stores, message(number, &conversation, from_micros(7))).await;
    }
    let ids: Vec<_> = all_messages(&stores, &conversation).await.into_iter().map(|message| message.id).collect();
    assert_eq!(ids, [1, 9, 10, 16, 31].map(MessageId::from_bits));
}

async fn messages_one_microsecond_apart_are_ordered(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[1_767_225_600_000_001, 1_767_225_600_000_000]).await;
    assert_eq!(numbers(&all_messages(&stores, &conversation).await), [2, 1]);
}

async fn messages_before_1970_come_first(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[0, -1, -62_167_219_200_000_000, 253_402_300_799_999_999, -10]).await;
    assert_eq!(numbers(&all_messages(&stores, &conversation).await), [3, 5, 2, 1, 4]);
}

async fn pages_of_every_size_cover_all_messages(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[5, 5, -3, 5, 0, -3, 9, 5, 0, 5, 9]).await;
    let expected = all_messages(&stores, &conversation).await;
    for limit in 1..=12 {
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let page = page(&stores, &acme(), &conversation, after.as_ref(), limit).await;
            after = page.next_cursor();
            pages.push(page.messages);
            if after.is_none() {
                break;
            }
            assert!(pages.len() < expected.len(), "a walk in pages of {limit} does not end");
        }
        assert_eq!(pages.len(), expected.len().div_ceil(usize::try_from(limit).unwrap()), "pages of {limit}");
        assert_eq!(pages.concat(), expected, "pages of {limit}");
    }
}

async fn has_more_is_exact_at_the_last_message(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[1, 2, 3]).await;
    for (limit, more) in [(2, true), (3, false), (4, false)] {
        assert_eq!(page(&stores, &acme(), &conversation, None, limit).await.has_more, more, "a page of {limit} of 3");
    }
    let last = message(3, &conversation, from_micros(3)).position();
    let after_the_last = page(&stores, &acme(), &conversation, Some(&last), 1).await;
    assert_eq!(after_the_last, MessagePage { messages: Vec::new(), has_more: false });
}

async fn a_page_can_start_after_a_position_that_no_message_has(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[10, 20, 20, 30]).await;
    let cases: [(i64, u128, &[u128]); 6] = [
        (-5, 9, &[1, 2, 3, 4]),
        (10, 0, &[1, 2, 3, 4]),
        (10, 9, &[2, 3, 4]),
        (20, 2, &[3, 4]),
        (25, 0, &[4]),
        (31, 0, &[]),
    ];
    for (sent_at, id, expected) in cases {
        let after = MessagePosition { sent_at: from_micros(sent_at), id: MessageId::from_bits(id) };
        let page = page(&stores, &acme(), &conversation, Some(&after), 10).await;
        assert_eq!(numbers(&page.messages), expected, "after {after:?}");
    }
}

async fn the_largest_page_has_1000_messages(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let messages = (1..=1_001).map(|number| message(number, &conversation, from_micros(0)));
    append_concurrently(&stores, messages.collect()).await;
    let page = page(&stores, &acme(), &conversation, None, u64::from(PageLimit::MAX.messages())).await;
    assert_eq!((page.messages.len(), page.has_more), (1_000, true));
}

async fn a_conversation_has_no_messages_of_another_conversation(stores: TestStores) {
    let (first, second) =
        (create_conversation(&stores, &acme(), 1).await, create_conversation(&stores, &acme(), 2).await);
    let in_first = append(&stores, message(1, &first, from_micros(1))).await;
    let in_second = append(&stores, message(2, &second, from_micros(0))).await;
    assert_eq!(all_messages(&stores, &first).await, [in_first]);
    assert_eq!(all_messages(&stores, &second).await, [in_second]);
}

async fn a_tenant_does_not_see_another_tenants_messages(stores: TestStores) {
    let shared_id = create_conversation(&stores, &acme(), 1).await;
    assert_eq!(create_conversation(&stores, &globex(), 1).await, shared_id);
    let own = append(&stores, message(1, &shared_id, from_micros(0))).await;
    let text = MessageText::parse("for globex only").unwrap();
    let others = Message { text, ..own.clone() };
    assert_eq!(stores.messages.append(&globex(), &others).await.unwrap(), AppendOutcome::Appended);
    assert_eq!(page(&stores, &acme(), &shared_id, None, 10).await.messages, [own]);
    assert_eq!(page(&stores, &globex(), &shared_id, None, 10).await.messages, [others]);
}

/// Appends the messages to acme's conversations, 64 at a time.
async fn append_concurrently(stores: &TestStores, messages: Vec<Message>) {
    for messages in messages.chunks(64) {
        let barrier = Arc::new(Barrier::new(messages.len()));
        let mut appends = JoinSet::new();
        for message in messages {
            let (store, barrier, message) = (Arc::clone(&stores.messages), Arc::clone(&barrier), message.clone());
            appends.spawn(async move {
                barrier.wait().await;
                store.append(&acme(), &message).await.unwrap()
            });
        }
        assert!(appends.join_all().await.into_iter().all(|outcome| outcome == AppendOutcome::Appended));
    }
}

async fn concurrent_appends_are_all_stored(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let messages: Vec<_> =
        (1..=64_u8).map(|number| message(number.into(), &conversation, from_micros(i64::from(number % 5)))).collect();
    append_concurrently(&stores, messages.clone()).await;
    let found: HashSet<_> = all_messages(&stores, &conversation).await.into_iter().map(|message| message.id).collect();
    assert_eq!(found, messages.into_iter().map(|message| message.id).collect());
}

async fn an_update_of_a_conversation_keeps_its_messages(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let sent = append(&stores, message(1, &conversation, from_micros(0))).await;
    let change =
        Upsert { agent: Change::Clear, metadata: Change::Clear, ..upsert_for(&bare_conversation(2, "call-1")) };
    let outcome = stores.conversations.upsert(&acme(), &change, from_micros(6), None).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::Stored(conversation.clone()));
    assert_eq!(all_messages(&stores, &conversation).await, [sent]);
}

async fn messages_are_found_by_their_positions_in_the_order_of_these(stores: TestStores) {
    let (one, other) = (create_conversation(&stores, &acme(), 1).await, create_conversation(&stores, &acme(), 2).await);
    let first = append(&stores, message(1, &one, from_micros(7))).await;
    let second = append(&stores, message(2, &other, from_micros(7))).await;
    let at = |message: &Message| (message.conversation.clone(), message.position());
    let missing = (one.clone(), second.position());
    let positions = [at(&second), missing, at(&first), at(&second)];
    let found = stores.messages.find_all(&acme(), &positions).await.unwrap();
    assert_eq!(found, [Some(second.clone()), None, Some(first), Some(second)]);
    assert_eq!(stores.messages.find_all(&globex(), &positions[..1]).await.unwrap(), [None]);
}
