//! PINs, card codes and one-time codes whose cue is not directly beside them.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn answer(earlier: &[&str], reply: &str) -> String {
    let context: Vec<_> = earlier.iter().map(|text| Utterance { text, speaker: Speaker::Other }).collect();
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

#[test]
fn the_nearest_cue_of_the_sentence_names_a_code() {
    for (text, hidden) in [
        (
            "the pin was on a yellow note in my purse, it said 7305",
            "the pin was on a yellow note in my purse, it said ****",
        ),
        ("i typed 7305 like every week and it says wrong pin", "i typed **** like every week and it says wrong pin"),
        ("i put 730 where it says cvc", "i put *** where it says cvc"),
        ("the cash machine kept my card, i entered 7305", "the cash machine kept my card, i entered ****"),
        ("marco 7305 y me dice pin incorrecto", "marco **** y me dice pin incorrecto"),
        ("il pin che mi hanno mandato è 7305", "il pin che mi hanno mandato è ****"),
        ("is 7305 a bad pin", "is **** a bad pin"),
        ("the four digits are 7305", "the four digits are ****"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_number_of_another_thing_is_left_beside_a_code() {
    for text in [
        "i lost my pin and there's two thousand four hundred dollars gone",
        "how many pin attempts are left, 5 or 10",
        "my pin does not work since i moved to house 7305",
        "the last four digits are on the letter",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_code_said_digit_by_digit_or_twice_is_found() {
    assert_eq!(answer(&["please say your pin one digit at a time"], "six"), "***");
    assert_eq!(answer(&["the three digits on the back please"], "nine"), "****");
    assert_eq!(
        answer(&["could you repeat the security code"], "yeah nine six one nine six one"),
        "yeah **** *** *** **** *** ***"
    );
}

#[test]
fn three_digits_after_the_expiry_date_of_a_card_are_its_code() {
    let text = "card 4111 1111 1111 1111 exp 09/27 and kod 730";
    assert!(masked_by_default(text).ends_with("and kod ***"), "{}", masked_by_default(text));
}

#[test]
fn a_code_that_was_sent_is_a_one_time_code() {
    let one_time = |text: &str| masked(Entity::ONE_TIME_PASSCODE, text);
    assert_eq!(one_time("my code is 730516"), "my code is ******");
    assert_eq!(one_time("the six digits are 730516"), "the six digits are ******");
}
