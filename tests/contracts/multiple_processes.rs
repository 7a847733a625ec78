//! Tests of several processes over the same stores: a process does not rely on its recent-message cache after another
//! process has written to the conversation.

use std::sync::Arc;

use parlance_domain::{
    access::{Caller, Permissions},
    message::{Messages, NewMessage, PageLimit, Role, Sender},
    text::MessageText,
};
use support::{
    fixtures::{CountingIds, acme, conversation, external_id, from_micros},
    stores::TestStores,
};

contract![
    a_number_that_is_split_over_messages_of_two_processes_is_masked,
    an_answer_to_a_question_that_another_process_stored_is_masked,
    a_single_process_masks_with_its_cached_messages,
];

/// Two processes over the same stores. Both have written to one conversation.
async fn two_processes(stores: &TestStores) -> [Messages; 2] {
    let ids = Arc::new(CountingIds::default());
    stores.create_conversation(&acme(), &conversation(1, "call-1"), from_micros(5)).await;
    let processes = [stores.message_service(&ids, from_micros(9)), stores.message_service(&ids, from_micros(9))];
    for process in &processes {
        append(process, Role::Customer, "step 1", 0).await;
    }
    processes
}

async fn append(process: &Messages, role: Role, text: &str, micros: i64) {
    let sender = Sender { role, external_id: external_id("customer-7") };
    let new = NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: from_micros(micros) };
    let caller = Caller::new(acme(), Permissions::all()).authorize().unwrap();
    process.append(&caller, conversation(1, "call-1").id, new, None).await.unwrap();
}

/// The stored texts after the first two messages.
async fn later_texts(stores: &TestStores) -> Vec<String> {
    let page = stores.messages.page(&acme(), &conversation(1, "call-1").id, None, PageLimit::MAX).await.unwrap();
    page.messages.into_iter().skip(2).map(|message| message.text.into_string()).collect()
}

async fn a_number_that_is_split_over_messages_of_two_processes_is_masked(stores: TestStores) {
    let [first, second] = two_processes(&stores).await;
    append(&first, Role::Customer, "5500 0055", 1).await;
    append(&second, Role::Customer, "5555", 2).await;
    append(&first, Role::Customer, "5559", 3).await;
    assert_eq!(later_texts(&stores).await, ["**** ****", "****", "5559"]);
}

async fn an_answer_to_a_question_that_another_process_stored_is_masked(stores: TestStores) {
    let [first, second] = two_processes(&stores).await;
    append(&first, Role::Agent, "what is your pin?", 1).await;
    append(&second, Role::Customer, "it is 4821", 2).await;
    assert_eq!(later_texts(&stores).await, ["what is your pin?", "it is ****"]);
}

async fn a_single_process_masks_with_its_cached_messages(stores: TestStores) {
    let [process, _] = two_processes(&stores).await;
    for (text, micros) in [("5500 0055", 1), ("5555", 2), ("5559", 3)] {
        append(&process, Role::Customer, text, micros).await;
    }
    append(&process, Role::Agent, "what is your pin?", 4).await;
    append(&process, Role::Customer, "it is 4821", 5).await;
    assert_eq!(later_texts(&stores).await, ["**** ****", "****", "5559", "what is your pin?", "it is ****"]);
}
