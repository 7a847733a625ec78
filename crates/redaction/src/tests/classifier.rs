//! Tests of what only the classifier finds, and of what it leaves.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn masked(text: &str) -> String {
    Redactor::new(EntitySet::defaults()).redact(text, &[]).text.into_owned()
}

fn masked_after(question: &str, text: &str) -> String {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(text, &context).text.into_owned()
}

#[test]
fn a_secret_is_found_by_the_sentence_around_it() {
    for (text, hidden) in [
        (
            "the clinic gave me Kelvin2002 for the patient portal but it says expired link",
            "the clinic gave me ******** for the patient portal but it says expired link",
        ),
        ("the number i use to open the banking app is 7732", "the number i use to open the banking app is ****"),
    ] {
        assert_eq!(masked(text), hidden);
    }
}

#[test]
fn a_number_alone_is_left() {
    for text in ["48213", "4821 7730", "uh 4821"] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn numbers_of_neutral_talk_are_left() {
    for text in [
        "the next step is 370",
        "we expect that to change in Q3 and maybe in FY22",
        "the meeting is in room 4021 and the slides are version 2.3",
        "i threw 250 of them away in 2019",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn an_answer_without_a_secret_is_left() {
    for text in
        ["hang on the kettle is boiling", "dunno mate, my wife set that up", "is it the long one or the short one"]
    {
        assert_eq!(masked_after("What is your password?", text), text);
    }
}

#[test]
fn a_masked_text_is_left_as_it_is() {
    for text in [
        "the clinic gave me Kelvin2002 for the patient portal, and then Kelvin2003",
        "the number i use to open the banking app is 7732, not 7733",
    ] {
        let once = masked(text);
        assert_eq!(masked(&once), once);
    }
}

#[test]
fn a_text_longer_than_the_classifier_reads_is_left_to_the_rules() {
    let padding = "we talked about the weather and the garden. ".repeat(80);
    let text = format!("{padding}the number i use to open the banking app is 7732");
    assert_eq!(masked(&text), text);
}

#[test]
fn the_reason_of_a_finding_is_the_model() {
    let redaction = Redactor::new(Entity::PIN.bit()).redact("the number i use to open the banking app is 7732", &[]);
    assert_eq!(redaction.spans[0].reason, crate::DetectionReason::Model);
}

#[test]
fn a_word_that_only_a_question_makes_a_password_is_taken_back_where_the_sentence_gives_none() {
    assert_eq!(masked_after("password pls", "brb kettle"), "brb kettle");
    assert_eq!(masked_after("password pls", "its kettlebell"), "its ********");
}
