//! Codes among other talk: a number that is taken back, nouns that only describe, messages that explain or ask to wait.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The entities that are found by default in the last message, with their texts.
fn found<'t>(messages: &[&'t str]) -> Vec<(Entity, &'t str)> {
    let (text, earlier) = messages.split_last().expect("a message");
    let context: Vec<_> = earlier.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
    let result = Redactor::new(EntitySet::defaults()).redact(text, &context);
    result.spans.iter().map(|span| (span.entity, &text[span.start..span.end])).collect()
}

#[test]
fn the_number_after_one_that_is_taken_back_is_the_answer() {
    for (question, text, entity, values) in [
        ("what's the pin?", "4471 no wait that's my house number 8820", Entity::PIN, ["4471", "8820"]),
        ("¿me dice su pin?", "4410 no perdón ese es mi teléfono 7733", Entity::PIN, ["4410", "7733"]),
        ("and the security code?", "441 no sorry that's my flat number 902", Entity::CVV, ["441", "902"]),
    ] {
        assert_eq!(found(&[question, text]), values.map(|value| (entity, value)), "{text}");
    }
}

#[test]
fn a_noun_that_only_describes_does_not_name_the_code() {
    for (messages, value) in [
        (&["he told a man on the phone his pin on the phone it's 102581 and i want it changed"][..], "102581"),
        (&["i need a 6 digit pin could i just reuse my old bank one 661752"], "661752"),
        (&["somebody reset the pin on my gift card i had 74965 before"], "74965"),
        (&["me pide el pin de la sim pues yo le pongo 5814 que venía en la caja"], "5814"),
        (&["what is the default pin for voicemail", "For your model it's 3344 unless you changed it."], "3344"),
    ] {
        assert_eq!(found(messages), [(Entity::PIN, value)], "{messages:?}");
    }
}

#[test]
fn a_question_stays_open_over_an_explanation() {
    for earlier in ["in the app, under Account, top right", "on the letter beside the account number"] {
        let messages = ["I need the transfer PIN.", "where do i find that", earlier, "got it 220931"];
        assert_eq!(found(&messages), [(Entity::PIN, "220931")], "{earlier}");
    }
    assert_eq!(found(&["And the 3-digit code?", "sec, someone is at the door", "441"]), [(Entity::CVV, "441")]);
}
