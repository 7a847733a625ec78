//! Numbers that nothing explains, in talk about a code.

use super::sole_codes::{answered, found, found_after};
use crate::{Entity, Speaker};

#[test]
fn a_number_keyed_in_at_an_entrance_is_a_pin() {
    for (text, value) in [
        ("estoy en el portal del edificio y marco 4821 y no pasa nada", "4821"),
        ("digito 4821 sulla tastiera e il cancello non si apre", "4821"),
        ("the meter man couldn't get in yesterday, its 7713 like always", "7713"),
        ("everyone in the office knows the pins, they all use 6194", "6194"),
    ] {
        assert_eq!(found(text), [(Entity::PIN, value)], "{text}");
    }
}

#[test]
fn the_length_of_a_number_that_was_said_before_says_which_code_it_is() {
    for (text, entity, value) in [
        ("i told your colleague already it's 407", Entity::CVV, "407"),
        ("my nephew is reading it out for me he says five one nine", Entity::CVV, "five one nine"),
        ("i said it twice already it's 4821", Entity::PIN, "4821"),
    ] {
        assert_eq!(found(text), [(entity, value)], "{text}");
    }
    assert_eq!(found("i never remember but it's either 8421 or 4778"), [(Entity::PIN, "8421"), (Entity::PIN, "4778")]);
}

#[test]
fn what_is_changed_without_a_noun_is_a_pin() {
    assert_eq!(found("i changed from 4821 to 7730 last week"), [(Entity::PIN, "4821"), (Entity::PIN, "7730")]);
    assert_eq!(found("the price changed from 4995 to 5995 yesterday"), []);
}

#[test]
fn three_digits_of_the_code_are_those_of_a_card() {
    assert_eq!(found("sorry for shouting. code is 419. please go on"), [(Entity::CVV, "419")]);
    assert_eq!(found("it was declined, the code is 105"), []);
    assert_eq!(found("the code for the discount is 250"), []);
}

#[test]
fn a_number_with_another_meaning_is_left() {
    for text in [
        "i told him it's 45 dollars",
        "i said it's flight 407",
        "it's 407 miles away i told you",
        "i remember it's order 4821",
        "i told you the order number already it's 4821",
        "he says room 214",
        "i couldn't get in, it's 2024 after all",
        "i told you it's 2019 again",
        "she told me the area code is 407",
        "my balance changed from 5000 to 8000",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn words_around_an_answer_do_not_hide_it() {
    let cvv = [(Entity::CVV, "oh one four")];
    assert_eq!(
        answered("what's the three digit code on the card", "hold on i have to turn it around oh one four"),
        cvv
    );
    let pin = [(Entity::PIN, "double five nine eight")];
    assert_eq!(answered("what is your code please", "oh god the toast sorry double five nine eight"), pin);
    assert_eq!(answered("the bank's asking for the code once more", "470"), [(Entity::CVV, "470")]);
}

#[test]
fn a_verb_of_telephoning_is_no_head_of_a_social_security_number() {
    let text = "i'm calling for my son his social is 117722882";
    assert_eq!(found(text).len(), 1, "{text}");
}

#[test]
fn four_digits_with_an_owner_answer_a_question_for_two_numbers() {
    let question = "i show two people with that name which is the last four of the social";
    let found = answered(question, "oh that must be my mother then and me because i'm 2361 and she's 8074 i believe");
    assert!(found.contains(&(Entity::SSN, "2361")), "{found:?}");
}

#[test]
fn a_number_of_seven_digits_or_more_is_no_unnamed_code() {
    assert_eq!(found("4471 8802, with pin 3107"), [(Entity::PIN, "3107")]);
    assert_eq!(found("four four seven one, eight eight zero two, but i don't know my pin"), []);
}

#[test]
fn a_noun_beside_a_number_explains_it_where_somebody_gets_in() {
    for text in [
        "the driver couldn't get in, our flat is 4821",
        "he couldn't get in at all, the ticket is 7713",
        "they could not get in, the price is 7713",
        "she couldn't get in yesterday, extension is 4821",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn an_adjective_or_a_year_tells_one_code_from_another() {
    for (earlier, text, values) in [
        ("", "add a pin 90412 beside my usual 5571 please", &["90412", "5571"][..]),
        ("Is your PIN the same as last year?", "no, last year 6162 and now 8841", &["6162", "8841"]),
        ("", "the new pin you texted (7731) does nothing", &["7731"]),
    ] {
        let found = found_after(&[earlier], Speaker::Other, text);
        assert_eq!(found, values.iter().map(|value| (Entity::PIN, *value)).collect::<Vec<_>>(), "{text}");
    }
    for text in ["my pin is fine, my usual 20 minutes of waiting", "the pin is the same as in the year 1998"] {
        assert_eq!(found_after(&[""], Speaker::Other, text), [], "{text}");
    }
}
