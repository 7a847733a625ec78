//! Secrets that stand apart from what names them, their borders, and words beside a secret that are none.

use super::masked_by_default;
use crate::{EntitySet, Redactor, Speaker, Utterance};

/// The masked reply to a question.
pub(super) fn answer(question: &str, reply: &str) -> String {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

/// Fails unless each text is masked as it stands beside it.
pub(super) fn assert_hidden(cases: &[(&str, &str)]) {
    for (text, hidden) in cases {
        assert_eq!(masked_by_default(text), *hidden);
    }
}

/// Fails if anything of a text is masked.
pub(super) fn assert_untouched(texts: &[&str]) {
    for text in texts {
        assert_eq!(masked_by_default(text), *text);
    }
}

#[test]
fn an_adjective_or_a_mistyped_refusal_is_no_secret() {
    assert_untouched(&[
        "a senha da conta é individual e sigilosa",
        "la contraseña es personal e intransferible",
        "le mot de passe est personnel et confidentiel",
        "das Passwort ist persönlich und vertraulich",
        "she put a password on the tablet and thinks its hilarious",
        "o caixa deu senha invállida",
        "il dit mot de passe incorect",
        "die Kasse sagt passwort flasch",
    ]);
}

#[test]
fn a_verb_with_an_object_is_no_secret() {
    assert_untouched(&[
        "clique em Perdi a senha e siga os passos",
        "is it fine to use the password to send photos",
        "may i use that password to upload pictures",
    ]);
}

#[test]
fn the_network_that_a_password_opens_is_no_secret() {
    assert_untouched(&[
        "elija la red Hostal_Invitados y escriba la contraseña de su tarjeta",
        "select the network Cafe_Guest and enter the password",
        "connect to Lobby_5G and type the password from your key card",
    ]);
}

#[test]
fn a_field_of_a_form_is_not_what_a_value_is_said_of() {
    assert_eq!(
        masked_by_default("i put my password in the username field at work, it was Penguin42, is that bad"),
        "i put my password in the username field at work, it was ********, is that bad"
    );
}

#[test]
fn a_secret_is_found_at_the_place_where_it_is_written() {
    assert_hidden(&[
        ("i already put it in the form, Walnut123. is that bad", "i already put it in the form, ********. is that bad"),
        (
            "he wrote on the card capital b r u n s hash seven nine and it says no such user",
            "he wrote on the card ******** and it says no such user",
        ),
        (
            "mi hija escribió en un papel mayúscula p e r r o siete nueve y no entra",
            "mi hija escribió en un papel ******** y no entra",
        ),
    ]);
    assert_untouched(&["i put it in the form, CB24QT, is that ok", "she wrote on the card see you at nine"]);
}

#[test]
fn a_spelled_secret_is_masked_from_its_first_to_its_last_word() {
    for (reply, hidden) in [
        ("is that delta s l tango nine u m a c", "is that ********"),
        ("it's one i whiskey eight hotel pound six at h x f v", "it's ********"),
        ("uppercase yellow", "********"),
    ] {
        assert_eq!(answer("what's your password please", reply), hidden);
    }
    assert_hidden(&[
        ("je vous épelle mon mot de passe p quatre p un l l zéro n sept", "je vous épelle mon mot de passe ********"),
        ("minha senha nova vai ser r n p por cento p h y oito", "minha senha nova vai ser ********"),
        ("ich buchstabiere ihnen das a p f e l einundzwanzig", "ich buchstabiere ihnen das ********"),
        ("la mia password è l u n quattrocentoottantasette", "la mia password è ********"),
    ]);
}

#[test]
fn what_a_system_demands_gives_a_secret_away() {
    assert_hidden(&[
        ("I wanted Coffee1999\nit says too weak", "I wanted ********\nit says too weak"),
        ("i had Walnut77 and the site locked me out", "i had ******** and the site locked me out"),
        (
            "i used my email and Plum7788 and it says no such user",
            "i used my email and ******** and it says no such user",
        ),
    ]);
    assert_untouched(&["I wanted the Kindle2022 but it says out of stock", "i had Lego2024 and loved it"]);
}

#[test]
fn a_secret_that_another_one_replaced_is_found() {
    assert_hidden(&[
        (
            "the old one was bishop forty two and he changed it to walnut forty three and it won't take either",
            "the old one was ******** and he changed it to ******** and it won't take either",
        ),
        ("antes entraba con luna cuatro cuatro dos y me la cambiaron", "antes entraba con ******** y me la cambiaron"),
        (
            "I changed it from Needle8853 to Silver9853 and neither gets me into the patient portal",
            "I changed it from ******** to ******** and neither gets me into the patient portal",
        ),
    ]);
    assert_untouched(&[
        "the old one was sixty five euros and the new one is seventy",
        "the old one was a size twelve and she made it a fourteen",
        "i came in with two bags and left with one",
    ]);
}

#[test]
fn a_passphrase_that_is_announced_or_commented_on_is_found() {
    assert_hidden(&[
        (
            "i was told to say my phone password so you know it's me. walnut bishop ladder",
            "i was told to say my phone password so you know it's me. ********",
        ),
        (
            "we had to make up a phrase so it's tulip hammer cloud spoon all in small letters",
            "we had to make up a phrase so it's ******** all in small letters",
        ),
    ]);
    assert_eq!(answer("mi dice la frase di sicurezza", "quella lì vespa mare gelato gatto"), "quella lì ********");
    assert_untouched(&[
        "my telephone password needs changing. great service thanks",
        "it's chicken curry and rice all small portions",
    ]);
}

#[test]
fn a_security_phrase_is_asked_for_in_every_language() {
    for question in [
        "¿me dice la frase de seguridad?",
        "donnez-moi la phrase de passe",
        "wie lautet das codewort",
        "qual a frase de segurança",
        "welcher merksatz ist hinterlegt",
    ] {
        assert_eq!(answer(question, "velvet anchor thimble"), "********", "{question}");
    }
}

#[test]
fn a_secret_is_found_by_how_it_fared_in_every_language() {
    assert_hidden(&[
        ("el sistema no me acepta Gaviota77 dice que es débil", "el sistema no me acepta ******** dice que es débil"),
        ("er nimmt Kirsche88 nicht weil etwas fehlt", "er nimmt ******** nicht weil etwas fehlt"),
        ("hab ich Birne2020 eingegeben und nichts", "hab ich ******** eingegeben und nichts"),
        ("ich komme mit Amsel77 nicht mehr rein", "ich komme mit ******** nicht mehr rein"),
        ("con Perro2015 entraba siempre y ahora no", "con ******** entraba siempre y ahora no"),
        ("my username is fine but Puffin303 is rejected", "my username is fine but ******** is rejected"),
        (
            "it was daffodil nineteen eighty before they made me change it",
            "it was ******** before they made me change it",
        ),
    ]);
    assert_untouched(&["er nimmt meine Karte nicht", "con mi usuario entraba siempre y ahora no"]);
}

#[test]
fn an_answer_needs_no_subject_and_may_hesitate() {
    for (question, reply, hidden) in [
        ("¿me dice la frase de seguridad?", "sí, es caballo verde montaña", "sí, es ********"),
        ("quelle est votre phrase secrète", "c'était euh étoile plage été je crois", "c'était euh ******** je crois"),
        ("what's the current password", "the the igloo two seven three five", "the the ********"),
    ] {
        assert_eq!(answer(question, reply), hidden);
    }
}
