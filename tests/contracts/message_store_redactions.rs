//! Contract of message stores for the masked ranges that are stored with each text.

use std::slice;

use parlance_domain::message::{AppendBatch, AppendOutcome, MaskUpdate, Message, Redactions};
use support::{
    fixtures::{acme, from_micros, message},
    stores::TestStores,
};

use crate::{
    message_store::{append, create_conversation},
    message_store_masking::{all_messages, batch_after, text, update},
};

contract![
    the_masked_ranges_of_a_text_are_read_back,
    the_masked_ranges_of_a_batch_with_and_without_context_are_read_back,
    a_mask_update_replaces_the_masked_ranges_with_the_text,
];

fn redactions(stored: &str) -> Redactions {
    Redactions::parse(Some(stored)).unwrap()
}

async fn the_masked_ranges_of_a_text_are_read_back(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for (number, ranges) in (1..).zip([Redactions::NONE, redactions("0-3:CVV"), redactions("0-3:CVV 12-99:NEWER")]) {
        let message = Message { redactions: ranges, ..message(number, &conversation, from_micros(0)) };
        let sent = append(&stores, message).await;
        assert_eq!(all_messages(&stores, &acme(), &conversation).await.pop(), Some(sent.clone()));
        assert_eq!(stores.messages.newest(&acme(), &conversation, None).await.unwrap().pop(), Some(sent));
    }
}

async fn the_masked_ranges_of_a_batch_with_and_without_context_are_read_back(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut expected = Vec::new();
    for number in [1, 3] {
        let plain = message(number, &conversation, from_micros(0));
        let masked =
            Message { redactions: redactions("2-4:PIN"), ..message(number + 1, &conversation, from_micros(0)) };
        let tail = expected.clone();
        expected.extend([plain.clone(), masked.clone()]);
        let expected_tail = (number == 3).then_some(tail);
        let batch =
            AppendBatch { messages: vec![plain.clone(), masked], expected_tail, ..batch_after(&plain, &[], &[]) };
        assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended);
        assert_eq!(all_messages(&stores, &acme(), &conversation).await, expected);
    }
}

async fn a_mask_update_replaces_the_masked_ranges_with_the_text(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = Message { redactions: redactions("0-2:PIN"), ..message(1, &conversation, from_micros(0)) };
    let first = append(&stores, first).await;
    let update = MaskUpdate { redactions: redactions("0-3:CVV"), ..update(&first, "*** ok") };
    let second = message(2, &conversation, from_micros(1));
    let batch = batch_after(&second, slice::from_ref(&first), slice::from_ref(&update));
    assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended);
    let masked = Message { text: update.masked, redactions: update.redactions, ..first };
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, [masked.clone(), second.clone()]);
    let stale = MaskUpdate {
        expected: text("something else"),
        redactions: Redactions::NONE,
        ..crate::message_store_masking::update(&masked, "x")
    };
    let third = message(3, &conversation, from_micros(2));
    let batch = batch_after(&third, &[masked.clone(), second.clone()], &[stale]);
    assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::PreconditionFailed);
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, [masked, second]);
}
