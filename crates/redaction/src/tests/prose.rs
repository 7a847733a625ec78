//! Prose: statements about a password, a PIN or a card are not values.

use super::{masked, masked_by_default};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

#[test]
fn a_statement_about_a_value_is_left() {
    for text in [
        "my password didn't match",
        "my password didn\u{2019}t match",
        "the passcode hasn't arrived after 14 days",
        "my password can't be read",
        "the password is inactive",
        "my password is confidential",
        "my password was declined, can you help",
        "my password is being processed",
        "my password was laminated",
        "the password is my dog's name",
        "the password for my account is not working",
        "the password i gave you is wrong",
        "the password to the portal is blocked again",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn the_rules_and_the_purpose_of_a_password_are_left() {
    for text in [
        "the password has 4 digits",
        "your password needs 12 characters",
        "the password failed 5 times",
        "is there a password length or password strength",
        "the password vault and the password generator",
        "password error 1034",
        "i set the password in 2020",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_year_is_not_a_pin_and_not_a_security_code() {
    for text in [
        "i changed my pin in 2020",
        "the same cvv since 1999",
        "i have my card since 2011",
        "my pin is the same since nineteen ninety nine",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
    assert_eq!(masked_by_default("change my pin from 1998"), "change my pin from ****");
}

#[test]
fn the_verb_handle_is_not_a_cue_for_a_user_name() {
    assert_eq!(masked(Entity::USERNAME, "can you handle chargebacks"), "can you handle chargebacks");
    assert_eq!(masked(Entity::USERNAME, "my handle is jsmith99"), "my handle is ********");
}

#[test]
fn a_password_of_a_word_and_a_number_is_found() {
    for (text, hidden) in [
        ("my password is blue 42", "my password is ********"),
        ("password tigger 123", "password ********"),
        ("password: o'neil99", "password: ********"),
        ("my password is sunshine", "my password is ********"),
        ("the password I use is Hunter2$", "the password I use is ********"),
        ("the password for my account is hunter2", "the password for my account is ********"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_common_word_and_a_number_right_after_a_cue_are_not_a_code() {
    for text in ["my policy has 16 digits", "my policy limit 5000", "the claim line 2"] {
        assert_eq!(masked(Entity::POLICY_NUMBER, text), text);
    }
    for (text, hidden) in [
        ("the claim number is log 803", "the claim number is *** ***"),
        ("claim number box 542", "claim number *** ***"),
        ("claim kxr 803", "claim *** ***"),
    ] {
        assert_eq!(masked(Entity::POLICY_NUMBER, text), hidden);
    }
}

#[test]
fn a_count_is_not_an_answer_to_a_security_question() {
    for text in ["security question 3 times", "maiden name 10 minutes ago", "maiden name can't be read"] {
        assert_eq!(masked(Entity::SECURITY_ANSWER, text), text);
    }
}

#[test]
fn a_reply_that_is_not_an_answer_is_left() {
    let redactor = Redactor::new(EntitySet::all());
    for question in ["What is your password?", "What's your name?", "Can I have your account number?"] {
        let asked = [Utterance { text: question, speaker: Speaker::Other }];
        for reply in ["give me a sec", "dunno", "haven't received it", "bear with me", "lol", "since 2019"] {
            assert_eq!(redactor.redact(reply, &asked).text, reply);
        }
    }
}

#[test]
fn an_everyday_word_of_another_language_beside_a_password_is_left() {
    for text in [
        "esqueci minha senha e agora estou sem acesso",
        "tentei trocar a senha e ficou carregando",
        "cambié la contraseña anteayer y sigue sin dejarme pasar jeje",
        "no llega el enlace para la contraseña, ¿podrían reenviarlo?",
        "je voudrais récupérer mon mot de passe svp, mdr j'ai tout essayé",
        "kunde seit 1998 und jetzt soll ich plötzlich ein passwort brauchen",
        "ho dimenticato la password e stasera devo finire una pratica",
        "do i really need a password of fifteen+ characters for a library",
        "i changed my password and tried it with caps lock on",
        "my password was reset yday",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn an_everyday_reply_to_a_question_for_a_password_is_left() {
    for (question, reply) in [
        ("Was ist Ihr Passwort?", "ach herrje, das weiß nur meine frau"),
        ("Was ist Ihr Passwort?", "steht auf dem zettel zuhause"),
        ("¿Cuál es su contraseña?", "madre mía, a saber"),
        ("¿Cuál es su contraseña?", "jajaja ni idea"),
        ("Quel est votre mot de passe ?", "attendez je cherche mes lunettes"),
        ("Qual è la sua password?", "mai avuta, sono cliente dal 2008"),
        ("Qual è la sua password?", "la solita"),
        ("Qual a sua senha?", "nunca tive, sou cliente desde 2010"),
        ("What's your password?", "crikey you're asking now"),
        ("What's your password?", "that was yonks ago mate"),
    ] {
        let context = [Utterance { text: question, speaker: Speaker::Other }];
        assert_eq!(Redactor::new(EntitySet::defaults()).redact(reply, &context).text, reply);
    }
}
