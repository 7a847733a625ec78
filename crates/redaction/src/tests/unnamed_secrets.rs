//! Secrets that no verb joins to their name: by the topic of the text, by what they replace, by their place after a cue.

use super::masked_by_default;
use super::secrets_apart::{answer, assert_hidden, assert_untouched};

#[test]
fn a_made_up_value_in_a_text_about_signing_in_is_a_secret() {
    assert_hidden(&[
        ("it wont let me in. pepperyellow123 worked yesterday", "it wont let me in. ******** worked yesterday"),
        (
            "trying to sign in to the portal tomato77 nothing happens",
            "trying to sign in to the portal ******** nothing happens",
        ),
        ("locked out and yes im using Purple.sunrise like always", "locked out and yes im using ******** like always"),
    ]);
    assert_untouched(&[
        "the sign in page says error ERR502X",
        "sign me up for plan Flex200 please",
        "i signed in with google on my pixel8",
    ]);
}

#[test]
fn a_noun_before_a_value_explains_it() {
    assert_untouched(&["i swapped from plan Basic12 to plan Plus24 and the password page is gone"]);
}

#[test]
fn the_old_secret_of_a_change_is_masked_with_the_new_one() {
    assert_hidden(&[
        (
            "mudei a senha do aplicativo de gatinho1 pra Casa#88 e travou",
            "mudei a senha do aplicativo de ******** pra ******** e travou",
        ),
        ("cambié la clave del banco de tCkRwPQz a Perro_9", "cambié la clave del banco de ******** a ********"),
    ]);
    let hidden = masked_by_default("ho cambiato la password da Luna22? a +sole99 e si blocca");
    assert!(!hidden.contains("Luna22") && !hidden.contains("sole99"), "{hidden}");
}

#[test]
fn an_adjective_or_an_as_stands_between_a_cue_and_its_secret() {
    assert_hidden(&[
        (
            "puede entrar con la clave temporal Cometa.88 hasta el lunes",
            "puede entrar con la clave temporal ******** hasta el lunes",
        ),
        ("con la password provvisoria Milanista potrà accedere", "con la password provvisoria ******** potrà accedere"),
        (
            "the leaflet gives my first password as WALRUS-77 and it fails",
            "the leaflet gives my first password as ******** and it fails",
        ),
        ("same email, pass wombat", "same email, pass ********"),
    ]);
}

#[test]
fn a_spelled_secret_is_found_apart_from_the_password_that_the_text_names() {
    assert_hidden(&[
        (
            "the wifi key hold on i have to turn the box over m k four nine tango seven got it",
            "the wifi key hold on i have to turn the box over ******** got it",
        ),
        (
            "my account password um let me look it's in my notebook uppercase rocket seventy that's the one",
            "my account password um let me look it's in my notebook ******** that's the one",
        ),
    ]);
}

#[test]
fn a_memorable_word_that_is_made_up_is_a_password() {
    assert_eq!(answer("and the memorable word you set up?", "maple one two three"), "********");
    assert_eq!(answer("lovely, the memorable word on the policy", "capital willow oh"), "********");
    assert_eq!(answer("you have to type the word i read out", "maple one two three"), "********");
}

#[test]
fn an_interjection_of_two_words_is_no_part_of_a_secret() {
    assert_eq!(
        answer(
            "the temporary password is n i k h i lima two",
            "of course n i k h i lima two oh nine and it's case sensitive"
        ),
        "of course ******** and it's case sensitive"
    );
}

#[test]
fn a_secret_of_four_letters_and_digits_is_masked() {
    assert_eq!(answer("what's your password?", "Lu49"), "********");
    assert_eq!(masked_by_default("the pass for the tablet is Bo12"), "the pass for the tablet is ********");
    assert_untouched(&["my ps5 is fine but the password is not", "i use an mp3s folder"]);
}

#[test]
fn an_answer_that_denies_to_know_the_secret_is_left_alone() {
    for (question, reply) in [
        ("Pode me informar a sua senha?", "nem meu marido sabe, sabonete"),
        ("Mi può scrivere la password?", "se la sapevo non chiamavo mica"),
        ("¿cuál es su contraseña?", "ni idea, la verdad"),
        ("what is the password?", "i do not have it, bummer"),
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_eq!(answer("what is the password?", "i do not know, maybe walrus"), "i do not know, maybe ********");
}

#[test]
fn a_noun_beside_a_secret_is_none() {
    assert_hidden(&[
        (
            "is that the wifi key on the kitchen fridge, Tulip889?",
            "is that the wifi key on the kitchen fridge, ********?",
        ),
        ("der Zugang ist wieder frei. Kennwort: Schnee55", "der Zugang ist wieder frei. Kennwort: ********"),
        ("ich habe da einen satz als passwort", "ich habe da einen satz als passwort"),
    ]);
}

#[test]
fn a_line_of_a_log_is_not_about_signing_in() {
    assert_untouched(&[
        r#"Log of the worker: {\"spanId\": \"abc123\"}"#,
        "log entry a7 says the job abc123 ended",
        "caps lock was on: {\\\"jobId\\\": \\\"abc123\\\"}",
    ]);
}

#[test]
fn a_house_number_with_its_street_and_unit_is_no_secret() {
    assert_untouched(&["send a new one to 071 Lindenzwerggasse 80 Suite 4 STEINBACH Upper Austria"]);
}
