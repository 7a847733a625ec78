//! What every store of messages does for masking: the newest messages, and a message that masks earlier ones.

use std::{slice, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Append, Message, Neighbours, PageLimit, Remask},
    id::{ConversationId, MessageId},
    redaction::{Entity, EntitySet},
    text::MessageText,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, at, conversation, globex, message},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    what_a_message_was_masked_with_comes_back,
    the_newest_messages_are_six_at_most_in_chronological_order,
    the_newest_before_a_position_leave_out_that_position,
    another_tenants_messages_are_not_among_the_newest,
    neighbours_are_six_at_most_on_each_side_in_chronological_order,
    neighbours_come_in_the_order_of_the_positions_asked_for_whatever_their_conversations,
    another_tenants_messages_are_no_neighbours,
    a_message_is_added_and_earlier_ones_masked_at_once,
    texts_are_presumed_byte_for_byte,
    a_text_that_is_no_longer_as_presumed_supersedes_everything,
    a_missing_conversation_masks_nothing,
    another_tenants_message_is_not_masked,
    of_racing_masks_of_one_message_one_lands,
    what_was_seen_and_is_no_longer_all_there_is_supersedes,
    what_was_seen_is_the_newest_six_messages,
    of_racing_messages_that_have_seen_the_same_one_lands,
    many_long_messages_presume_what_was_before_all_of_them,
];

async fn create(stores: &Stores, tenant: &TenantId) -> ConversationId {
    let new = conversation(1, "call-1");
    let id = new.id.clone();
    stores.create(tenant, &new, at(5)).await;
    id
}

fn text(text: &str) -> MessageText {
    MessageText::parse(text).unwrap()
}

async fn append(stores: &Stores, message: Message) -> Message {
    assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), Append::Appended);
    message
}

async fn whole(stores: &Stores, tenant: &TenantId, conversation: &ConversationId) -> Vec<Message> {
    stores.messages.page(tenant, conversation, None, PageLimit::MAX).await.unwrap().messages
}

pub(crate) fn in_context(message: &Message, seen: &[Message], masks: &[Remask]) -> Addition {
    Addition {
        conversation: message.conversation.clone(),
        messages: vec![message.clone()],
        seen: Some(seen.to_vec()),
        masks: masks.to_vec(),
        receipt: None,
    }
}

fn remask(message: &Message, becomes: &str) -> Remask {
    Remask { position: message.position(), was: message.text.clone(), becomes: text(becomes) }
}

async fn what_a_message_was_masked_with_comes_back(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let last: EntitySet = Entity::ALL.into_iter().last().into_iter().collect();
    for (number, masked_with) in (1..).zip([EntitySet::empty(), EntitySet::defaults(), EntitySet::all(), last]) {
        let sent = append(&stores, Message { masked_with, ..message(number, &conversation, at(0)) }).await;
        assert_eq!(whole(&stores, &acme(), &conversation).await.pop(), Some(sent.clone()));
        assert_eq!(stores.messages.newest(&acme(), &conversation, None).await.unwrap().pop(), Some(sent));
    }
}

async fn the_newest_messages_are_six_at_most_in_chronological_order(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    assert_eq!(stores.messages.newest(&acme(), &conversation, None).await.unwrap(), []);
    for (number, micros) in (1..).zip([50, -3, 50, 7, 9, 50, 11, 12]) {
        append(&stores, message(number, &conversation, at(micros))).await;
    }
    let newest = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
    let ids: Vec<_> = newest.into_iter().map(|message| message.id).collect();
    assert_eq!(ids, [5, 7, 8, 1, 3, 6].map(MessageId::from_bits));
}

async fn the_newest_before_a_position_leave_out_that_position(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let mut sent = Vec::new();
    for number in 1..=9 {
        sent.push(append(&stores, message(number, &conversation, at(4))).await);
    }
    for (number, place) in (0..).zip(&sent) {
        let newest = stores.messages.newest(&acme(), &conversation, Some(&place.position())).await.unwrap();
        assert_eq!(Some(&*newest), sent.get(usize::saturating_sub(number, 6)..number), "before message {number}");
    }
}

async fn another_tenants_messages_are_not_among_the_newest(stores: Stores) {
    let own = create(&stores, &acme()).await;
    append(&stores, message(1, &own, at(0))).await;
    assert_eq!(stores.messages.newest(&globex(), &own, None).await.unwrap(), []);
    assert_eq!(stores.messages.newest(&acme(), &ConversationId::from_bits(2), None).await.unwrap(), []);
}

async fn neighbours_are_six_at_most_on_each_side_in_chronological_order(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let mut sent = Vec::new();
    for (number, micros) in (1..).zip([-5, -5, 1, 2, 2, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11]) {
        sent.push(append(&stores, message(number, &conversation, at(micros))).await);
    }
    let positions: Vec<_> = sent.iter().map(|one| (conversation.clone(), one.position())).collect();
    let neighbours = stores.messages.neighbours(&acme(), &positions).await.unwrap();
    assert_eq!(neighbours.len(), sent.len());
    for (place, beside) in neighbours.iter().enumerate() {
        assert_eq!(beside.before, sent[place.saturating_sub(6)..place], "before message {place}");
        assert_eq!(beside.after, sent[place + 1..sent.len().min(place + 7)], "after message {place}");
    }
}

async fn neighbours_come_in_the_order_of_the_positions_asked_for_whatever_their_conversations(stores: Stores) {
    let one = create(&stores, &acme()).await;
    let other = conversation(2, "call-2");
    stores.create(&acme(), &other, at(5)).await;
    let mut sent = Vec::new();
    for (number, conversation) in (1..).zip([&one, &other.id, &one, &other.id]) {
        sent.push(append(&stores, message(number, conversation, at(4))).await);
    }
    let asked = [&sent[3], &sent[0], &sent[2], &sent[3]];
    let mut positions: Vec<_> = asked.iter().map(|one| (one.conversation.clone(), one.position())).collect();
    positions.push((ConversationId::from_bits(3), sent[0].position()));
    let neighbours = stores.messages.neighbours(&acme(), &positions).await.unwrap();
    let ids = |messages: &[Message]| messages.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    let told: Vec<_> = neighbours.iter().map(|beside| (ids(&beside.before), ids(&beside.after))).collect();
    let id = |number| vec![MessageId::from_bits(number)];
    assert_eq!(told, [(id(2), vec![]), (vec![], id(3)), (id(1), vec![]), (id(2), vec![]), (vec![], vec![])]);
    assert_eq!(stores.messages.neighbours(&acme(), &[]).await.unwrap(), []);
}

async fn another_tenants_messages_are_no_neighbours(stores: Stores) {
    let own = create(&stores, &acme()).await;
    let sent = append(&stores, message(1, &own, at(0))).await;
    append(&stores, message(2, &own, at(1))).await;
    let beside = stores.messages.neighbours(&globex(), &[(own, sent.position())]).await.unwrap();
    assert_eq!(beside, [Neighbours::default()]);
}

async fn a_message_is_added_and_earlier_ones_masked_at_once(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let second = append(&stores, message(2, &conversation, at(1))).await;
    let third = append(&stores, message(3, &conversation, at(3))).await;
    let last = message(4, &conversation, at(4));
    let seen = [first.clone(), second.clone(), third.clone()];
    let masks = [remask(&third, "*** 3"), remask(&first, "*** 1")];
    let outcome = stores.messages.append_all(&acme(), &in_context(&last, &seen, &masks)).await.unwrap();
    assert_eq!(outcome, Append::Appended);
    let (first, third) = (Message { text: text("*** 1"), ..first }, Message { text: text("*** 3"), ..third });
    assert_eq!(whole(&stores, &acme(), &conversation).await, [first, second, third, last]);
}

async fn texts_are_presumed_byte_for_byte(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    for (number, awkward) in (1..).zip(AWKWARD_TEXTS) {
        let sent = Message { text: text(awkward), ..message(number * 2, &conversation, at(0)) };
        let sent = append(&stores, sent).await;
        let last = message(number * 2 + 1, &conversation, at(0));
        let masks = [remask(&sent, &format!("{awkward}*"))];
        let seen = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
        let outcome = stores.messages.append_all(&acme(), &in_context(&last, &seen, &masks)).await.unwrap();
        assert_eq!(outcome, Append::Appended, "{awkward:?}");
    }
}

async fn a_text_that_is_no_longer_as_presumed_supersedes_everything(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let second = append(&stores, message(2, &conversation, at(2))).await;
    let stale = Remask { was: text("something else"), ..remask(&second, "***") };
    let missing = remask(&message(9, &conversation, at(9)), "***");
    for wrong in [stale, missing] {
        let masks = [remask(&first, "***"), wrong];
        let (late, seen) = (message(3, &conversation, at(3)), [first.clone(), second.clone()]);
        let outcome = stores.messages.append_all(&acme(), &in_context(&late, &seen, &masks)).await.unwrap();
        assert_eq!(outcome, Append::Superseded);
        assert_eq!(whole(&stores, &acme(), &conversation).await, [first.clone(), second.clone()]);
    }
}

async fn a_missing_conversation_masks_nothing(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let lost = message(2, &ConversationId::from_bits(2), at(2));
    let outcome = stores.messages.append_all(&acme(), &in_context(&lost, &[], &[remask(&first, "***")])).await.unwrap();
    assert_eq!(outcome, Append::NoConversation);
    assert_eq!(whole(&stores, &acme(), &conversation).await, [first]);
}

async fn another_tenants_message_is_not_masked(stores: Stores) {
    let shared_id = create(&stores, &acme()).await;
    assert_eq!(create(&stores, &globex()).await, shared_id);
    let own = append(&stores, message(1, &shared_id, at(1))).await;
    let intruder = message(2, &shared_id, at(2));
    let outcome =
        stores.messages.append_all(&globex(), &in_context(&intruder, &[], &[remask(&own, "***")])).await.unwrap();
    assert_eq!(outcome, Append::Superseded);
    assert_eq!(whole(&stores, &acme(), &shared_id).await, [own]);
    assert_eq!(whole(&stores, &globex(), &shared_id).await, []);
}

async fn of_racing_masks_of_one_message_one_lands(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let second = append(&stores, message(2, &conversation, at(2))).await;
    let start = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (store, start) = (Arc::clone(&stores.messages), Arc::clone(&start));
        let last = message(number, &conversation, at(3));
        let (seen, mut masks) = ([first.clone(), second.clone()], [remask(&first, "*** 1"), remask(&second, "*** 2")]);
        if number % 2 == 0 {
            masks.reverse();
        }
        racers.spawn(async move {
            start.wait().await;
            store.append_all(&acme(), &in_context(&last, &seen, &masks)).await.unwrap()
        });
    }
    let landed = racers.join_all().await.into_iter().filter(|outcome| *outcome == Append::Appended).count();
    assert_eq!((landed, whole(&stores, &acme(), &conversation).await.len()), (1, 3));
}

async fn what_was_seen_and_is_no_longer_all_there_is_supersedes(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let second = append(&stores, message(2, &conversation, at(2))).await;
    let other = Message { text: text("something else"), ..second.clone() };
    for seen in [&[][..], slice::from_ref(&first), slice::from_ref(&second), &[first.clone(), other]] {
        let late = message(3, &conversation, at(3));
        let outcome = stores.messages.append_all(&acme(), &in_context(&late, seen, &[])).await.unwrap();
        assert_eq!(outcome, Append::Superseded, "{seen:?}");
    }
    assert_eq!(whole(&stores, &acme(), &conversation).await, [first, second]);
}

async fn what_was_seen_is_the_newest_six_messages(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    for number in 1..=9 {
        let seen = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
        let next = message(number, &conversation, at(i64::try_from(number).unwrap()));
        let outcome = stores.messages.append_all(&acme(), &in_context(&next, &seen, &[])).await.unwrap();
        assert_eq!(outcome, Append::Appended, "message {number}");
    }
    assert_eq!(whole(&stores, &acme(), &conversation).await.len(), 9);
}

async fn of_racing_messages_that_have_seen_the_same_one_lands(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let start = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (store, start, seen) = (Arc::clone(&stores.messages), Arc::clone(&start), [first.clone()]);
        let next = message(number, &conversation, at(3));
        racers.spawn(async move {
            start.wait().await;
            store.append_all(&acme(), &in_context(&next, &seen, &[])).await.unwrap()
        });
    }
    let landed = racers.join_all().await.into_iter().filter(|outcome| *outcome == Append::Appended).count();
    assert_eq!((landed, whole(&stores, &acme(), &conversation).await.len()), (1, 2));
}

async fn many_long_messages_presume_what_was_before_all_of_them(stores: Stores) {
    let conversation = create(&stores, &acme()).await;
    let first = append(&stores, message(1, &conversation, at(1))).await;
    let long = |number: u128| Message {
        text: text(&format!("{number} ").repeat(100)),
        ..message(number, &conversation, at(i64::try_from(number).unwrap()))
    };
    let addition =
        |seen: &[Message]| Addition { messages: (2..=301).map(long).collect(), ..in_context(&long(2), seen, &[]) };
    assert_eq!(stores.messages.append_all(&acme(), &addition(&[])).await.unwrap(), Append::Superseded);
    assert_eq!(whole(&stores, &acme(), &conversation).await, slice::from_ref(&first));
    assert_eq!(stores.messages.append_all(&acme(), &addition(&[first])).await.unwrap(), Append::Appended);
    let newest = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
    assert_eq!(newest, (296..=301).map(long).collect::<Vec<_>>());
}
