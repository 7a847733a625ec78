//! Masking to a fixed point: detection and masking repeat until another pass would leave the masked text unchanged.

use crate::candidate::{Candidate, EvidenceRank};
use crate::masking::mask::{mask_spans, mask_with_offsets};
use crate::masking::overlap::resolve_overlaps;
use crate::span::{DetectionReason, Span};
use crate::tokenize::search_hint::SearchHint;
use crate::tokenize::{TokenBuffer, TokenizedText, Tokens, saturating_u32};
use std::ops::Range;

/// One detection pass over a masked text.
pub(crate) type DetectFn<'l> = dyn FnMut(&TokenizedText<'_>) -> Vec<Candidate> + 'l;

/// Detection passes after masking that mask only what they find. Each later pass also masks the tokens around a
/// finding, four times as many as the pass before, so that a text of any length needs few passes.
const EXACT_PASSES: u32 = 3;
/// Maximum number of detection passes after masking. The last one masks more tokens than a text can have, so that
/// nothing remains.
const MAX_PASSES: u32 = EXACT_PASSES + 17;

/// Masks these spans of a text, then the findings in the masked text, until a pass would leave the masked text
/// unchanged. Returns the masked text and the spans that produce it.
pub(crate) fn redact_to_fixpoint(
    text: &str,
    mut spans: Vec<Span>,
    buffer: &mut TokenBuffer,
    detect: &mut DetectFn<'_>,
) -> (String, Vec<Span>) {
    let mut round = 0_u32;
    let mut last = spans.first().map_or(0, |span| span.start)..spans.last().map_or(0, |span| span.end);
    loop {
        let (masked, offsets) = if text.len() > SHORT / MAX_EXPANSION {
            let (masked, offsets) = OffsetMap::mask(text, &spans);
            (masked, Some(offsets))
        } else {
            (mask_spans(text, &spans), None)
        };
        let reach =
            round.checked_sub(EXACT_PASSES).map(|round| 1_usize.checked_shl(2 * round).unwrap_or(usize::MAX / 16));
        let mut rescan = Rescan { masked: &masked, buffer, detect, reach };
        let vicinity = offsets
            .as_ref()
            .and_then(|offsets| vicinity(&masked, offsets.to_masked(last.start)..offsets.to_masked(last.end)));
        let mut more =
            vicinity.filter(|_| round < MAX_PASSES).and_then(|part| rescan.find_in(part)).unwrap_or_default();
        if more.is_empty() {
            more = rescan.find_in(0..masked.len()).filter(|_| round < MAX_PASSES).unwrap_or_default();
        }
        if more.is_empty() {
            return (masked, spans);
        }
        let offsets = offsets.unwrap_or_else(|| OffsetMap::mask(text, &spans).1);
        let more: Vec<_> = more.iter().map(|span| offsets.to_original(span)).collect();
        last = bounds(&more);
        spans = if reach.is_none() { merge(text, &spans, &more) } else { merge_greedy(&spans, &more) };
        round += 1;
    }
}

/// Texts of up to this many bytes are rescanned as a whole.
const SHORT: usize = 1 << 14;
/// Maximum ratio of masked length to text length: each byte may be a secret, with a mask of eight asterisks.
const MAX_EXPANSION: usize = 8;
/// Bytes on either side of the last masked range that are rescanned first in a longer text. If that finds nothing, the
/// whole text is rescanned.
const VICINITY: usize = 1 << 11;
/// Bytes at a boundary of the rescanned part in which findings are discarded.
const MARGIN: usize = 1 << 9;
/// Estimated bytes of a token.
const TOKEN_BYTES: usize = 8;

/// The surroundings of a range, if the text is long and they are less than half of it.
fn vicinity(masked: &str, last: Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (last.start.saturating_sub(VICINITY), last.end.saturating_add(VICINITY).min(masked.len()));
    let small = masked.len() > SHORT && end.saturating_sub(start) < masked.len() / 2;
    small.then(|| floor_char_boundary(masked, start)..floor_char_boundary(masked, end))
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The range from the first start to the last end.
fn bounds(found: &[Candidate]) -> Range<usize> {
    let start = found.iter().map(|c| c.start as usize).min();
    let end = found.iter().map(|c| c.end as usize).max();
    start.unwrap_or(0)..end.unwrap_or(0)
}

/// A detection pass over a masked text.
struct Rescan<'r, 'd> {
    masked: &'r str,
    buffer: &'r mut TokenBuffer,
    detect: &'r mut DetectFn<'d>,
    /// Tokens on either side of a finding that are masked as well.
    reach: Option<usize>,
}

impl Rescan<'_, '_> {
    /// The new spans in a part of the text; `None` if their masks would not change the text.
    fn find_in(&mut self, part: Range<usize>) -> Option<Vec<Span>> {
        let text = TokenizedText::new(&self.masked[part.clone()], self.buffer);
        let mut found = (self.detect)(&text);
        if part.len() < self.masked.len() {
            found.retain_mut(|c| to_whole_text(c, &part, self.masked.len()));
        }
        let more = if found.is_empty() { return None } else { resolve_overlaps(self.masked, found) };
        if more.is_empty() || mask_spans(self.masked, &more) == self.masked {
            return None;
        }
        let whole = part.len() == self.masked.len();
        let extend = |span: Span| match self.reach {
            None => without_split_tail(span),
            Some(reach) if whole => widen(&text.tokens(), &without_split_tail(span), reach),
            Some(reach) => {
                let start = floor_char_boundary(self.masked, span.start.saturating_sub(TOKEN_BYTES * reach));
                let end = floor_char_boundary(
                    self.masked,
                    span.end.saturating_add(TOKEN_BYTES * reach).min(self.masked.len()),
                );
                Span { start, end, visible_from: end, ..span }
            }
        };
        Some(more.into_iter().map(extend).collect())
    }
}

/// Converts the offsets of a candidate from a part to the whole text; false if it is too near a boundary of the part.
fn to_whole_text(candidate: &mut Candidate, part: &Range<usize>, length: usize) -> bool {
    let from = saturating_u32(part.start);
    (candidate.start, candidate.end, candidate.visible_from) =
        (candidate.start + from, candidate.end + from, candidate.visible_from + from);
    (part.start == 0 || candidate.start as usize >= part.start + MARGIN)
        && (part.end == length || candidate.end as usize + MARGIN <= part.end)
}

/// Hides the readable tail of a number that begins in an earlier message. Otherwise the tail could be found again as
/// the end of another number.
fn without_split_tail(span: Span) -> Span {
    if span.reason == DetectionReason::SplitNumber { Span { visible_from: span.end, ..span } } else { span }
}

/// Merges the spans of a text with the candidates of its masked form.
fn merge(text: &str, spans: &[Span], more: &[Candidate]) -> Vec<Span> {
    let mut merged =
        resolve_overlaps(text, spans.iter().map(strongest_candidate).chain(more.iter().copied()).collect());
    restore_confidences(&mut merged, spans);
    if merged == spans { merge_greedy(spans, more) } else { merged }
}

/// Gives the spans that are left of `original` their own confidence again. As candidates they had the strongest
/// evidence.
fn restore_confidences(merged: &mut [Span], original: &[Span]) {
    let mut rest = original;
    for span in merged {
        while let [first, later @ ..] = rest
            && first.end <= span.start
        {
            rest = later;
        }
        if let Some(first) = rest.first().filter(|first| first.entity == span.entity && first.reason == span.reason) {
            span.confidence = first.confidence;
        }
    }
}

/// Extends a span of a masked text by `reach` tokens on either side, without a readable tail.
fn widen(tokens: &Tokens<'_>, span: &Span, reach: usize) -> Span {
    let first = tokens.as_slice().partition_point(|t| t.end as usize <= span.start).saturating_sub(reach);
    let last = tokens.as_slice().partition_point(|t| (t.start as usize) < span.end).saturating_add(reach);
    let start = span.start.min(tokens.at(first).start as usize);
    let end = span.end.max(tokens.before(last.min(tokens.len())).end as usize);
    Span { start, end, visible_from: end, ..*span }
}

/// Merges each candidate of the masked text with every span that it overlaps. As separate spans they would only be
/// found again.
fn merge_greedy(spans: &[Span], more: &[Candidate]) -> Vec<Span> {
    let whole = |c: &Candidate| {
        let (start, end) = (c.start as usize, c.end as usize);
        let confidence = c.evidence.confidence(c.reason);
        Span { start, end, visible_from: end, entity: c.entity, reason: c.reason, confidence }
    };
    let mut all: Vec<_> = spans.iter().map(|s| (*s, false)).chain(more.iter().map(|c| (whole(c), true))).collect();
    all.sort_by_key(|(span, _)| (span.start, span.end));
    let mut merged: Vec<(Span, bool)> = Vec::with_capacity(all.len());
    for (span, new) in all {
        match merged.last_mut() {
            Some((last, last_is_new)) if span.start < last.end && (new || *last_is_new) => {
                let end = last.end.max(span.end);
                let decisive = if new { span } else { *last };
                *last = Span { start: last.start, end, visible_from: end, ..decisive };
                *last_is_new = true;
            }
            _ => merged.push((span, new)),
        }
    }
    merged.into_iter().map(|(span, _)| span).collect()
}

/// A span as a candidate with the strongest evidence.
fn strongest_candidate(span: &Span) -> Candidate {
    Candidate {
        start: saturating_u32(span.start),
        end: saturating_u32(span.end),
        visible_from: saturating_u32(span.visible_from),
        entity: span.entity,
        reason: span.reason,
        evidence: EvidenceRank::PaymentCard,
    }
}

/// A map between offsets of a text and of its masked form.
#[derive(Default)]
struct OffsetMap {
    /// For each span: its end in the masked text, and its start and end in the text.
    spans: Vec<(usize, usize, usize)>,
    search_hint: SearchHint,
}

impl OffsetMap {
    /// Masks these spans of a text and records their offsets.
    #[inline(never)]
    fn mask(text: &str, spans: &[Span]) -> (String, Self) {
        let mut map = Self::default();
        let masked = mask_with_offsets(text, spans, |end, span| map.spans.push((end, span.start, span.end)));
        (masked, map)
    }

    /// Converts a span of the masked text to a candidate of the text.
    fn to_original(&self, span: &Span) -> Candidate {
        let (start, end) = (self.offset_to_original(span.start, false), self.offset_to_original(span.end, true));
        Candidate {
            evidence: EvidenceRank::Shape,
            ..strongest_candidate(&Span { start, end: end.max(start), visible_from: end.max(start), ..*span })
        }
    }

    /// Converts an offset of the text to the masked text. The offset is outside the spans or at an end of one.
    fn to_masked(&self, offset: usize) -> usize {
        let before = self.spans.partition_point(|(_, _, end)| *end <= offset);
        let (masked_done, done) = before.checked_sub(1).map_or((0, 0), |last| (self.spans[last].0, self.spans[last].2));
        let within = self.spans.get(before).filter(|(_, start, _)| *start < offset);
        masked_done + (within.map_or(offset, |(_, start, _)| *start) - done)
    }

    fn offset_to_original(&self, masked: usize, is_end: bool) -> usize {
        let is_before =
            |(masked_end, ..): &(usize, usize, usize)| masked > *masked_end || masked == *masked_end && !is_end;
        let at = self.search_hint.partition_point(&self.spans, is_before);
        let (masked_done, done) =
            at.checked_sub(1).map_or((0, 0), |before| (self.spans[before].0, self.spans[before].2));
        let within = self.spans.get(at).filter(|(_, start, _)| {
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
