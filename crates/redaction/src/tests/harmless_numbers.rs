//! Numbers beside a question or a cue for a code that count or tell the time.

use super::secrets_apart::{answer, assert_hidden, assert_untouched};

#[test]
fn a_number_that_counts_or_tells_the_time_is_no_code() {
    for (question, reply) in [
        ("what's your pin", "there are about thirty one of them"),
        ("last four of your social", "i'm free at nine fifteen in the morning"),
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_untouched(&["choose a pin, no 4321 style ones please"]);
    assert_eq!(answer("last four of your social", "9154"), "****");
}

#[test]
fn the_hour_after_which_or_before_which_something_happens_is_no_code() {
    for (question, reply) in [
        ("security code for the card", "it'll have to be after five forty seven the card's at home"),
        ("the code on the back please", "not before three fifteen he has it with him"),
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_eq!(answer("what's your cvv", "five forty seven"), "**** ***** *****");
}

#[test]
fn thanks_after_the_code_of_a_card_count_nothing() {
    assert_eq!(answer("what's your cvv", "533 cheers mate"), "*** cheers mate");
    assert_eq!(answer("what's your cvv", "533 tickets"), "533 tickets");
}

#[test]
fn a_form_for_taxes_is_no_social_security_number() {
    assert_untouched(&["the ssn on my 1099 is wrong"]);
}

#[test]
fn a_price_or_a_number_that_a_sentence_declares_is_no_code_of_a_door() {
    assert_untouched(&[
        "the fire door was checked and the report is number 20718",
        "gate motor: is it 2799 or 3298 cents",
        "a new key box is 20% off so that is 2975 then",
    ]);
}

/// Questions for codes, beside which other numbers stand.
const QUESTIONS: [&str; 4] = [
    "what's the pin for the panel?",
    "what is your password?",
    "which security code is on the back of the card?",
    "what are the last four of your social?",
];

/// Fails if a text loses a word by itself or as the answer to one of the questions.
fn assert_harmless(texts: &[&str]) {
    assert_untouched(texts);
    for text in texts {
        for question in QUESTIONS {
            assert_eq!(answer(question, text), *text, "{question}");
        }
    }
}

#[test]
fn a_number_with_a_unit_measures_something() {
    assert_harmless(&[
        "the meter shows 2315 mV right now",
        "my power bank has 9000 mAh left",
        "it was at 1450 rpm when it stopped",
        "the plug is rated 2300 W",
        "you use 256 bit encryption i hope",
    ]);
    assert_eq!(answer(QUESTIONS[0], "4821"), "****");
    assert_eq!(answer(QUESTIONS[0], "it's 4821 i think"), "it's **** i think");
}

#[test]
fn a_number_after_a_brand_or_before_its_noun_belongs_to_a_name() {
    assert_harmless(&[
        "i still have a Motorola 6810",
        "my husband drives a peugeot 3008",
        "it's the netgear 7000 in the hall",
        "i am on the 1815 train",
        "it takes a 2032 battery",
        "i read the 2019 edition",
    ]);
    let said = "on my Nokia it was always 4821";
    assert_eq!(answer(QUESTIONS[0], said), "on my Nokia it was always ****");
}

#[test]
fn a_limit_is_no_code_although_a_cue_describes_it() {
    assert_untouched(&[
        "the pin limit is 5000",
        "my limit with the pin is 1500 now",
        "the pin fee was 1250",
        "is the maximum per pin 2500",
    ]);
    assert_hidden(&[("my pin is 5000", "my pin is ****")]);
}

#[test]
fn the_code_of_a_failure_is_no_secret() {
    assert_harmless(&[
        "it crashes with code 40017",
        "every time it comes back with 4003",
        "the app exits with status 1002",
        "i get a 5031 and then nothing",
    ]);
    assert_eq!(answer(QUESTIONS[0], "i tried 4821 and it fails"), "i tried **** and it fails");
}

#[test]
fn a_time_of_day_is_no_code_where_something_comes_on_by_itself() {
    assert_harmless(&[
        "the boiler is set to 0630",
        "our lights go off at 2245",
        "it was set to 0615 in winter",
        "that runs from 2130 on weekdays",
    ]);
    assert_hidden(&[("the alarm pin was changed to 0630", "the alarm pin was changed to ****")]);
}

#[test]
fn a_door_is_named_by_its_number() {
    assert_untouched(&["Door number on the letter says 1462", "we live at door number 2210, blue gate"]);
    assert_eq!(answer("what's the gate code?", "our door number is 1462"), "our door number is 1462");
}

#[test]
fn a_rating_or_a_count_of_digits_answers_no_question_for_a_code() {
    assert_eq!(answer("I posted the PIN to you. Anything else?", "all good, 10/10"), "all good, 10/10");
    assert_eq!(answer(QUESTIONS[0], "24/7 support my foot"), "24/7 support my foot");
    assert_eq!(answer("how many digits does your pin have?", "five"), "five");
    assert_eq!(answer("how many digits does your pin have?", "four, it's 9921"), "four, it's ****");
    assert_eq!(answer("the three digits please", "three? i only see two"), "three? i only see two");
    assert_eq!(answer("which digits are on the back of the card?", "three on mine, 842"), "three on mine, ***");
}

#[test]
fn an_amount_that_is_missing_is_no_code() {
    assert_harmless(&["there's 1500 missing", "they were 2300 short last month"]);
}

#[test]
fn the_year_from_which_a_card_is_names_no_number() {
    assert_untouched(&["the card is from 2019", "worn off completely, it's an old card from 2019"]);
    assert_eq!(answer("and the security code on the back?", "card's from 2025"), "card's from 2025");
    assert_hidden(&[
        ("i changed my pin from 2019 to 4821", "i changed my pin from **** to ****"),
        ("card ending in 2019", "card ending in ****"),
    ]);
}

#[test]
fn a_question_for_what_happens_when_a_secret_is_typed_asks_for_no_secret() {
    for (question, reply) in [
        ("What happens when you enter your password?", "red banner"),
        ("what do you see after you put in your password", "grey wheel"),
        ("was passiert wenn sie das passwort eingeben", "roter balken"),
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_eq!(answer("what do you see on your card as the password", "redbanner9"), "********");
}
