//! Written and spoken forms of a value.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, ExternalSpan, Redactor};

#[test]
fn a_card_is_found_with_zero_width_characters_between_its_digits() {
    assert_eq!(
        masked(Entity::CREDIT_CARD_NUMBER, "4111\u{200b}1111\u{200b}1111\u{200b}1111"),
        "****\u{200b}****\u{200b}****\u{200b}1111"
    );
}

#[test]
fn the_rest_of_a_track_is_masked_with_its_card() {
    for (text, hidden) in [
        ("%B4111111111111111^DOE/J^2512", "%B************1111^***/*^****"),
        ("%B4111111111111111^DOE/JANE^25121010000000000?", "%B************1111^***/****^*****************?"),
        ("swipe %B4111111111111111^DOE/JANE M    ^2512101? ok", "swipe %B************1111^***/**** *    ^*******? ok"),
        ("%B4111111111111111^DOE/JANE and more", "%B************1111^***/**** and more"),
        ("%B4111 1111 1111 1111^^2512101?", "%B**** **** **** 1111^^*******?"),
        (";4111111111111111=25121010000000000?", ";************1111=*****************?"),
        (
            "%B4111111111111111^DOE/JANE^2512101?;4111111111111111=2512101?",
            "%B************1111^***/****^*******?;************1111=*******?",
        ),
        ("4111111111111111D25121010000000000F", "************1111*******************"),
    ] {
        assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, text), hidden);
    }
}

#[test]
fn a_card_in_a_track_is_found_even_if_its_check_digit_is_wrong() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "%B4111111111111112^DOE/J^2512?"), "%B************1112^***/*^****?");
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, ";4111111111111112=2512101?"), ";************1112=*******?");
}

#[test]
fn text_after_a_card_without_track_marks_is_left() {
    for text in
        ["4111111111111111 = mine", "4111111111111111=mine", "4111111111111111 ^ above", "4111111111111111? yes"]
    {
        assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, text), text.replace("411111111111", "************"));
    }
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "x=4111111111111112^2"), "x=4111111111111112^2");
}

#[test]
fn a_card_is_found_across_a_line_break() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "4111 1111\n1111 1111"), "**** ****\n**** 1111");
}

#[test]
fn a_card_is_found_between_other_digits() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "77 4111 1111 1111 1111 09"), "77 **** **** **** 1111 09");
}

#[test]
fn a_card_spoken_in_pairs_and_doubles_is_found() {
    assert_eq!(
        masked(Entity::CREDIT_CARD_NUMBER, "forty-one eleven double one double one eleven eleven eleven eleven"),
        "*****-*** ****** ****** *** ****** *** ****** ****** eleven eleven"
    );
}

#[test]
fn a_number_with_one_wrong_digit_is_not_a_card_without_a_cue() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "4111 1111 1111 1113"), "4111 1111 1111 1113");
}

#[test]
fn the_spans_of_an_external_detector_are_masked_too() {
    let redactor = Redactor::new(EntitySet::from_iter([Entity::PERSON_NAME]));
    let found = [ExternalSpan { start: 6, end: 10, entity: Entity::PERSON_NAME }];
    assert_eq!(redactor.redact_with("hello Olga", &[], &found).text, "hello ****");
}

#[test]
fn a_text_without_sensitive_data_is_not_copied() {
    let redaction = Redactor::new(EntitySet::all()).redact("good morning", &[]);
    assert!(matches!(redaction.text, std::borrow::Cow::Borrowed("good morning")));
}

#[test]
fn a_card_right_after_a_repeat_word_is_found() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "double 4111111111111111"), "double ************1111");
}

#[test]
fn each_of_many_cards_side_by_side_is_found() {
    let cards = ["4111111111111111", "5500000000000004"].repeat(5).join(" ");
    let hidden = ["************1111", "************0004"].repeat(5).join(" ");
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, &cards), hidden);
}

#[test]
fn a_card_that_touches_a_digit_of_another_script_is_found() {
    assert_eq!(masked_by_default("４4111111111111111"), "４************1111");
    assert_eq!(masked_by_default("４\u{200b}4111111111111111"), "４\u{200b}************1111");
    assert_eq!(masked_by_default("4111111111111111\u{200b}4"), "************1111\u{200b}4");
}

#[test]
fn a_number_in_the_domain_of_an_address_is_left_with_the_domain() {
    assert_eq!(Redactor::new(EntitySet::all()).redact("jo@b12345.com", &[]).text, "**@b12345.com");
}

#[test]
fn fillers_are_not_part_of_a_code() {
    assert_eq!(masked(Entity::ORDER_NUMBER, "order and then 12345"), "order and then *****");
    assert_eq!(masked(Entity::BOOKING_REFERENCE, "booking number er 5487"), "booking number er ****");
}

#[test]
fn every_cue_of_a_long_text_counts() {
    let text = "my pin is 1234 and the card is in the post, ".repeat(20);
    assert!(!masked_by_default(&text).contains("1234"));
}

#[test]
fn a_long_run_of_repeat_words_has_no_value() {
    let text = "booking double ".to_owned() + &"double ".repeat(50_000) + "may the " + &"the ".repeat(50_000);
    assert_eq!(Redactor::new(EntitySet::all()).redact(&text, &[]).spans, []);
}

#[test]
fn the_rest_of_a_sequence_beside_a_higher_ranked_value_is_masked_too() {
    let text = "123456789 1234567890 12345679012 123456790123 1234567901234 1234";
    let hidden = Redactor::new(EntitySet::all()).redact(text, &[]).text.into_owned();
    assert!(hidden.bytes().filter(u8::is_ascii_digit).count() <= 4, "{hidden}");
}

#[test]
fn masking_disguised_profanity_beside_a_number_twice_changes_nothing() {
    let redactor = Redactor::new(EntitySet::all());
    for word in ["fuuuck", "shiiit", "sh1t", "$hit", "f*ck", "a55hole", "b1tch"] {
        for text in [
            format!("{word}555-0132"),
            format!("555-0132{word}"),
            format!("{word} 555-0132"),
            format!("call 312-555-0132{word}"),
        ] {
            let once = redactor.redact(&text, &[]).text.into_owned();
            assert_eq!(redactor.redact(&once, &[]).text, once, "{text}");
        }
    }
}

#[test]
fn an_identifier_is_found_at_any_position_among_many_words() {
    let redactor = Redactor::new(EntitySet::all());
    for identifier in ["GB82 WEST 1234 5698 7654 32", "1234 5698 GB82WEST12345698765432", "DE89370400440532013000"] {
        for words in 0..200 {
            let text = format!("7 {}{identifier} or so", "so ".repeat(words));
            let found = redactor.redact(&text, &[]).spans;
            assert!(found.iter().any(|span| span.entity == Entity::IBAN), "{text}");
        }
    }
}

#[test]
fn an_identifier_is_found_where_marks_separate_the_letters_before_its_digits() {
    let redactor = Redactor::new(EntitySet::all());
    let found = redactor.redact("so it is AT-U-13585627 then", &[]).spans;
    assert_eq!(found.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(9, 22)]);
}

#[test]
fn an_international_number_may_have_a_zero_after_its_country_code() {
    for (text, hidden) in [
        ("+229 01 20 21 12 34", "+*** ** ** ** ** **"),
        ("+44 (0)20 7946 0018", "+** (*)** **** ****"),
        ("+22708123456", "+***********"),
    ] {
        assert_eq!(masked(Entity::PHONE_NUMBER, text), hidden);
    }
}

#[test]
fn a_pair_of_coordinates_is_not_a_card() {
    let place = "65.5076205, -94.197587";
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, place), place);
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "4111.1111, 1111.1111"), "****.****, ****.1111");
}

#[test]
fn a_number_of_twelve_digits_is_a_card_if_its_issuer_has_that_length() {
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "paid with 675970000005"), "paid with ********0005");
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, "order 676770000005"), "order 676770000005");
}

#[test]
fn national_identifiers_are_found_by_their_common_names() {
    for (entity, text, hidden) in [
        (Entity::EU_NATIONAL_ID, "my CPR number is 211062-5629", "my CPR number is ******-****"),
        (Entity::EU_NATIONAL_ID, "my OIB is 33392005961", "my OIB is ***********"),
        (Entity::VAT_NUMBER, "NIP: 8567346215", "NIP: **********"),
        (Entity::ASIA_NATIONAL_ID, "my NIK is 3171011708450001", "my NIK is ****************"),
        (Entity::ASIA_NATIONAL_ID, "CNIC 34201-0891231-8", "CNIC *****-*******-*"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn letters_between_digits_are_not_a_cue() {
    let text = "see 855cf6cc0757 and 3ac15b87";
    assert_eq!(masked(Entity::CREDIT_CARD_NUMBER, text), text);
    assert_eq!(masked(Entity::ACCOUNT_NUMBER, text), text);
    assert_eq!(masked(Entity::CVV, "123cvv"), "***cvv");
}

#[test]
fn a_version_with_its_date_is_not_an_account() {
    for text in ["## 2.2.5 (2024-02-29)", "0.5.0 - 2022-07-30"] {
        assert_eq!(masked(Entity::BANK_ACCOUNT_NUMBER, text), text);
    }
}

#[test]
fn an_ip_address_is_found_before_its_port() {
    assert_eq!(masked(Entity::IP_ADDRESS, "at 10.0.0.1:8080 now"), "at **.*.*.*:8080 now");
}

#[test]
fn a_value_is_found_by_each_of_several_names() {
    for (entity, text, hidden) in [
        (Entity::USERNAME, "my user name is jsmith_99", "my user name is ******_**"),
        (Entity::PASSWORD, "pw: hunter2", "pw: ********"),
        (Entity::LICENSE_PLATE, "license plate 5FL 734", "license plate *** ***"),
        (Entity::CVV, "the four digits on the front are 1234", "the four digits on the front are ****"),
        (Entity::ONE_TIME_PASSCODE, "2fa code 482913", "2fa code ******"),
        (Entity::BOOKING_REFERENCE, "booking ref: K9J8H7", "booking ref: ******"),
        (Entity::ORDER_NUMBER, "PO number 4500012345", "PO number **********"),
        (Entity::PERSON_NAME, "the account holder is Jane Doe", "the account holder is **** ***"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn a_name_is_found_after_an_introduction() {
    for (text, expected) in [
        ("hello, I am John Smith", "hello, I am **** *****"),
        ("hello, I'm John Smith", "hello, I'm **** *****"),
        ("this is John Smith speaking", "this is **** ***** speaking"),
        ("at 4 am John Smith left", "at 4 am **** ***** left"),
    ] {
        assert_eq!(masked(Entity::PERSON_NAME, text), expected);
    }
}
