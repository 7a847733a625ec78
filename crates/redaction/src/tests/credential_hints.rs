//! Secrets without a cue of their own: by shape, by earlier messages, beside other secrets, and said aloud.

use super::masked_by_default;
use crate::{EntitySet, Redactor, Speaker, Utterance};

fn answer(earlier: &str, reply: &str) -> String {
    let context = [Utterance { text: earlier, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

#[test]
fn a_shape_that_only_a_secret_has_needs_no_cue() {
    for (text, hidden) in [
        ("the label on the box reads Kr8!wolf, nothing else", "the label on the box reads ********, nothing else"),
        ("Gl4c13r% was fine for years", "******** was fine for years"),
        ("i keep typing -glacier44 and nothing happens", "i keep typing ******** and nothing happens"),
        ("he told me _glacier44 but it fails", "he told me ******** but it fails"),
        ("the archive opens with glacier44.", "the archive opens with ********."),
        ("sam_p20 / Glacier44\nplease have a look", "sam_p20 / ********\nplease have a look"),
        ("creds = sam@example.com:Glacier44", "creds = sam@example.com:********"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn codes_of_other_things_need_a_cue() {
    for text in [
        "please send me the W-8BEN and the 1099-INT",
        "my order is ab12cd34, when does it arrive",
        "the 30-something-odd customers",
        "see you on the 2nd at 10am",
        "the office is 001-748-0882x818-Fax",
        "i bought the iphone13 and the galaxy22",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
    assert_eq!(answer("what is your order number?", "it's ab12cd34"), "it's ab12cd34");
}

#[test]
fn a_text_that_tells_one_secret_tells_others() {
    for (text, hidden) in [
        ("i tried walnut, then i tried Glacier44", "i tried ********, then i tried ********"),
        ("not Walnut17 sorry i meant Glacier44", "not ******** sorry i meant ********"),
        ("my old pw was Glacier44 and the new one is 730516", "my old pw was ******** and the new one is ********"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn an_earlier_message_about_a_secret_makes_the_topic() {
    for (earlier, reply, hidden) in [
        ("your temporary password is walnut four four", "okay walnut four four got it", "okay ******** got it"),
        ("what are you typing there?", "Glacier44", "********"),
        ("is caps lock on while typing?", "glacier44", "********"),
    ] {
        assert_eq!(answer(earlier, reply), hidden);
    }
}

#[test]
fn a_secret_said_aloud_is_found_as_a_whole() {
    for (text, hidden) in [
        ("it's capital w a l n u t underscore four four", "it's ********"),
        ("please write down big w as in whiskey a l n u t five", "please write down ********"),
        ("the password is t o y o t a seven two", "the password is ********"),
        ("the password is w a uh l n u t nine", "the password is ********"),
        ("le mot de passe c'est noisette un deux trois", "le mot de passe c'est ********"),
        ("a senha é castor oitenta e um", "a senha é ********"),
        ("it's w a l n u t seven four and that's all", "it's ******** and that's all"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn spelled_addresses_and_times_are_no_secrets() {
    for text in [
        "write to w a l n u t at example dot com",
        "the doors are locked till seven fifteen p m",
        "my password hint: he's at work until nine a m",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_mistyped_common_word_is_no_answer() {
    for reply in ["haevnt got it", "worekd!!! thanks", "neiither of them"] {
        assert_eq!(answer("what is the password?", reply), reply);
    }
}

#[test]
fn a_mistyped_or_compound_name_of_a_secret_is_a_cue() {
    for (text, hidden) in [
        ("my passsword is Walnut44", "my passsword is ********"),
        ("Ihr Einmalkennwort lautet Walnuss44", "Ihr Einmalkennwort lautet ********"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn words_that_marks_join_are_a_passphrase_if_the_sentence_tells_them() {
    for (text, masked) in [
        ("nvm found it!! it was quilt-eagle-island w/ spaces lol", "nvm found it!! it was ******** w/ spaces lol"),
        (
            "four random words like the comic, mine is \"thunder.coffee.pirate.ranger\" n ur form says too long",
            "four random words like the comic, mine is \"********\" n ur form says too long",
        ),
        ("wifi key: i-g-l-o-o-m-e-a-d-o-w", "wifi key: ********"),
        ("my safe word could be hunter.quilt.pebble", "my safe word could be ********"),
        ("would Banana!77x be ok", "would ******** be ok"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
    for text in [
        "it runs on nginx-ingress-controller-admission in the cluster",
        "it is Villeneuve-Saint-Georges-Ville",
        "what you need is Lager-Verkauf-Nord-West",
        "we use customer-relationship-management tools",
        "my name is S-M-I-T-H-S-O-N",
        "would tomorrow be ok",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

/// The text after these earlier messages, masked with the default entities.
fn answered(context: &[&str], text: &str) -> String {
    let context: Vec<_> = context.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
    Redactor::new(EntitySet::defaults()).redact(text, &context).text.into_owned()
}

#[test]
fn letters_of_an_identifier_that_the_text_names_are_no_password() {
    for text in [
        "the swift code is d e u t d e f f five",
        "who typed my passport as kd1123818",
        "send it to lena underscore park at acmetel dot com",
        "go to acmetel dot com slash track question mark id equals t h q j four u r",
        "jai mis le bon et ça dit trop faible",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn an_answer_of_words_is_a_password_and_a_label_or_a_year_is_not() {
    let asks = ["what is the passphrase"];
    assert_eq!(answered(&asks, "garden bottle um"), "******** um");
    assert_eq!(
        answered(&asks, "i chose it in two thousand and eight love"),
        "i chose it in two thousand and eight love"
    );
    assert_eq!(answered(&asks, "laptop: no idea"), "laptop: no idea");
    assert_eq!(answered(&["the phrase you chose please"], "garden bottle candle river"), "********");
    let again = ["what password would you like", "maple77", "that one was used before, another please"];
    assert_eq!(answered(&again, "otter3344"), "********");
}

#[test]
fn a_secret_is_found_by_its_label_its_pair_or_what_became_of_it() {
    for (text, hidden) in [
        ("the slip reads \"Wi-Fi: -harbor648\"", "the slip reads \"Wi-Fi: ********\""),
        (
            "these credentials leaked: jlopez / Rocket2857; anders / silver7.",
            "these credentials leaked: jlopez / ********; anders / ********.",
        ),
        ("mein wlan ist neu und Annika-2000 geht nicht", "mein wlan ist neu und ******** geht nicht"),
        ("the phrase on the card reads: igloo falcon willow garden", "the phrase on the card reads: ********"),
        (
            "my password was sent to all wards: igloo falcon willow garden",
            "my password was sent to all wards: ********",
        ),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}
