//! Contract of message stores: the bytes of the texts bound a page. They do not bound the neighbours of a position.

use parlance_domain::{
    message::{Message, PageLimit},
    text::MessageText,
};
use support::{
    fixtures::{acme, from_micros, message},
    stores::TestStores,
};

use crate::message_store::{append, create_conversation, numbers, page};

contract![
    a_page_below_its_byte_limit_has_as_many_messages_as_its_limit,
    a_page_ends_five_messages_after_the_one_that_reaches_its_byte_limit,
    the_neighbours_of_one_position_include_long_texts,
];

async fn a_page_below_its_byte_limit_has_as_many_messages_as_its_limit(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut all = Vec::new();
    for (number, length) in (1..).zip([1, 8_192, 1, 8_193, 100_000, 1]) {
        let text = MessageText::parse("x".repeat(length)).unwrap();
        all.push(append(&stores, Message { text, ..message(number, &conversation, from_micros(0)) }).await);
    }
    for limit in [1, 2, 3, 4, 5, 6, 128, 129] {
        let page = page(&stores, &acme(), &conversation, None, limit).await;
        let count = all.len().min(usize::try_from(limit).unwrap());
        assert_eq!((&page.messages[..], page.has_more), (&all[..count], count < all.len()), "a page of {limit}");
    }
}

async fn a_page_ends_five_messages_after_the_one_that_reaches_its_byte_limit(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let half = "é".repeat(PageLimit::MAX.bytes() / 4);
    for (number, text) in (1..).zip([&half, "a", &half, "c", "d", "e", "f", "g", "h", "i"]) {
        let text = MessageText::parse(text).unwrap();
        append(&stores, Message { text, ..message(number, &conversation, from_micros(0)) }).await;
    }
    let first = page(&stores, &acme(), &conversation, None, 1_000).await;
    assert_eq!((numbers(&first.messages), first.has_more), ((1..=8).collect(), true));
    let last = page(&stores, &acme(), &conversation, first.next_cursor().as_ref(), 1_000).await;
    assert_eq!((numbers(&last.messages), last.has_more), (vec![9, 10], false));
    let exact =
        page(&stores, &acme(), &conversation, Some(&message(2, &conversation, from_micros(0)).position()), 1_000).await;
    assert_eq!(
        (exact.messages.len(), exact.has_more),
        (8, false),
        "the texts after the second message are below the byte limit"
    );
    let fewer = page(&stores, &acme(), &conversation, None, 3).await;
    assert_eq!((numbers(&fewer.messages), fewer.has_more), (vec![1, 2, 3], true));
}

async fn the_neighbours_of_one_position_include_long_texts(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut all = Vec::new();
    for (number, length) in (1..).zip([9_000, 1, 9_000]) {
        let text = MessageText::parse("x".repeat(length)).unwrap();
        all.push(append(&stores, Message { text, ..message(number, &conversation, from_micros(0)) }).await);
    }
    let position = (conversation, all[1].position());
    let neighbours = stores.messages.neighbours(&acme(), &[position]).await.unwrap().remove(0);
    assert_eq!((&neighbours.before[..], &neighbours.after[..]), (&all[..1], &all[2..]));
}
