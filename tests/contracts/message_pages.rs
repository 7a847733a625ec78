//! How long texts bound the pages of every store of messages.

use parlance_domain::{
    conversation::{Message, PageLimit},
    text::MessageText,
};
use support::{
    fixtures::{acme, at, message},
    stores::Stores,
};

use crate::message_store::{append, create, numbers, page};

contract![
    long_texts_stand_in_small_pages_among_short_ones,
    a_page_ends_with_the_sixth_message_from_the_one_that_reaches_its_bytes,
];

async fn long_texts_stand_in_small_pages_among_short_ones(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let mut all = Vec::new();
    for (number, length) in (1..).zip([1, 8_192, 1, 8_193, 100_000, 1]) {
        let text = MessageText::parse("x".repeat(length)).unwrap();
        all.push(append(&stores, Message { text, ..message(number, &conversation, at(0)) }).await);
    }
    for limit in [1, 2, 3, 4, 5, 6, 128, 129] {
        let page = page(&stores, &acme(), &conversation, None, limit).await;
        let count = all.len().min(usize::try_from(limit).unwrap());
        assert_eq!((&page.messages[..], page.more), (&all[..count], count < all.len()), "a page of {limit}");
    }
}

async fn a_page_ends_with_the_sixth_message_from_the_one_that_reaches_its_bytes(stores: Stores) {
    let conversation = create(&stores, &acme(), 1).await;
    let half = "é".repeat(PageLimit::MAX.bytes() / 4);
    for (number, text) in (1..).zip([&half, "a", &half, "c", "d", "e", "f", "g", "h", "i"]) {
        let text = MessageText::parse(text).unwrap();
        append(&stores, Message { text, ..message(number, &conversation, at(0)) }).await;
    }
    let first = page(&stores, &acme(), &conversation, None, 1_000).await;
    assert_eq!((numbers(&first.messages), first.more), ((1..=8).collect(), true));
    let last = page(&stores, &acme(), &conversation, first.next().as_ref(), 1_000).await;
    assert_eq!((numbers(&last.messages), last.more), (vec![9, 10], false));
    let exact = page(&stores, &acme(), &conversation, Some(&message(2, &conversation, at(0)).position()), 1_000).await;
    assert_eq!((exact.messages.len(), exact.more), (8, false), "the texts after the second are too few");
    let fewer = page(&stores, &acme(), &conversation, None, 3).await;
    assert_eq!((numbers(&fewer.messages), fewer.more), (vec![1, 2, 3], true));
}
