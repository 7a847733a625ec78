//! The engine's front: a text in, its masked form and what was found out.

use crate::candidate::{Candidate, Candidates, Proof};
use crate::context::{self, Utterance};
use crate::cue::Cues;
use crate::detect::{self, Page};
use crate::entity::{Entity, EntitySet};
use crate::interest::{Interest, SAID_ADDRESS};
use crate::known::Known;
use crate::mask::{mask_spans, mask_tracked};
use crate::resolve::resolve;
use crate::scan::words::flag;
use crate::scan::{Scan, Store};
use crate::span::{EarlierSpan, Found, Span};
use crate::spread;
use std::borrow::Cow;

/// Finds and masks values of a set of entities.
#[derive(Clone, Copy, Debug)]
pub struct Redactor {
    active: EntitySet,
    known: Known,
    interest: Interest,
}

/// A text masked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redaction<'t> {
    /// The masked text; borrowed where nothing was found.
    pub text: Cow<'t, str>,
    /// What was found, in order, without overlap.
    pub spans: Vec<Span>,
    /// What must be masked in earlier messages as well.
    pub earlier: Vec<EarlierSpan>,
}

impl Redactor {
    /// A redactor for these entities. Costs nothing: all tables are constants.
    #[must_use]
    pub fn new(active: EntitySet) -> Self {
        Self { active, known: Known::of(active), interest: Interest::of(active) }
    }

    /// Masks a text, given the messages before it, oldest first.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, context: &[Utterance<'_>]) -> Redaction<'t> {
        self.redact_with(text, context, &[])
    }

    /// Whether the messages before a text could change what is found in it, judged from the text alone. Where it is false
    /// they need not be fetched.
    #[must_use]
    pub fn wants_context(&self, text: &str) -> bool {
        let mut scan = Scan::new(text);
        scan.read();
        context::matters(&scan, self.active)
    }

    /// Masks a text, given the messages before it and what outside detectors found in it.
    #[must_use]
    pub fn redact_with<'t>(&self, text: &'t str, context: &[Utterance<'_>], external: &[Found]) -> Redaction<'t> {
        let mut scan = Scan::new(text);
        scan.read();
        let mut out = Candidates::new(self.active);
        if self.interest.is_met(&scan.seen) || !context.is_empty() && context::matters(&scan, self.active) {
            detect_all(&scan, context, self.known, &mut out);
        }
        let mut earlier = Vec::new();
        if !context.is_empty() && scan.is_numeric() && out.wants(spread::SPREADS) {
            earlier = spread::detect(&scan.tokens(), context, &mut out);
        }
        for found in external {
            context::push_external(text, *found, &mut out);
        }
        if out.found().is_empty() {
            return Redaction { text: Cow::Borrowed(text), spans: Vec::new(), earlier: Vec::new() };
        }
        let spans = resolve(text, out.into_found());
        if context.is_empty() && self.interest.is_settled(&scan, &spans) {
            return Redaction { text: Cow::Owned(mask_spans(text, &spans)), spans, earlier };
        }
        let (masked, spans) = self.settle(text, spans, context, scan.into_store());
        Redaction { text: Cow::Owned(masked), spans, earlier }
    }

    /// Masks, and masks what comes to light once the first values are hidden, until nothing more does: masked text is a
    /// fixed point.
    fn settle(
        &self,
        text: &str,
        mut spans: Vec<Span>,
        context: &[Utterance<'_>],
        mut store: Store,
    ) -> (String, Vec<Span>) {
        let mut track = Track::default();
        for _ in 0..ROUNDS {
            track.clear();
            let masked = mask_tracked(text, &spans, |end, span| track.note(end, span));
            let mut scan = Scan::in_store(&masked, store);
            scan.read();
            let mut out = Candidates::new(self.active);
            if self.interest.is_met(&scan.seen) || !context.is_empty() && context::matters(&scan, self.active) {
                detect_all(&scan, context, self.known, &mut out);
            }
            if out.found().is_empty() {
                return (masked, spans);
            }
            store = scan.into_store();
            let more = resolve(&masked, out.into_found());
            let more: Vec<_> = more.iter().map(|s| track.back(s)).collect();
            let next = resolve(text, spans.iter().map(settled).chain(more.iter().copied()).collect());
            spans = if next == spans { swallowed(&spans, &more) } else { next };
        }
        (mask_spans(text, &spans), spans)
    }
}

/// What was found on the second look takes in every span that it touches: as pieces of it they would only come to light
/// again.
fn swallowed(spans: &[Span], more: &[Candidate]) -> Vec<Span> {
    let whole = |c: &Candidate| {
        let (start, end) = (c.start as usize, c.end as usize);
        Span { start, end, shown_from: end, entity: c.entity, reason: c.reason }
    };
    let mut all: Vec<_> = spans.iter().map(|s| (*s, false)).chain(more.iter().map(|c| (whole(c), true))).collect();
    all.sort_by_key(|(span, _)| (span.start, span.end));
    let mut united: Vec<(Span, bool)> = Vec::with_capacity(all.len());
    for (span, new) in all {
        match united.last_mut() {
            Some((last, taken_in)) if span.start < last.end && (new || *taken_in) => {
                let end = last.end.max(span.end);
                let (entity, reason) = if new { (span.entity, span.reason) } else { (last.entity, last.reason) };
                *last = Span { start: last.start, end, shown_from: end, entity, reason };
                *taken_in = true;
            }
            _ => united.push((span, new)),
        }
    }
    united.into_iter().map(|(span, _)| span).collect()
}

/// How often a text is looked at again after masking.
const ROUNDS: usize = 6;

/// A span as a candidate that keeps its place.
fn settled(span: &Span) -> Candidate {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Candidate {
        start: narrow(span.start),
        end: narrow(span.end),
        shown_from: narrow(span.shown_from),
        entity: span.entity,
        reason: span.reason,
        proof: Proof::Card,
    }
}

/// Where the spans of a text end in its masked form.
#[derive(Default)]
struct Track(Vec<(usize, usize, usize)>);

impl Track {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn note(&mut self, masked_end: usize, span: &Span) {
        self.0.push((masked_end, span.start, span.end));
    }

    /// A span of the masked text in the text itself.
    fn back(&self, span: &Span) -> Candidate {
        let (start, end) = (self.place(span.start, false), self.place(span.end, true));
        Candidate {
            proof: Proof::Shape,
            ..settled(&Span { start, end: end.max(start), shown_from: end.max(start), ..*span })
        }
    }

    fn place(&self, masked: usize, is_end: bool) -> usize {
        let at = self.0.partition_point(|(masked_end, ..)| masked > *masked_end || masked == *masked_end && !is_end);
        let (masked_done, done) = at.checked_sub(1).map_or((0, 0), |before| (self.0[before].0, self.0[before].2));
        let within = self.0.get(at).filter(|(_, start, _)| {
            let masked_start = masked_done + (start - done);
            masked > masked_start || masked == masked_start && !is_end
        });
        match within {
            Some((_, start, end)) => {
                if is_end {
                    *end
                } else {
                    *start
                }
            }
            None => done + (masked - masked_done),
        }
    }
}

fn detect_all(scan: &Scan<'_>, context: &[Utterance<'_>], known: Known, out: &mut Candidates) {
    let (seen, tokens) = (&scan.seen, scan.tokens());
    let numbers = scan.is_numeric();
    let armed = if context.is_empty() { EntitySet::empty() } else { context::armed(context) };
    let wordy = seen.words & flag::WORDY != 0 || !armed.is_empty();
    let near = numbers || wordy || seen.capitals || seen.at || seen.inner_mark || seen.words & SAID_ADDRESS != 0;
    let cues = (near && seen.words & flag::CUE != 0).then(|| Cues::of(&tokens));
    let dates = if numbers && seen.words & flag::MONTH != 0 {
        detect::date_words::find(&tokens)
    } else {
        detect::date_words::Dates::default()
    };
    let page = Page { tokens: &tokens, cues: cues.as_ref().map_or(&[], Cues::all), armed, known, dates };
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
    if wordy || seen.words & flag::INTRODUCES != 0 {
        detect::name::detect(&page, out);
    }
    if seen.disguise || seen.triple || seen.words & (flag::PROFANE | flag::PROFANE_HEAD) != 0 {
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
    if seen.long_piece {
        detect::secret::detect(page.tokens, out);
    }
    if seen.words & flag::COOKIE != 0 && out.wants(Entity::ACCESS_TOKEN.bit()) {
        detect::secret::detect_cookies(page.tokens.text, out);
    }
    if seen.dashes && out.wants(Entity::PRIVATE_KEY.bit()) {
        detect::secret::detect_blocks(page.tokens.text, out);
    }
}
