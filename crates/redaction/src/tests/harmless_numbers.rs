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
