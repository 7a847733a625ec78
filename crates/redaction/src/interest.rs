//! Whether what one pass over a text saw makes it worth a closer look for the entities that are looked for.

use crate::cue;
use crate::detect::identifier::is_code_like;
use crate::detect::{internet, secret};
use crate::entity::{Entity, EntitySet};
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Scan, Seen};
use crate::span::Span;

/// Words of an address said aloud.
pub(crate) const SAID_ADDRESS: u32 = flag::DOT | flag::MAIL_HOST;
/// Words of which one alone is a number.
const NUMBERS: u32 = flag::NUMBER & !flag::SCALE;
const PROFANE: u32 = flag::PROFANE | flag::PROFANE_HEAD;

/// Words whose values are looked for right behind them: masking elsewhere brings nothing to light there.
const BY_THEMSELVES: u32 = PROFANE | flag::INTRODUCES;

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
            | if_any(cue::WORDY, flag::WORDY)
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

    /// Whether nothing is left outside the spans of a text that would make its masked form worth a closer look.
    pub(crate) fn is_settled(self, scan: &Scan<'_>, spans: &[Span]) -> bool {
        let seen = &scan.seen;
        // A word with letters repeated is known once the digits right behind it are hidden.
        let stretched = self.profanity && seen.triple;
        if seen.at || seen.inner_mark || seen.dashes || seen.long_piece || stretched {
            return false;
        }
        let telling = self.words & !BY_THEMSELVES | flag::NUMBER | flag::MONTH;
        let mut spans = spans.iter().peekable();
        let mut cued = false;
        for (at, token) in scan.tokens().all().iter().enumerate() {
            let (start, end) = (token.start as usize, token.end as usize);
            while spans.next_if(|span| span.end <= start).is_some() {}
            if let Some(span) = spans.peek().filter(|span| span.start < end) {
                let hidden = span.start <= start && span.shown_from >= end;
                // A cue can name a tail once asterisks stand before it.
                if !(hidden || !cued && token.kind == Kind::Digits && is_shown_tail(scan, at, span)) {
                    return false;
                }
                continue;
            }
            let flags = token.flags;
            if token.kind == Kind::Digits || flags & telling != 0 {
                return false;
            }
            cued |= flags & flag::CUE != 0;
        }
        true
    }
}

/// Whether a token is the four digits of a masked number that stay readable, and nothing goes on behind them.
fn is_shown_tail(scan: &Scan<'_>, at: usize, found: &Span) -> bool {
    let tokens = scan.tokens();
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let ends = match next.kind {
        Kind::Edge => true,
        Kind::Word => next.gap == Gap::Space && !is_code_like(&tokens, at + 1),
        Kind::Mark => tokens.at(at + 2).kind == Kind::Edge,
        Kind::Digits | Kind::Mask => false,
    };
    let four = found.end - found.shown_from == 4 && found.shown_from > found.start;
    ends && four && token.end as usize == found.end && token.start as usize <= found.shown_from
}
