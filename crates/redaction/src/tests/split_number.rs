//! Numbers split over several messages.

use crate::{EntitySet, Redactor, Speaker, Utterance, mask_spans};
use Speaker::{Other, Same, Unknown};

/// The stored texts of a conversation. Each message is redacted when it arrives, with the stored earlier messages as
/// context. Spans that it reveals in earlier messages are masked in the stored texts.
pub(super) fn stored_messages(messages: &[(Speaker, &str)]) -> Vec<String> {
    let redactor = Redactor::new(EntitySet::defaults());
    let mut stored: Vec<String> = Vec::new();
    for (at, (_, text)) in messages.iter().enumerate() {
        let redaction = {
            let context: Vec<Utterance<'_>> =
                stored.iter().zip(messages).map(|(text, (speaker, _))| Utterance { text, speaker: *speaker }).collect();
            let redaction = redactor.redact(text, &context);
            let earlier: Vec<_> = redaction.earlier.iter().map(|e| (e.utterance, e.span)).collect();
            (redaction.text.into_owned(), earlier)
        };
        for (utterance, span) in redaction.1 {
            assert!(utterance < at);
            stored[utterance] = mask_spans(&stored[utterance], &[span]);
        }
        stored.push(redaction.0);
    }
    stored
}

/// The number of digits and digit words that are left.
pub(super) fn digits_left(stored: &[String]) -> usize {
    let word = |w: &str| ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "zero"].contains(&w);
    stored
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .map(|w| if word(w) { 1 } else { w.bytes().filter(u8::is_ascii_digit).count() })
        .sum()
}

fn assert_hidden(messages: &[(Speaker, &str)]) {
    let stored = stored_messages(messages);
    assert!(digits_left(&stored) <= 4, "{stored:?}");
}

const PARTS: [&str; 3] = ["four one one one", "uh one one one one", "one one one one one one one one"];

#[test]
fn a_card_over_three_messages_of_one_speaker_leaves_four_digits() {
    for speaker in [Same, Unknown] {
        assert_hidden(&PARTS.map(|text| (speaker, text)));
    }
}

#[test]
fn a_card_over_three_messages_with_the_other_side_between_leaves_four_digits() {
    for between in ["go on", "okay", "mm-hmm", "yes, go ahead"] {
        for speaker in [Same, Unknown] {
            assert_hidden(&[
                (speaker, PARTS[0]),
                (Other, between),
                (speaker, PARTS[1]),
                (Other, between),
                (speaker, PARTS[2]),
            ]);
            assert_hidden(&[
                (speaker, "4111"),
                (Other, between),
                (speaker, "1111 1111"),
                (Other, between),
                (speaker, "1111"),
            ]);
        }
    }
}

#[test]
fn a_card_that_fails_its_check_leaves_four_digits_after_a_question_for_it() {
    for speaker in [Same, Unknown] {
        let asker = if speaker == Same { Other } else { Unknown };
        assert_hidden(&[
            (asker, "can I have your card number please"),
            (speaker, PARTS[0]),
            (asker, "go on"),
            (speaker, "one one one one"),
            (asker, "okay"),
            (speaker, "one one one one one one one two"),
        ]);
    }
}

#[test]
fn a_card_that_fails_its_check_leaves_four_digits_after_its_speaker_names_it() {
    for speaker in [Same, Unknown] {
        for between in ["go on", "okay"] {
            assert_hidden(&[
                (speaker, "so my card number is four one one one"),
                (Other, between),
                (speaker, PARTS[1]),
                (Other, between),
                (speaker, "one one one one one one one two"),
            ]);
        }
        assert_hidden(&[
            (speaker, "let me give you my credit card"),
            (speaker, "4111 11"),
            (speaker, "11 1111"),
            (speaker, "1112"),
        ]);
    }
}

#[test]
fn a_card_whose_earlier_parts_are_stored_masked_leaves_four_digits() {
    for speaker in [Same, Unknown] {
        assert_hidden(&[
            (speaker, "my card is ****"),
            (Other, "okay"),
            (speaker, "one one one one"),
            (speaker, PARTS[2]),
        ]);
        assert_hidden(&[
            (speaker, "**** *** *** ***"),
            (Other, "okay"),
            (speaker, "*** *** *** ***"),
            (speaker, PARTS[2]),
        ]);
        assert_hidden(&[
            (speaker, "****"),
            (Other, "go on"),
            (speaker, "****"),
            (Other, "go on"),
            (speaker, "11111111"),
        ]);
    }
}

#[test]
fn four_parts_with_words_between_leave_four_digits() {
    assert_hidden(&[
        (Other, "what is the card number"),
        (Same, "five five five five"),
        (Other, "okay"),
        (Same, "five five five five"),
        (Other, "okay"),
        (Same, "five five five five"),
        (Other, "okay"),
        (Same, "four four four five"),
    ]);
}

#[test]
fn a_homophone_that_was_read_as_a_word_is_masked_once_more_digits_complete_the_number() {
    let messages = ["four nine nine six six uh one nine", "seven for one one five six two", "zero seven"];
    let stored = stored_messages(&messages.map(|text| (Same, text)));
    assert_eq!(stored, ["**** **** **** *** *** uh *** ****", "***** *** *** *** **** six two", "zero seven"]);
}

#[test]
fn a_digit_that_a_mask_left_is_masked_once_more_digits_complete_the_number() {
    let messages =
        ["four zero-zero zero eight dash zero zero", "zero | zero zero dash zero, zero nine uh nine", "nine ate"];
    let stored = stored_messages(&messages.map(|text| (Same, text)));
    assert_eq!(stored[1], "**** | **** **** **** ****, **** nine uh nine");
}

#[test]
fn a_number_is_masked_at_once_if_it_is_a_part_of_a_card_that_it_masks_in_an_earlier_message() {
    let context = [(Other, "card number"), (Same, "***~ **** **** 1111"), (Unknown, "d22"), (Unknown, "s")]
        .map(|(speaker, text)| Utterance { text, speaker });
    let redaction = Redactor::new(EntitySet::all()).redact("and 22", &context);
    assert_eq!((redaction.text.as_ref(), redaction.earlier.len()), ("and **", 1));
}

#[test]
fn a_text_and_the_messages_before_it_are_masked_until_neither_changes() {
    let half = "card411 1\u{fffd}111!\u{fffd}11 ?111";
    let text = format!("{half}...............0{half}11d ");
    let mut messages = ["1\u{fffd}17pin11d ", "1\u{fffd}17pin\u{fffd}?"].map(str::to_owned);
    let redactor = Redactor::new(EntitySet::all());
    let redact = |text: &str, messages: &[String; 2]| {
        let context = messages.each_ref().map(|text| Utterance { text, speaker: Unknown });
        let redaction = redactor.redact(text, &context);
        (redaction.text.into_owned(), redaction.earlier)
    };
    let (once, earlier) = redact(&text, &messages);
    for found in earlier {
        messages[found.utterance] = mask_spans(&messages[found.utterance], &[found.span]);
    }
    assert_eq!(redact(&once, &messages), (once, Vec::new()));
}

#[test]
fn a_social_security_number_in_parts_leaves_four_digits() {
    for speaker in [Same, Unknown] {
        assert_hidden(&[
            (speaker, "five one two"),
            (Other, "okay"),
            (speaker, "four three"),
            (Other, "go on"),
            (speaker, "6 7 8 9"),
        ]);
        assert_hidden(&[
            (speaker, "my social is five one two"),
            (speaker, "four three"),
            (speaker, "six seven eight nine"),
        ]);
        assert_hidden(&[
            (Other, "your social security number"),
            (speaker, "51243"),
            (Other, "okay"),
            (speaker, "6789"),
        ]);
        assert_hidden(&[
            (speaker, "my ssn is five one two four three"),
            (Other, "go on"),
            (speaker, "six seven eight nine"),
        ]);
        assert_hidden(&[(speaker, "my ssn is ***"), (speaker, "four three"), (speaker, "6789")]);
    }
}

#[test]
fn digits_after_a_different_question_are_not_a_fragment() {
    let messages = [
        (Same, "my card is acting up"),
        (Other, "what floor are you on"),
        (Same, "12"),
        (Other, "and the zip code"),
        (Same, "90210"),
    ];
    assert_eq!(stored_messages(&messages)[4], "90210");
    assert_eq!(
        stored_messages(&[(Same, "the last four of my card are 1234"), (Same, "okay"), (Same, "2500")])[2],
        "2500"
    );
    assert_eq!(stored_messages(&[(Same, "90210"), (Same, "okay"), (Same, "4821")]), ["90210", "okay", "4821"]);
}

#[test]
fn a_question_with_digits_is_not_a_fragment() {
    assert_eq!(
        stored_messages(&[(Same, "4111"), (Other, "is it 1111 1111"), (Same, "1111")]),
        ["4111", "is it 1111 1111", "1111"]
    );
}

#[test]
fn the_code_of_a_card_does_not_extend_its_number() {
    for (number, question, code, number_left) in [
        ("my card is 4111 1111 1111 1111", "what is the CVV?", "737", "my card is **** **** **** 1111"),
        ("378282246310005", "and the security code please", "7370", "***********0005"),
    ] {
        let messages = [(Same, number), (Other, question), (Same, code)];
        let stored = stored_messages(&messages);
        assert_eq!((stored[0].as_str(), stored[2].as_str()), (number_left, "*".repeat(code.len()).as_str()));
    }
}
