//! Links of sentences in which somebody enters or says a secret without a verb of entering directly before it: "i did X
//! and it opened", "write down X", "it won't open without X", "say the word X".

use super::made_up_link::{is_made_up, unnamed_link};
use super::naming::{Link, Naming, ends_clause};
use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use super::word_class::is_mistyped;
use super::word_list::class;
use crate::detect::WordList;
use crate::entity::Entity;
use crate::tokenize::near::near;

const SPELLING: [&str; 13] = [
    "spell",
    "spelled",
    "spelt",
    "spelling",
    "buchstabier",
    "buchstabiere",
    "deletreo",
    "épelle",
    "epelle",
    "soletro",
    "soletrando",
    "sillabo",
    "compito",
];
const WRITING: [&str; 5] = ["write", "wrote", "written", "put", "note"];
const WITHOUT: [&str; 7] = ["without", "unless", "sin", "sans", "ohne", "sem", "senza"];
const OPENING: [&str; 15] = [
    "open", "opens", "opened", "unlock", "unlocks", "extract", "unzip", "abre", "abrir", "ouvre", "ouvrir", "offnen",
    "öffnen", "apre", "aprire",
];
/// Pieces before "without" in which a verb of opening is.
const REACH: usize = 6;
/// Nouns for a secret that is a word.
const WORD_NOUNS: [&str; 7] = ["word", "phrase", "palabra", "mot", "wort", "palavra", "parola"];

/// The link by the word at a piece, directly before a value; `None` if it makes none of these.
pub(super) fn entry_link(pieces: &Pieces<'_, '_>, at: usize, word: Piece) -> Option<Naming> {
    let (value, before) = (pieces.at(at + 1), at.wrapping_sub(1));
    let is_done = pieces.is_word(at, &["did", "do"]) && pieces.is_word(before, &["i", "we", "he", "she"]);
    let is_spelled = word.is(class::PRONOUN)
        && (pieces.is_word(before, &SPELLING)
            || pieces.at(before).is(class::PRONOUN) && pieces.is_word(before.wrapping_sub(1), &SPELLING))
        && value.kind != PieceKind::Segment;
    let is_written = pieces.is_word(at, &["down"]) && pieces.is_word(before, &WRITING);
    let is_the_word = pieces.is_word(at, &WORD_NOUNS) && pieces.at(before).is(class::DETERMINER | class::ADVERB);
    // "i did bridge hyphen umbrella"
    let joins = |at: usize| pieces.at(at).kind == PieceKind::Number || pieces.at(at).is(class::SYMBOL);
    if is_done && (value.shape != Shape::Common || joins(at + 2))
        || is_spelled
        || is_written
        || is_the_word && value.shape >= Shape::Number
    {
        return Some(Naming::new(Link::Entered, None));
    }
    let is_skipped = |piece: &Piece| piece.is(class::ADVERB | class::INTERJECTION);
    let made_up = (at + 1..at + 4).map(|at| pieces.at(at)).find(|piece| !is_skipped(piece)).unwrap_or(value);
    if made_up.shape >= Shape::Mixed
        && let Some(naming) = made_up_link(pieces, at)
    {
        return Some(naming);
    }
    if (made_up.shape >= Shape::Mixed || is_made_up(pieces, at + 1))
        && let Some(naming) = unnamed_link(pieces, at)
    {
        return Some(naming);
    }
    let opens = || (at.saturating_sub(REACH)..at).any(|at| pieces.is_word(at, &OPENING));
    (pieces.is_word(at, &WITHOUT) && opens()).then_some(Naming::new(Link::PronounChange, None))
}

/// Verbs whose object in a list is what somebody types: "tried X and Y".
const TRYING: [&str; 12] = [
    "tried", "used", "typed", "entered", "try", "trying", "probe", "essaye", "probiert", "versucht", "tentei",
    "provato",
];
/// Verbs of entering in German, before their subject.
const ENTERING: [&str; 7] = ["geben", "tippen", "verwenden", "nutzen", "benutzen", "nehmen", "schreiben"];

/// The link of a value that somebody made up by the word at a piece, directly before it.
fn made_up_link(pieces: &Pieces<'_, '_>, at: usize) -> Option<Naming> {
    let before = at.wrapping_sub(1);
    // "sign in with the address you gave us and X", "tried X and Y"
    if pieces.is_word(at, &["and", "or", "then", "y", "o", "et", "ou", "und", "oder", "e"]) {
        const MAX_LIST: usize = 10;
        let is_clause = |at: &usize| !ends_clause(pieces.at(*at));
        let mut words = (at.saturating_sub(MAX_LIST)..at).rev().take_while(is_clause);
        if words.any(|at| pieces.at(at).is(class::WITH) && signs_in(pieces, at)) {
            return Some(Naming::new(Link::PronounChange, None));
        }
        let is_login = pieces.is_word(before, &["email", "e-mail", "mail", "correo", "courriel", "benutzername"])
            || pieces.at(before).cue() == Some(Entity::USERNAME);
        if is_login && (at.saturating_sub(4)..at).any(|at| pieces.at(at).is(class::ENTER)) {
            return Some(Naming::new(Link::PronounChange, None));
        }
        let follows_value = pieces.at(before).shape >= Shape::Number;
        let is_tried = follows_value && pieces.is_word(before.wrapping_sub(1), &TRYING);
        return is_tried.then_some(Naming::new(Link::Entered, None));
    }
    // "is it still X or did someone change it"
    let is_asked =
        pieces.is_word(at, &["it", "that", "es"]) && pieces.is_word(before, &["is", "was", "isnt", "ist", "war"]);
    if is_asked {
        return Some(Naming::new(Link::PronounSubject, None));
    }
    if is_refused_or_swapped(pieces, at) {
        return Some(Naming::new(Link::PronounChange, None));
    }
    if is_refused_abroad(pieces, at) {
        return Some(Naming::new(Link::PronounChange, None));
    }
    // "hab ich X eingegeben"
    let is_subject = |at: usize| pieces.is_word(at, &["ich", "wir", "man"]);
    let is_german = is_subject(at) && pieces.at(before).is(class::AUXILIARY)
        || is_subject(before) && pieces.at(at).is(class::AUXILIARY);
    if is_german && pieces.at(at + 2).is(class::ENTER) {
        return Some(Naming::new(Link::Entered, None));
    }
    // "geben Sie X ein"
    let is_told = pieces.is_word(at, &["sie"]) && pieces.is_word(before, &ENTERING);
    // "i had X for ten years and now it's weak"
    let lasted = || pieces.is_word(at + 2, &["for"]) && (at + 3..at + 6).any(|at| pieces.at(at).is(class::TIME));
    let speaks_of_secret = || near(at, pieces.len()).any(|at| pieces.at(at).is(class::SIGN_IN | class::CASE));
    let is_kept = pieces.is_word(at, &["had", "have"]) && lasted() && speaks_of_secret()
        || pieces.is_word(at, &WANTING) && speaks_of_refusal(pieces, at);
    (is_told || is_kept).then_some(Naming::new(Link::Entered, None))
}

/// Verbs of having or wanting a secret: "i wanted X", "quería X".
const WANTING: [&str; 19] = [
    "had", "have", "got", "want", "wanted", "chose", "picked", "tenía", "tenia", "quería", "queria", "quise",
    "voulais", "avais", "wollte", "hatte", "tinha", "volevo", "avevo",
];

/// Whether the text around a verb says what a system demands of a secret, or that it lets nobody in: "it says too weak".
fn speaks_of_refusal(pieces: &Pieces<'_, '_>, verb: usize) -> bool {
    static WORDS: WordList = WordList::new(&[
        "weak",
        "special",
        "symbol",
        "symbols",
        "sensitive",
        "characters",
        "uppercase",
        "lowercase",
        "capital",
        "capitals",
        "locked",
        "login",
        "incorrect",
        "long",
        "short",
        "débil",
        "debil",
        "especial",
        "mayúscula",
        "mayuscula",
        "corta",
        "faible",
        "spécial",
        "special",
        "majuscule",
        "courte",
        "connecter",
        "schwach",
        "sonderzeichen",
        "einloggen",
        "fraca",
        "curta",
        "debole",
        "speciale",
        "maiuscola",
    ]);
    let signs_in = |at: usize| {
        pieces.is_word(at, &["log", "sign", "get", "let"]) && (at + 1..at + 3).any(|at| pieces.is_word(at, &["in"]))
    };
    let has_no_user = |at: usize| pieces.is_word(at, &["such"]) && pieces.is_word(at + 1, &["user", "username"]);
    near(verb, pieces.len()).any(|at| pieces.is_in(at, &WORDS) || signs_in(at) || has_no_user(at))
}

/// Whether a value that somebody made up, directly after a piece, is refused, doubted or swapped: "it won't take X", "does X
/// still work", "swap X for Y".
fn is_refused_or_swapped(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const REFUSING: [&str; 8] =
        ["rejecting", "rejects", "rejected", "refusing", "refuses", "refused", "declining", "declines"];
    const FOR: [&str; 8] = ["for", "to", "with", "por", "par", "gegen", "durch", "con"];
    let before = at.wrapping_sub(1);
    // "swap size12 for size14"
    let has_capital = |at: usize| pieces.str(at).bytes().any(|b| b.is_ascii_uppercase());
    let is_value = |at: usize| pieces.at(at).shape >= Shape::Mixed && has_capital(at);
    let is_negated = pieces.at(before).is(class::NEGATION) || is_mistyped(pieces.str(before));
    let is_taken =
        pieces.is_word(at, &["take", "accept", "have", "like", "recognise", "recognize", "know"]) && is_negated;
    let works = || (at + 2..at + 4).any(|at| pieces.is_word(at, &["work", "works", "open"]));
    let is_doubted = pieces.is_word(at, &["does", "did", "doesnt"]) && works();
    let fails = pieces.is_word(at, &["geht", "funktioniert", "funciona", "funziona", "marche", "entra"])
        && (pieces.at(before).is(class::NEGATION) || (at + 2..at + 4).any(|at| pieces.at(at).is(class::NEGATION)));
    let is_doubted = is_doubted || fails;
    let is_old = pieces.at(at).is(class::CHANGE) && pieces.is_word(at + 2, &FOR) && is_value(at + 3);
    let is_new = pieces.is_word(at, &FOR) && is_value(before) && pieces.at(before.wrapping_sub(1)).is(class::CHANGE);
    is_taken || pieces.is_word(at, &REFUSING) || is_doubted || is_old || is_new
}

/// Whether a system does not accept what stands after a piece, in another language: "no me acepta X", "er nimmt X nicht".
fn is_refused_abroad(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const ACCEPTING: [&str; 10] =
        ["acepta", "admite", "aceita", "accetta", "accepte", "prend", "veut", "nimmt", "akzeptiert", "mag"];
    // "il ne veut pas de X"
    let verb = (at.saturating_sub(2)..=at).rev().find(|at| pieces.is_word(*at, &ACCEPTING));
    let is_negated = |verb: usize| {
        let mut near = (verb.saturating_sub(3)..verb).chain(verb + 1..verb + 4);
        near.any(|at| pieces.at(at).is(class::NEGATION) && pieces.at(at).kind == PieceKind::Word)
    };
    verb.is_some_and(|verb| {
        is_negated(verb) && (verb + 1..=at).all(|at| pieces.is_word(at, &["pas", "plus", "de", "d"]))
    })
}

/// Whether a verb of signing in is after a "with" and what somebody made up: "ich komme mit X nicht mehr rein".
fn signs_in_after(pieces: &Pieces<'_, '_>, with: usize) -> bool {
    const REACH: usize = 9;
    const VERBS: [&str; 17] = [
        "rein",
        "reingekommen",
        "eingeloggt",
        "angemeldet",
        "anmelden",
        "einloggen",
        "entraba",
        "entro",
        "entrar",
        "entrava",
        "entravo",
        "entrare",
        "entra",
        "acceder",
        "accedere",
        "connecter",
        "connectais",
    ];
    pieces.at(with + 1).shape >= Shape::Mixed
        && pieces.is_word(with, &["mit", "con", "com", "avec"])
        && (with + 2..with + REACH).any(|at| pieces.is_word(at, &VERBS))
}

/// Whether the words before a "with" are those of signing in: "log on with", "melden Sie sich mit".
pub(super) fn signs_in(pieces: &Pieces<'_, '_>, with: usize) -> bool {
    const VERBS: [&str; 10] =
        ["log", "logs", "logged", "logging", "sign", "signs", "signed", "signing", "get", "getting"];
    const WORDS: [&str; 28] = [
        "entro",
        "entrar",
        "entraba",
        "entré",
        "entre",
        "entrava",
        "entrei",
        "entravo",
        "entrato",
        "accedía",
        "connectais",
        "connecte",
        "login",
        "logon",
        "log-in",
        "log-on",
        "sign-in",
        "sign-on",
        "sesion",
        "sesión",
        "sich",
        "acceda",
        "accede",
        "acesse",
        "connectez-vous",
        "connecter",
        "accedi",
        "acceder",
    ];
    let before = with.wrapping_sub(1);
    let is_particle = pieces.is_word(before, &["in", "on", "into"]);
    if signs_in_after(pieces, with) {
        return true;
    }
    pieces.is_word(before, &WORDS) || is_particle && pieces.is_word(with.wrapping_sub(2), &VERBS)
}
