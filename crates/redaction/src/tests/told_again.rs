//! Values that are said once more, in parts, or after the first one was refused.

use super::sole_codes::found_after;
use crate::{Entity, Speaker};

/// What is found in a text after earlier messages of unknown speakers.
fn found<'t>(earlier: &[&str], text: &'t str) -> Vec<(Entity, &'t str)> {
    found_after(earlier, Speaker::Unknown, text)
}

#[test]
fn a_value_that_the_other_side_did_not_catch_is_said_again() {
    let told = "the new PIN for the account is 7731, keep it to yourself";
    for request in
        ["hang on, once more please", "sorry?", "i didn't catch that", "i missed that", "can you repeat that"]
    {
        assert_eq!(found(&[told, request], "7731"), [(Entity::PIN, "7731")], "{request}");
        let masked = "the new PIN for the account is ****, keep it to yourself";
        assert_eq!(found(&[masked, request], "7731"), [(Entity::PIN, "7731")], "{request}");
    }
    assert_eq!(found(&["your order is 7731", "sorry?"], "7731"), []);
    assert_eq!(found(&[told, "perfect, what do i owe you"], "7731"), []);
}

#[test]
fn an_answer_that_is_denied_politely_leaves_its_question_open() {
    let question = "which password did you sign in with?";
    for denial in ["Thanks, but that isn't the current one. It was renewed in May.", "thank you, that does not match"] {
        assert_eq!(found(&[question, "Anchor!60", denial], "oh then 8830152").len(), 1, "{denial}");
    }
    let question = "and the 3 digits at the back?";
    let denial = "hmm, the bank says no match. sure?";
    assert_eq!(found(&[question, "362", denial], "ugh wrong card 415"), [(Entity::CVV, "415")]);
    assert_eq!(found(&[question, "362", "great, thanks a lot"], "i paid 415 already"), []);
}

#[test]
fn the_next_part_of_a_password_is_a_part_of_the_answer() {
    let earlier = ["what's the first half of the password?", "otter21", "and the second half?"];
    assert_eq!(found(&earlier, "pickle77"), [(Entity::PASSWORD, "pickle77")]);
    let earlier = ["what's the first half of your name?", "Ann", "and the second half?"];
    assert_eq!(found(&earlier, "row 77"), []);
}

#[test]
fn talk_about_a_phone_or_a_bank_leaves_a_question_open() {
    let question = "Great, last thing, the security code.";
    for talk in ["sorry my phone froze", "the bank rang, one sec"] {
        assert_eq!(found(&[question, talk], "017"), [(Entity::CVV, "017")], "{talk}");
    }
    assert_eq!(found(&[question, "what's your phone number?"], "017"), []);
    let question = "which digits are on the back of the card?";
    assert_eq!(found(&[&format!("Vet's office, hi! {question}")], "306"), [(Entity::CVV, "306")]);
    let question = "do you have your social handy";
    let spoken = "two one nine five five nine eight seven six";
    assert_eq!(found(&[question], spoken), [(Entity::SSN, spoken)]);
    let reply = "i don't like this over the phone oh seventy six 72 three oh four six";
    let value = "oh seventy six 72 three oh four six";
    assert_eq!(found(&["i need your social security number"], reply), [(Entity::SSN, value)]);
}

#[test]
fn a_demand_for_characters_asks_for_a_new_password() {
    let question = "pick a fresh one with at least one capital";
    assert_eq!(found(&[question], "okay then Latisha").len(), 1);
    assert_eq!(found(&["the form needs at least one letter of proof"], "okay then Latisha"), []);
}
