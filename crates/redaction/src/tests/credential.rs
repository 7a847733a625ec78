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
