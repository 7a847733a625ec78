//! Numbers and codes that are read out in several messages.

use crate::{EntitySet, Redactor, Speaker, Utterance};

/// The last message of a conversation, masked, if every entity is looked for. The speakers alternate; the customer speaks last.
pub(super) fn masked(conversation: &[&str]) -> String {
    let (text, earlier) = conversation.split_last().unwrap();
    let speaker = |age: usize| if age.is_multiple_of(2) { Speaker::Other } else { Speaker::Same };
    let context: Vec<_> = (0..earlier.len())
        .map(|at| Utterance { text: earlier[at], speaker: speaker(earlier.len() - 1 - at) })
        .collect();
    Redactor::new(EntitySet::all()).redact(text, &context).text.into_owned()
}

#[test]
fn the_first_part_of_a_value_that_was_asked_for_is_masked() {
    for (question, answer, expected) in [
        ("routing number for the direct deposit", "zero nine three", "**** **** *****"),
        ("can i take the sort code", "zero four", "**** ****"),
        ("read the iban in groups of four if you can", "charlie hotel six nine", "******* ***** *** ****"),
        ("vin please", "okay first half is k m h", "okay first half is * * *"),
        ("could you read out the order number", "a q one", "* * ***"),
        ("can i get your booking id", "six oh five", "*** ** ****"),
        ("what's the mac address of the router", "6E79", "****"),
        ("what's the policy number", "CLM", "***"),
    ] {
        assert_eq!(masked(&[question, answer]), expected, "{question}");
    }
}

#[test]
fn a_later_part_is_masked_after_the_mask_of_the_one_before() {
    assert_eq!(masked(&["vin please", "* * *", "okay", "n two v w six four"]), "* *** * * *** ****");
    assert_eq!(masked(&["vin please", "* * *", "okay", "* *** * *", "go on", "l y nine"]), "* * ****");
}

#[test]
fn a_part_after_a_part_that_the_speaker_began_unasked_is_masked() {
    let begun = "my nhs number is nine nine oh";
    assert_eq!(masked(&[begun]), "my nhs number is **** **** **");
    assert_eq!(masked(&[begun, "yep", "seven zero four"]), "***** **** ****");
}

#[test]
fn a_number_that_counts_or_measures_is_no_part() {
    for (question, answer) in [
        ("what's your order number", "5pm"),
        ("what's your phone number", "two dollars"),
        ("what's your policy number", "10/10"),
        ("what's your policy number", "o k thanks"),
        ("what's your order number", "LOOKING"),
        ("for how many people should the reservation be made?", "let's go with 25"),
        ("your driver will be Mark", "can I request a BMW?"),
        ("what's your account number", "i have had it for two years"),
    ] {
        assert_eq!(masked(&[question, answer]), answer);
    }
}

#[test]
fn a_word_between_the_parts_of_an_answer_is_left() {
    let answer = masked(&["what's your booking reference", "ts5744 i think it could be an i"]);
    assert_eq!(answer, "****** i think it could be an i");
}

#[test]
fn a_number_after_another_question_is_left() {
    assert_eq!(masked(&["vin please", "* * *", "okay and how many people are you", "twenty five"]), "twenty five");
}

#[test]
fn the_time_or_price_of_a_thing_with_a_number_is_left() {
    for text in ["my booking is for seven thirty", "the invoice was for one twenty five"] {
        assert_eq!(masked(&[text]), text);
    }
}

#[test]
fn a_number_in_a_sentence_after_a_complete_value_is_left() {
    let text = "there are twenty five of them in the box";
    assert_eq!(masked(&["your order number", "*******", "thanks i see it", text]), text);
}

#[test]
fn an_incomplete_number_in_writing_is_left() {
    assert_eq!(masked(&["my nhs number is 990"]), "my nhs number is 990");
}

#[test]
fn digits_said_one_by_one_at_the_end_of_an_answer_are_a_part() {
    let question = "routing number first";
    assert_eq!(
        masked(&[question, "i'm reading it off the app zero seven six"]),
        "i'm reading it off the app **** ***** ***"
    );
    assert_eq!(masked(&[question, "we have been here for twenty years"]), "we have been here for twenty years");
}
