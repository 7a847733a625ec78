//! Codes that no message names, by what the earlier messages speak of.

use super::sole_codes;
use crate::{Entity, Speaker};

/// What is found in a text after earlier messages of unknown speakers.
fn found_after<'t>(earlier: &[&str], text: &'t str) -> Vec<(Entity, &'t str)> {
    sole_codes::found_after(earlier, Speaker::Unknown, text)
}

#[test]
fn the_topic_of_earlier_messages_says_what_a_number_is() {
    let pin = |value: &'static str| [(Entity::PIN, value)];
    assert_eq!(found_after(&["are you by the lockbox", "yes right here"], "so i try 4836 now"), pin("4836"));
    assert_eq!(found_after(&["that attempt failed on our side"], "weird, i pressed 4836"), pin("4836"));
    let cvv = [(Entity::CVV, "562")];
    assert_eq!(found_after(&["is the hologram in front of you"], "yes and i see 562"), cvv);
    assert_eq!(found_after(&["sorry i didn't catch that"], "562"), cvv);
    for (earlier, text) in [
        ("are you by the lockbox", "yes at 45 Mill Road"),
        ("are you by the lockbox", "it was delivered in 2021"),
        ("is the hologram in front of you", "i paid 562 for this"),
        ("what is the weather like", "562"),
    ] {
        assert_eq!(found_after(&[earlier], text), [], "{text}");
    }
}
