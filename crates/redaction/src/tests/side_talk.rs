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

#[test]
fn the_code_of_a_card_stands_with_its_card() {
    for (text, value) in [
        ("new card is 4111111111111111 with 553, use that one", "553"),
        ("my flight was not booked, 4111111111111111 11/28 9921 was refused", "9921"),
        ("cartão 4111111111111111\nval 04/29\ncód 1109", "1109"),
        ("Thanks, 441 has been accepted. Your order is on its way.", "441"),
        ("au dos de la carte j'ai 331", "331"),
        ("detrás tengo 331 en la tarjeta", "331"),
    ] {
        let codes: Vec<_> = found(&[text]).into_iter().filter(|(entity, _)| *entity == Entity::CVV).collect();
        assert_eq!(codes, [(Entity::CVV, value)], "{text}");
    }
    let text = "my old card ended in 8218 and had 332, please change it";
    assert!(found(&[text]).contains(&(Entity::CVV, "332")));
}

#[test]
fn what_a_card_or_a_payment_counts_is_no_code() {
    for text in [
        "Thank you, 950 dollars is accepted",
        "Thanks, order 9831 is accepted.",
        "old phone ended up costing 850 and had 202 apps",
        "derrière il y a 450 places",
    ] {
        assert_eq!(found(&[text]), [], "{text}");
    }
}

#[test]
fn a_social_security_number_is_named_by_a_tax_return_or_a_short_label() {
    for (text, value) in [
        ("they told me somebody filed a return under 392548122 that's my number", "392548122"),
        ("name leila murphy dob 4/4/80 ss 505520021 anything else", "505520021"),
        ("meine US-Sozialversicherungsnummer: 180160511, oder brauchen Sie den Pass", "180160511"),
        ("mon numéro de sécu américain c'est 505520021", "505520021"),
    ] {
        let numbers: Vec<_> = found(&[text]).into_iter().filter(|(entity, _)| *entity == Entity::SSN).collect();
        assert_eq!(numbers, [(Entity::SSN, value)], "{text}");
    }
}

#[test]
fn an_explanation_of_where_to_find_a_code_leaves_its_question_open() {
    let question = ["to move your line we need the transfer pin of the old provider.", "where do i get that"];
    for place in ["their website, under account > number move", "under order number, in the mail"] {
        assert_eq!(found(&[question[0], question[1], place, "got it 4821"]), [(Entity::PIN, "4821")], "{place}");
    }
}

#[test]
fn the_ends_and_the_owners_of_two_social_security_numbers_are_found() {
    for (text, values) in [
        ("you have my social wrong, it should end in 0417 and you have 2293", &["0417", "2293"][..]),
        ("mixed up on the return: mine is 190.45.8867 and hers is 784640642", &["190.45.8867", "784640642"]),
        ("the bank gave us 142285616 for you, is that your Social Security number?", &["142285616"]),
    ] {
        let numbers: Vec<_> = found(&[text]).into_iter().map(|(_, value)| value).collect();
        assert_eq!(numbers, values, "{text}");
    }
    for text in
        ["my social is fine, the queue ends in 2025 and we have 3000 cases", "the bank gave us 250000 for the house"]
    {
        assert_eq!(found(&[text]), [], "{text}");
    }
}

#[test]
fn the_one_of_a_moment_or_a_thing_is_no_digit() {
    for (text, values) in [
        ("4471 one sec", &["4471"][..]),
        ("oh that one, 4471", &["4471"]),
        ("oh sorry, 4471", &["4471"]),
        ("four four seven one", &["four four seven one"]),
        ("four four seven one one sec", &["four four seven one"]),
    ] {
        let expected: Vec<_> = values.iter().map(|value| (Entity::PIN, *value)).collect();
        assert_eq!(found(&["what's your pin?", text]), expected, "{text}");
    }
}
