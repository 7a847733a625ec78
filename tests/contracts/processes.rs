//! What holds where several processes share the stores: what one remembers of a conversation is not what it is taken for
//! once another has written to it.

use std::sync::Arc;

use parlance_domain::{
    access::{Caller, Permissions},
    conversation::{Messages, NewMessage, PageLimit, Role, Sender},
    text::MessageText,
};
use support::{
    fixtures::{CountingIds, acme, at, conversation, external_id},
    stores::Stores,
};

contract![
    a_number_that_is_spread_over_what_two_processes_store_is_masked,
    an_answer_is_masked_in_the_light_of_a_question_that_another_process_stored,
    a_process_that_is_alone_goes_on_with_what_it_remembers,
];

/// Two processes over the same stores, and a conversation that each has written to.
async fn two(stores: &Stores) -> [Messages; 2] {
    let ids = Arc::new(CountingIds::default());
    stores.create(&acme(), &conversation(1, "call-1"), at(5)).await;
    let both = [stores.process(&ids, at(9)), stores.process(&ids, at(9))];
    for process in &both {
        say(process, Role::Customer, "step 1", 0).await;
    }
    both
}

async fn say(process: &Messages, role: Role, text: &str, micros: i64) {
    let sender = Sender { role, external_id: external_id("customer-7") };
    let new = NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: at(micros) };
    process.record(&Caller::new(acme(), Permissions::all()), conversation(1, "call-1").id, new).await.unwrap();
}

/// What stands in the store behind the first two messages.
async fn kept(stores: &Stores) -> Vec<String> {
    let page = stores.messages.page(&acme(), &conversation(1, "call-1").id, None, PageLimit::MAX).await.unwrap();
    page.messages.into_iter().skip(2).map(|message| message.text.into_string()).collect()
}

async fn a_number_that_is_spread_over_what_two_processes_store_is_masked(stores: Stores) {
    let [one, other] = two(&stores).await;
    say(&one, Role::Customer, "5500 0055", 1).await;
    say(&other, Role::Customer, "5555", 2).await;
    say(&one, Role::Customer, "5559", 3).await;
    assert_eq!(kept(&stores).await, ["**** ****", "****", "5559"]);
}

async fn an_answer_is_masked_in_the_light_of_a_question_that_another_process_stored(stores: Stores) {
    let [one, other] = two(&stores).await;
    say(&one, Role::Agent, "what is your pin?", 1).await;
    say(&other, Role::Customer, "it is 4821", 2).await;
    assert_eq!(kept(&stores).await, ["what is your pin?", "it is ****"]);
}

async fn a_process_that_is_alone_goes_on_with_what_it_remembers(stores: Stores) {
    let [one, _] = two(&stores).await;
    for (text, micros) in [("5500 0055", 1), ("5555", 2), ("5559", 3)] {
        say(&one, Role::Customer, text, micros).await;
    }
    say(&one, Role::Agent, "what is your pin?", 4).await;
    say(&one, Role::Customer, "it is 4821", 5).await;
    assert_eq!(kept(&stores).await, ["**** ****", "****", "5559", "what is your pin?", "it is ****"]);
}
