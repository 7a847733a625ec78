//! Overlap resolution: the candidate with the stronger evidence determines the entity of the span. A character stays
//! readable only if every candidate that covers it leaves it readable.

use crate::candidate::{Candidate, EvidenceRank};
use crate::span::Span;
use crate::tokenize::saturating_u32;

/// Turns candidates into spans, in order and without overlap.
pub(crate) fn resolve_overlaps(text: &str, mut candidates: Vec<Candidate>) -> Vec<Span> {
    if let [only] = candidates.as_slice() {
        return if only.start < only.end { vec![span(only, only.start, only.end)] } else { Vec::new() };
    }
    candidates.sort_by_key(|c| (c.start, c.end));
    let mut spans: Vec<Span> = Vec::with_capacity(candidates.len());
    let mut rest = candidates.as_mut_slice();
    while !rest.is_empty() {
        let (cluster, after) = rest.split_at_mut(cluster_length(rest));
        clip(cluster, spans.last().map_or(0, |s| s.end));
        resolve_cluster(text, cluster, &mut spans);
        rest = after;
    }
    spans
}

/// Maximum number of candidates of a cluster. A longer chain of overlaps is split, so that the time stays linear.
const MAX_CLUSTER: usize = 128;

/// Number of candidates, from the first on, that overlap in a chain.
fn cluster_length(candidates: &[Candidate]) -> usize {
    let (mut end, mut length) = (0, 0);
    for candidate in candidates.iter().take(MAX_CLUSTER) {
        if length > 0 && candidate.start >= end {
            break;
        }
        end = end.max(candidate.end);
        length += 1;
    }
    length
}

/// Removes from each candidate what earlier spans cover.
fn clip(cluster: &mut [Candidate], done: usize) {
    let done = saturating_u32(done);
    for candidate in cluster {
        candidate.start = candidate.start.max(done).min(candidate.end);
        candidate.visible_from = candidate.visible_from.max(candidate.start);
    }
}

fn resolve_cluster(text: &str, cluster: &mut [Candidate], spans: &mut Vec<Span>) {
    if let [only] = cluster {
        if only.start < only.end {
            spans.push(span(only, only.start, only.end));
        }
        return;
    }
    cluster.sort_by_key(|c| (c.evidence, u32::MAX - (c.end - c.start), c.entity));
    let first = spans.len();
    for candidate in cluster.iter() {
        cover(text, candidate, first, spans);
    }
    spans[first..].sort_by_key(|s| s.start);
}

/// Adds the parts of a candidate that no span covers yet. Hides the readable tail of an overlapping span if the
/// candidate hides it.
fn cover(text: &str, candidate: &Candidate, first: usize, spans: &mut Vec<Span>) {
    if candidate.start == candidate.end {
        return;
    }
    let (start, end, visible_from) =
        (candidate.start as usize, candidate.end as usize, candidate.visible_from as usize);
    let mut free = start;
    spans[first..].sort_by_key(|s| s.start);
    let resolved = spans.len();
    for at in first..resolved {
        let span = &mut spans[at];
        if span.end <= start || span.start >= end {
            continue;
        }
        if span.visible_from < span.end && visible_from > span.visible_from && candidate.evidence <= EvidenceRank::Shape
        {
            span.visible_from = span.end;
        }
        let (covered_from, covered_to) = (span.start, span.end);
        if free < covered_from {
            push_part(text, candidate, free, covered_from, spans);
        }
        free = free.max(covered_to);
    }
    if free < end {
        push_part(text, candidate, free, end, spans);
    }
}

/// Minimum number of digits of a number sequence.
const MIN_SEQUENCE_DIGITS: usize = 5;

fn push_part(text: &str, candidate: &Candidate, start: usize, end: usize, spans: &mut Vec<Span>) {
    let whole = start == candidate.start as usize && end == candidate.end as usize;
    let (start, end) = if whole { (start, end) } else { trim(text, start, end) };
    let part = text.get(start..end).unwrap_or("");
    let worth_keeping = match candidate.evidence {
        // The rest of a sequence counts only if it is a sequence itself.
        EvidenceRank::AnyNumber => part.chars().filter(|c| c.is_numeric()).nth(MIN_SEQUENCE_DIGITS - 1).is_some(),
        EvidenceRank::WholeMessage => false,
        EvidenceRank::PaymentCard
        | EvidenceRank::Checksum
        | EvidenceRank::Cue
        | EvidenceRank::Shape
        | EvidenceRank::Model => !part.is_empty(),
    };
    if whole || worth_keeping {
        spans.push(span(candidate, saturating_u32(start), saturating_u32(end)));
    }
}

/// A range without the leading and trailing characters that are not letters or digits.
fn trim(text: &str, start: usize, end: usize) -> (usize, usize) {
    let part = text.get(start..end).unwrap_or("");
    let tail = part.trim_start_matches(|c: char| !c.is_alphanumeric());
    let start = end - tail.len();
    (start, start + tail.trim_end_matches(|c: char| !c.is_alphanumeric()).len())
}

fn span(candidate: &Candidate, start: u32, end: u32) -> Span {
    Span {
        start: start as usize,
        end: end as usize,
        visible_from: candidate.visible_from.clamp(start, end) as usize,
        entity: candidate.entity,
        reason: candidate.reason,
        confidence: candidate.evidence.confidence(candidate.reason),
    }
}
