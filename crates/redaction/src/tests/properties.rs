//! Properties that hold for any text.

use crate::validate::payment::card_number;
use crate::{Entity, EntitySet, Mask, Redactor, Speaker, Utterance};
use proptest::prelude::*;

/// Digits, number words, cues, masks and marks.
const PIECES: &[&str] = &[
    "4111 1111 1111 1111",
    "4111111111111111",
    "12",
    "123",
    "4821",
    "1980",
    "078-05-1120",
    "012345678",
    "four",
    "one",
    "oh",
    "double",
    "forty",
    "eleven",
    "hundred",
    "nineteen",
    "ssn",
    "pin",
    "cvv",
    "account",
    "number",
    "card",
    "password",
    "is",
    "my",
    "the",
    "phone",
    "zip",
    "born",
    "may",
    "5",
    "order",
    "policy",
    "name",
    "Olga",
    "and",
    "uh",
    "to",
    "or",
    "at",
    "dot",
    "com",
    "gmail",
    "olga@example.com",
    "example.com",
    "https://a.example/b",
    "10.0.0.1",
    "AB12CD",
    "k 5 d",
    "street",
    "road",
    "Avenue",
    "TX",
    "-",
    ",",
    ".",
    ":",
    "*",
    "****",
    "** 1111",
    "\n",
    "(",
    ")",
    "+1",
    "$",
    "%",
    "\u{a0}",
    "\u{200b}",
    "４",
    "é",
    "hunter2",
    "license",
    "plate",
    "sin",
    "iban",
    "DE89370400440532013000",
    "last four",
    "years old",
    "expires",
    "09/27",
    "2024-11-01",
    "bluebird",
    "alpha bravo",
    "b as in bravo",
    "n for november",
    "q x r",
    "q w r t z x",
    "charlie hotel six nine",
    "the voicemail default",
    "BIC CHAS IE 2S",
    "valid to 06/32",
    "eighth of may ninety one",
    "four one",
    "for",
    "ate",
    "ten dot zero dot one dot one",
    "w w w dot",
    "slash",
    "**1234**",
    "%B4111111111111111^A/B C^2512101?",
    ";4111111111111111=2512101?",
    "booking reference",
    "postcode",
    "five one two",
];

/// Texts rich in digits, number words, cues and separators.
fn rich_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(PIECES);
    prop::collection::vec((pieces, prop::sample::select(vec![" ", " ", " ", "", "\n", ", "])), 0..14)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![rich_text(), any::<String>(), "[0-9a-z @.:*-]{0,60}"]
}

fn questions() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(
        prop_oneof![
            rich_text(),
            prop::sample::select(vec![
                "your pin please?",
                "card number?",
                "what is the password",
                "your date of birth",
                "what is your name",
                "ok"
            ])
            .prop_map(str::to_owned)
        ],
        0..3,
    )
}

fn sets() -> impl Strategy<Value = EntitySet> {
    prop_oneof![Just(EntitySet::all()), Just(EntitySet::defaults()), any::<u128>().prop_map(EntitySet::from_bits)]
}

fn context(texts: &[String]) -> Vec<Utterance<'_>> {
    texts.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_ordered_and_on_character_boundaries(text in any_text(), before in questions(), set in sets()) {
        let redaction = Redactor::new(set).redact(&text, &context(&before));
        let mut end = 0;
        for span in &redaction.spans {
            prop_assert!(end <= span.start && span.start < span.end && (span.start..=span.end).contains(&span.visible_from));
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end) && text.is_char_boundary(span.visible_from));
            end = span.end;
        }
        for earlier in &redaction.earlier {
            prop_assert!(before[earlier.utterance].get(earlier.span.start..earlier.span.end).is_some());
        }
    }

    #[test]
    fn masking_a_masked_text_changes_nothing(text in any_text(), before in questions(), set in sets()) {
        let redactor = Redactor::new(set);
        let once = redactor.redact(&text, &context(&before)).text.into_owned();
        let twice = redactor.redact(&once, &context(&before)).text.into_owned();
        prop_assert_eq!(&once, &twice, "from {:?}", text);
    }

    #[test]
    fn a_mask_keeps_the_length_unless_it_hides_it(text in any_text(), set in sets()) {
        let set: EntitySet = set.iter().filter(|e| e.row().mask != Mask::Fixed8).collect();
        let masked = Redactor::new(set).redact(&text, &[]).text.into_owned();
        prop_assert_eq!(masked.chars().count(), text.chars().count());
    }

    #[test]
    fn no_card_number_is_left(text in any_text()) {
        let masked = Redactor::new(EntitySet::defaults()).redact(&text, &[]).text.into_owned();
        for piece in masked.split(|c: char| !c.is_numeric()) {
            prop_assert!(!((13..=19).contains(&piece.len()) && card_number(piece.as_bytes())), "{:?} in {:?}", piece, text);
        }
    }

    #[test]
    fn a_text_that_wants_no_context_is_not_changed_by_it(text in any_text(), before in questions(), set in sets()) {
        let redactor = Redactor::new(set);
        if !redactor.needs_context(&text) {
            prop_assert_eq!(redactor.redact(&text, &context(&before)), redactor.redact(&text, &[]));
        }
    }

    #[test]
    fn a_card_is_masked_whatever_else_is_active(set in sets()) {
        let mut set = set;
        set.insert(Entity::CREDIT_CARD_NUMBER);
        let masked = Redactor::new(set).redact("use 4111 1111 1111 1111 now", &[]).text.into_owned();
        prop_assert!(masked.starts_with("use **** **** **** "));
    }
}
