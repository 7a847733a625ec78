//! Masking until nothing more comes to light: a masked text is a fixed point because this ends only at one.

use crate::bookmark::Bookmark;
use crate::candidate::{Candidate, Proof};
use crate::mask::{mask_spans, mask_tracked};
use crate::resolve::resolve;
use crate::scan::{Scan, Store, Tokens};
use crate::span::{Reason, Span};

/// What one look at a masked text finds.
pub(crate) type Look<'l> = dyn FnMut(&Scan<'_>) -> Vec<Candidate> + 'l;

/// Looks at a text after masking that take what they find as it is. Each further one takes in what is around it as well,
/// four times as far as the one before, so that a text of any length is settled after few.
const PLAIN_LOOKS: u32 = 3;
/// Looks after masking at most: by the last one more tokens are taken in than a text can have, so that nothing is left.
const LOOKS: u32 = PLAIN_LOOKS + 17;

/// Masks these spans of a text, and masks what comes to light once they are hidden, until a look at the masked text would
/// leave it as it is. Returns it with the spans of the text that make it.
pub(crate) fn settle(text: &str, mut spans: Vec<Span>, store: &mut Store, look: &mut Look<'_>) -> (String, Vec<Span>) {
    let mut track = Track::default();
    let mut round = 0;
    loop {
        track.clear();
        let masked = mask_tracked(text, &spans, |end, span| track.note(end, span));
        let scan = Scan::of(&masked, store);
        let found = look(&scan);
        let more = if found.is_empty() { Vec::new() } else { resolve(&masked, found) };
        if more.is_empty() || mask_spans(&masked, &more) == masked || round == LOOKS {
            return (masked, spans);
        }
        let more: Vec<_> = more.into_iter().map(all_hidden_if_spread).collect();
        spans = if round < PLAIN_LOOKS {
            taken_in(text, &spans, &more, &track)
        } else {
            let reach = 1_usize.checked_shl(2 * (round - PLAIN_LOOKS)).unwrap_or(usize::MAX / 2);
            let more: Vec<_> = more.iter().map(|span| track.back(&widened(&scan.tokens(), span, reach))).collect();
            swallowed(&spans, &more)
        };
        round += 1;
    }
}

/// The tail of a number that began in an earlier message is hidden as well once it would be found again: nothing of it is
/// left to be the end of another.
fn all_hidden_if_spread(span: Span) -> Span {
    if span.reason == Reason::Spread { Span { shown_from: span.end, ..span } } else { span }
}

/// The spans of a text with what was found in its masked form.
fn taken_in(text: &str, spans: &[Span], more: &[Span], track: &Track) -> Vec<Span> {
    let more: Vec<_> = more.iter().map(|span| track.back(span)).collect();
    let next = resolve(text, spans.iter().map(settled).chain(more.iter().copied()).collect());
    if next == spans { swallowed(spans, &more) } else { next }
}

/// A span of a masked text with so many tokens on either side of it, masked whole.
fn widened(tokens: &Tokens<'_>, span: &Span, reach: usize) -> Span {
    let first = tokens.all().partition_point(|t| t.end as usize <= span.start).saturating_sub(reach);
    let last = tokens.all().partition_point(|t| (t.start as usize) < span.end).saturating_add(reach);
    let start = span.start.min(tokens.at(first).start as usize);
    let end = span.end.max(tokens.before(last.min(tokens.len())).end as usize);
    Span { start, end, shown_from: end, ..*span }
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
struct Track {
    ends: Vec<(usize, usize, usize)>,
    bookmark: Bookmark,
}

impl Track {
    fn clear(&mut self) {
        self.ends.clear();
    }

    fn note(&mut self, masked_end: usize, span: &Span) {
        self.ends.push((masked_end, span.start, span.end));
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
        let is_before =
            |(masked_end, ..): &(usize, usize, usize)| masked > *masked_end || masked == *masked_end && !is_end;
        let at = self.bookmark.seek(&self.ends, is_before);
        let (masked_done, done) = at.checked_sub(1).map_or((0, 0), |before| (self.ends[before].0, self.ends[before].2));
        let within = self.ends.get(at).filter(|(_, start, _)| {
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
