//! The prefilter: whether the features of a text make it possible that a detector finds an active entity.

use crate::cues;
use crate::detect::{internet, secret};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::TextFeatures;
use crate::tokenize::words::flag;

/// Words of an e-mail address or URL in speech.
pub(crate) const SPOKEN_ADDRESS: u32 = flag::DOT | flag::MAIL_HOST;
/// Words that are a number by themselves.
const NUMBERS: u32 = flag::NUMBER & !flag::SCALE;
const PROFANITY_WORDS: u32 = flag::PROFANITY | flag::PROFANITY_HEAD;

/// The features that a text must have for the detectors to run.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent feature")]
pub(crate) struct Prefilter {
    word_flags: u32,
    marks: bool,
    profanity: bool,
    secrets: bool,
    blocks: bool,
    cards: bool,
}

impl Prefilter {
    /// The prefilter for these entities.
    pub(crate) fn new(active: EntitySet) -> Self {
        let flags_if = |set: EntitySet, flags: u32| if active.intersects(set) { flags } else { 0 };
        let word_flags = flags_if(EntitySet::all(), NUMBERS)
            | flags_if(Entity::PROFANITY.bit(), PROFANITY_WORDS)
            | flags_if(cues::WORD_VALUED, flag::WORD_VALUE_CUE)
            | flags_if(Entity::PASSWORD.bit(), flag::SECRET_WORD)
            | flags_if(Entity::PERSON_NAME.bit(), flag::INTRODUCTION)
            | flags_if(Entity::EMAIL.bit().or(Entity::URL.bit()), SPOKEN_ADDRESS);
        Self {
            word_flags,
            marks: active.intersects(internet::ENTITIES),
            profanity: active.contains(Entity::PROFANITY),
            secrets: active.intersects(secret::ENTITIES),
            blocks: active.contains(Entity::PRIVATE_KEY),
            cards: active.contains(Entity::CREDIT_CARD_NUMBER),
        }
    }

    /// Whether the detectors must run on a text with these features. A month counts only beside a number; a bare
    /// "thousand" is enough of a number.
    #[expect(clippy::needless_bitwise_bool, reason = "a branch on the content of a text is unpredictable")]
    pub(crate) fn matches(self, features: &TextFeatures) -> bool {
        (features.word_flags & self.word_flags != 0)
            | features.has_digits
            | self.marks & (features.has_at_sign | features.may_have_address_mark)
            | self.profanity & (features.has_leetspeak | features.has_triple_letter)
            | self.secrets & features.has_long_segment
            | self.blocks & features.has_dash_run
            | self.cards & features.may_have_folded_digits
            | (features.word_flags & flag::MONTH != 0) & (features.word_flags & flag::SCALE != 0)
    }
}
