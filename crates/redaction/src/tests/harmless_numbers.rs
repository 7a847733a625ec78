//! Numbers beside a question or a cue for a code that count or tell the time.

use super::secrets_apart::{answer, assert_untouched};

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
fn a_price_or_a_number_that_a_sentence_declares_is_no_code_of_a_door() {
    assert_untouched(&[
        "the fire door was checked and the report is number 20718",
        "gate motor: is it 2799 or 3298 cents",
        "a new key box is 20% off so that is 2975 then",
        "the card machine is two ninety nine monthly",
    ]);
}
