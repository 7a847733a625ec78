//! Masking until nothing more comes to light: a masked text is a fixed point because this ends only at one.

use crate::candidate::{Candidate, Proof};
use crate::masking::mask::{mask_spans, mask_tracked};
use crate::masking::overlap::resolve;
use crate::span::{Reason, Span};
use crate::tokenize::search_hint::Bookmark;
use crate::tokenize::{Scan, Store, Tokens, narrow};
use std::ops::Range;

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
    let mut round = 0_u32;
    let mut last = spans.first().map_or(0, |span| span.start)..spans.last().map_or(0, |span| span.end);
    loop {
        let (masked, track) = if text.len() > SHORT / LONGER {
            let (masked, track) = Track::of(text, &spans);
            (masked, Some(track))
        } else {
            (mask_spans(text, &spans), None)
        };
        let reach =
            round.checked_sub(PLAIN_LOOKS).map(|round| 1_usize.checked_shl(2 * round).unwrap_or(usize::MAX / 16));
        let mut glance = Glance { masked: &masked, store, look, reach };
        let near = track.as_ref().and_then(|track| near(&masked, track.forth(last.start)..track.forth(last.end)));
        let mut more = near.filter(|_| round < LOOKS).and_then(|near| glance.at(near)).unwrap_or_default();
        if more.is_empty() {
            more = glance.at(0..masked.len()).filter(|_| round < LOOKS).unwrap_or_default();
        }
        if more.is_empty() {
            return (masked, spans);
        }
        let track = track.unwrap_or_else(|| Track::of(text, &spans).1);
        let more: Vec<_> = more.iter().map(|span| track.back(span)).collect();
        last = bounds(&more);
        spans = if reach.is_none() { taken_in(text, &spans, &more) } else { swallowed(&spans, &more) };
        round += 1;
    }
}

/// Texts up to this many bytes are looked at whole each time.
const SHORT: usize = 1 << 14;
/// How many times longer than a text its masked form is at most, where each byte is a secret of its own.
const LONGER: usize = 8;
/// Bytes of a longer text on either side of what was masked last in which something may come to light, as a rule. Where
/// nothing does, the whole text is looked at.
const NEAR: usize = 1 << 11;
/// Bytes at a cut that nothing is believed in which lies there.
const CUT: usize = 1 << 9;
/// Bytes of a token.
const TOKEN: usize = 8;

/// What is around a stretch of a long text that is small beside it.
fn near(masked: &str, last: Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (last.start.saturating_sub(NEAR), last.end.saturating_add(NEAR).min(masked.len()));
    let small = masked.len() > SHORT && end.saturating_sub(start) < masked.len() / 2;
    small.then(|| floor(masked, start)..floor(masked, end))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// From the first of these to the end of the last.
fn bounds(found: &[Candidate]) -> Range<usize> {
    let start = found.iter().map(|c| c.start as usize).min();
    let end = found.iter().map(|c| c.end as usize).max();
    start.unwrap_or(0)..end.unwrap_or(0)
}

/// A look at a masked text.
struct Glance<'g, 'l> {
    masked: &'g str,
    store: &'g mut Store,
    look: &'g mut Look<'l>,
    /// Tokens on either side of what is found that are taken in.
    reach: Option<usize>,
}

impl Glance<'_, '_> {
    /// What comes to light in a part of the text; nothing where masking that would change nothing.
    fn at(&mut self, part: Range<usize>) -> Option<Vec<Span>> {
        let scan = Scan::of(&self.masked[part.clone()], self.store);
        let mut found = (self.look)(&scan);
        if part.len() < self.masked.len() {
            found.retain_mut(|c| moved(c, &part, self.masked.len()));
        }
        let more = if found.is_empty() { return None } else { resolve(self.masked, found) };
        if more.is_empty() || mask_spans(self.masked, &more) == self.masked {
            return None;
        }
        let whole = part.len() == self.masked.len();
        let taken = |span: Span| match self.reach {
            None => all_hidden_if_spread(span),
            Some(reach) if whole => widened(&scan.tokens(), &all_hidden_if_spread(span), reach),
            Some(reach) => {
                let start = floor(self.masked, span.start.saturating_sub(TOKEN * reach));
                let end = floor(self.masked, span.end.saturating_add(TOKEN * reach).min(self.masked.len()));
                Span { start, end, shown_from: end, ..span }
            }
        };
        Some(more.into_iter().map(taken).collect())
    }
}

/// Moves what was found in a part of a text to its place there; false where it lies at a cut.
fn moved(found: &mut Candidate, part: &Range<usize>, length: usize) -> bool {
    let from = narrow(part.start);
    (found.start, found.end, found.shown_from) = (found.start + from, found.end + from, found.shown_from + from);
    (part.start == 0 || found.start as usize >= part.start + CUT)
        && (part.end == length || found.end as usize + CUT <= part.end)
}

/// The tail of a number that began in an earlier message is hidden as well once it would be found again: nothing of it is
/// left to be the end of another.
fn all_hidden_if_spread(span: Span) -> Span {
    if span.reason == Reason::Spread { Span { shown_from: span.end, ..span } } else { span }
}

/// The spans of a text with what was found in its masked form.
fn taken_in(text: &str, spans: &[Span], more: &[Candidate]) -> Vec<Span> {
    let next = resolve(text, spans.iter().map(settled).chain(more.iter().copied()).collect());
    if next == spans { swallowed(spans, more) } else { next }
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
    /// Masks these spans of a text.
    #[inline(never)]
    fn of(text: &str, spans: &[Span]) -> (String, Self) {
        let mut track = Self::default();
        let masked = mask_tracked(text, spans, |end, span| track.ends.push((end, span.start, span.end)));
        (masked, track)
    }

    /// A span of the masked text in the text itself.
    fn back(&self, span: &Span) -> Candidate {
        let (start, end) = (self.place(span.start, false), self.place(span.end, true));
        Candidate {
            proof: Proof::Shape,
            ..settled(&Span { start, end: end.max(start), shown_from: end.max(start), ..*span })
        }
    }

    /// A place of the text, outside the spans or at an end of one, in the masked text.
    fn forth(&self, at: usize) -> usize {
        let before = self.ends.partition_point(|(_, _, end)| *end <= at);
        let (masked_done, done) = before.checked_sub(1).map_or((0, 0), |last| (self.ends[last].0, self.ends[last].2));
        let within = self.ends.get(before).filter(|(_, start, _)| *start < at);
        masked_done + (within.map_or(at, |(_, start, _)| *start) - done)
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
