//! Links inside the noun phrase of a cue: "the password she gave me X", "mot de passe provisoire X", "password as X".

use super::naming::{Link, Naming};
use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// Maximum pieces between a cue and a value in one clause.
pub(super) const MAX_CLAUSE: usize = 7;

/// The cue of the clause before a piece: "the password she gave me yesterday X".
pub(super) fn cue_in_clause(pieces: &Pieces<'_, '_>, first: usize) -> Option<Entity> {
    if pieces.before(first).is(class::AUXILIARY) {
        return None;
    }
    for at in (first.saturating_sub(MAX_CLAUSE)..first).rev() {
        let piece = pieces.at(at);
        match piece.kind {
            PieceKind::Cue(entity) if !piece.is(class::WEAK_CUE) && !is_plural(pieces, at) => return Some(entity),
            PieceKind::Word | PieceKind::Letter
                if !piece.is(class::CONJUNCTION | class::NEGATION) && piece.gap < Gap::Line => {}
            PieceKind::Word
            | PieceKind::Segment
            | PieceKind::Number
            | PieceKind::Letter
            | PieceKind::Cue(_)
            | PieceKind::OtherCue
            | PieceKind::Mark(_)
            | PieceKind::Address
            | PieceKind::Mask => return None,
        }
    }
    None
}

/// Whether a cue is in the plural, and so names no single value.
pub(super) fn is_plural(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let text = pieces.str(at);
    text.len() > 6 && text.ends_with('s')
}

/// Adjectives that say for how long a secret holds, after their noun.
const ATTRIBUTES: [&str; 18] = [
    "provisorio",
    "provisoria",
    "provisório",
    "provisória",
    "provvisorio",
    "provvisoria",
    "temporaire",
    "temporanea",
    "temporaneo",
    "temporário",
    "temporária",
    "temporaria",
    "inicial",
    "initial",
    "iniziale",
    "momentané",
    "predefinita",
    "standard",
];

/// The link by an adjective, or an "as", between a cue and the value after it.
pub(super) fn after_attribute(pieces: &Pieces<'_, '_>, at: usize, word: Piece) -> Option<Naming> {
    let (before, value) = (at.wrapping_sub(1), pieces.at(at + 1));
    let is_attribute = |at: usize| {
        let piece = pieces.at(at);
        piece.is(class::VERSION) && !piece.is(class::DETERMINER | class::PRONOUN | class::TIME)
            || pieces.is_word(at, &ATTRIBUTES)
    };
    let is_as = pieces.is_word(at, &["as", "als", "como", "comme", "come"]) && value.shape >= Shape::Number;
    let is_linked = is_attribute(at) && value.shape >= Shape::Rare && value.gap == Gap::Space || is_as;
    if is_linked && let Some(entity) = pieces.at(before).cue().filter(|_| !is_plural(pieces, before)) {
        return Some(Naming::new(Link::Adjacent, Some(entity)));
    }
    // "la clave de siempre X"
    let is_usual = pieces.is_word(at, &["de", "di", "d"])
        && pieces.is_word(at + 1, &["siempre", "toujours", "sempre", "habitude"])
        && pieces.at(at + 2).shape >= Shape::Mixed;
    if is_usual && let Some(entity) = pieces.at(before).cue() {
        return Some(Naming::new(Link::Adjacent, Some(entity)));
    }
    // "im using Purple.sunrise"
    let is_progressive = pieces.is_word(at, &["using", "usando", "utilizando"])
        && (pieces.at(before).is(class::PRONOUN | class::COPULA) || pieces.is_word(before, &["im", "ive", "keep"]));
    let is_joined = || pieces.str(at + 1).contains(['.', '_']);
    (is_progressive && word.is(class::WITH | class::ENTER) && (value.shape >= Shape::Mixed || is_joined()))
        .then_some(Naming::new(Link::Entered, None))
}

/// Whether a login is named before a cue that also means something else: "login is her email and the pass".
pub(super) fn follows_login(pieces: &Pieces<'_, '_>, cue: usize) -> bool {
    const REACH: usize = 8;
    const LOGINS: [&str; 7] = ["login", "logon", "email", "e-mail", "mail", "user", "username"];
    (cue.saturating_sub(REACH)..cue)
        .any(|at| pieces.is_word(at, &LOGINS) || pieces.at(at).cue() == Some(Entity::USERNAME))
}
