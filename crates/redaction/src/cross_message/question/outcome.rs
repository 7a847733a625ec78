//! Questions for what a system does when a secret is entered: "what happens when you type it in".

use crate::detect::is_one_of;
use crate::tokenize::Tokens;

/// Words with which such a question begins.
const WHAT: [&str; 6] = ["what", "qué", "que", "was", "cosa", "whats"];
/// Verbs of events.
const HAPPENS: [&str; 18] = [
    "happens",
    "happened",
    "happening",
    "passiert",
    "geschieht",
    "pasa",
    "sucede",
    "ocurre",
    "passe",
    "succede",
    "accade",
    "capita",
    "acontece",
    "aconteceu",
    "pasó",
    "occurs",
    "ocurrió",
    "successo",
];
/// Verbs of what a screen shows or a person sees.
const SHOWS: [&str; 8] = ["see", "get", "say", "show", "says", "shows", "siehst", "sehen"];
/// Words that begin the condition of such a question.
const WHEN: [&str; 5] = ["when", "after", "once", "if", "wenn"];
/// Words that a reader of a question looks at after "what".
const REACH: usize = 6;

/// Whether a message asks what happens, or what is seen when something is done.
pub(super) fn asks_for_outcome(tokens: &Tokens<'_>) -> bool {
    let is_in = |at: usize, words: &[&str]| is_one_of(tokens, tokens.at(at), words);
    (0..tokens.len()).filter(|at| is_in(*at, &WHAT)).any(|what| {
        let verb = (what + 1..what + REACH).find(|at| is_in(*at, &SHOWS));
        // "que se passe-t-il", "what is happening"
        (what + 1..what + 4).any(|at| is_in(at, &HAPPENS))
            || verb.is_some_and(|verb| (verb + 1..verb + 4).any(|at| is_in(at, &WHEN)))
    })
}
