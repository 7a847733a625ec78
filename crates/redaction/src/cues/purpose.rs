//! Codes named by their purpose or place, in a message with one number that can be a code: what a lock, a gate or a SIM
//! card is given, what is hidden under the foil of a card, what is read once a card is turned over.

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::grammar_heads::{CODE_VERBS, HIDDEN_PLACES, PURPOSES, SIGNED, TURNS};
use super::keypad;
use super::other_meaning::is_place_number;
use super::sole_code::sole_code;
use super::word_set::WordSet;
use super::words::{cue, is};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

static PURPOSE_SET: WordSet = WordSet::of(&[&PURPOSES]);
static HIDDEN_SET: WordSet = WordSet::of(&[&HIDDEN_PLACES]);
/// Words before the place of a signature.
const BESIDE: [&str; 9] = ["where", "beside", "donde", "wo", "ou", "onde", "dove", "ho", "next"];

static SIGNED_SET: WordSet = WordSet::of(&[&SIGNED]);
static TURN_SET: WordSet = WordSet::of(&[&TURNS]);
static VERB_SET: WordSet = WordSet::of(&CODE_VERBS);

/// Words of the devices of `keypad.rs` that take no code by themselves.
const NO_LOCKS: [&str; 5] = ["key", "charging", "hash", "swallow", "swallowed"];
/// Words before a place that hides a code.
const UNDER: [&str; 12] = [
    "under",
    "underneath",
    "beneath",
    "behind",
    "below",
    "scratched",
    "debajo",
    "bajo",
    "sous",
    "unter",
    "sob",
    "sotto",
];
/// What is turned over.
const TURNED: [&str; 14] = [
    "it", "over", "round", "them", "card", "tarjeta", "carte", "karte", "cartao", "carta", "um", "vuelta", "side", "la",
];
/// Nouns and verbs directly before a code, beside those of [`CODE_VERBS`].
const CODE_WORDS: [&str; 47] = [
    "code",
    "codes",
    "combination",
    "combo",
    "do",
    "did",
    "dial",
    "dialled",
    "dialed",
    "key",
    "use",
    "used",
    "using",
    "codigo",
    "codice",
    "clave",
    "kombination",
    "combinacion",
    "combinaison",
    "combinazione",
    "segredo",
    "marcamos",
    "uso",
    "usa",
    "usamos",
    "usei",
    "utilise",
    "benutze",
    "nutze",
    "taper",
    "composer",
    "saisir",
    "entrer",
    "eingeben",
    "tippen",
    "wahlen",
    "drucken",
    "marcar",
    "teclear",
    "poner",
    "introducir",
    "digitar",
    "inserir",
    "digitare",
    "inserire",
    "premere",
    "comporre",
];
/// Verbs of change, whose "to" introduces a code.
const CHANGES: [&str; 22] = [
    "change",
    "changed",
    "changing",
    "set",
    "reset",
    "made",
    "switched",
    "cambie",
    "cambio",
    "cambiado",
    "puse",
    "change",
    "mis",
    "modifie",
    "geandert",
    "gestellt",
    "gesetzt",
    "mudei",
    "troquei",
    "cambiato",
    "impostato",
    "messo",
];
const TO: [&str; 7] = ["to", "a", "al", "auf", "para", "pra", "en"];
/// Words of what a device does with a code: it demands one.
const DEMANDS: [&str; 26] = [
    "asks",
    "asking",
    "asked",
    "wants",
    "wanted",
    "needs",
    "demands",
    "into",
    "pide",
    "pedia",
    "demande",
    "verlangt",
    "fragt",
    "will",
    "pede",
    "pedindo",
    "chiede",
    "vuole",
    "open",
    "opens",
    "abrir",
    "ouvrir",
    "aprire",
    "offnen",
    "unlock",
    "entsperren",
];
/// Maximum tokens between a code and the word that introduces it.
const MAX_BEFORE: usize = 4;
/// Maximum tokens between a verb of change and its "to".
const MAX_CHANGE: usize = 12;
/// Digits of a PIN.
const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

/// The cue of a purpose or place of a code at a token.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let token = tokens.at(at);
    let near =
        |range: std::ops::Range<usize>, words: &[&str]| range.into_iter().any(|at| is(tokens, tokens.at(at), words));
    let code = || sole_code(tokens, None).map(|code| code.number);
    let is_signed =
        || SIGNED_SET.contains(token) && is(tokens, token, &SIGNED) && near(at.saturating_sub(4)..at, &BESIDE);
    let is_turned = || TURN_SET.contains(token) && near(at.saturating_sub(3)..at + 4, &TURNED);
    if is_turned() || is_signed() {
        return code().filter(|code| code.digits == 3).map(|_| cue(at, at + 1, Entity::CVV.bit(), false));
    }
    let is_hidden = HIDDEN_SET.contains(token) && near(at.saturating_sub(3)..at, &UNDER);
    let is_purpose = PURPOSE_SET.contains(token) || keypad::is_device(token) && !is(tokens, token, &NO_LOCKS);
    if !is_hidden && !is_purpose || is_place_number(tokens, at) {
        return None;
    }
    let code = code().filter(|code| PIN_DIGITS.contains(&code.digits))?;
    // "gate 4821" numbers the gate.
    let is_own_number = is_purpose && code.first.checked_sub(1) == Some(at);
    (is_hidden || !is_own_number && is_given(tokens, &code)).then(|| cue(at, at + 1, Entity::PIN.bit(), false))
}

/// Whether the words before a number introduce what somebody keys in.
fn is_given(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let first = code.first;
    let is_near = |at: &usize| tokens.at(*at).kind != TokenKind::Digits;
    let mut words = (first.saturating_sub(MAX_BEFORE)..first).rev().take_while(is_near).map(|at| tokens.at(at));
    let is_code_word = |token: Token| VERB_SET.contains(token) || is(tokens, token, &CODE_WORDS);
    let is_change = || {
        is(tokens, tokens.before(first), &TO)
            && (first.saturating_sub(MAX_CHANGE)..code.after + 2).any(|at| is(tokens, tokens.at(at), &CHANGES))
    };
    // "so i gave it 4821"
    let is_fed = || {
        let (verb, device) = (tokens.at(first.saturating_sub(2)), tokens.before(first));
        is(tokens, device, &["it", "him", "them"]) && is(tokens, verb, &["gave", "give", "told", "fed"])
    };
    // "the gate wants something, the note says 4821"
    let is_shown = || {
        let joint = tokens.before(first);
        (joint.flags & flag::COPULA != 0 || joint.is_mark(b':') || is(tokens, joint, &["says", "its"]))
            && tokens.near_before(first).any(|at| is(tokens, tokens.at(at), &DEMANDS))
    };
    let is_introduced = words.any(is_code_word) || is_change() || is_shown() || is_fed() || is_good(tokens, code);
    is_introduced && !keypad::is_stored(tokens, code.after) || keypad::is_keyed(tokens, first)
}

/// Whether words around a number ask whether it still works: "is 4821 still good for the side gate".
fn is_good(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const REACH: usize = 2;
    const STATES: [&str; 14] = [
        "good", "valid", "right", "working", "works", "correct", "sigue", "vale", "bon", "noch", "gilt", "ainda",
        "ancora", "buono",
    ];
    let asks = tokens.before(code.first).flags & flag::COPULA != 0 || is(tokens, tokens.before(code.first), &["does"]);
    asks && (code.after..code.after + REACH).any(|at| is(tokens, tokens.at(at), &STATES))
}
