//! Secrets by the grammar of their sentence, and answers that give none.

use super::masked_by_default;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

fn answer(question: &str, reply: &str, active: EntitySet) -> String {
    let asked = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(active).redact(reply, &asked).text.into_owned()
}

#[test]
fn a_password_is_found_by_the_grammar_of_its_sentence() {
    for (text, hidden) in [
        ("i changed my password to Maple77 last week", "i changed my password to ******** last week"),
        ("use Maple77 as the password please", "use ******** as the password please"),
        ("Maple77 is my password", "******** is my password"),
        ("i set it to Maple77 but the app says wrong password", "i set it to ******** but the app says wrong password"),
        ("the password was Maple77 or Otter_12", "the password was ******** or ********"),
        ("my password is capital m a p l e seven", "my password is ********"),
        ("old: Maple77\nnew: Otter_12", "old: ********\nnew: ********"),
        ("login jane.doe@example.com / Maple77", "login jane.doe@example.com / ********"),
        ("postgres://sam:Maple77@db.example/x", "postgres://sam:********@db.example/x"),
        ("mein Passwort lautet Wolke88", "mein Passwort lautet ********"),
        ("la contraseña es Verano19", "la contraseña es ********"),
        ("le mot de passe c'est Soleil88", "le mot de passe c'est ********"),
        ("a senha é Verao1990", "a senha é ********"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_sentence_about_a_password_is_left() {
    for text in [
        "set my password back to whatever it was before the update",
        "changed my password to something longer like you said",
        "password is case sensitive right?",
        "the password is saved on my laptop but my laptop is dead",
        "please send my boarding pass to the other address",
        "my keyboard is german, sorry, and the password field is tiny",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn an_answer_loses_its_value_alone() {
    for (reply, hidden) in [
        ("ok so um it's maplewood but lower case", "ok so um it's ******** but lower case"),
        ("should be Maple77", "should be ********"),
        ("sure, tiger maple lantern", "sure, ********"),
        ("make it Maple77", "make it ********"),
    ] {
        assert_eq!(answer("what is the password?", reply, EntitySet::defaults()), hidden);
    }
}

#[test]
fn an_answer_without_a_value_is_left() {
    let questions = ["what is the password?", "what's your username?", "what is your mother's maiden name?"];
    for reply in [
        "idk tbh",
        "forgotten",
        "why do you need it",
        "i'd rather not say it out loud",
        "the usual one",
        "changed it yesterday around 5:30 pm",
        "brb",
        "my wife handles that",
        "it's been raining all week",
        "sag ich nicht",
        "esqueci faz tempo",
    ] {
        for question in questions {
            assert_eq!(answer(question, reply, EntitySet::all().without(Entity::DATE.bit())), reply, "{question}");
        }
    }
}

#[test]
fn letters_alone_are_a_spelled_name_if_nothing_names_a_secret() {
    let with_names = EntitySet::defaults().or(Entity::PERSON_NAME.bit());
    let reply = "w a l l a c e and that's all";
    for question in ["could you spell that", "could you spell your surname"] {
        assert_eq!(answer(question, reply, EntitySet::defaults()), reply);
        assert_eq!(answer(question, reply, with_names), "* * * * * * * and that's all");
    }
    let password = answer("could you spell the password for me", "m a p l e t r e e", EntitySet::defaults());
    assert_eq!(password, "********");
    assert_eq!(masked_by_default("my password is m a p l e t r e e"), "my password is ********");
}

#[test]
fn what_is_said_aloud_is_an_address_if_an_address_is_asked_for() {
    let (question, reply) = ("which e mail do you use for the parents' portal", "it's andrea underscore atkinson");
    assert_eq!(answer(question, reply, EntitySet::defaults()), reply);
    let with_email = answer(question, reply, EntitySet::defaults().or(Entity::EMAIL.bit()));
    assert!(!with_email.contains("andrea"), "{with_email}");
}

#[test]
fn a_spelled_code_answers_whatever_is_said_after_it() {
    let set = Entity::BOOKING_REFERENCE.bit();
    let masked =
        answer("can you spell out that booking reference", "sure it's h six w five c k and that's for two", set);
    assert!(!masked.contains("six"), "{masked}");
    let prose = "i have a five and a six on my screen and that's for two";
    assert_eq!(answer("can you spell out that booking reference", prose, set), prose);
}

#[test]
fn a_key_of_a_provider_and_a_private_key_are_no_passwords() {
    for text in [
        "the key in the config is rk_live_v7FPVcLhp9G7NXgG4PEKkv1A, did someone revoke it?",
        "is this what you want?\n-----BEGIN EC PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49RVkPvpFaUb4DhmL6pOfTGNazhtHij\n\
         0H5lW5+PPgfz\n-----END EC PRIVATE KEY-----",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn common_words_are_a_password_if_they_are_the_whole_answer() {
    for (reply, hidden) in [("pumpkin wizard", "********"), ("it's winter six", "it's ********")] {
        assert_eq!(answer("what did you set as the password?", reply, EntitySet::defaults()), hidden);
    }
    assert_eq!(answer("what did you set as the password?", "both", EntitySet::defaults()), "both");
    assert_eq!(answer("which room is it?", "it's winter six", EntitySet::defaults()), "it's winter six");
}

#[test]
fn a_password_alone_in_parentheses_belongs_to_the_clause_before_it() {
    assert_eq!(
        masked_by_default("shared my password with all the flatmates (violinkitten), now someone watches"),
        "shared my password with all the flatmates (********), now someone watches"
    );
    let text = "i lost my password. the flatmates know (ask violinkitten), now someone watches";
    assert_eq!(masked_by_default(text), text);
}

#[test]
fn a_value_that_is_assigned_to_another_name_is_no_password() {
    let text = "got errors since noon. latency p95 = 2300ms, p99 = 4100ms, region eu";
    assert_eq!(masked_by_default(text), text);
    assert_eq!(masked_by_default("password = Maple77"), "password = ********");
}
