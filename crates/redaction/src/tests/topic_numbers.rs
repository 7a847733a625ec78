//! Codes that no message names, by what the messages speak of.

use super::secrets_apart::{assert_hidden, assert_untouched};
use super::sole_codes::found;
use crate::Entity;

#[test]
fn a_number_that_nothing_explains_is_the_pin_of_what_is_opened() {
    for (text, value) in [
        ("my padlock is stuck, 4836 does nothing at all", "4836"),
        ("the strongbox in the hotel keeps flashing and i definitely put 739164", "739164"),
        ("burglar alarm is screaming, my wife swears she set 3917", "3917"),
        ("turnstile at the pool, is it still 6628?", "6628"),
        ("el candado de la bici era 4836 y ya no abre", "4836"),
        ("Lockbox by the tap. 4836, then slide it down", "4836"),
    ] {
        assert_eq!(found(text), [(Entity::PIN, value)], "{text}");
    }
    let text = "back door went from 4836 to 7195, the porter is waiting";
    assert_eq!(found(text), [(Entity::PIN, "4836"), (Entity::PIN, "7195")]);
}

#[test]
fn a_number_put_into_a_machine_with_a_card_is_a_pin() {
    for (text, value) in [
        ("the reader in the shop likes my card but won't accept 4836", "4836"),
        ("could i keep 4836 when the new card comes", "4836"),
        ("my dad always used 593816 with his card", "593816"),
    ] {
        assert_eq!(found(text), [(Entity::PIN, value)], "{text}");
    }
}

#[test]
fn three_digits_in_talk_about_a_card_are_its_code() {
    for (text, value) in [
        ("the ink is smudged but i can see 562", "562"),
        ("my visa, it wants 562", "562"),
        ("i have turned to the back and it reads five six two", "five six two"),
        ("562 that's all of it, just the three", "562"),
    ] {
        assert_eq!(found(text), [(Entity::CVV, value)], "{text}");
    }
}

#[test]
fn a_number_that_is_given_to_a_criminal_or_corrected_is_a_code() {
    for (text, value) in [
        ("i told 4836 to a man pretending to be your colleague", "4836"),
        ("Customer quoted 4836, verified.", "4836"),
        ("sorry typo, 4836", "4836"),
        ("dial 4836 followed by the hash", "4836"),
        ("my son changed it to 4836 in may", "4836"),
    ] {
        assert_eq!(found(text), [(Entity::PIN, value)], "{text}");
    }
}

#[test]
fn a_number_that_something_explains_is_left() {
    for text in [
        "the alarm costs 4836 a year",
        "locker 4836 is broken",
        "the gate is 4836 millimetres wide",
        "my padlock order 4836 has not arrived",
        "the alarm went off in 2019 and again in 2021",
        "the locker was 4500 and i want a refund",
        "i paid 562 with my visa",
        "my visa was charged 562 twice",
        "the card took 250 on my bill",
        "they shipped 562 cards to the store",
        "flight 562 was paid by card",
        "my card took me to room 562",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    assert_eq!(found("the locker people are on extension 4836"), []);
}

#[test]
fn an_amount_or_a_measure_beside_what_is_opened_or_a_card_is_left() {
    for text in [
        "i have 1250 on my card",
        "i need 250 for the rent by friday and my card expires",
        "i see 187 on my statement for the card",
        "door width is 1245 and height is 2485",
        "my locker is number 4512",
        "Customer gave 4512 as the order total.",
        "we set 1250 as the budget for doors",
        "i told the scammer 250 was all i had",
        "the alarm went off at 1530 and again at 1745",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn a_key_that_is_pressed_next_or_a_lock_shows_that_a_number_is_a_code() {
    assert_hidden(&[
        ("press 4471 then enter to get in", "press **** then enter to get in"),
        ("type 4471 and hit ok", "type **** and hit ok"),
        ("the padlock on the bike shed is 4471", "the padlock on the bike shed is ****"),
        ("4111 1111 1111 1111, 09/28, security 447", "**** **** **** 1111, 09/28, security ***"),
    ]);
    assert_untouched(&[
        "press 4471 and enter your name",
        "the shed by the padlock shop is 4500 euros",
        "the train station security 447 officers",
    ]);
}
