//! E-mail addresses with spoken, bracketed or spaced marks.

use super::dice::Dice;
use super::masked;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// A text masked with only e-mail and web addresses active.
fn hidden(text: &str) -> String {
    Redactor::new(EntitySet::from_iter([Entity::EMAIL, Entity::URL])).redact(text, &[]).text.into_owned()
}

#[test]
fn an_address_with_its_marks_in_brackets_is_found() {
    for (text, masked) in [
        ("write to john[at]example.com please", "write to ****[at]example.com please"),
        ("write to john [at] example [dot] com please", "write to **** [at] example [dot] com please"),
        ("mary.smith(at)gmail(dot)com", "****.*****(at)gmail(dot)com"),
        ("mary.smith (AT) gmail.com", "****.***** (AT) gmail.com"),
        ("mary[dot]smith[at]example[dot]com", "****[***]*****[at]example[dot]com"),
        ("j_doe{at}example{dot}co{dot}uk", "*_***{at}example{dot}co{dot}uk"),
        ("jane <at> mail.org", "**** <at> mail.org"),
        ("john[@]example[.]com", "****[@]example[.]com"),
        ("john@example[.]com", "****@example[.]com"),
        ("info (at) my-shop.de", "**** (at) my-shop.de"),
    ] {
        assert_eq!(hidden(text), masked);
    }
}

#[test]
fn a_partly_spoken_address_is_found() {
    for (text, masked) in [
        ("mary.smith@gmail dot com", "****.*****@gmail dot com"),
        ("mary.smith at example.com", "****.***** at example.com"),
        ("it's mary at gmail.com thanks", "it's **** at gmail.com thanks"),
        ("mary dot smith at example.com", "**** *** ***** at example.com"),
        ("mary.smith @ example.com", "****.***** @ example.com"),
        ("mary_smith @example.com", "****_***** @example.com"),
        ("mary.smith@ example.com", "****.*****@ example.com"),
        ("mary.smith at mail dot example.com", "****.***** at mail dot example.com"),
    ] {
        assert_eq!(hidden(text), masked);
    }
}

#[test]
fn a_word_before_a_host_is_an_address_after_a_cue() {
    assert_eq!(hidden("my email is mary at example.com"), "my email is **** at example.com");
}

#[test]
fn a_word_before_a_host_is_an_address_after_a_question_for_one() {
    let context = [Utterance { text: "what is your email address?", speaker: Speaker::Other }];
    let redactor = Redactor::new(EntitySet::from_iter([Entity::EMAIL]));
    assert_eq!(redactor.redact("mary at example.com", &context).text, "**** at example.com");
    assert!(redactor.needs_context("mary at example.com"));
}

#[test]
fn a_word_before_a_web_address_is_not_an_email_address() {
    for text in [
        "I bought it at example.com",
        "look @ example.com",
        "Bob was at home.It was late",
        "we run v1.2 at example.com",
        "one dot two at example.com",
    ] {
        assert_eq!(masked(Entity::EMAIL, text), text);
    }
}

#[test]
fn a_time_is_not_a_host() {
    for text in ["see you at 5.pm", "Bob left (at) 6.pm", "meet [at] 5.30"] {
        assert_eq!(masked(Entity::EMAIL, text), text);
    }
}

#[test]
fn a_word_before_a_web_address_is_left_and_the_web_address_is_masked() {
    assert_eq!(hidden("a Macbook at example.com"), "a Macbook at *******.***");
}

#[test]
fn the_host_of_a_masked_address_stays_readable() {
    for text in ["**** at example.com", "****[at]example[dot]com", "**** (at) example.com"] {
        assert_eq!(hidden(text), text);
    }
}

#[test]
fn a_host_with_a_path_is_not_an_email_address() {
    assert_eq!(masked(Entity::EMAIL, "mary.smith at example.com/help"), "mary.smith at example.com/help");
}

/// Random texts of the parts of such addresses.
fn texts() -> impl Iterator<Item = String> {
    const PIECES: [&str; 31] = [
        "mary",
        "smith at example.com",
        "j",
        "42",
        "one",
        "the",
        "at",
        "dot",
        "@",
        "[at]",
        "(dot)",
        "[.]",
        "{@}",
        "(",
        "]",
        ".",
        "_",
        "-",
        "/",
        "****",
        "*",
        "gmail",
        "example.com",
        "com",
        "co.uk",
        "my email is",
        "my pin is",
        "my name is",
        "v1.2",
        "period",
        "AB12CD",
    ];
    let mut dice = Dice::new();
    (0..20_000).map(move |_| dice.text(&PIECES, 12))
}

#[test]
fn a_masked_text_stays_as_it_is() {
    for entities in [EntitySet::from_iter([Entity::EMAIL, Entity::URL]), EntitySet::all()] {
        let redactor = Redactor::new(entities);
        for text in texts() {
            let masked = redactor.redact(&text, &[]).text.into_owned();
            assert_eq!(redactor.redact(&masked, &[]).text, masked, "{text}");
        }
    }
}
