//! Numbers that a cue names: misread, spelled, corrected, by position, and in other languages.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The text after these earlier messages, masked with the default entities.
fn answered(context: &[&str], text: &str) -> String {
    let context: Vec<_> = context.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
    Redactor::new(EntitySet::defaults()).redact(text, &context).text.into_owned()
}

#[test]
fn a_firm_cue_masks_a_number_with_a_wrong_check_digit() {
    for (entity, text, hidden) in [
        (Entity::US_NPI, "npi 1234567890", "npi **********"),
        (Entity::BANK_ROUTING_NUMBER, "routing number 121000359", "routing number *********"),
        (Entity::UK_NHS_NUMBER, "nhs number 943 476 5918", "nhs number *** *** ****"),
        (Entity::US_DEA_NUMBER, "dea AB1234560", "dea *********"),
        (Entity::VAT_NUMBER, "vat number is GB 951 1168 31", "vat number is ** *** **** **"),
    ] {
        assert_eq!(masked(entity, text), hidden);
    }
}

#[test]
fn a_number_with_a_wrong_check_digit_and_no_cue_stays() {
    assert_eq!(masked(Entity::US_NPI, "order 1234567890 shipped"), "order 1234567890 shipped");
    assert_eq!(masked(Entity::US_DEA_NUMBER, "part AB1234560 shipped"), "part AB1234560 shipped");
}

#[test]
fn a_cue_may_be_spelled() {
    assert_eq!(masked_by_default("my c v v is 337"), "my c v v is ***");
    assert_eq!(masked_by_default("s.s.n. 536-90-4399"), "s.s.n. ***-**-4399");
    assert_eq!(masked_by_default("the p-i-n is 4821"), "the p-i-n is ****");
    assert_eq!(masked_by_default("ss# 536904399"), "ss# *****4399");
}

#[test]
fn the_place_of_a_code_on_a_card_is_a_cue() {
    assert_eq!(masked_by_default("the three on the back is 337"), "the three on the back is ***");
    assert_eq!(masked_by_default("amex, front code 3371"), "amex, front code ****");
    assert_eq!(answered(&["and by the signature strip?"], "oh it's 337"), "oh it's ***");
}

#[test]
fn a_place_that_is_not_on_a_card_is_no_cue() {
    for text in ["call me back at 3 30", "on the back of the router it says 337", "the back seat has 337 stains"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn what_follows_a_card_number_is_its_expiry_date_and_code() {
    assert_eq!(masked_by_default("4111 1111 1111 1111 09/27 337"), "**** **** **** 1111 09/27 ***");
    assert_eq!(answered(&["**** **** **** 1111 exp 09/27"], "337"), "***");
    assert_eq!(
        masked_by_default("charge 4111 1111 1111 1111 for 450 today"),
        "charge **** **** **** 1111 for 450 today"
    );
}

#[test]
fn a_correction_hides_the_whole_stretch() {
    assert_eq!(
        masked_by_default("my pin is four five no sorry four six seven one"),
        "my pin is **** **** ** ***** **** *** ***** ***"
    );
}

#[test]
fn the_question_decides_the_entity() {
    assert_eq!(answered(&["what is the expiry date of the card?"], "09/27"), "09/27");
    assert_eq!(answered(&["and the medicare card number?"], "2123 45670 1"), "2123 45670 1");
    assert_eq!(answered(&["what's the pin on that debit card"], "twenty twenty eight"), "****** ****** *****");
    assert_eq!(answered(&["where shall we send the new card"], "2963 pine ridge"), "2963 pine ridge");
}

#[test]
fn a_rejected_answer_is_asked_for_again() {
    let context = ["the security code please", "***", "it was declined, could you check again"];
    assert_eq!(answered(&context, "sorry 991"), "sorry ***");
}

#[test]
fn number_words_of_other_languages_are_read() {
    for (text, hidden) in [
        ("mi pin es uno tres ocho seis", "mi pin es *** **** **** ****"),
        ("le cryptogramme est quatre-vingt-dix-sept deux", "le cryptogramme est ******-*****-***-**** ****"),
        ("die pin lautet einundzwanzig vierunddreißig", "die pin lautet ************* **************"),
        ("il pin è sette uno due nove", "il pin è ***** *** *** ****"),
        ("o pin é oito sete um um", "o pin é **** **** ** **"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn words_that_are_numbers_in_another_language_only_count_among_numbers() {
    for text in ["payment due 450", "once 450 people came", "my pin is due", "sept 27 2019 was fine", "um 450 i think"]
    {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_check_digit_decides_between_the_entities_that_words_name() {
    let entities = |text: &str| -> Vec<Entity> {
        Redactor::new(EntitySet::all()).redact(text, &[]).spans.iter().map(|span| span.entity).collect()
    };
    // The cue is far from the number, and the number could be one of a telephone.
    let text = "the police want the imei of my stolen phone and on the box it says 49 015420 323751 8";
    assert_eq!(entities(text), [Entity::IMEI]);
    assert!(!entities("on the box it says 49 015420 323751 8 or so").contains(&Entity::IMEI));
    assert!(!entities("the imei is on the box, call me on +49 30 901820 or so").contains(&Entity::IMEI));
}

#[test]
fn a_member_id_is_that_of_a_health_plan() {
    for (text, entity) in
        [("member id 322436473", Entity::HEALTH_PLAN_ID), ("membership number 322436473", Entity::ACCOUNT_NUMBER)]
    {
        let spans = Redactor::new(EntitySet::all()).redact(text, &[]).spans;
        assert_eq!(spans.iter().map(|span| span.entity).collect::<Vec<_>>(), [entity], "{text}");
    }
}

#[test]
fn the_account_number_of_the_holder_is_a_part_of_a_gstin() {
    let entities = |text: &str| -> Vec<Entity> {
        Redactor::new(EntitySet::all()).redact(text, &[]).spans.iter().map(|span| span.entity).collect()
    };
    assert_eq!(entities("vendor gstin 09 VMWAW7344T 1 Z E please mention it"), [Entity::IN_GSTIN]);
    assert_eq!(entities("the pan is VMPPW7344T please mention it"), [Entity::IN_PAN]);
}

#[test]
fn nine_digits_are_a_social_security_number_where_the_text_speaks_of_one() {
    for (text, hidden) in [
        (
            "your notice shows my social as 219-09-9999, the right number is 536904399",
            "your notice shows my social as ***-**-9999, the right number is *****4399",
        ),
        (
            "the background check failed, you have 536904399 for me",
            "the background check failed, you have *****4399 for me",
        ),
        ("LAST 4 7305", "LAST 4 ****"),
        ("so the last four is 7305", "so the last four is ****"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
    for text in
        ["my order 536904399 is late", "the routing number 536904399 fails the credit check", "the last 4 letters"]
    {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_number_said_to_be_the_code_of_the_card_in_the_same_text_is_found() {
    let card = "4111 1111 1111 1111";
    for (after, hidden) in
        [(", codice 730, grazie", ", codice ***, grazie"), (" and the secret one is 730", " and the secret one is ***")]
    {
        let masked = masked_by_default(&format!("carta {card}{after}"));
        assert!(masked.ends_with(hidden), "{masked}");
    }
    let masked = masked_by_default(&format!("carta {card} and the total is 730"));
    assert!(masked.ends_with("the total is 730"), "{masked}");
    assert_eq!(masked_by_default("exp 04/29 back 730 thanks"), "exp 04/29 back *** thanks");
}

#[test]
fn a_number_word_that_begins_a_sentence_does_not_continue_a_number() {
    assert_eq!(masked_by_default("filed under 205.75.2687. One is mine"), "filed under ***.**.2687. One is mine");
}

#[test]
fn an_answer_that_only_measures_or_dates_something_is_left() {
    for (question, text) in [
        ("Can you tell me your social security number?", "in the end i spent 2019 in court because of that"),
        ("¿Me dice su número de seguro social?", "no lo tengo, llegué al país en 1996"),
        ("and the card number?", "no idea, there are twenty two of them in this drawer"),
        ("and the card number?", "call my wife, she works until nine forty five"),
        ("Pásame el número de la tarjeta", "prefiero en efectivo, son 1.308,90€"),
        ("what is the cvv?", "you charged 318.45 twice"),
    ] {
        assert_eq!(answered(&[question], text), text);
    }
}

#[test]
fn a_number_beside_a_measure_is_still_an_answer() {
    for (question, text, hidden) in [
        ("what is the cvv?", "318.", "***."),
        ("Can you tell me the last four of your social?", "2019", "****"),
        ("and the cvv?", "it's 318, i paid 40.20 last week", "it's ***, i paid 40.20 last week"),
    ] {
        assert_eq!(answered(&[question], text), hidden);
    }
}
