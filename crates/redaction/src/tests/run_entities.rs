//! The entity of letters and digits said aloud, where several words name something or the words allow several entities.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities of the last message of a conversation, if every entity is looked for.
fn entities(conversation: &[&str]) -> Vec<Entity> {
    let (text, earlier) = conversation.split_last().unwrap();
    let context: Vec<_> = earlier.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
    let redaction = Redactor::new(EntitySet::all()).redact(text, &context);
    redaction.spans.iter().map(|span| span.entity).collect()
}

#[test]
fn a_cue_that_only_describes_another_one_names_nothing() {
    for (text, entity) in [
        ("the vat number of the order is d e two one four seven seven eight oh nine one", Entity::VAT_NUMBER),
        ("there's a claim for medicare id five q eighty one t r three v k two seven", Entity::US_MEDICARE_ID),
    ] {
        assert_eq!(entities(&[text]), [entity], "{text}");
    }
}

#[test]
fn the_form_tells_apart_what_the_same_words_name() {
    for (conversation, entity) in [
        (
            &["driving licence number", "m u r r a eight oh three one five two j d nine k w"][..],
            Entity::UK_DRIVING_LICENCE,
        ),
        (&["driving licence number", "m four one oh seven two two eight five"][..], Entity::US_DRIVER_LICENSE),
        (&["what's your i d number", "it's s seven three double one oh four two j"][..], Entity::SG_NRIC_FIN),
        (&["my account number is victor nine thirty one sixty six oh two"][..], Entity::ACCOUNT_NUMBER),
    ] {
        assert_eq!(entities(conversation), [entity], "{conversation:?}");
    }
}

#[test]
fn a_value_after_a_correction_has_the_entity_of_the_one_before() {
    let text = "my reg is l k one eight t v b oh no that was the old van this is p n six six d x e";
    assert_eq!(entities(&[text]), [Entity::LICENSE_PLATE, Entity::LICENSE_PLATE]);
}

#[test]
fn a_spelled_value_that_something_names_is_no_password() {
    let text = "here's my policy it's t like tango w r five one nine oh six two";
    assert_eq!(entities(&[text]), [Entity::POLICY_NUMBER]);
    let answer = "oh um it was the bird w r november five one t";
    assert_eq!(entities(&["for the policy i need the phone password you chose", answer]), [Entity::PASSWORD]);
}

#[test]
fn seventeen_letters_and_digits_are_the_number_of_a_vehicle() {
    let text = "the sticker says w b a three a five c five oh d f six oh four one seven two";
    assert_eq!(entities(&[text]), [Entity::VIN]);
}

#[test]
fn a_zero_before_digits_is_no_country() {
    let text = "the account is oh six two nine one eight four four";
    assert_eq!(entities(&[text]), [Entity::BANK_ACCOUNT_NUMBER]);
}

#[test]
fn letters_of_shortened_words_are_no_part_of_a_value() {
    let redact = |text: &str| Redactor::new(EntitySet::all()).redact(text, &[]).text.into_owned();
    let text = redact("my medicare card says four eight one nine nine three two six oh five and i'm on line two");
    assert!(text.ends_with("and i'm on line two"), "{text}");
    assert!(redact("my passport it's k l four one nine oh seven two").starts_with("my passport it's * *"));
}

#[test]
fn a_plate_and_a_network_address_said_aloud_are_known_by_their_form() {
    for (text, entity) in [
        ("there was a ticket on the windscreen for r t v eighty one forty", Entity::LICENSE_PLATE),
        ("they towed me and i was in a k p eight three t d w blue van", Entity::LICENSE_PLATE),
        ("mi coche es el ocho uno cuatro cero b k z", Entity::LICENSE_PLATE),
        ("the hardware address is four c eight seven five d two one zero nine b f", Entity::MAC_ADDRESS),
    ] {
        assert_eq!(entities(&[text]), [entity], "{text}");
    }
    let text = "the part on the shelf is r t v eighty one forty";
    assert!(!entities(&[text]).contains(&Entity::LICENSE_PLATE));
}

#[test]
fn the_address_of_a_wallet_said_aloud_is_known_by_its_beginning() {
    let text = "the money went to zero x four f a nine c two two e b seven d zero one a eight five f c three b six nine \
                d d four e two zero seven a b one c five nine e f two";
    assert_eq!(entities(&[text]).first(), Some(&Entity::CRYPTO_ADDRESS));
}
