//! Card numbers among markup, hesitations and digits that touch them, and the code beside a card number.

use super::masked_by_default;
use crate::{EntitySet, Redactor, Speaker, Utterance, mask_spans};

/// Asserts that at most the last four digits of a card number stay in a text that has no other digits.
#[track_caller]
fn assert_hidden(text: &str) {
    let masked = masked_by_default(text);
    assert!(masked.bytes().filter(u8::is_ascii_digit).count() <= 4, "{masked}");
}

#[test]
fn markup_between_the_groups_of_a_card_number_is_dropped() {
    for joint in [
        "</i><i>",
        "</td>\n<td>",
        "</span><span class=\"digits\">",
        "<br/>\n",
        "** **",
        "\\n",
        " </s> <s> ",
        "&nbsp;&nbsp;",
        "\nCustomer: ",
        "\nagent: ok\ncaller: ",
    ] {
        assert_hidden(&["5555", "5555", "5555", "4444"].join(joint));
        assert_hidden(&format!("the card is {}", ["4242", "4242", "4242", "4242"].join(joint)));
    }
}

#[test]
fn times_confidences_and_list_markers_are_no_digits_of_a_card_number() {
    for (text, masked) in [
        ("4242 <0.93> 4242 <0.71> 4242 <0.88> 4242", "**** <0.93> **** <0.71> **** <0.88> 4242"),
        (
            "4242\n[10:15:02] customer: 4242\n[10:15:09] customer: 4242\n[10:15:12] customer: 4242",
            "****\n[10:15:02] customer: ****\n[10:15:09] customer: ****\n[10:15:12] customer: 4242",
        ),
        ("1) 4242\n2) 4242\n3) 4242\n4) 4242", "1) ****\n2) ****\n3) ****\n4) 4242"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
}

#[test]
fn a_number_that_only_looks_like_markup_is_a_part_of_the_card_number() {
    for text in
        ["42424242<42424242", "<4>2<4>2<4>2<4>2<4>2<4>2<4>2<4>2", "4. 2. 4. 2. 4. 2. 4. 2. 4. 2. 4. 2. 4. 2. 4. 2"]
    {
        assert_hidden(text);
    }
}

#[test]
fn hesitations_between_the_digits_of_a_card_number_are_dropped() {
    for joint in [" um, uh, ", " er, let me see, ", " you know, ", " uh hold on, just a second, "] {
        assert_hidden(&["4", "2"].repeat(8).join(joint));
        let words = ["four two four two"; 4].join(joint);
        let masked = masked_by_default(&words);
        assert!(masked.starts_with("**** *** **** ***") && masked.matches("four").count() == 2, "{masked}");
    }
}

#[test]
fn digits_that_touch_a_card_number_are_masked_with_it() {
    for text in [
        "0000004242424242424242",
        "4242424242424242000",
        "42424242424242425555555555554444",
        "42424242424242420929",
        "42424242424242420929381",
        "4242-4242-4242-42427",
    ] {
        let masked = masked_by_default(text);
        assert!(!masked.bytes().any(|byte| byte.is_ascii_digit()), "{masked}");
    }
}

#[test]
fn a_long_number_that_is_no_card_number_with_more_stays() {
    for text in ["42424242424242421729", "4242424242424242777", "42424242424242414242424242424241"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn the_code_beside_the_other_data_of_a_card_is_masked() {
    for (text, masked) in [
        ("4242424242424242 exp 03/28 code 318", "************4242 exp 03/28 code ***"),
        ("4242424242424242|03|28|318", "************4242|03|28|***"),
        ("4242424242424242;03;2028;318", "************4242;03;2028;***"),
        ("4242424242424242:0328:318", "************4242:0328:***"),
        ("318 4242424242424242 03/28", "*** ************4242 03/28"),
        ("378282246310005, 4471", "***********0005, ****"),
        ("4111 1111 1111 1111 exp 09/28 737", "**** **** **** 1111 exp 09/28 ***"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
}

#[test]
fn a_quantity_after_the_data_of_a_card_stays() {
    for text in [
        "************4242 exp 03/28 for $318",
        "4242424242424242 expires 03/28, 318 dollars",
        "4242424242424242 03/28 318.50",
    ] {
        let masked = masked_by_default(text);
        assert!(masked.contains("318"), "{masked}");
    }
}

/// The texts of a conversation of one speaker after each message was redacted in turn.
fn stored(messages: &[&str], question: Option<&str>) -> Vec<String> {
    let redactor = Redactor::new(EntitySet::defaults());
    let mut stored: Vec<(String, Speaker)> =
        question.map(|text| (text.to_owned(), Speaker::Other)).into_iter().collect();
    for message in messages {
        let context: Vec<_> = stored.iter().map(|(text, speaker)| Utterance { text, speaker: *speaker }).collect();
        let redaction = redactor.redact(message, &context);
        let text = redaction.text.into_owned();
        let earlier: Vec<_> = redaction
            .earlier
            .iter()
            .map(|earlier| (earlier.utterance, mask_spans(&stored[earlier.utterance].0, &[earlier.span])))
            .collect();
        for (message, text) in earlier {
            stored[message].0 = text;
        }
        stored.push((text, Speaker::Same));
    }
    stored.into_iter().skip(usize::from(question.is_some())).map(|(text, _)| text).collect()
}

#[test]
fn a_remark_does_not_end_a_dictated_card_number() {
    let remark = "sorry, someone is at the door, one moment";
    let by_group = ["4242", "4242", remark, "4242", "4242"];
    let by_digit: Vec<_> = ["4", "2"].repeat(4).into_iter().chain([remark]).chain(["4", "2"].repeat(4)).collect();
    for (messages, question) in [
        (&by_group[..], None),
        (&by_group, Some("what is the number of your card?")),
        (&by_digit, None),
        (&by_digit, Some("what is the number of your card?")),
    ] {
        let stored = stored(messages, question).concat();
        assert!(stored.bytes().filter(u8::is_ascii_digit).count() <= 4, "{stored}");
    }
}

#[test]
fn words_that_lead_to_the_next_digits_are_no_end_of_a_dictated_card_number() {
    let led: Vec<_> = ["4", "2"].repeat(8).into_iter().map(|digit| format!("the next digit is {digit}")).collect();
    let stored = stored(&led.iter().map(String::as_str).collect::<Vec<_>>(), None).concat();
    assert!(stored.bytes().filter(u8::is_ascii_digit).count() <= 4, "{stored}");
}

#[test]
fn codes_in_digits_of_another_look_are_masked() {
    for (text, masked) in [
        ("cvv: ⑥⓪②", "cvv: ***"),
        ("the security code is ⁶⁰²", "the security code is ***"),
        ("my pin is ⑤⑨③⑧ ok", "my pin is **** ok"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
    assert!(!masked_by_default("my pin number is 5️⃣9️⃣3️⃣8️⃣").contains(['5', '9', '3', '8']));
    assert_eq!(masked_by_default("see note ⑥⓪② about your pin"), "see note ⑥⓪② about your pin");
}

#[test]
fn the_answer_to_what_stands_on_the_turned_card_is_its_code() {
    for question in
        ["please flip your card over and tell me the digits there", "Turn the card around and give me the code?"]
    {
        assert_eq!(stored(&["yes, 602"], Some(question)), ["yes, ***"]);
    }
    assert_eq!(stored(&["602"], Some("did you turn your phone off?")), ["602"]);
}

#[test]
fn digits_with_commas_and_a_point_are_coordinates_only_if_they_are_decimal_degrees() {
    assert_eq!(masked_by_default("4 98/24, 72.4_2, 889<br>2 5-6, 1"), "* **/**, **.*_*, ***<br>2 5-6, 1");
    assert_eq!(masked_by_default("6.0, 114314248, 81333"), "*.*, *********, *1333");
    for text in ["65.50762049, -94.19758", "at 49.92716398, 11.5765 now", "49.92716398° N, 11.5765° E"] {
        assert_eq!(masked_by_default(text), text);
    }
}
