//! Messages that make a password likely without asking for one: the other side warns not to send it, announces that it
//! will dictate something, or speaks of a temporary way in.

use crate::detect::is_one_of;
use crate::tokenize::Tokens;

/// A check whether one of some words is at a token.
fn is_in<'a>(tokens: &'a Tokens<'a>) -> impl Fn(usize, &[&str]) -> bool {
    |at, words| is_one_of(tokens, tokens.at(at), words)
}

const NEGATIONS: [&str; 9] = ["not", "dont", "t", "never", "no", "ne", "nicht", "não", "nao"];
const SENDING: [&str; 20] = [
    "share",
    "post",
    "send",
    "type",
    "paste",
    "put",
    "write",
    "comparta",
    "envíe",
    "escriba",
    "partagez",
    "envoyez",
    "écrivez",
    "schicken",
    "teilen",
    "schreiben",
    "compartilhe",
    "envie",
    "condivida",
    "scriva",
];
const PLACES: [&str; 16] = [
    "here",
    "chat",
    "email",
    "mail",
    "aquí",
    "aqui",
    "ici",
    "hier",
    "qui",
    "public",
    "message",
    "group",
    "correo",
    "messaggio",
    "tchat",
    "window",
];
/// Words between the negation, the verb and the place of a warning.
const REACH: usize = 5;

/// "please don't post it here", "bitte nicht hier schreiben".
fn warns_of_sending(tokens: &Tokens<'_>) -> bool {
    let is = is_in(tokens);
    (0..tokens.len()).filter(|at| is(*at, &SENDING)).any(|verb| {
        let near = verb.saturating_sub(REACH)..verb + REACH;
        near.clone().any(|at| is(at, &NEGATIONS)) && near.into_iter().any(|at| is(at, &PLACES))
    })
}

const TEMPORARY: [&str; 20] = [
    "temporary",
    "temp",
    "starter",
    "provisional",
    "initial",
    "replacement",
    "temporal",
    "provisorio",
    "provisoria",
    "provisoire",
    "temporaire",
    "vorläufigen",
    "vorläufiger",
    "temporären",
    "provisório",
    "provisória",
    "temporário",
    "provvisorio",
    "provvisoria",
    "temporaneo",
];
const WAYS_IN: [&str; 15] = [
    "access",
    "login",
    "logon",
    "signin",
    "one",
    "credentials",
    "acceso",
    "accès",
    "acces",
    "identifiants",
    "zugang",
    "zugangsdaten",
    "acesso",
    "accesso",
    "credenziali",
];

/// "un accès provisoire", "a starter login".
fn speaks_of_temporary_access(tokens: &Tokens<'_>) -> bool {
    let is = is_in(tokens);
    (0..tokens.len()).any(|at| {
        is(at, &TEMPORARY) && (is(at + 1, &WAYS_IN) || is(at.wrapping_sub(1), &WAYS_IN))
            || is(at, &["new", "fresh"])
                && is(at + 1, &["one"])
                && (at.saturating_sub(3)..at).any(|at| is(at, &["made", "set", "chose", "picked", "created"]))
    })
}

const PENS: [&str; 12] =
    ["pen", "pencil", "bolígrafo", "boli", "stylo", "stift", "caneta", "penna", "scriva", "notez", "apunte", "anote"];

/// "have you got a pen", "write this down", "la scriva per favore".
fn announces_dictation(tokens: &Tokens<'_>) -> bool {
    const WRITING: [&str; 4] = ["write", "take", "jot", "note"];
    let is = is_in(tokens);
    (0..tokens.len())
        .any(|at| is(at, &PENS) || is(at, &["down"]) && (at.saturating_sub(3)..at).any(|at| is(at, &WRITING)))
}

/// "i can test it from here", "i'll try it on my side".
fn offers_to_test(tokens: &Tokens<'_>) -> bool {
    let is = is_in(tokens);
    (0..tokens.len()).any(|at| {
        is(at, &["test", "try"])
            && is(at + 1, &["it", "that"])
            && is(at + 2, &["from", "on", "at"])
            && is(at + 3, &["here", "my", "our"])
    })
}

/// "womit melden Sie sich an".
fn asks_what_signs_in(tokens: &Tokens<'_>) -> bool {
    let is = is_in(tokens);
    (0..tokens.len()).any(|at| {
        is(at, &["womit"]) && (at + 1..at + 4).any(|at| is(at, &["melden", "meldet", "loggen", "loggt", "anmelden"]))
    })
}

/// "what did you have before the upgrade"
fn asks_what_was_before(tokens: &Tokens<'_>) -> bool {
    let is = is_in(tokens);
    (0..tokens.len()).any(|at| {
        is(at, &["what"])
            && is(at + 1, &["did", "were", "was"])
            && (at + 2..at + 6)
                .any(|at| is(at, &["have", "use", "using", "had", "typing", "it"]) && is(at + 1, &["before"]))
    })
}

/// Whether a message makes a password likely, so that a value with the shape of one is it.
pub(super) fn hints_at_secret(tokens: &Tokens<'_>) -> bool {
    warns_of_sending(tokens)
        || speaks_of_temporary_access(tokens)
        || announces_dictation(tokens)
        || offers_to_test(tokens)
        || asks_what_signs_in(tokens)
        || asks_what_was_before(tokens)
}

/// "try a fresh one, at least one number in it", "it needs eight characters and a capital".
pub(super) fn demands_characters(tokens: &Tokens<'_>) -> bool {
    const COUNTED: [&str; 18] = [
        "number",
        "numbers",
        "digit",
        "digits",
        "letter",
        "letters",
        "character",
        "characters",
        "symbol",
        "symbols",
        "capital",
        "capitals",
        "uppercase",
        "lowercase",
        "special",
        "mark",
        "marks",
        "numeral",
    ];
    const CHOOSING: [&str; 11] =
        ["try", "choose", "pick", "set", "use", "make", "enter", "type", "create", "fresh", "new"];
    const REACH: usize = 3;
    let is = is_in(tokens);
    let is_chosen = (0..tokens.len()).any(|at| is(at, &CHOOSING));
    is_chosen
        && (0..tokens.len()).any(|at| {
            is(at, &["least"]) && is(at.wrapping_sub(1), &["at"]) && (at + 2..at + 2 + REACH).any(|at| is(at, &COUNTED))
        })
}

/// "whats the wifi", "what is the wifi here": a network has nothing else that people ask for.
pub(super) fn asks_for_wifi(tokens: &Tokens<'_>) -> bool {
    const WIFI: [&str; 3] = ["wifi", "fi", "wlan"];
    const WHAT: [&str; 8] = ["what", "whats", "wie", "quel", "quelle", "cuál", "qual", "was"];
    const AFTER: [&str; 12] =
        ["here", "please", "pls", "in", "at", "for", "aquí", "ici", "hier", "qui", "aqui", "again"];
    const REACH: usize = 4;
    let is = is_in(tokens);
    (0..tokens.len()).any(|at| {
        is(at, &WIFI)
            && (at.saturating_sub(REACH)..at).any(|at| is(at, &WHAT))
            && (!tokens.at(at + 1).is_alphanumeric() || is(at + 1, &AFTER))
    })
}

#[cfg(test)]
mod tests {
    use super::{PENS, SENDING, TEMPORARY};
    use crate::cross_message::question::secret_words::{class, classes_at};
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn the_table_makes_a_message_with_each_of_these_words_worth_reading() {
        for word in [&SENDING[..], &TEMPORARY, &PENS].concat() {
            let mut buffer = TokenBuffer::new();
            let tokenized = TokenizedText::new(word, &mut buffer);
            assert_ne!(classes_at(&tokenized.tokens(), 0) & class::LIKELY, 0, "{word}");
        }
    }
}
