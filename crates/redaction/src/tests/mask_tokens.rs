//! Asterisks beside values: masks and emphasis.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor};
use proptest::prelude::*;

#[test]
fn a_short_number_in_bold_or_italics_is_found() {
    for (text, hidden) in [
        ("my pin is **1234**", "my pin is ********"),
        ("my pin is *1234*", "my pin is ******"),
        ("my pin is ***1234***", "my pin is **********"),
        ("my pin is __1234__", "my pin is __****__"),
        ("the cvv is **123**.", "the cvv is *******."),
        ("**PIN:** 1234", "**PIN:** ****"),
        ("**PIN**: 1234", "**PIN**: ****"),
        ("- **PIN:** **1234**", "- **PIN:** ********"),
        ("*my pin is 1234*", "*my pin is *****"),
        ("my pin is **12 34**", "my pin is **** ****"),
        ("**1234** is my pin", "******** is my pin"),
        ("my pin is **1234", "my pin is ******"),
        ("my pin is 1234 **", "my pin is **** **"),
    ] {
        assert_eq!(masked_by_default(text), hidden, "{text}");
    }
}

#[test]
fn a_password_in_bold_is_found() {
    assert_eq!(masked_by_default("my password is **hunter2**"), "my password is ************");
    assert_eq!(masked_by_default("**Password:** hunter2"), "**Password:** ********");
}

#[test]
fn a_code_in_bold_is_found() {
    assert_eq!(masked(Entity::BOOKING_REFERENCE, "booking **QXR482**"), "booking **********");
}

#[test]
fn the_readable_tail_of_a_mask_is_left() {
    for text in [
        "my card is **** **** **** 1111",
        "my card is ****-****-****-1111, my pin is ****",
        "ssn ***-**-9999",
        "cards **** **** **** 1111, **** **** **** 4444",
        "my account is ****5678",
        "my card is *** *** *** *** *** *** *** *** *** *** *** *** one one one one",
        "card **** ****\n**** 1111",
    ] {
        assert_eq!(Redactor::new(EntitySet::all()).redact(text, &[]).text, text);
    }
}

#[test]
fn the_tail_of_a_mask_in_bold_is_left() {
    assert_eq!(masked_by_default("my card is **4111111111111111**"), "my card is **************1111**");
    assert_eq!(masked_by_default("my ssn is *078-05-1120*"), "my ssn is ****-**-1120*");
}

#[test]
fn a_number_after_asterisks_is_found_if_masks_of_its_entity_keep_no_tail() {
    assert_eq!(masked_by_default("pin: ****1234"), "pin: ********");
    assert_eq!(masked_by_default("the cvv is **** 123"), "the cvv is **** ***");
    assert_eq!(masked_by_default("4111111111111111 pin"), "************1111 pin");
}

/// Cues, short numbers, masks and asterisks.
const PIECES: &[&str] = &[
    "*",
    "**",
    "***",
    "****",
    "*****",
    "__",
    "1234",
    "123",
    "12",
    "4821",
    "4111111111111111",
    "4111 1111 1111 1111",
    "078-05-1120",
    "***-**-9999",
    "**** **** **** 1111",
    "12345678",
    "pin",
    "cvv",
    "card",
    "ssn",
    "account",
    "password",
    "is",
    "my",
    "and",
    "one",
    "four",
    "double",
    "hunter2",
    "-",
    ",",
    ".",
    ":",
    "/",
    "(",
    ")",
    "|",
    "uh",
    "last four",
    "QXR482",
    "booking",
];

/// Texts of these pieces in random order.
fn text_with_asterisks() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(PIECES);
    prop::collection::vec((pieces, prop::sample::select(vec![" ", " ", "", "", "\n"])), 1..14)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_a_text_full_of_asterisks_twice_changes_nothing(text in text_with_asterisks(), all in any::<bool>()) {
        let redactor = Redactor::new(if all { EntitySet::all() } else { EntitySet::defaults() });
        let once = redactor.redact(&text, &[]).text.into_owned();
        prop_assert_eq!(redactor.redact(&once, &[]).text, once.clone(), "from {:?}", text);
    }

    #[test]
    fn a_pin_in_emphasis_is_found(pin in "[0-9]{4}", stars in 1..4_usize, spaced in any::<bool>()) {
        let (stars, gap) = ("*".repeat(stars), if spaced { " " } else { "" });
        let text = format!("my pin is {stars}{gap}{pin}{gap}{stars}");
        let masked = masked_by_default(&text);
        prop_assert!(!masked.contains(&pin), "{masked}");
    }
}
