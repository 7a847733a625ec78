//! What every store of messages does.

use std::{collections::HashSet, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Append, Change, Message, MessagePage, MessagePosition, PageLimit, Role, Sender, Upsert, Upserted},
    id::{ConversationId, MessageId},
    text::MessageText,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, ada, at, bare_conversation, conversation, creation, external_id, globex, message},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_appended_message_comes_back_as_it_was,
    every_role_comes_back,
    texts_come_back_byte_for_byte,
    a_long_message_comes_back_whole,
    a_missing_conversation_takes_no_message,
    another_tenants_conversation_takes_no_message,
    a_conversation_without_messages_has_an_empty_page,
    messages_are_ordered_by_the_time_they_were_sent,
    messages_sent_at_one_time_are_ordered_by_id,
    one_microsecond_makes_an_order,
    messages_before_1970_come_first,
    pages_of_every_size_make_up_the_whole,
    more_is_exact_at_the_border,
    a_page_begins_after_a_position_that_no_message_has,
    the_largest_page_has_1000_messages,
    a_conversation_shows_none_of_anothers_messages,
    a_tenant_sees_none_of_anothers_messages,
    concurrent_appends_all_land,
    an_update_of_a_conversation_keeps_its_messages,
];

pub(crate) async fn create(stores: &Stores, tenant: &TenantId, number: u128) -> ConversationId {
    let new = conversation(number, &format!("call-{number}"));
    let id = new.id.clone();
    stores.create(tenant, &new, at(5)).await;
    id
}

pub(crate) async fn append(stores: &Stores, message: Message) -> Message {
    assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), Append::Appended);
    message
}

/// Appends messages sent at these times, in this order, numbered from one.
async fn append_at(stores: &Stores, conversation: &ConversationId, times: &[i64]) {
    for (number, micros) in (1..).zip(times) {
        append(stores, message(number, conversation, at(*micros))).await;
    }
}

pub(crate) async fn page(
    stores: &Stores,
    tenant: &TenantId,
    conversation: &ConversationId,
    after: Option<&MessagePosition>,
    limit: u64,
) -> MessagePage {
    stores.messages.page(tenant, conversation, after, PageLimit::new(limit).unwrap()).await.unwrap()
}

/// All messages of acme's conversation, which are fewer than a page can have.
async fn whole(stores: &Stores, conversation: &ConversationId) -> Vec<Message> {
    let page = page(stores, &acme(), conversation, None, 1_000).await;
    assert!(!page.more);
    page.messages
}

pub(crate) fn numbers(messages: &[Message]) -> Vec<u128> {
    messages.iter().map(|message| u128::from_str_radix(message.id.as_str(), 32).unwrap()).collect()
}

async fn an_appended_message_comes_back_as_it_was(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let sent = append(&stores, message(1, &conversation, at(1_767_225_600_123_456))).await;
    assert_eq!(whole(&stores, &conversation).await, [sent]);
}

async fn every_role_comes_back(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    for (number, role) in (1..).zip(Role::ALL) {
        let sender = Sender { role, external_id: ada().external_id };
        append(&stores, Message { sender, ..message(number, &conversation, at(0)) }).await;
    }
    let roles: Vec<_> = whole(&stores, &conversation).await.iter().map(|message| message.sender.role).collect();
    assert_eq!(roles, Role::ALL);
}

async fn texts_come_back_byte_for_byte(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let mut sent = Vec::new();
    for (number, text) in (1..).zip(AWKWARD_TEXTS) {
        let sender = Sender { role: Role::Agent, external_id: external_id(text) };
        let text = MessageText::parse(format!(" {text}\r\n\t{text}\u{1} ")).unwrap();
        sent.push(append(&stores, Message { sender, text, ..message(number, &conversation, at(0)) }).await);
    }
    assert_eq!(whole(&stores, &conversation).await, sent);
}

async fn a_long_message_comes_back_whole(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let text = MessageText::parse("what was said, 🦀 ".repeat(50_000)).unwrap();
    let sent = append(&stores, Message { text, ..message(1, &conversation, at(0)) }).await;
    assert!(whole(&stores, &conversation).await == [sent], "a message of 1 MB has changed");
}

async fn a_missing_conversation_takes_no_message(stores: Stores) {
    let missing = ConversationId::from_bits(1);
    let lost = message(1, &missing, at(0));
    assert_eq!(stores.messages.append(&acme(), &lost).await.unwrap(), Append::NoConversation);
    assert_eq!(create(&stores, &acme(), 1).await, missing);
    assert_eq!(whole(&stores, &missing).await, []);
}

async fn another_tenants_conversation_takes_no_message(stores: Stores) {
    let own = create(&stores, &acme(), 1).await;
    let intruder = message(1, &own, at(0));
    assert_eq!(stores.messages.append(&globex(), &intruder).await.unwrap(), Append::NoConversation);
    assert_eq!(whole(&stores, &own).await, []);
    assert_eq!(page(&stores, &globex(), &own, None, 10).await.messages, []);
}

async fn a_conversation_without_messages_has_an_empty_page(stores: Stores) {
    let silent = create(&stores, &acme(), 1).await;
    for conversation in [silent, ConversationId::from_bits(2)] {
        let empty = MessagePage { messages: Vec::new(), more: false };
        assert_eq!(page(&stores, &acme(), &conversation, None, 1).await, empty);
        let after = message(1, &conversation, at(0)).position();
        assert_eq!(page(&stores, &acme(), &conversation, Some(&after), 1).await, empty);
    }
}

async fn messages_are_ordered_by_the_time_they_were_sent(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[3_000_000, 1_000_000, 20_000_000, 2_000_000]).await;
    assert_eq!(numbers(&whole(&stores, &conversation).await), [2, 4, 1, 3]);
}

async fn messages_sent_at_one_time_are_ordered_by_id(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    for number in [9, 31, 1, 10, 16] {
        append(&stores, message(number, &conversation, at(7))).await;
    }
    let ids: Vec<_> = whole(&stores, &conversation).await.into_iter().map(|message| message.id).collect();
    assert_eq!(ids, [1, 9, 10, 16, 31].map(MessageId::from_bits));
}

async fn one_microsecond_makes_an_order(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[1_767_225_600_000_001, 1_767_225_600_000_000]).await;
    assert_eq!(numbers(&whole(&stores, &conversation).await), [2, 1]);
}

async fn messages_before_1970_come_first(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[0, -1, -62_167_219_200_000_000, 253_402_300_799_999_999, -10]).await;
    assert_eq!(numbers(&whole(&stores, &conversation).await), [3, 5, 2, 1, 4]);
}

async fn pages_of_every_size_make_up_the_whole(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[5, 5, -3, 5, 0, -3, 9, 5, 0, 5, 9]).await;
    let whole = whole(&stores, &conversation).await;
    for limit in 1..=12 {
        let (mut walked, mut after) = (Vec::new(), None);
        loop {
            let page = page(&stores, &acme(), &conversation, after.as_ref(), limit).await;
            after = page.next();
            walked.push(page.messages);
            if after.is_none() {
                break;
            }
            assert!(walked.len() < whole.len(), "a walk in pages of {limit} does not end");
        }
        assert_eq!(walked.len(), whole.len().div_ceil(usize::try_from(limit).unwrap()), "pages of {limit}");
        assert_eq!(walked.concat(), whole, "pages of {limit}");
    }
}

async fn more_is_exact_at_the_border(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    append_at(&stores, &conversation, &[1, 2, 3]).await;
    for (limit, more) in [(2, true), (3, false), (4, false)] {
        assert_eq!(page(&stores, &acme(), &conversation, None, limit).await.more, more, "a page of {limit} of 3");
    }
    let last = message(3, &conversation, at(3)).position();
    let after_the_last = page(&stores, &acme(), &conversation, Some(&last), 1).await;
    assert_eq!(after_the_last, MessagePage { messages: Vec::new(), more: false });
}

async fn a_page_begins_after_a_position_that_no_message_has(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
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
        let after = MessagePosition { sent_at: at(sent_at), id: MessageId::from_bits(id) };
        let page = page(&stores, &acme(), &conversation, Some(&after), 10).await;
        assert_eq!(numbers(&page.messages), expected, "after {after:?}");
    }
}

async fn the_largest_page_has_1000_messages(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let messages = (1..=1_001).map(|number| message(number, &conversation, at(0)));
    append_at_once(&stores, messages.collect()).await;
    let page = page(&stores, &acme(), &conversation, None, u64::from(PageLimit::MAX.messages())).await;
    assert_eq!((page.messages.len(), page.more), (1_000, true));
}

async fn a_conversation_shows_none_of_anothers_messages(stores: Stores) {
    let (first, second) = (create(&stores, &acme(), 1).await, create(&stores, &acme(), 2).await);
    let in_first = append(&stores, message(1, &first, at(1))).await;
    let in_second = append(&stores, message(2, &second, at(0))).await;
    assert_eq!(whole(&stores, &first).await, [in_first]);
    assert_eq!(whole(&stores, &second).await, [in_second]);
}

async fn a_tenant_sees_none_of_anothers_messages(stores: Stores) {
    let shared_id = create(&stores, &acme(), 1).await;
    assert_eq!(create(&stores, &globex(), 1).await, shared_id);
    let own = append(&stores, message(1, &shared_id, at(0))).await;
    let text = MessageText::parse("for globex only").unwrap();
    let others = Message { text, ..own.clone() };
    assert_eq!(stores.messages.append(&globex(), &others).await.unwrap(), Append::Appended);
    assert_eq!(page(&stores, &acme(), &shared_id, None, 10).await.messages, [own]);
    assert_eq!(page(&stores, &globex(), &shared_id, None, 10).await.messages, [others]);
}

/// Appends these to acme's conversations, 64 of them at a time.
async fn append_at_once(stores: &Stores, messages: Vec<Message>) {
    for messages in messages.chunks(64) {
        let start = Arc::new(Barrier::new(messages.len()));
        let mut senders = JoinSet::new();
        for message in messages {
            let (store, start, message) = (Arc::clone(&stores.messages), Arc::clone(&start), message.clone());
            senders.spawn(async move {
                start.wait().await;
                store.append(&acme(), &message).await.unwrap()
            });
        }
        assert!(senders.join_all().await.into_iter().all(|outcome| outcome == Append::Appended));
    }
}

async fn concurrent_appends_all_land(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let messages: Vec<_> =
        (1..=64_u8).map(|number| message(number.into(), &conversation, at(i64::from(number % 5)))).collect();
    append_at_once(&stores, messages.clone()).await;
    let found: HashSet<_> = whole(&stores, &conversation).await.into_iter().map(|message| message.id).collect();
    assert_eq!(found, messages.into_iter().map(|message| message.id).collect());
}

async fn an_update_of_a_conversation_keeps_its_messages(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let sent = append(&stores, message(1, &conversation, at(0))).await;
    let change = Upsert { agent: Change::Clear, metadata: Change::Clear, ..creation(&bare_conversation(2, "call-1")) };
    let outcome = stores.conversations.upsert(&acme(), &change, at(6), None).await.unwrap();
    assert_eq!(outcome, Upserted::Stored(conversation.clone()));
    assert_eq!(whole(&stores, &conversation).await, [sent]);
}
