//! One look at a text: which detectors run on it, by what the first pass saw.

use crate::candidate::Candidates;
use crate::cross_message::context::{self, Utterance};
use crate::cross_message::context_need::found_alone;
use crate::cues::Cues;
use crate::detect::{self, Page};
use crate::entity::{Entity, EntitySet};
use crate::masking::stability::is_settled;
use crate::prefilter::{Interest, SAID_ADDRESS};
use crate::registry::lookup::Known;
use crate::span::Span;
use crate::tokenize::words::flag;
use crate::tokenize::{Scan, Seen};

/// What a set of entities makes of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looker {
    active: EntitySet,
    known: Known,
    interest: Interest,
}

impl Looker {
    /// What these entities need.
    pub(crate) fn of(active: EntitySet) -> Self {
        Self { active, known: Known::of(active), interest: Interest::of(active) }
    }

    /// Whether the masked form of a text needs no look, given all that was found in the text without earlier messages.
    pub(crate) fn is_settled(&self, scan: &Scan<'_>, spans: &[Span], named: EntitySet) -> bool {
        is_settled(scan, spans, self.active, named)
    }

    /// What is found in a text without earlier messages; nothing where these could change it. The only place that decides it.
    pub(crate) fn found_alone(&self, scan: &Scan<'_>) -> Option<Candidates> {
        found_alone(scan, self.active, |asked| self.asked(scan, asked), || self.candidates(scan, &[]))
    }

    /// What the detectors find in a text, given the earlier messages that it wants.
    pub(crate) fn candidates(&self, scan: &Scan<'_>, context: &[Utterance<'_>]) -> Candidates {
        if !context.is_empty() {
            return self.asked(scan, context::armed(context));
        }
        if self.interest.is_met(&scan.seen) && !is_plain(&scan.seen) {
            return self.asked(scan, EntitySet::empty());
        }
        let mut out = Candidates::new(self.active);
        if self.interest.is_met(&scan.seen) {
            plain(scan, &mut out);
        }
        out
    }

    /// What the detectors find in a text where earlier messages ask for these entities.
    pub(crate) fn asked(&self, scan: &Scan<'_>, asked: EntitySet) -> Candidates {
        let mut out = Candidates::new(self.active);
        detect_all(scan, asked, self.known, &mut out);
        out
    }
}

/// Whether a text is such that only words can be found in it, and none by a cue.
fn is_plain(seen: &Seen) -> bool {
    const TELLING: u32 = flag::NUMBER | flag::WORDY | flag::COOKIE | SAID_ADDRESS;
    let marks = seen.at | seen.inner_mark | seen.dashes | seen.long_piece;
    !((seen.words & TELLING != 0) | seen.digits | seen.capitals | marks)
}

/// What is looked for in a plain text.
fn plain(scan: &Scan<'_>, out: &mut Candidates) {
    let (seen, tokens) = (&scan.seen, scan.tokens());
    if seen.words & flag::INTRODUCES != 0 {
        detect::name::detect_introduced(&tokens, out);
    }
    if may_be_profane(seen) {
        detect::profanity::detect(&tokens, seen, out);
    }
}

fn may_be_profane(seen: &Seen) -> bool {
    seen.disguise | seen.triple || seen.words & (flag::PROFANE | flag::PROFANE_HEAD) != 0
}

fn detect_all(scan: &Scan<'_>, armed: EntitySet, known: Known, out: &mut Candidates) {
    let (seen, tokens) = (&scan.seen, scan.tokens());
    let numbers = scan.is_numeric();
    let wordy = seen.words & flag::WORDY != 0 || !armed.is_empty();
    let near = numbers || wordy || seen.capitals || seen.at || seen.inner_mark || seen.words & SAID_ADDRESS != 0;
    let noted = if near { seen.words } else { 0 };
    let read;
    let cues = if noted & flag::CUE == 0 {
        &[]
    } else {
        read = Cues::of(&tokens);
        read.all()
    };
    let page = Page::new(&tokens, noted, cues, armed, known);
    out.note_named(page.named);
    if numbers {
        detect::date_words::detect(&page, out);
        detect::number::detect(&page, out);
    }
    if seen.digits {
        detect::identifier::detect(&page, out);
        detect::place::detect(&page, seen, out);
    }
    if seen.digits || seen.capitals {
        detect::code::detect(&page, out);
    }
    detect::spelled::detect(&page, out);
    if wordy {
        detect::word_value::detect(&page, out);
    }
    let introduced = seen.words & flag::INTRODUCES != 0;
    if wordy || introduced {
        detect::name::detect(&page, introduced, out);
    }
    if may_be_profane(seen) {
        detect::profanity::detect(&tokens, seen, out);
    }
    marks(scan, &page, out);
}

/// What the marks of a text make worth a look.
fn marks(scan: &Scan<'_>, page: &Page<'_, '_>, out: &mut Candidates) {
    let seen = &scan.seen;
    if seen.at || seen.inner_mark {
        detect::internet::detect(page, out);
    }
    if seen.words & SAID_ADDRESS != 0 {
        detect::said_address::detect(page, out);
    }
    if detect::disguised_email::may_be_in(seen) {
        detect::disguised_email::detect(page, out);
    }
    if seen.long_piece {
        detect::secret::detect(page.tokens.text, page.armed, out);
    }
    if seen.words & flag::COOKIE != 0 && out.wants(Entity::ACCESS_TOKEN.bit()) {
        detect::secret::detect_cookies(page.tokens.text, out);
    }
    if seen.dashes && out.wants(Entity::PRIVATE_KEY.bit()) {
        detect::secret::detect_blocks(page.tokens.text, out);
    }
}
