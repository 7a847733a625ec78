//! Passphrases that a message announces, and those whose spelling it comments on.

use super::naming::Link;
use super::piece::{PieceKind, Pieces};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;
use crate::entity::Entity;
use crate::tables::word_set::GIVEN_NAME_SET;
use crate::tokenize::Gap;
use crate::tokenize::near::near_before;

/// Verbs of saying a secret to somebody, and words for one that is said on the telephone.
const SAYING: [&str; 29] = [
    "say",
    "give",
    "tell",
    "quote",
    "state",
    "provide",
    "spoken",
    "verbal",
    "telephone",
    "phone",
    "security",
    "verify",
    "memorable",
    "decir",
    "decirle",
    "dar",
    "darle",
    "telefónica",
    "telefonica",
    "dire",
    "donner",
    "téléphonique",
    "sagen",
    "nennen",
    "angeben",
    "telefonkennwort",
    "dizer",
    "falar",
    "telefônica",
];

/// Words of the shortest phrase that a comment on its spelling makes a secret.
const MIN_COMMENTED_WORDS: usize = 3;

impl Search<'_, '_, '_> {
    /// Whether a phrase is the last sentence of a message that says that its writer will say a password.
    pub(super) fn is_announced(&self, value: Value, link: Link) -> bool {
        let pieces = self.pieces;
        let is_rest = |at: usize| {
            matches!(pieces.at(at).kind, PieceKind::Mark(_)) || pieces.at(at).is(class::INTERJECTION | class::CLOSING)
        };
        let cue = || {
            (0..value.first)
                .rev()
                .find(|at| pieces.at(*at).cue() == Some(Entity::PASSWORD) && !pieces.at(*at).is(class::WEAK_CUE))
        };
        link == Link::Clause
            && value.shape == Shape::Rare
            && value.after >= value.first + 2
            && begins_sentence(pieces, value.first)
            && !GIVEN_NAME_SET.contains(pieces.str(value.first))
            && (value.after..pieces.len()).all(is_rest)
            && cue().is_some_and(|cue| says_secret(pieces, cue, value.first))
    }

    /// Whether a comment on its spelling makes a phrase a secret: "so it's W W W all in small letters".
    pub(super) fn is_commented_phrase(&self, value: Value, link: Link) -> bool {
        matches!(link, Link::PronounSubject | Link::PronounChange | Link::Entered | Link::NamedSubject)
            && value.shape == Shape::Rare
            && value.after >= value.first + MIN_COMMENTED_WORDS
            && self.has_spelling_comment(value)
    }
}

/// Whether a sentence or line begins at a piece.
fn begins_sentence(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let is_end = matches!(pieces.before(at).kind, PieceKind::Mark(b'.' | b'!' | b'?' | b':' | b'-' | b';'));
    is_end || pieces.at(at).gap >= Gap::Line
}

/// Whether the sentences before `end` say the secret of a cue to somebody, and not that it is lost, changed or wrong.
fn says_secret(pieces: &Pieces<'_, '_>, cue: usize, end: usize) -> bool {
    const LOST: u32 = class::NEGATION | class::CHANGE | class::STATE;
    let says = |at: usize| pieces.is_word(at, &SAYING) || pieces.str(cue).split(' ').any(|word| SAYING.contains(&word));
    let is_question = |at: usize| pieces.at(at).is_mark(b'?');
    let is_lost = |at: usize| {
        pieces.at(at).is(LOST) && pieces.at(at).kind == PieceKind::Word && !pieces.at(at).is(class::ENTER | class::TELL)
    };
    near_before(end, pieces.len()).any(says) && !near_before(end, pieces.len()).any(|at| is_lost(at) || is_question(at))
}
