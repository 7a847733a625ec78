//! Messages that read a code back to its owner and hold nothing else: "i heard 4821 is that right", "did you say 123?".

use super::code_number::{self, CodeNumber};
use super::cue::Cue;
use super::words::{cue, is, is_in};
use crate::detect::WordList;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// Words of the sentence before the number.
const FRAME: [&str; 32] = [
    "so", "i", "we", "you", "did", "say", "said", "have", "heard", "got", "was", "is", "it", "that", "thats", "the",
    "sorry", "right", "just", "to", "confirm", "repeat", "be", "let", "me", "then", "s", "ve", "still", "read", "back",
    "it's",
];
/// Words of the sentence after the number.
const TAIL: [&str; 24] = [
    "is",
    "that",
    "correct",
    "right",
    "yes",
    "yeah",
    "sir",
    "madam",
    "maam",
    "ma",
    "am",
    "it",
    "then",
    "please",
    "did",
    "i",
    "hear",
    "get",
    "thank",
    "you",
    "thanks",
    "my",
    "apologies",
    "what",
];
/// Words that show that the sentence repeats what the other side said.
const REPEATS: [&str; 8] = ["heard", "say", "said", "confirm", "repeat", "sorry", "correct", "right"];
/// Tokens of the longest such message.
const MAX_TOKENS: usize = 22;

/// Words before a number that is accepted: "thank you, 983 is accepted".
const THANKS: [&str; 24] = [
    "thank", "thanks", "you", "ok", "okay", "great", "perfect", "lovely", "sorry", "the", "so", "yes", "and",
    "gracias", "merci", "danke", "obrigado", "obrigada", "grazie", "perfecto", "parfait", "perfekt", "perfeito",
    "perfetto",
];
/// What becomes of a code.
const RESULTS: [&str; 20] = [
    "accepted",
    "verified",
    "validated",
    "rejected",
    "invalid",
    "incorrect",
    "correct",
    "approved",
    "through",
    "aceptado",
    "aceptada",
    "accepte",
    "valide",
    "akzeptiert",
    "angenommen",
    "aceito",
    "aceite",
    "accettato",
    "valido",
    "correcto",
];

/// The cue before the number of a message that says what became of it, and nothing before.
pub(super) fn result_cue(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    const MAX_BEFORE: usize = 5;
    const MAX_VERB: usize = 3;
    let number = code.first;
    let before = number.checked_sub(1).filter(|_| number <= MAX_BEFORE)?;
    let is_thanks = |at: usize| tokens.at(at).kind == TokenKind::Mark || is(tokens, tokens.at(at), &THANKS);
    let is_verb = tokens.at(code.after).flags & flag::COPULA != 0
        || is(tokens, tokens.at(code.after), &["has", "went", "ha", "a", "wurde", "foi", "est", "fue"]);
    // "911 went through to the police"
    let is_result = |at: usize| is(tokens, tokens.at(at), &RESULTS) && !is(tokens, tokens.at(at + 1), &["to"]);
    let has_result = (code.after + 1..=code.after + MAX_VERB).any(is_result);
    (is_verb && has_result && (0..number).all(is_thanks))
        .then(|| cue(before, number, code.entity_of_agent().bit(), false))
}

/// Words directly before a number that is read back.
static READ_BACK_HEADS: WordList =
    WordList::new(&["heard", "say", "said", "was", "have", "got", "thats", "is", "s", "that"]);

/// The cue before a number that a message reads back.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    if tokens.len() > MAX_TOKENS || !is_in(tokens, tokens.at(at), &READ_BACK_HEADS) {
        return None;
    }
    let code = code_number::after(tokens, at + 1)?;
    let fits = |token: Token, words: &[&str]| {
        token.kind == TokenKind::Mark || token.flags & flag::FILLER != 0 || is(tokens, token, words)
    };
    let is_frame = (0..at).all(|near| fits(tokens.at(near), &FRAME));
    let is_tail = (code.after..tokens.len()).all(|near| fits(tokens.at(near), &TAIL));
    let is_question = tokens.before(tokens.len()).is_mark(b'?');
    let mut words = (0..=at).chain(code.after..tokens.len());
    let mut repeats = || words.any(|near| is(tokens, tokens.at(near), &REPEATS));
    (is_frame && is_tail && (is_question || repeats()))
        .then(|| cue(at, code.first, code.entity_of_agent().bit(), false))
}
