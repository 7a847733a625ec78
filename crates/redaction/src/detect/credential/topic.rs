//! The topic around a piece: whether the text speaks about a secret there.

use super::piece::Pieces;
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
    flags(pieces.tokens.at(pieces.at(at).first as usize)) & flag::SECRET_WORD != 0 || pieces.str(at) == "capital"
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
        for at in 0..pieces.len() {
            let piece = pieces.at(at);
            let is_sign_in = pieces.is_word(at, &["in"]) && pieces.at(at + 1).is(class::WITH);
            let is_sign_in = is_sign_in || pieces.is_word(at, &["sign-on", "sign-in", "log-in", "log-on"]);
            let is_label = piece.is_mark(b':') && pieces.before(at).is(class::VERSION);
            if let Some(entity) = piece.cue().filter(|_| !piece.is(class::WEAK_CUE)) {
                topics.cues.push((at, entity));
            } else if piece.is(class::WEAK_CUE | class::SIGN_IN)
                || is_sign_in
                || is_label
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
