//! The topic around a piece: whether the text speaks about a secret there.

use super::entry_link::signs_in;
use super::piece::{PieceKind, Pieces};
use super::subject::is_field_name;
use super::weights;
use super::word_list::class;
use crate::detect::flags;
use crate::entity::Entity;
use crate::tokenize::words::flag;

/// Pieces before and after a value in which a cue makes the topic.
const REACH_BEFORE: usize = 48;
const REACH_AFTER: usize = 32;

/// Maximum tokens of a text in which any word about secrets is a hint. A longer text is prose.
pub(super) const MAX_HINTED_TOKENS: usize = 64;

/// How surely the text speaks about a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// No sign of it.
    None,
    /// Words of signing in.
    Hinted,
    /// A cue for a secret.
    Named,
}

impl Topic {
    pub(super) fn is_none(self) -> bool {
        self == Self::None
    }

    pub(super) fn weight(self) -> i32 {
        match self {
            Self::None => 0,
            Self::Hinted => weights::TOPIC_HINTED,
            Self::Named => weights::TOPIC_NAMED,
        }
    }
}

/// Whether a piece is a word of sentences about secrets.
fn is_secret_word(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    flags(pieces.tokens.at(pieces.at(at).first as usize)) & flag::SECRET_WORD != 0
        || pieces.at(at).is(class::CASE) && pieces.str(at) == "capital"
}

/// Whether the words after a cue say what they have to say of it: "my username is fine but", "says user not found".
fn has_own_predicate(pieces: &Pieces<'_, '_>, cue: usize) -> bool {
    let says = |at: usize| pieces.at(at).is(class::STATE | class::INTERJECTION);
    pieces.at(cue + 1).is(class::COPULA) && says(cue + 2)
        || pieces.at(cue + 1).is(class::NEGATION | class::STATE) && pieces.at(cue + 1).kind == PieceKind::Word
}

/// Whether a piece is the "old" of "the old one".
fn is_the_version(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    pieces.at(at).is(class::VERSION) && pieces.is_word(at + 1, &["one", "ones"])
}

/// Whether a piece is the "change" of "they made me change it".
fn is_forced_change(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const FORCING: [&str; 8] = ["made", "make", "makes", "making", "forced", "forces", "had", "has"];
    pieces.at(at).is(class::CHANGE)
        && pieces.is_word(at, &["change", "reset", "update"])
        && pieces.is_word(at + 1, &["it", "mine"])
        && (at.saturating_sub(3)..at).any(|at| pieces.is_word(at, &FORCING))
}

/// Whether a text says that one thing replaced another of its kind, and that it does not work: "the old one was X and she
/// made it Y and it won't take either".
fn tells_of_replacement(pieces: &Pieces<'_, '_>) -> bool {
    let has = |is: &dyn Fn(usize) -> bool| (0..pieces.len()).any(is);
    has(&|at| is_forced_change(pieces, at))
        || has(&|at| is_the_version(pieces, at))
            && has(&|at| pieces.at(at).is(class::CHANGE))
            && has(&|at| pieces.is_word(at, &["take", "takes", "accept", "accepts", "work", "works", "in"]))
}

/// The cues and the words of signing in of a text, by piece.
pub(super) struct Topics {
    cues: Vec<(usize, Entity)>,
    hints: Vec<usize>,
}

impl Topics {
    pub(super) fn new(pieces: &Pieces<'_, '_>) -> Self {
        let mut topics = Self { cues: Vec::new(), hints: Vec::new() };
        let is_message = pieces.tokens.len() <= MAX_HINTED_TOKENS;
        let is_replaced = is_message && pieces.has(class::CHANGE) && tells_of_replacement(pieces);
        for at in 0..pieces.len() {
            let piece = pieces.at(at);
            // "sign in with", "it won't let me in"
            let is_in = piece.is(class::PREPOSITION)
                && pieces.is_word(at, &["in"])
                && (pieces.at(at + 1).is(class::WITH)
                    || (1..=2).any(|n| pieces.is_word(at.wrapping_sub(n), &["let", "lets", "letting"])));
            let is_sign_in = is_in
                || piece.is(class::WITH) && signs_in(pieces, at)
                || piece.kind == PieceKind::Segment
                    && pieces.is_word(at, &["sign-on", "sign-in", "log-in", "log-on", "wpa2", "wpa3"]);
            let is_label = piece.is_mark(b':') && pieces.before(at).is(class::VERSION);
            let cue = piece.cue().filter(|_| !piece.is(class::WEAK_CUE));
            let is_other = |entity: Entity| {
                is_field_name(pieces, at) || entity == Entity::USERNAME && has_own_predicate(pieces, at)
            };
            if let Some(entity) = cue.filter(|entity| !is_other(*entity)) {
                topics.cues.push((at, entity));
            } else if piece.is(class::WEAK_CUE | class::SIGN_IN)
                || cue.is_some()
                || is_sign_in
                || is_label
                || is_replaced && (is_the_version(pieces, at) || is_forced_change(pieces, at))
                || is_message && is_secret_word(pieces, at)
            {
                topics.hints.push(at);
            }
        }
        topics
    }

    /// The topic at a piece.
    pub(super) fn at(&self, at: usize) -> Topic {
        let from = at.saturating_sub(REACH_BEFORE);
        let is_near = |place: usize| (from..=at + REACH_AFTER).contains(&place);
        let cue = self.cues.partition_point(|(place, _)| *place < from);
        let hint = self.hints.partition_point(|place| *place < from);
        match () {
            () if self.cues.get(cue).is_some_and(|(place, _)| is_near(*place)) => Topic::Named,
            () if self.hints.get(hint).is_some_and(|place| is_near(*place)) => Topic::Hinted,
            () => Topic::None,
        }
    }

    /// Whether the text has a cue for an entity.
    pub(super) fn has_cue(&self, entity: Entity) -> bool {
        self.cues.iter().any(|(_, found)| *found == entity)
    }

    /// The entity of the nearest cue before a piece.
    pub(super) fn entity_before(&self, at: usize) -> Option<Entity> {
        let cue = self.cues.partition_point(|(place, _)| *place < at).checked_sub(1)?;
        self.cues.get(cue).filter(|(place, _)| at - place <= REACH_BEFORE).map(|(_, entity)| *entity)
    }

    /// The entity of the nearest cue after a piece.
    pub(super) fn entity_after(&self, at: usize) -> Option<Entity> {
        let cue = self.cues.partition_point(|(place, _)| *place < at);
        self.cues.get(cue).filter(|(place, _)| place - at <= REACH_AFTER).map(|(_, entity)| *entity)
    }
}
