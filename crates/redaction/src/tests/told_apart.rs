//! Codes and numbers whose entity the question or a nearer word decides.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities of the last message of a conversation, with the default entities active.
fn entities(conversation: &[&str]) -> Vec<Entity> {
    let (text, earlier) = conversation.split_last().unwrap();
    let context: Vec<_> = earlier.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
    let redaction = Redactor::new(EntitySet::defaults()).redact(text, &context);
    redaction.spans.iter().map(|span| span.entity).collect()
}

#[test]
fn four_digits_are_the_code_of_a_card_where_it_is_asked_for_or_named() {
    for conversation in [
        ["what is your cvv", "i read it upside down it's 2982"],
        ["the 3 or 4 digit code please", "done its 6453 now can i have my tickets"],
        ["there'll be four on the front of an american express", "oh yes fifty six zero two"],
        ["hello", "it wants a cid number for my amex would that be 7957"],
        ["hello", "what do i put for security code, on my card it says 6545, is that the one"],
    ] {
        assert_eq!(entities(&conversation), [Entity::CVV], "{conversation:?}");
    }
}

#[test]
fn a_pin_by_name_is_no_code_of_a_card_whatever_was_asked() {
    assert_eq!(entities(&["what is your cvv", "my pin is 2982"]), [Entity::PIN]);
}

#[test]
fn the_end_of_a_card_number_is_no_code_of_the_card() {
    assert_eq!(
        entities(&["could you give me the verification value for the card ending 6341?"]),
        [Entity::CREDIT_CARD_NUMBER]
    );
}

#[test]
fn nine_digits_beside_the_word_card_are_the_social_security_number_that_was_asked_for() {
    for answer in [
        "let me find her card okay here it says six nine one seven six three two five eight",
        "it's 354564055 no no i'm sorry i gave you my daughter's mine is 319513733",
    ] {
        let found = entities(&["for the background check could i get your social", answer]);
        assert!(!found.is_empty() && found.iter().all(|entity| *entity == Entity::SSN), "{answer}: {found:?}");
    }
}

#[test]
fn nine_digits_behind_their_own_name_are_no_social_security_number() {
    for text in ["Federal tax ID (EIN): 859808102.", "my social insurance number is 700142714 and so on"] {
        assert_eq!(entities(&[text]), [], "{text}");
    }
}

#[test]
fn a_count_of_digits_in_a_question_for_the_code_of_a_card_asks_for_no_pin() {
    assert_eq!(entities(&["the cvv is four digits", "one nine eight four"]), [Entity::CVV]);
}

#[test]
fn an_expiry_date_that_is_asked_for_is_no_code_of_a_card() {
    assert_eq!(entities(&["card expiry please", "nine twenty eight"]), []);
}

#[test]
fn a_correction_with_as_many_digits_as_before_is_no_number_of_a_card() {
    let found = entities(&[
        "i have fifty three seven forty thirty six ninety one on the application",
        "no no that's wrong there it should be zero eighteen thirty three ninety eight ninety seven",
    ]);
    assert!(!found.contains(&Entity::CREDIT_CARD_NUMBER), "{found:?}");
}
