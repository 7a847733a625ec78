//! Fuzz target of the parsers of the domain.
//!
//! A parser either rejects the text or returns a value within its limits. The display form of the value parses to the
//! same value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlance_domain::{
    access::{ApiId, CredentialName, Permission, TenantId},
    audit::{AuditAction, ChainHead},
    feed::{Day, FeedFormat, FeedName, FeedVersion, FileName, Sha256Hex},
    id::MessageId,
    limits,
    message::Role,
    redaction::{Approver, ChangeReference, Entity},
    text::{DisplayName, ExternalId, MessageText},
    time::Timestamp,
    vocabulary::{Alternative, Phrase, export::SpeechEngine},
};

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    check_timestamps(text);
    check_identifiers(text);
    check_enums(text);
    check_texts(text);
    check_feeds(text);
});

fn check_timestamps(text: &str) {
    let Ok(timestamp) = Timestamp::parse(text) else { return };
    let displayed = timestamp.to_string();
    assert_eq!(Timestamp::parse(&displayed), Ok(timestamp), "{displayed}");
    assert!((Timestamp::MIN..=Timestamp::MAX).contains(&timestamp));
    assert_eq!(Timestamp::from_micros(timestamp.as_micros()), Ok(timestamp));
}

fn check_identifiers(text: &str) {
    if let Ok(id) = MessageId::parse(text) {
        assert_eq!(id.as_str(), text);
    }
    if let Ok(id) = ApiId::parse(text) {
        assert_eq!(id.as_str(), text);
        assert!(text.starts_with(id.tenant().as_str()));
    }
    if let Ok(head) = ChainHead::parse(text) {
        assert_eq!(ChainHead::parse(&head.to_string()), Ok(head));
    }
    if let Ok(tenant) = TenantId::parse(text) {
        assert!(tenant.as_str() == text && text.len() <= limits::TENANT_MAX_CHARACTERS);
    }
}

fn check_enums(text: &str) {
    if let Ok(permission) = Permission::parse(text) {
        assert_eq!(permission.as_str(), text);
    }
    assert_eq!(AuditAction::from_word(text).as_str(), text);
    if let Some(entity) = Entity::from_label(text) {
        assert_eq!(entity.label(), text);
    }
    // Unit tests list the few words of these enums. This target checks only that the parsers do not panic.
    let _ = (Role::parse(text), SpeechEngine::parse(text));
}

fn check_texts(text: &str) {
    let characters = text.chars().count();
    if let Ok(id) = ExternalId::parse(text) {
        assert!(id.as_str() == text && (1..=limits::EXTERNAL_ID_MAX_CHARACTERS).contains(&characters));
        assert!(!text.chars().any(char::is_control));
    }
    if let Ok(name) = DisplayName::parse(text) {
        assert!(name.as_str() == text && characters <= limits::NAME_MAX_CHARACTERS);
    }
    if let Ok(message) = MessageText::parse(text) {
        assert!(message.as_str() == text && !text.is_empty() && !text.contains('\0'));
    }
    if let Ok(phrase) = Phrase::parse(text) {
        assert!((1..=limits::PHRASE_MAX_CHARACTERS).contains(&phrase.as_str().chars().count()));
        assert_eq!(Phrase::parse(phrase.as_str()).as_ref(), Ok(&phrase));
    }
    if let Ok(alternative) = Alternative::parse(text) {
        assert!(alternative.as_str().chars().count() <= limits::SOUNDS_LIKE_MAX_CHARACTERS);
        assert_eq!(Alternative::parse(alternative.as_str()).as_ref(), Ok(&alternative));
    }
    if let Ok(reference) = ChangeReference::parse(text) {
        assert_eq!(ChangeReference::parse(reference.as_str()).as_ref(), Ok(&reference));
    }
    let _ = (Approver::parse(text), CredentialName::parse(text));
}

/// Whether a name is a single path component that is not hidden. Names of feeds become parts of file paths.
fn is_path_component(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    name.bytes().all(is_allowed)
        && !name.contains("..")
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn check_feeds(text: &str) {
    if let Ok(day) = Day::parse(text) {
        assert_eq!((day.to_string().as_str(), Day::from_epoch_days(day.epoch_days())), (text, Ok(day)));
    }
    if let Ok(name) = FeedName::parse(text) {
        assert!(name.as_str() == text && is_path_component(text), "{text}");
    }
    if let Ok(name) = FileName::parse(text) {
        assert!(name.as_str() == text && is_path_component(text), "{text}");
    }
    if let Ok(version) = FeedVersion::parse(text) {
        assert!(
            is_path_component(version.as_str()) && FeedVersion::parse(&version.prefixed()) == Ok(version),
            "{text}"
        );
    }
    if let Ok(format) = FeedFormat::parse(text) {
        assert!(is_path_component(format.as_str()) && FeedFormat::parse(&format.prefixed()) == Ok(format), "{text}");
    }
    if let Some(digest) = Sha256Hex::parse(text) {
        assert_eq!(digest.as_str(), text);
    }
}
