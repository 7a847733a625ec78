//! Contract of stores that create imported conversations with their messages.

use parlance_domain::{
    access::TenantId,
    conversation::{Conversation, Upsert, UpsertOutcome},
    event::{Change, LogRead},
    id::ConversationId,
    import::CreateOutcome,
    message::{AppendOutcome, Message, PageLimit, Redactions, Role, Sender},
    privacy::ErasureOutcome,
    text::MessageText,
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, message, upsert_for},
    stores::TestStores,
};
use tokio::task::JoinSet;

use crate::erasure_store::{erase, upsert};

contract![
    a_created_conversation_has_its_fields_and_messages,
    many_long_messages_keep_all_their_fields,
    the_change_log_has_each_of_many_messages,
    a_conversation_can_be_created_without_messages,
    a_conversation_that_exists_is_not_changed,
    a_creation_that_is_not_made_stores_no_message,
    another_tenant_has_conversations_of_its_own,
    an_erased_conversation_is_not_created,
    the_change_log_has_the_conversation_before_its_messages,
    of_racing_creations_one_is_made_with_its_messages,
    racing_creations_and_upserts_give_one_conversation,
    creations_that_share_a_commit_are_independent,
    a_created_conversation_takes_further_messages,
];

/// As many messages of a conversation.
fn messages(of: &Conversation, count: u128) -> Vec<Message> {
    let at = |number: u128| from_micros(i64::try_from(number).unwrap());
    (1..=count).map(|number| message(number, &of.id, at(number))).collect()
}

async fn create(stores: &TestStores, tenant: &TenantId, new: &Upsert, messages: &[Message]) -> CreateOutcome {
    stores.imports.create(tenant, new, from_micros(7), messages).await.unwrap()
}

/// Creates a conversation with these messages.
async fn create_new(stores: &TestStores, new: &Upsert, messages: &[Message]) {
    assert_eq!(create(stores, &acme(), new, messages).await, CreateOutcome::Created);
}

async fn stored(stores: &TestStores, tenant: &TenantId, id: &ConversationId) -> Vec<Message> {
    stores.messages.page(tenant, id, None, PageLimit::new(100).unwrap()).await.unwrap().messages
}

async fn a_created_conversation_has_its_fields_and_messages(stores: TestStores) {
    let new = conversation(1, "call-1");
    let sent = messages(&new, 3);
    create_new(&stores, &upsert_for(&new), &sent).await;
    assert_eq!(stores.conversations.find(&acme(), &new.id).await.unwrap(), Some(new.clone()));
    assert_eq!(stored(&stores, &acme(), &new.id).await, sent);
}

/// Messages of 40 kB in all, which a store may write in another way than a few short ones.
fn long_messages(of: &Conversation) -> Vec<Message> {
    let texts = ["tab\t, line\n, return\r, \\N, \\., quotes \" and '", "ä ß 🎉 \u{202e}", "*** is masked"];
    let with_text = |(number, message): (usize, Message)| {
        let (role, text) = ([Role::Agent, Role::Customer][number % 2], texts[number % 3]);
        let redactions = if number % 3 == 2 { Redactions::parse(Some("0-3:CVV")).unwrap() } else { Redactions::NONE };
        let text = MessageText::parse(format!("{text}{}", " and so on".repeat(40))).unwrap();
        Message { text, redactions, sender: Sender { role, ..message.sender.clone() }, ..message }
    };
    messages(of, 90).into_iter().enumerate().map(with_text).collect()
}

async fn many_long_messages_keep_all_their_fields(stores: TestStores) {
    let new = conversation(1, "call-1");
    let sent = long_messages(&new);
    create_new(&stores, &upsert_for(&new), &sent).await;
    assert_eq!(stored(&stores, &acme(), &new.id).await, sent);
}

async fn the_change_log_has_each_of_many_messages(stores: TestStores) {
    let new = conversation(1, "call-1");
    let sent = long_messages(&new);
    create_new(&stores, &upsert_for(&new), &sent).await;
    let start = stores.log.oldest(&acme()).await.unwrap();
    let LogRead::Page(page) = stores.log.read(&acme(), start, 200).await.unwrap() else { panic!("a page") };
    let changes: Vec<_> = page.entries.into_iter().map(|entry| entry.change).skip(1).collect();
    assert_eq!(changes, sent.iter().map(|message| Change::MessageCreated(message.into())).collect::<Vec<_>>());
}

async fn a_conversation_can_be_created_without_messages(stores: TestStores) {
    let new = conversation(1, "call-1");
    create_new(&stores, &upsert_for(&new), &[]).await;
    assert_eq!(stores.conversations.find(&acme(), &new.id).await.unwrap(), Some(new));
}

async fn a_conversation_that_exists_is_not_changed(stores: TestStores) {
    let existing = conversation(1, "call-1");
    stores.create_conversation(&acme(), &existing, from_micros(1)).await;
    let other = Conversation { started_at: from_micros(99), agent: None, ..conversation(2, "call-1") };
    assert_eq!(create(&stores, &acme(), &upsert_for(&other), &[]).await, CreateOutcome::Exists);
    let found = stores.conversations.find_by_external_id(&acme(), &existing.external_id).await.unwrap();
    assert_eq!(found, Some(existing));
}

async fn a_creation_that_is_not_made_stores_no_message(stores: TestStores) {
    let existing = conversation(1, "call-1");
    stores.create_conversation(&acme(), &existing, from_micros(1)).await;
    let other = conversation(2, "call-1");
    assert_eq!(create(&stores, &acme(), &upsert_for(&other), &messages(&other, 2)).await, CreateOutcome::Exists);
    assert_eq!(stored(&stores, &acme(), &existing.id).await, []);
    assert_eq!(stored(&stores, &acme(), &other.id).await, []);
}

async fn another_tenant_has_conversations_of_its_own(stores: TestStores) {
    let new = conversation(1, "call-1");
    let sent = messages(&new, 1);
    for tenant in [acme(), globex()] {
        assert_eq!(create(&stores, &tenant, &upsert_for(&new), &sent).await, CreateOutcome::Created);
        assert_eq!(stored(&stores, &tenant, &new.id).await, sent);
    }
}

async fn an_erased_conversation_is_not_created(stores: TestStores) {
    let (new, other) = (conversation(1, "call-1"), conversation(2, "call-1"));
    create_new(&stores, &upsert(&new), &messages(&new, 2)).await;
    assert!(matches!(erase(&stores, &acme(), &new).await, ErasureOutcome::Erased(_)));
    assert_eq!(create(&stores, &acme(), &upsert(&other), &messages(&other, 2)).await, CreateOutcome::Erased);
    assert_eq!(stores.conversations.find_by_external_id(&acme(), &new.external_id).await.unwrap(), None);
    assert_eq!(stored(&stores, &acme(), &other.id).await, []);
}

async fn the_change_log_has_the_conversation_before_its_messages(stores: TestStores) {
    let new = conversation(1, "call-1");
    let sent = messages(&new, 2);
    create_new(&stores, &upsert_for(&new), &sent).await;
    let start = stores.log.oldest(&acme()).await.unwrap();
    let LogRead::Page(page) = stores.log.read(&acme(), start, 10).await.unwrap() else { panic!("a page") };
    let changes: Vec<_> = page.entries.into_iter().map(|entry| entry.change).collect();
    let created = sent.iter().map(|message| Change::MessageCreated(message.into()));
    let expected: Vec<_> = [Change::ConversationCreated(new.id.clone())].into_iter().chain(created).collect();
    assert_eq!(changes, expected);
}

async fn of_racing_creations_one_is_made_with_its_messages(stores: TestStores) {
    let mut racing = JoinSet::new();
    for number in 1..=8 {
        let (stores, new) = (stores.clone(), conversation(number, "call-1"));
        racing.spawn(async move {
            let outcome = create(&stores, &acme(), &upsert_for(&new), &messages(&new, 2)).await;
            (outcome, new.id)
        });
    }
    let outcomes = racing.join_all().await;
    let created: Vec<_> = outcomes.iter().filter(|(outcome, _)| *outcome == CreateOutcome::Created).collect();
    let [(_, id)] = created.as_slice() else { panic!("{outcomes:?}") };
    for (_, other) in &outcomes {
        let expected = if other == id { 2 } else { 0 };
        assert_eq!(stored(&stores, &acme(), other).await.len(), expected);
    }
}

async fn racing_creations_and_upserts_give_one_conversation(stores: TestStores) {
    let mut racing = JoinSet::new();
    for number in 1..=8 {
        let (stores, new) = (stores.clone(), conversation(number, "call-1"));
        racing.spawn(async move {
            if number % 2 == 0 {
                create(&stores, &acme(), &upsert_for(&new), &[]).await == CreateOutcome::Created
            } else {
                let upserted = stores.conversations.upsert(&acme(), &upsert_for(&new), from_micros(7), None).await;
                upserted.unwrap() == UpsertOutcome::Stored(new.id)
            }
        });
    }
    let created = racing.join_all().await.into_iter().filter(|is_created| *is_created).count();
    assert_eq!(created, 1);
}

async fn creations_that_share_a_commit_are_independent(stores: TestStores) {
    let erased = conversation(1, "call-1");
    create_new(&stores, &upsert(&erased), &[]).await;
    assert!(matches!(erase(&stores, &acme(), &erased).await, ErasureOutcome::Erased(_)));
    let existing = conversation(2, "call-2");
    stores.create_conversation(&acme(), &existing, from_micros(1)).await;
    let creations = (1..=20).map(|number| {
        let new = conversation(number + 100, &format!("call-{number}"));
        let stores = stores.clone();
        async move { create(&stores, &acme(), &upsert(&new), &messages(&new, 2)).await }
    });
    let outcomes = futures_util::future::join_all(creations).await;
    assert_eq!(outcomes.first(), Some(&CreateOutcome::Erased));
    assert_eq!(outcomes.get(1), Some(&CreateOutcome::Exists));
    assert!(outcomes.iter().skip(2).all(|outcome| *outcome == CreateOutcome::Created), "{outcomes:?}");
}

async fn a_created_conversation_takes_further_messages(stores: TestStores) {
    let new = conversation(1, "call-1");
    create_new(&stores, &upsert_for(&new), &messages(&new, 1)).await;
    let later = message(999, &new.id, from_micros(9));
    assert_eq!(stores.messages.append(&acme(), &later).await.unwrap(), AppendOutcome::Appended);
    assert_eq!(stored(&stores, &acme(), &new.id).await.len(), 2);
}
