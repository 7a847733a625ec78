//! Card numbers among markup, hesitations and digits that touch them, and the code beside a card number.

use super::masked_by_default;

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
