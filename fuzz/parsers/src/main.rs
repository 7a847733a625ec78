//! Reads a text with every parser of the domain. Each either refuses it, or reads something that is shown as a text which
//! reads as the same again; and no limit is passed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlance_domain::{
    access::{ApiId, CredentialName, Permission, TenantId},
    audit::{Action, Head},
    conversation::Role,
    feed::{Day, FeedFormat, FeedName, FeedVersion, FileName, Sha256Hex},
    id::MessageId,
    limits,
    redaction::{Approver, ChangeReference, Entity},
    text::{DisplayName, ExternalId, MessageText},
    time::Timestamp,
    vocabulary::{Alternative, Phrase, export::Engine},
};

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    moments(text);
    identifiers(text);
    words(text);
    texts(text);
    feeds(text);
});

fn moments(text: &str) {
    let Ok(moment) = Timestamp::parse(text) else { return };
    let shown = moment.to_string();
    assert_eq!(Timestamp::parse(&shown), Ok(moment), "{shown}");
    assert!((Timestamp::MIN..=Timestamp::MAX).contains(&moment));
    assert_eq!(Timestamp::from_micros(moment.as_micros()), Ok(moment));
}

fn identifiers(text: &str) {
    if let Ok(id) = MessageId::parse(text) {
        assert_eq!(id.as_str(), text);
    }
    if let Ok(id) = ApiId::parse(text) {
        assert_eq!(id.as_str(), text);
        assert!(text.starts_with(id.tenant().as_str()));
    }
    if let Ok(head) = Head::parse(text) {
        assert_eq!(Head::parse(&head.to_string()), Ok(head));
    }
    if let Ok(tenant) = TenantId::parse(text) {
        assert!(tenant.as_str() == text && text.len() <= limits::TENANT_MAX_CHARACTERS);
    }
}

fn words(text: &str) {
    if let Ok(permission) = Permission::parse(text) {
        assert_eq!(permission.as_str(), text);
    }
    assert_eq!(Action::of_word(text).as_str(), text);
    if let Some(entity) = Entity::from_label(text) {
        assert_eq!(entity.label(), text);
    }
    // Each has few words, which the unit tests list; here it is enough that none of them panics.
    let _ = (Role::parse(text), Engine::parse(text));
}

fn texts(text: &str) {
    let characters = text.chars().count();
    if let Ok(id) = ExternalId::parse(text) {
        assert!(id.as_str() == text && (1..=limits::EXTERNAL_ID_MAX_CHARACTERS).contains(&characters));
        assert!(!text.chars().any(char::is_control));
    }
    if let Ok(name) = DisplayName::parse(text) {
        assert!(name.as_str() == text && characters <= limits::NAME_MAX_CHARACTERS);
    }
    if let Ok(said) = MessageText::parse(text) {
        assert!(said.as_str() == text && !text.is_empty() && !text.contains('\0'));
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

/// What a name of a feed becomes a part of: it must never be more than one step of a path, nor be hidden.
fn is_one_step(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    name.bytes().all(plain) && !name.contains("..") && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn feeds(text: &str) {
    if let Ok(day) = Day::parse(text) {
        assert_eq!((day.to_string().as_str(), Day::from_number(day.number())), (text, Ok(day)));
    }
    if let Ok(name) = FeedName::parse(text) {
        assert!(name.as_str() == text && is_one_step(text), "{text}");
    }
    if let Ok(name) = FileName::parse(text) {
        assert!(name.as_str() == text && is_one_step(text), "{text}");
    }
    if let Ok(version) = FeedVersion::parse(text) {
        assert!(is_one_step(version.as_str()) && FeedVersion::parse(&version.prefixed()) == Ok(version), "{text}");
    }
    if let Ok(format) = FeedFormat::parse(text) {
        assert!(is_one_step(format.as_str()) && FeedFormat::parse(&format.prefixed()) == Ok(format), "{text}");
    }
    if let Some(digest) = Sha256Hex::parse(text) {
        assert_eq!(digest.as_str(), text);
    }
}
