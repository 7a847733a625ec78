//! Tests of the preview of redaction.

use std::sync::Arc;

use parlance_domain::{
    access::{Caller, Permission, TenantId},
    limits::{PREVIEW_MAX_MESSAGES, PREVIEW_TEXT_MAX_CHARACTERS},
    message::{PreviewMessage, PreviewMessages, PreviewedText, RedactionPreview, Role},
    redaction::{ActiveEntityCache, Entity, EntitySet, Flags, MockRedactionStore, TextRedaction},
    text::{MessageText, Violation},
};
use pollster::block_on;

use super::ManualClock;

fn message(role: Role, text: &str) -> PreviewMessage {
    PreviewMessage { role, text: MessageText::parse(text).unwrap() }
}

fn preview(messages: Vec<PreviewMessage>, entities: Option<EntitySet>) -> Vec<PreviewedText> {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    let active = ActiveEntityCache::new(Arc::new(store), Arc::new(ManualClock::default()));
    let preview = RedactionPreview::new(TextRedaction::rules_only(), active);
    let caller = Caller::new(TenantId::parse("acme").unwrap(), [Permission::ReadConfiguration].into_iter().collect());
    let caller = caller.authorize().unwrap();
    block_on(preview.preview(&caller, PreviewMessages::new(messages).unwrap(), entities)).unwrap()
}

/// Each masked text with the entity, the range, the confidence in percent and the reason of each masked range.
fn described(previewed: &[PreviewedText]) -> Vec<String> {
    let range = |one: &parlance_domain::redaction::MaskedRange<parlance_domain::redaction::Evidence>| {
        let evidence = one.finding;
        let (entity, percent, reason) = (evidence.entity.label(), evidence.confidence.percent(), evidence.reason);
        format!(" | {entity} {}-{} {percent} {}", one.start, one.end, reason.describe())
    };
    previewed.iter().map(|one| one.text.clone() + &one.ranges.iter().map(range).collect::<String>()).collect()
}

#[test]
fn the_active_entities_are_masked_if_none_are_named() {
    let messages = || vec![message(Role::Customer, "é ssn 219-09-9999, mail ada@example.org")];
    assert_eq!(preview(messages(), None)[0].text, "é ssn ***-**-9999, mail ada@example.org");
    let emails = EntitySet::empty().iter().chain([Entity::EMAIL]).collect();
    assert_eq!(preview(messages(), Some(emails))[0].text, "é ssn 219-09-9999, mail ***@example.org");
}

#[test]
fn each_message_is_masked_in_the_context_of_those_before_it() {
    let messages = vec![message(Role::Agent, "what is your pin?"), message(Role::Customer, "it is 4821")];
    let expected = ["what is your pin?", "it is **** | PIN 6-10 85 an earlier message asks for it"];
    assert_eq!(described(&preview(messages, None)), expected);
}

#[test]
fn a_later_message_masks_the_part_of_a_number_in_an_earlier_one() {
    let texts = ["my ssn is 219-09-9999, my card 4111 1111", "1111", "1111"];
    let messages = texts.map(|text| message(Role::Customer, text)).into();
    let previewed = preview(messages, None);
    let texts: Vec<_> = previewed.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["my ssn is ***-**-9999, my card **** ****", "****", "1111"]);
    let entities = |one: &PreviewedText| one.ranges.iter().map(|range| range.finding.entity).collect::<Vec<_>>();
    assert_eq!(entities(&previewed[0]), [Entity::SSN, Entity::CREDIT_CARD_NUMBER]);
    assert_eq!(entities(&previewed[1]), [Entity::CREDIT_CARD_NUMBER]);
}

#[test]
fn the_number_of_messages_and_the_length_of_texts_are_limited() {
    assert_eq!(PreviewMessages::new(Vec::new()), Err(Violation::MinItems(1)));
    let messages = vec![message(Role::Agent, "a"); PREVIEW_MAX_MESSAGES + 1];
    assert_eq!(PreviewMessages::new(messages), Err(Violation::MaxItems(PREVIEW_MAX_MESSAGES)));
    assert!(PreviewMessages::parse_text("é".repeat(PREVIEW_TEXT_MAX_CHARACTERS)).is_ok());
    let error = PreviewMessages::parse_text("é".repeat(PREVIEW_TEXT_MAX_CHARACTERS + 1));
    assert_eq!(error, Err(Violation::MaxCharacters(PREVIEW_TEXT_MAX_CHARACTERS)));
}
