//! Web addresses, e-mail addresses and coordinates that are said aloud.

use super::dictated_parts::masked;

#[test]
fn a_spoken_path_is_masked_to_its_end() {
    for (text, expected) in [
        (
            "go to shopfern dot com forward slash login at the top",
            "go to ******** *** *** ******* ***** ***** at the top",
        ),
        (
            "it's myportal dot com slash track question mark id equals k nine seven and then it stops",
            "it's ******** *** *** ***** ***** ******** **** ** ****** * **** ***** and then it stops",
        ),
        (
            "it is shopfern dot com slash order four eight i think",
            "it is ******** *** *** ***** ***** **** ***** i think",
        ),
    ] {
        assert_eq!(masked(&[text]), expected);
    }
}

#[test]
fn a_slash_between_words_is_no_address() {
    let text = "it's the left slash right button and a question mark on the screen";
    assert_eq!(masked(&[text]), text);
}

#[test]
fn a_spoken_mailbox_without_an_owner_is_an_email_address() {
    assert_eq!(masked(&["write to info at brightline dot com please"]), "write to **** at brightline dot com please");
}

#[test]
fn a_common_word_before_a_host_is_an_email_address_if_one_is_asked_for() {
    assert_eq!(masked(&["what's your email", "table at brightline dot com"]), "***** at brightline dot com");
    assert_eq!(masked(&["we booked a table at brightline dot com"]), "we booked a table at ********** *** ***");
}

#[test]
fn email_addresses_are_found_in_other_languages() {
    for (text, expected) in [
        (
            "mi correo es diego guión bajo zapata arroba gmail punto com",
            "mi correo es ***** ***** **** ****** arroba gmail punto com",
        ),
        ("é ruth ponto lima arroba uol ponto com ponto br", "é **** ***** **** arroba uol ponto com ponto br"),
    ] {
        assert_eq!(masked(&[text]), expected);
    }
}

#[test]
fn spoken_coordinates_are_masked() {
    for (text, expected) in [
        (
            "it says forty four point three seven five nine minus ninety nine point two nine nine eight a barn",
            "it says ***** **** ***** ***** ***** **** **** ***** ****** **** ***** *** **** **** ***** a barn",
        ),
        (
            "fifty eight point six five one zero comma twelve point three three four",
            "***** ***** ***** *** **** *** **** ***** ****** ***** ***** ***** ****",
        ),
    ] {
        assert_eq!(masked(&[text]), expected);
    }
}

#[test]
fn measures_with_a_point_are_no_coordinates() {
    let text = "it went from three point five to four point two percent";
    assert_eq!(masked(&[text]), text);
}

#[test]
fn a_host_that_is_explained_letter_by_letter_is_part_of_the_email_address() {
    assert_eq!(
        masked(&["and the email", "dieter seven nine at y like yellow a h o o dot com"]),
        "****** ***** **** at y like yellow a h o o dot com"
    );
}
