//! What every store does with receipts: each is stored with what its request created, or neither is.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Append, Change, PageLimit, Remask, Upsert, Upserted},
    id::ConversationId,
    limits::RECEIPT_SECONDS,
    retry::{Attempt, Claim, KeyDigest, Operation, Receipt, RequestDigest},
    text::MessageText,
    vocabulary::{Admission, Capacity, PageSize},
};
use support::{
    fixtures::{acme, at, conversation, creation, globex, message, vocabulary},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_key_that_nobody_used_has_no_receipt,
    a_receipt_comes_back_as_it_was_for_every_operation,
    a_receipt_of_version_1_comes_back_as_one,
    a_used_key_keeps_a_conversation_from_being_written,
    a_used_key_keeps_a_conversation_from_being_changed,
    the_receipt_of_a_change_names_the_conversation_that_was_there,
    a_used_key_keeps_messages_from_being_added,
    a_used_key_keeps_an_entry_from_being_admitted,
    a_write_that_was_refused_leaves_no_receipt,
    a_receipt_of_24_hours_makes_room_for_another,
    a_key_is_one_operations_and_one_tenants,
    of_racing_requests_of_one_key_one_is_carried_out,
    receipts_of_a_moment_or_before_it_are_forgotten,
    messages_are_added_all_together_in_any_number_up_to_a_full_batch,
    nothing_of_an_addition_is_added_where_its_conversation_is_missing,
];

const DAY: i64 = RECEIPT_SECONDS * 1_000_000;

fn receipt(operation: Operation, key: u8, micros: i64) -> Receipt {
    let ids = vec!["01A".to_owned(), "01B".to_owned()];
    Receipt { operation, key: KeyDigest([key; 32]), request: RequestDigest::OfMeaning([9; 32]), ids, at: at(micros) }
}

fn addition(messages: u128, conversation: &ConversationId, receipt: Option<Receipt>) -> Addition {
    let messages = (1..=messages).map(|number| message(number, conversation, at(7))).collect();
    Addition { conversation: conversation.clone(), messages, seen: None, masks: Vec::new(), receipt }
}

/// The claim of the first request of a key.
fn claim(key: u8, micros: i64) -> Claim {
    let (request, earlier) = (RequestDigest::OfMeaning([9; 32]), RequestDigest::OfBytes([8; 32]));
    let attempt = Attempt { key: KeyDigest([key; 32]), request, earlier };
    Claim { operation: Operation::UpsertConversation, attempt, at: at(micros) }
}

/// The receipt that this claim leaves of the conversation with this number.
fn left_by(claim: Claim, number: u128) -> Receipt {
    claim.receipt(vec![ConversationId::from_bits(number).to_string()])
}

async fn upsert(stores: &Stores, number: u128, claim: Option<Claim>) -> Upserted {
    let new = conversation(number, &format!("call-{number}"));
    stores.conversations.upsert(&acme(), &creation(&new), at(5), claim).await.unwrap()
}

fn stored(number: u128) -> Upserted {
    Upserted::Stored(ConversationId::from_bits(number))
}

async fn add(stores: &Stores, addition: &Addition) -> Append {
    stores.messages.append_all(&acme(), addition).await.unwrap()
}

async fn find(stores: &Stores, tenant: &TenantId, operation: Operation, key: u8) -> Option<Receipt> {
    stores.receipts.find(tenant, operation, &KeyDigest([key; 32])).await.unwrap()
}

async fn count(stores: &Stores, conversation: &ConversationId) -> usize {
    stores.messages.page(&acme(), conversation, None, PageLimit::MAX).await.unwrap().messages.len()
}

async fn a_key_that_nobody_used_has_no_receipt(stores: Stores) {
    assert_eq!(find(&stores, &acme(), Operation::CreateMessage, 1).await, None);
}

async fn a_receipt_comes_back_as_it_was_for_every_operation(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    for (number, operation) in (1..).zip(Operation::ALL) {
        let kept = receipt(operation, 1, 5);
        let messages = vec![message(number, &id, at(7))];
        let addition = Addition { messages, ..addition(1, &id, Some(kept.clone())) };
        assert_eq!(add(&stores, &addition).await, Append::Appended);
        assert_eq!(find(&stores, &acme(), operation, 1).await, Some(kept));
    }
}

async fn a_receipt_of_version_1_comes_back_as_one(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let request = RequestDigest::OfBytes([7; 32]);
    let kept = Receipt { request, ..receipt(Operation::CreateMessage, 1, 5) };
    let addition = addition(1, &ConversationId::from_bits(1), Some(kept.clone()));
    assert_eq!(add(&stores, &addition).await, Append::Appended);
    assert_eq!(find(&stores, &acme(), Operation::CreateMessage, 1).await, Some(kept));
}

async fn a_used_key_keeps_a_conversation_from_being_written(stores: Stores) {
    let first = claim(1, 5);
    assert_eq!(upsert(&stores, 1, Some(first)).await, stored(1));
    assert_eq!(upsert(&stores, 2, Some(claim(1, 6))).await, Upserted::Repeated);
    assert!(stores.conversations.find(&acme(), &ConversationId::from_bits(2)).await.unwrap().is_none());
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(left_by(first, 1)));
}

async fn a_used_key_keeps_a_conversation_from_being_changed(stores: Stores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    let change = Upsert { agent: Change::Clear, ..creation(&conversation(2, "call-1")) };
    let outcome = stores.conversations.upsert(&acme(), &change, at(6), Some(claim(1, 6))).await.unwrap();
    assert_eq!(outcome, Upserted::Repeated);
    let found = stores.conversations.find(&acme(), &ConversationId::from_bits(1)).await.unwrap();
    assert_eq!(found, Some(conversation(1, "call-1")));
}

async fn the_receipt_of_a_change_names_the_conversation_that_was_there(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let change = creation(&conversation(2, "call-1"));
    let outcome = stores.conversations.upsert(&acme(), &change, at(6), Some(claim(1, 6))).await.unwrap();
    assert_eq!(outcome, stored(1));
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(left_by(claim(1, 6), 1)));
}

async fn a_used_key_keeps_messages_from_being_added(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let was = message(1, &id, at(7));
    let first = addition(1, &id, Some(receipt(Operation::CreateMessage, 1, 5)));
    assert_eq!(add(&stores, &first).await, Append::Appended);
    let masked =
        Remask { position: was.position(), was: was.text.clone(), becomes: MessageText::parse("***").unwrap() };
    let second = Addition { masks: vec![masked], messages: vec![message(2, &id, at(8))], ..first };
    assert_eq!(add(&stores, &second).await, Append::Repeated);
    let kept = stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages;
    assert_eq!(kept, [was]);
}

async fn a_used_key_keeps_an_entry_from_being_admitted(stores: Stores) {
    let kept = receipt(Operation::CreateVocabulary, 1, 5);
    let admit =
        async |entry| stores.vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, Some(&kept)).await.unwrap();
    assert_eq!(admit(vocabulary(1, "IEEE")).await, Admission::Admitted);
    assert_eq!(admit(vocabulary(2, "ACME")).await, Admission::Repeated);
    assert_eq!(admit(vocabulary(3, "IEEE")).await, Admission::Repeated);
    let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await.unwrap();
    assert_eq!(page.entries, [vocabulary(1, "IEEE")]);
}

async fn a_write_that_was_refused_leaves_no_receipt(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let nowhere = addition(1, &ConversationId::from_bits(9), Some(receipt(Operation::CreateMessage, 1, 5)));
    assert_eq!(add(&stores, &nowhere).await, Append::NoConversation);
    let stale = Addition {
        seen: Some(vec![message(8, &ConversationId::from_bits(1), at(1))]),
        ..addition(1, &ConversationId::from_bits(1), Some(receipt(Operation::CreateMessages, 1, 5)))
    };
    assert_eq!(add(&stores, &stale).await, Append::Superseded);
    let kept = receipt(Operation::CreateVocabulary, 1, 5);
    let none = Capacity::PER_TENANT;
    assert_eq!(
        stores.vocabularies.admit(&acme(), &vocabulary(1, "IEEE"), none, None).await.unwrap(),
        Admission::Admitted
    );
    let taken = stores.vocabularies.admit(&acme(), &vocabulary(2, "IEEE"), none, Some(&kept)).await.unwrap();
    assert_eq!(taken, Admission::PhraseTaken);
    for operation in Operation::ALL {
        assert_eq!(find(&stores, &acme(), operation, 1).await, None, "{operation:?}");
    }
}

async fn a_receipt_of_24_hours_makes_room_for_another(stores: Stores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    assert_eq!(upsert(&stores, 2, Some(claim(1, 4 + DAY))).await, Upserted::Repeated);
    let later = claim(1, 5 + DAY);
    assert_eq!(upsert(&stores, 2, Some(later)).await, stored(2));
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(left_by(later, 2)));
}

async fn a_key_is_one_operations_and_one_tenants(stores: Stores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    let other = addition(1, &ConversationId::from_bits(1), Some(receipt(Operation::CreateMessage, 1, 5)));
    assert_eq!(add(&stores, &other).await, Append::Appended);
    assert_eq!(find(&stores, &globex(), Operation::UpsertConversation, 1).await, None);
    let new = creation(&conversation(1, "call-1"));
    let outcome = stores.conversations.upsert(&globex(), &new, at(5), Some(claim(1, 5))).await.unwrap();
    assert_eq!(outcome, stored(1));
}

async fn of_racing_requests_of_one_key_one_is_carried_out(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let start = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (stores, start, id) = (stores.clone(), Arc::clone(&start), id.clone());
        racers.spawn(async move {
            let receipt = Some(receipt(Operation::CreateMessage, 1, 5));
            let addition = Addition { messages: vec![message(number, &id, at(7))], ..addition(1, &id, receipt) };
            start.wait().await;
            add(&stores, &addition).await
        });
    }
    let outcomes = racers.join_all().await;
    let added = outcomes.iter().filter(|outcome| **outcome == Append::Appended).count();
    let repeated = outcomes.iter().filter(|outcome| **outcome == Append::Repeated).count();
    assert_eq!((added, repeated, count(&stores, &id).await), (1, 15, 1));
}

async fn receipts_of_a_moment_or_before_it_are_forgotten(stores: Stores) {
    for key in 1..=3 {
        assert_eq!(upsert(&stores, key.into(), Some(claim(key, key.into()))).await, stored(key.into()));
    }
    assert_eq!(stores.receipts.forget(at(2)).await.unwrap(), 2);
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 2).await, None);
    assert!(find(&stores, &acme(), Operation::UpsertConversation, 3).await.is_some());
}

async fn messages_are_added_all_together_in_any_number_up_to_a_full_batch(stores: Stores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let full = addition(300, &id, None);
    assert_eq!(add(&stores, &full).await, Append::Appended);
    let kept = stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages;
    assert_eq!(kept, full.messages);
}

async fn nothing_of_an_addition_is_added_where_its_conversation_is_missing(stores: Stores) {
    let id = ConversationId::from_bits(1);
    for seen in [None, Some(Vec::new())] {
        let nowhere = Addition { seen, ..addition(3, &id, None) };
        assert_eq!(add(&stores, &nowhere).await, Append::NoConversation);
    }
    assert_eq!(count(&stores, &id).await, 0);
}
