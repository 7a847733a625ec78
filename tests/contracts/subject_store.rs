//! Contract of stores that find and erase what is stored of a customer.

use parlance_domain::{
    audit::AuditEntry,
    conversation::UpsertOutcome,
    event::{Change, LogRead, MessageReference},
    id::ConversationId,
    message::{Message, PageLimit, Role, Sender},
    privacy::{ArchiveItem, CreateOutcome, HoldSubject, PrivacyRequestType},
};
use support::{
    fixtures::{acme, from_micros, globex, message},
    stores::TestStores,
};
use tokio::task::JoinSet;

use crate::privacy_request_store::{create, customer, found, place_hold, release_hold, request, stored, upsert};

contract![
    conversations_are_found_by_their_present_and_former_customers,
    a_conversation_returns_to_a_former_customer_and_leaves_it_again,
    a_hold_on_a_former_conversation_refuses_the_erasure_of_the_customer,
    conversations_are_found_page_by_page,
    messages_in_conversations_of_others_are_found,
    an_agent_with_the_same_identifier_is_not_the_customer,
    held_messages_are_found_apart_and_stay,
    erased_messages_are_gone_and_logged_and_counted,
    erased_messages_are_listed_of_their_conversation_and_tenant_only,
    messages_that_are_gone_are_not_counted_again,
    items_of_an_archive_are_kept_once_and_in_order,
    no_conversation_of_a_fenced_customer_is_overlooked,
];

async fn send(stores: &TestStores, number: u128, conversation: &ConversationId, role: Role, sender: &str) -> Message {
    let sender = Sender { role, external_id: customer(sender) };
    let message = Message { sender, ..message(number, conversation, from_micros(7)) };
    let _ = stores.messages.append(&acme(), &message).await.unwrap();
    message
}

async fn sent_by(stores: &TestStores, subject: &str) -> Vec<MessageReference> {
    stores.subjects.messages_sent_by(&acme(), &customer(subject), None).await.unwrap().messages
}

async fn conversations_are_found_by_their_present_and_former_customers(stores: TestStores) {
    let (kept, moved) = (stored(&stores, 1, "ada").await, stored(&stores, 2, "ada").await);
    stored(&stores, 3, "grace").await;
    assert_eq!(stored(&stores, 2, "grace").await, moved);
    let of = async |subject: &str| stores.subjects.conversations_of(&acme(), &customer(subject), None).await.unwrap();
    assert_eq!(of("ada").await, [kept, moved]);
    assert_eq!(of("grace").await.len(), 2);
    assert_eq!(stores.subjects.conversations_of(&globex(), &customer("ada"), None).await.unwrap(), []);
}

async fn a_conversation_returns_to_a_former_customer_and_leaves_it_again(stores: TestStores) {
    let only = [stored(&stores, 1, "ada").await];
    for customer in ["grace", "ada", "grace", "ada", "mary"] {
        assert_eq!([stored(&stores, 1, customer).await], only);
    }
    for subject in ["ada", "grace", "mary"] {
        assert_eq!(stores.subjects.conversations_of(&acme(), &customer(subject), None).await.unwrap(), only);
    }
}

async fn a_hold_on_a_former_conversation_refuses_the_erasure_of_the_customer(stores: TestStores) {
    let moved = stored(&stores, 1, "ada").await;
    assert_eq!(stored(&stores, 1, "grace").await, moved);
    place_hold(&stores, 1, HoldSubject::Conversation(moved)).await;
    let erasure = request(2, PrivacyRequestType::Erasure);
    let asked = AuditEntry::privacy_requested(&erasure, None);
    let outcome = stores.privacy_requests.create(&acme(), &erasure, &customer("ada"), asked).await.unwrap();
    assert_eq!(outcome, CreateOutcome::Held);
}

async fn conversations_are_found_page_by_page(stores: TestStores) {
    for number in 1..=101 {
        stored(&stores, number, "ada").await;
    }
    let first = stores.subjects.conversations_of(&acme(), &customer("ada"), None).await.unwrap();
    let rest = stores.subjects.conversations_of(&acme(), &customer("ada"), first.last()).await.unwrap();
    assert_eq!((first.len(), rest), (100, vec![ConversationId::from_bits(101)]));
}

async fn messages_in_conversations_of_others_are_found(stores: TestStores) {
    let (own, others) = (stored(&stores, 1, "ada").await, stored(&stores, 2, "grace").await);
    send(&stores, 10, &own, Role::Customer, "ada").await;
    let sent = send(&stores, 11, &others, Role::Customer, "ada").await;
    send(&stores, 12, &others, Role::Customer, "grace").await;
    assert_eq!(sent_by(&stores, "ada").await, [MessageReference::from(&sent)]);
}

async fn an_agent_with_the_same_identifier_is_not_the_customer(stores: TestStores) {
    let others = stored(&stores, 2, "grace").await;
    send(&stores, 11, &others, Role::Agent, "ada").await;
    assert_eq!(sent_by(&stores, "ada").await, []);
}

async fn held_messages_are_found_apart_and_stay(stores: TestStores) {
    let others = stored(&stores, 2, "grace").await;
    let sent = MessageReference::from(&send(&stores, 11, &others, Role::Customer, "ada").await);
    let fence = create(&stores, 1, PrivacyRequestType::Erasure).await;
    for (number, subject) in [(1, HoldSubject::Customer(customer("grace"))), (2, HoldSubject::Conversation(others))] {
        let hold = place_hold(&stores, number, subject).await;
        let found = stores.subjects.messages_sent_by(&acme(), &customer("ada"), None).await.unwrap();
        assert_eq!((found.messages.as_slice(), found.on_hold.as_slice()), ([].as_slice(), [sent.clone()].as_slice()));
        let all = [sent.clone()];
        stores.subjects.erase_messages(&acme(), &fence.id, &all, from_micros(80)).await.unwrap();
        release_hold(&stores, &hold).await;
        assert_eq!(sent_by(&stores, "ada").await, all);
    }
}

async fn erased_messages_are_gone_and_logged_and_counted(stores: TestStores) {
    let others = stored(&stores, 2, "grace").await;
    send(&stores, 11, &others, Role::Customer, "ada").await;
    let kept = send(&stores, 12, &others, Role::Customer, "grace").await;
    let fence = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let sent = sent_by(&stores, "ada").await;
    stores.subjects.erase_messages(&acme(), &fence.id, &sent, from_micros(80)).await.unwrap();
    let page = stores.messages.page(&acme(), &others, None, PageLimit::MAX).await.unwrap();
    assert_eq!(page.messages.iter().map(|message| &message.id).collect::<Vec<_>>(), [&kept.id]);
    let start = stores.log.oldest(&acme()).await.unwrap();
    let LogRead::Page(page) = stores.log.read(&acme(), start, 10).await.unwrap() else { panic!("a page") };
    assert_eq!(page.entries.last().unwrap().change, Change::MessageMasked(sent[0].clone()));
    assert_eq!(found(&stores, &fence).await.counts.messages_elsewhere, 1);
}

async fn erased_messages_are_listed_of_their_conversation_and_tenant_only(stores: TestStores) {
    let (others, kept) = (stored(&stores, 2, "grace").await, stored(&stores, 3, "grace").await);
    send(&stores, 11, &others, Role::Customer, "ada").await;
    let fence = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let sent = sent_by(&stores, "ada").await;
    assert_eq!(stores.erasures.erased_messages(&acme(), &others).await.unwrap(), [].into());
    stores.subjects.erase_messages(&acme(), &fence.id, &sent, from_micros(80)).await.unwrap();
    let erased = stores.erasures.erased_messages(&acme(), &others).await.unwrap();
    assert_eq!(erased, [sent[0].position.clone()].into());
    assert_eq!(stores.erasures.erased_messages(&acme(), &kept).await.unwrap(), [].into());
    assert_eq!(stores.erasures.erased_messages(&globex(), &others).await.unwrap(), [].into());
}

async fn messages_that_are_gone_are_not_counted_again(stores: TestStores) {
    let others = stored(&stores, 2, "grace").await;
    send(&stores, 11, &others, Role::Customer, "ada").await;
    let fence = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let sent = sent_by(&stores, "ada").await;
    for _ in 0..2 {
        stores.subjects.erase_messages(&acme(), &fence.id, &sent, from_micros(80)).await.unwrap();
    }
    assert_eq!(found(&stores, &fence).await.counts.messages_elsewhere, 1);
}

async fn items_of_an_archive_are_kept_once_and_in_order(stores: TestStores) {
    let access = create(&stores, 1, PrivacyRequestType::Access).await;
    let (first, second) = (ConversationId::from_bits(1), ConversationId::from_bits(2));
    let single = ArchiveItem::Message(MessageReference::from(&message(5, &first, from_micros(3))));
    let items = [ArchiveItem::Conversation(second), single];
    for _ in 0..2 {
        stores.subjects.add_archive_items(&acme(), &access.id, &items).await.unwrap();
    }
    let [conversation, single] = items;
    assert_eq!(stores.subjects.archive_items(&acme(), &access.id).await.unwrap(), [single, conversation]);
    assert_eq!(stores.subjects.archive_items(&globex(), &access.id).await.unwrap(), []);
}

async fn no_conversation_of_a_fenced_customer_is_overlooked(stores: TestStores) {
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let stores = stores.clone();
        writers.spawn(async move {
            let mut created = Vec::new();
            for turn in 0..50 {
                match upsert(&stores, &acme(), 1_000 * (writer + 1) + turn, "ada").await {
                    UpsertOutcome::Stored(id) => created.push(id),
                    outcome => assert_eq!(outcome, UpsertOutcome::Erased),
                }
            }
            created
        });
    }
    create(&stores, 1, PrivacyRequestType::Erasure).await;
    stores.subjects.wait_for_earlier_writes().await.unwrap();
    let mut found = Vec::new();
    loop {
        let page = stores.subjects.conversations_of(&acme(), &customer("ada"), found.last()).await.unwrap();
        if page.is_empty() {
            break;
        }
        found.extend(page);
    }
    while let Some(created) = writers.join_next().await {
        let overlooked: Vec<_> = created.unwrap().into_iter().filter(|id| !found.contains(id)).collect();
        assert!(overlooked.is_empty(), "{overlooked:?}");
    }
}
