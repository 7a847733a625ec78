//! Tests a use case with mocked ports: a message is masked before the store sees it.
//!
//! ```sh
//! cargo run -p parlance-domain --example mocks --features mocks
//! ```

use std::{error::Error, sync::Arc};

use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    id::ConversationId,
    message::{AppendOutcome, MessageRedaction, Messages, NewMessage, Role, Sender},
    ports::{MockClock, MockConversationStore, MockIdSource, MockMessageStore, MockMonotonicClock, MockRedactionStore},
    redaction::{ActiveEntityCache, Flags, TextRedaction},
    text::{ExternalId, MessageText},
    time::Timestamp,
};

fn main() -> Result<(), Box<dyn Error>> {
    let now = Timestamp::parse("2026-01-31T09:30:00Z")?;

    // Every entity is as in the catalogue.
    let mut flags = MockRedactionStore::new();
    flags.expect_flags().returning(|_| Ok(Flags::none()));
    let mut monotonic = MockMonotonicClock::new();
    monotonic.expect_elapsed().returning(|| std::time::Duration::ZERO);
    let active = ActiveEntityCache::new(Arc::new(flags), Arc::new(monotonic));
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), active);

    // The text needs context, so the newest messages are read, and the message is stored only if they are still the newest.
    let mut store = MockMessageStore::new();
    store.expect_newest().once().returning(|_, _, _| Ok(Vec::new()));
    store
        .expect_append_batch()
        .withf(|tenant, batch| {
            let text = batch.messages.first().map(|message| message.text.as_str());
            tenant.as_str() == "acme" && text.is_some_and(|text| !text.contains("Tr0ub4dor"))
        })
        .once()
        .returning(|_, _| Ok(AppendOutcome::Appended));

    let (mut clock, mut ids) = (MockClock::new(), MockIdSource::new());
    clock.expect_now().returning(move || now);
    ids.expect_next().returning(|_| 7);

    let conversations = Arc::new(MockConversationStore::new());
    let messages = Messages::new(Arc::new(store), conversations, redaction, Arc::new(ids), Arc::new(clock));
    let caller = Caller::new(TenantId::parse("acme")?, Permissions::all()).authorize()?;
    let new = NewMessage {
        sender: Sender { role: Role::Customer, external_id: ExternalId::parse("customer-7")? },
        text: MessageText::parse("my password is Tr0ub4dor&3")?,
        sent_at: now,
    };
    pollster::block_on(messages.append(&caller, ConversationId::from_bits(1), new, None))?;
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
