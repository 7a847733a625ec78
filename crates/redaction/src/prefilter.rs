//! Whether what one pass over a text saw makes it worth a closer look for the entities that are looked for.

use crate::cues;
use crate::detect::{internet, secret};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::Seen;
use crate::tokenize::words::flag;

/// Words of an address said aloud.
pub(crate) const SAID_ADDRESS: u32 = flag::DOT | flag::MAIL_HOST;
/// Words of which one alone is a number.
const NUMBERS: u32 = flag::NUMBER & !flag::SCALE;
const PROFANE: u32 = flag::PROFANE | flag::PROFANE_HEAD;

/// What makes a text worth a closer look.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing to look for")]
pub(crate) struct Interest {
    words: u32,
    marks: bool,
    profanity: bool,
    secrets: bool,
    blocks: bool,
}

impl Interest {
    /// What these entities need.
    pub(crate) fn of(active: EntitySet) -> Self {
        let if_any = |set: EntitySet, flags: u32| if active.touches(set) { flags } else { 0 };
        let words = if_any(EntitySet::all(), NUMBERS)
            | if_any(Entity::PROFANITY.bit(), PROFANE)
            | if_any(cues::WORDY, flag::WORDY)
            | if_any(Entity::PERSON_NAME.bit(), flag::INTRODUCES)
            | if_any(Entity::EMAIL.bit().or(Entity::URL.bit()), SAID_ADDRESS);
        Self {
            words,
            marks: active.touches(internet::WANTED),
            profanity: active.contains(Entity::PROFANITY),
            secrets: active.touches(secret::WANTED),
            blocks: active.contains(Entity::PRIVATE_KEY),
        }
    }

    /// Whether a text in which this was seen is worth a closer look. A month is only beside a number, for which a mere
    /// "thousand" does.
    #[expect(clippy::needless_bitwise_bool, reason = "no processor foresees what a text holds")]
    pub(crate) fn is_met(self, seen: &Seen) -> bool {
        (seen.words & self.words != 0)
            | seen.digits
            | self.marks & (seen.at | seen.inner_mark)
            | self.profanity & (seen.disguise | seen.triple)
            | self.secrets & seen.long_piece
            | self.blocks & seen.dashes
            | (seen.words & flag::MONTH != 0) & (seen.words & flag::SCALE != 0)
    }
}
