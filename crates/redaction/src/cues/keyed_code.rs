//! Codes that somebody keys in or must give, in a sentence that names neither the code nor a device: "i typed 4821 and it
//! says locked", "why do you need 123 again". The verb names the code only beside a word that says how the code fared, or
//! in a question for the reason.

use super::code_number::{self, CodeNumber};
use super::cue::Cue;
use super::grammar_heads::CODE_VERBS;
use super::word_set::WordSet;
use super::words::{cue, is};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words that say how a code fared, or where it is typed.
const OUTCOMES: &[&str] = &[
    "locked",
    "locks",
    "unlock",
    "unlocks",
    "unlocked",
    "open",
    "opens",
    "opened",
    "wrong",
    "incorrect",
    "invalid",
    "error",
    "tries",
    "attempt",
    "attempts",
    "blocked",
    "swallowed",
    "declined",
    "denied",
    "refused",
    "refuses",
    "rejected",
    "rejects",
    "accepted",
    "accept",
    "accepts",
    "works",
    "worked",
    "dots",
    "box",
    "field",
    "beeped",
    "beeps",
    "beep",
    "twice",
    "thrice",
    "grey",
    "gray",
    "matches",
    "match",
    "mismatch",
    "retry",
    "sulking",
    "fails",
    "failed",
    "failing",
    "bloqueado",
    "bloqueada",
    "bloquea",
    "incorrecto",
    "incorrecta",
    "invalido",
    "invalida",
    "intentos",
    "abre",
    "funciona",
    "bloque",
    "bloquee",
    "errone",
    "erronee",
    "faux",
    "essais",
    "essai",
    "marche",
    "fonctionne",
    "ouvre",
    "gesperrt",
    "falsch",
    "ungultig",
    "versuche",
    "versuch",
    "funktioniert",
    "fehler",
    "bloqueou",
    "errado",
    "errada",
    "tentativas",
    "erro",
    "vezes",
    "veces",
    "fois",
    "bloccato",
    "bloccata",
    "errato",
    "errata",
    "sbagliato",
    "sbagliata",
    "tentativi",
    "errore",
    "volte",
    "funziona",
    "mal",
    "apre",
    "prova",
    "steckt",
];
/// Words of a question for the reason.
const REASONS: [&str; 9] = ["why", "pourquoi", "warum", "wieso", "perche", "porque", "wozu", "how", "por"];
/// Verbs of such a question.
const DEMANDS: [&str; 5] = ["need", "needs", "want", "wants", "asks"];
/// Words for the code of a card.
const CARD_CODES: [&str; 7] = ["cvv", "cvc", "cvn", "csc", "cid", "security", "cryptogramme"];
/// Tokens on either side of a code in which such a word is.
const REACH: usize = 16;

static VERB_SET: WordSet = WordSet::of(&CODE_VERBS);

/// The cue of a verb whose object is a code. It ends where the code begins.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    if !VERB_SET.contains(tokens.at(at)) {
        return None;
    }
    let is_name = at > 0
        && tokens.str(tokens.at(at)).starts_with(|c: char| c.is_ascii_uppercase())
        && !is_in_capitals(tokens, at);
    if is_name {
        return None;
    }
    let code = code_number::after(tokens, at + 1)?;
    let is_demand = is(tokens, tokens.at(at), &DEMANDS);
    let with_opens =
        !is(tokens, tokens.at(at), &["with"]) || is(tokens, tokens.before(at), &["opened", "opens", "open"]);
    let says_outcome = || {
        let near = (at.saturating_sub(REACH)..at).chain(code.after..code.after + REACH);
        near.into_iter().any(|near| is(tokens, tokens.at(near), OUTCOMES))
    };
    // "it won't take 4821"
    let is_refused = || (1..=2).any(|n| at >= n && is(tokens, tokens.at(at - n), &["t", "not", "wont", "doesnt"]));
    let asks_reason = || tokens.near_before(at).any(|near| is(tokens, tokens.at(near), &REASONS));
    let is_code = with_opens
        && stands_alone(tokens, &code)
        && if is_demand { asks_reason() } else { says_outcome() || is_refused() };
    let is_of_card = || tokens.near(at).any(|near| is(tokens, tokens.at(near), &CARD_CODES));
    is_code.then(|| {
        let entity = match () {
            () if is_of_card() => Entity::CVV,
            () if is_demand => code.entity_of_agent(),
            () => code.entity(),
        };
        cue(at, code.first, entity.bit(), false)
    })
}

/// Whether a message is written in capitals around a token.
fn is_in_capitals(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_small = |near: usize| tokens.str(tokens.at(near)).bytes().any(|byte| byte.is_ascii_lowercase());
    !tokens.near(at).any(is_small)
}

/// Whether no noun follows a number that counts it: the number is an object by itself.
pub(super) fn stands_alone(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const GRAMMAR: u32 = flag::STOPWORD | flag::CONNECTOR | flag::COPULA | flag::AND | flag::FILLER;
    const FOLLOWERS: [&str; 64] = [
        "again",
        "every",
        "each",
        "twice",
        "first",
        "where",
        "when",
        "as",
        "but",
        "because",
        "cos",
        "at",
        "just",
        "three",
        "four",
        "with",
        "still",
        "like",
        "by",
        "before",
        "hash",
        "ok",
        "enter",
        "pound",
        "tres",
        "trois",
        "drei",
        "tre",
        "y",
        "et",
        "und",
        "ma",
        "mais",
        "pero",
        "aber",
        "ya",
        "on",
        "if",
        "did",
        "do",
        "dont",
        "how",
        "to",
        "or",
        "try",
        "yesterday",
        "today",
        "last",
        "already",
        "always",
        "since",
        "although",
        "so",
        "anyway",
        "sulla",
        "sul",
        "am",
        "an",
        "auf",
        "en",
        "sur",
        "dans",
        "na",
        "al",
    ];
    let next = tokens.at(code.after);
    next.kind != TokenKind::Word
        || next.gap > Gap::Space
        || next.gap != Gap::None
            && next.flags & (flag::UNIT | flag::SCALE | flag::HUGE | flag::MONTH) == 0
            && (next.flags & GRAMMAR != 0 || is(tokens, next, &FOLLOWERS))
}
