//! Answers to a question for a secret that give none: excuses, counter-questions, stories, in six languages.

use crate::{EntitySet, Redactor, Speaker, Utterance};

fn answer(question: &str, reply: &str) -> String {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

#[test]
fn an_answer_without_a_secret_keeps_its_words() {
    for (question, replies) in [
        (
            "qual é a senha do seu acesso?",
            &[
                "peraí que tocaram a campainha",
                "digitei tanta besteira que travou",
                "nunca ouvi falar disso",
                "olha moça que vergonha",
                "isso foi em dois mil e nove quando abrimos a conta",
                "depende de qual das duas",
                "deixa eu procurar na bolsa",
            ][..],
        ),
        (
            "¿cuál es su contraseña?",
            &[
                "ojalá la supiera",
                "prefiero no decirla por teléfono",
                "escribí tantas cosas que ya ni sé",
                "es la tercera vez que me lo preguntan hoy",
                "me salen puros asteriscos",
            ],
        ),
        (
            "che password ha inserito?",
            &[
                "magari la sapessi",
                "mi dice \"già usata\", e poi più niente",
                "sono qui dalle nove di stamattina",
                "beato lei che ha memoria",
                "mai sentita nominare",
                "scusi bolliva l'acqua della pasta",
            ],
        ),
        (
            "quel est votre mot de passe ?",
            &["jamais entendu parler", "ça change tout seul", "c'est la troisième fois qu'on me le demande"],
        ),
        (
            "wie lautet das passwort?",
            &[
                "augenblick es klingelt an der tür",
                "ernsthaft ihre kollegin hatte es vor fünf minuten",
                "das war zweitausendneun als wir das eröffnet haben",
                "wir sind umgezogen alles steckt in kartons",
                "ich hab um halb vier einen termin",
                "mein sohn kommt erst um vier uhr zehn",
            ],
        ),
    ] {
        for reply in replies {
            assert_eq!(answer(question, reply), *reply, "{question}");
        }
    }
}

#[test]
fn an_answer_with_a_secret_hides_it() {
    for (question, reply, hidden) in [
        ("qual é a senha?", "é jabuticaba", "é ********"),
        ("qual é a senha?", "tá anotado aqui bruna dois mil e quatro", "tá anotado aqui ********"),
        ("¿cuál es su contraseña?", "pues murciélago creo", "pues ******** creo"),
        ("che password ha inserito?", "pipistrello, come il mio gatto", "********, come il mio gatto"),
        ("quel est votre mot de passe ?", "alors pamplemousse", "alors ********"),
        ("wie lautet das passwort?", "eichhörnchen glaub ich", "******** glaub ich"),
    ] {
        assert_eq!(answer(question, reply), hidden);
    }
}

#[test]
fn an_amount_or_a_year_is_no_code() {
    for (question, reply) in [
        ("what's the three digit code on the back?", "$62? the site said something else"),
        ("what's the three digit code on the back?", "£62? the site said something else"),
        ("which pin did you choose?", "€45? that isn't what i agreed to"),
        ("which pin did you choose?", "we opened it in two thousand and eight my dear"),
        ("qual é o cvv?", "sou de mil novecentos e cinquenta e oito meu filho"),
        ("¿y los tres números de atrás?", "nací en mil novecientos cuarenta y dos"),
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_ne!(answer("which pin did you choose?", "two thousand and eight"), "two thousand and eight");
    assert_eq!(answer("what's the three digit code on the back?", "62"), "**");
}
