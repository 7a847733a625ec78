//! What earlier messages change.

use crate::{Entity, EntitySet, Redactor, Speaker, Utterance, mask_spans};

fn said(text: &str, speaker: Speaker) -> Utterance<'_> {
    Utterance { text, speaker }
}

#[test]
fn a_number_answers_the_question_before_it() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [said("And what is the security code?", Speaker::Other)];
    assert_eq!(redactor.redact("123", &context).text, "***");
    assert_eq!(redactor.redact("123", &[]).text, "123");
}

#[test]
fn a_word_answers_a_question_for_the_password() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [said("What is your password?", Speaker::Other)];
    assert_eq!(redactor.redact("bluebird", &context).text, "********");
}

#[test]
fn a_card_spread_over_three_messages_leaves_four_digits() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [
        said("four one one one", Speaker::Same),
        said("okay", Speaker::Other),
        said("uh one one one one", Speaker::Same),
    ];
    let redaction = redactor.redact("one one one one one one one one", &context);
    assert_eq!(redaction.text, "*** *** *** *** one one one one");
    let again: Vec<(usize, String)> =
        redaction.earlier.iter().map(|e| (e.utterance, mask_spans(context[e.utterance].text, &[e.span]))).collect();
    assert_eq!(again, [(0, "**** *** *** ***".to_owned()), (2, "uh *** *** *** ***".to_owned())]);
}

#[test]
fn pieces_of_two_speakers_are_no_card() {
    let redactor = Redactor::new(EntitySet::defaults());
    let context = [said("four one one one one one one one", Speaker::Other)];
    assert!(redactor.redact("one one one one one one one one", &context).spans.is_empty());
}

#[test]
fn small_talk_wants_no_context() {
    let redactor = Redactor::new(EntitySet::all());
    for text in
        ["thank you so much for your help today", "yes please", "ok", "how can I help you", "it does not work any more"]
    {
        assert!(!redactor.wants_context(text), "{text}");
    }
    assert!(redactor.wants_context("1234") && redactor.wants_context("bluebird"));
}

#[test]
fn a_masked_answer_is_not_answered_again() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PIN]));
    let context = [said("your pin please", Speaker::Other), said("****", Speaker::Same)];
    assert_eq!(
        redactor
            .redact("I want to move 2500 to my savings next week if possible thank you very much for that", &context)
            .spans,
        []
    );
}
