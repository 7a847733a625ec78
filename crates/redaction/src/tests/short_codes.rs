//! PINs, card codes and one-time codes whose cue is not directly beside them.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn answer(earlier: &[&str], reply: &str) -> String {
    let context: Vec<_> = earlier.iter().map(|text| Utterance { text, speaker: Speaker::Other }).collect();
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

fn entities_of_answer(earlier: &str, reply: &str) -> Vec<Entity> {
    let context = [Utterance { text: earlier, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).spans.iter().map(|span| span.entity).collect()
}

#[test]
fn the_nearest_cue_of_the_sentence_names_a_code() {
    for (text, hidden) in [
        (
            "the pin was on a yellow note in my purse, it said 7305",
            "the pin was on a yellow note in my purse, it said ****",
        ),
        ("i typed 7305 like every week and it says wrong pin", "i typed **** like every week and it says wrong pin"),
        ("i put 730 where it says cvc", "i put *** where it says cvc"),
        ("the cash machine kept my card, i entered 7305", "the cash machine kept my card, i entered ****"),
        ("marco 7305 y me dice pin incorrecto", "marco **** y me dice pin incorrecto"),
        ("il pin che mi hanno mandato è 7305", "il pin che mi hanno mandato è ****"),
        ("is 7305 a bad pin", "is **** a bad pin"),
        ("the four digits are 7305", "the four digits are ****"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_number_of_another_thing_is_left_beside_a_code() {
    for text in [
        "i lost my pin and there's two thousand four hundred dollars gone",
        "how many pin attempts are left, 5 or 10",
        "my pin does not work since i moved to house 7305",
        "the last four digits are on the letter",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_code_said_digit_by_digit_or_twice_is_found() {
    assert_eq!(answer(&["please say your pin one digit at a time"], "six"), "***");
    assert_eq!(answer(&["the three digits on the back please"], "nine"), "****");
    assert_eq!(
        answer(&["could you repeat the security code"], "yeah nine six one nine six one"),
        "yeah **** *** *** **** *** ***"
    );
}

#[test]
fn three_digits_after_the_expiry_date_of_a_card_are_its_code() {
    let text = "card 4111 1111 1111 1111 exp 09/27 and kod 730";
    assert!(masked_by_default(text).ends_with("and kod ***"), "{}", masked_by_default(text));
}

#[test]
fn a_code_that_was_sent_is_a_one_time_code() {
    let one_time = |text: &str| masked(Entity::ONE_TIME_PASSCODE, text);
    assert_eq!(one_time("my code is 730516"), "my code is ******");
    assert_eq!(one_time("the six digits are 730516"), "the six digits are ******");
}

#[test]
fn the_code_that_is_asked_for_without_a_card_has_three_digits() {
    assert_eq!(
        answer(&["Code?"], "529. And please make it quick the kettle is on"),
        "***. And please make it quick the kettle is on"
    );
    assert_eq!(answer(&["and that code again"], "four three five like i said"), "**** ***** **** like i said");
    assert_eq!(answer(&["Code?"], "48213"), "48213");
    assert_eq!(answer(&["and the error code?"], "529"), "529");
}

#[test]
fn four_digits_on_the_front_of_a_card_are_its_code() {
    for question in ["four digits on the front above the number", "and the 4 digits above the number, it is an Amex?"] {
        assert_eq!(entities_of_answer(question, "four oh five seven"), [Entity::CVV]);
    }
}

#[test]
fn a_long_answer_to_a_question_for_a_code_alone_is_an_answer() {
    let reply = "the numbers on it are nearly gone i can make out eight seven five eight but the one in the middle might be anything at all";
    assert!(!answer(&["can you make out the security code"], reply).contains("eight"));
    let reply = "easy to remember it is the house where i was born 1986";
    assert!(!answer(&["and the pin is"], reply).contains("1986"));
}

#[test]
fn a_digit_or_two_at_the_beginning_of_an_answer_are_a_part_of_the_code() {
    let question = "three digits on the back of the card";
    for (reply, hidden) in [
        ("okay it's five", "okay it's ****"),
        ("and six it's very faded", "and *** it's very faded"),
        ("58 on the left half", "** on the left half"),
    ] {
        assert_eq!(answer(&[question], reply), hidden);
    }
    for reply in ["5am i come", "2:30 works", "one moment", "which three?", "there isn't one it's gone", "two secs"] {
        assert_eq!(answer(&[question], reply), reply);
    }
}

#[test]
fn three_digits_after_an_expiry_date_that_is_named_or_asked_for_are_a_code() {
    assert_eq!(answer(&["and the expiry date?"], "03/31, 735"), "03/31, ***");
    assert_eq!(masked_by_default("exp 04/2034 back 816 rest you have"), "exp 04/2034 back *** rest you have");
    assert_eq!(masked_by_default("we meet 04/2034 back 816"), "we meet 04/2034 back 816");
}

#[test]
fn a_number_that_somebody_keys_into_a_device_is_a_pin() {
    for (text, masked) in [
        (
            "i'm outside and the key box won't open i tried forty six oh oh",
            "i'm outside and the key box won't open i tried ***** *** ** **",
        ),
        (
            "tell the driver the gate wants 0295 and then the key symbol",
            "tell the driver the gate wants **** and then the key symbol",
        ),
        ("garage door of the flat: 0298 then hash", "garage door of the flat: **** then hash"),
        ("i typed 6089 at the charging station", "i typed **** at the charging station"),
        ("i typed 4821 at the gate you know", "i typed **** at the gate you know"),
        ("the safe only opened with 3583", "the safe only opened with ****"),
        ("j'ai tapé 7961 trois fois et hop carte avalée", "j'ai tapé **** trois fois et hop carte avalée"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
}

#[test]
fn a_number_that_counts_or_names_beside_a_device_stays() {
    for text in [
        "the gate opens at 1530 and closes at 1900",
        "gate 4512 is closed",
        "my locker is 1204",
        "i put 2000 in the safe yesterday",
        "i put 1500 into the room safe and it kept it",
        "the machine at the gate reads 5521 visitors",
        "we typed 4000 words on the terminal",
        "order 48213 is at the door, ring the bell",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn three_digits_after_a_spoken_expiry_date_are_a_code() {
    for (text, masked) in [
        ("expires may thirty two and then six zero four", "expires may thirty two and then *** **** ****"),
        (
            "valid until may slash thirty two and behind six zero four",
            "valid until may slash thirty two and behind *** **** ****",
        ),
        (
            "expires eleven twenty twenty eight and the secret one is four two nine",
            "expires eleven twenty twenty eight and the secret one is **** *** ****",
        ),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
    for text in ["expires in may 2032 and it costs 604 euros", "expires may thirty two call me at six"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_number_beside_the_back_of_a_card_is_its_code_in_each_order_and_language() {
    for (text, masked) in [
        ("number you have, back is 355", "number you have, back is ***"),
        ("six two one is what's on the back", "*** *** *** is what's on the back"),
        ("atrás da minha carta tem nove oito nove", "atrás da minha carta tem **** **** ****"),
        ("dietro c'è scritto sette due zero", "dietro c'è scritto ***** *** ****"),
        ("mon cryptogramme est neuf cent soixante-dix", "mon cryptogramme est **** **** ********-***"),
        ("cv2 number is 689", "cv2 number is ***"),
        ("new card came. old code was 097 new one is 990", "new card came. old code was *** new one is ***"),
    ] {
        assert_eq!(masked_by_default(text), masked);
    }
    for text in ["my back is 100 percent better", "i have 200 stickers on the back", "my cv 2019 version"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_verb_of_typing_names_a_code_beside_a_word_that_says_how_the_code_fared() {
    for (text, hidden) in [
        ("i typed 7305 twice and now the card is blocked", "i typed **** twice and now the card is blocked"),
        ("every time i enter 730 in the box it says invalid", "every time i enter *** in the box it says invalid"),
        ("why do you need 730 again", "why do you need *** again"),
        ("siempre marco 7305 y sale bloqueado", "siempre marco **** y sale bloqueado"),
        ("it only opened with 7305", "it only opened with ****"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_number_that_counts_or_that_nobody_judges_is_no_code() {
    for text in [
        "i typed 7305 words and the page failed",
        "i put 730 on the table",
        "why do you need 730 pages",
        "i entered 7305 1234 5555 and it says invalid",
        "we tried 730 dollars and it was declined",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_message_that_only_reads_a_code_back_hides_it() {
    for (text, hidden) in [
        ("i heard 730 is that right", "i heard *** is that right"),
        ("Did you say 7305?", "Did you say ****?"),
        ("sorry was that seven three oh", "sorry was that ***** ***** **"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
    for text in ["did you say 730 dollars?", "i have 730 followers is that right", "was that at 7305 oak street"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_lock_with_its_code_behind_it_and_a_code_said_in_french_are_found() {
    assert_eq!(masked_by_default("alarm 7305, garage 2566."), "alarm ****, garage ****.");
    assert_eq!(masked_by_default("the alarm 7305 model is old"), "the alarm 7305 model is old");
    assert_eq!(answer(&["les trois chiffres au dos"], "alors cent vingt-deux voilà"), "alors **** *****-**** voilà");
    assert_eq!(answer(&["what is your pin"], "73."), "**.");
    assert_eq!(answer(&["what is your pin"], "the branch is at 7.3 miles"), "the branch is at 7.3 miles");
}

#[test]
fn a_noun_that_only_describes_a_code_names_no_other_number() {
    assert_eq!(answer(&["and your bank pin"], "the one for the bank that's 7305"), "the one for the bank that's ****");
    assert_eq!(answer(&["and your bank account"], "the branch is at number 73"), "the branch is at number 73");
}
