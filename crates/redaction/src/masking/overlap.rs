//! Overlaps: the better proved candidate names the span; a character stays readable only where every candidate that
//! covers it leaves it readable.

use crate::candidate::{Candidate, Proof};
use crate::span::Span;
use crate::tokenize::narrow;

/// Candidates as spans, in order and without overlap.
pub(crate) fn resolve(text: &str, mut candidates: Vec<Candidate>) -> Vec<Span> {
    if let [only] = candidates.as_slice() {
        return if only.start < only.end { vec![span(only, only.start, only.end)] } else { Vec::new() };
    }
    candidates.sort_by_key(|c| (c.start, c.end));
    let mut spans: Vec<Span> = Vec::with_capacity(candidates.len());
    let mut rest = candidates.as_mut_slice();
    while !rest.is_empty() {
        let (cluster, after) = rest.split_at_mut(cluster_length(rest));
        clip(cluster, spans.last().map_or(0, |s| s.end));
        settle(text, cluster, &mut spans);
        rest = after;
    }
    spans
}

/// Candidates settled at once; a longer chain of overlaps is settled piece by piece, so that the time stays linear.
const AT_ONCE: usize = 128;

/// How many candidates from the first hang together by overlaps.
fn cluster_length(candidates: &[Candidate]) -> usize {
    let (mut end, mut length) = (0, 0);
    for candidate in candidates.iter().take(AT_ONCE) {
        if length > 0 && candidate.start >= end {
            break;
        }
        end = end.max(candidate.end);
        length += 1;
    }
    length
}

/// Takes away what spans before already cover.
fn clip(cluster: &mut [Candidate], done: usize) {
    let done = narrow(done);
    for candidate in cluster {
        candidate.start = candidate.start.max(done).min(candidate.end);
        candidate.shown_from = candidate.shown_from.max(candidate.start);
    }
}

fn settle(text: &str, cluster: &mut [Candidate], spans: &mut Vec<Span>) {
    if let [only] = cluster {
        if only.start < only.end {
            spans.push(span(only, only.start, only.end));
        }
        return;
    }
    cluster.sort_by_key(|c| (c.proof, u32::MAX - (c.end - c.start), c.entity));
    let first = spans.len();
    for candidate in cluster.iter() {
        cover(text, candidate, first, spans);
    }
    spans[first..].sort_by_key(|s| s.start);
}

/// Adds the parts of a candidate that no span covers yet, and hides what it hides of the spans it overlaps.
fn cover(text: &str, candidate: &Candidate, first: usize, spans: &mut Vec<Span>) {
    if candidate.start == candidate.end {
        return;
    }
    let (start, end, shown) = (candidate.start as usize, candidate.end as usize, candidate.shown_from as usize);
    let mut free = start;
    spans[first..].sort_by_key(|s| s.start);
    let settled = spans.len();
    for at in first..settled {
        let span = &mut spans[at];
        if span.end <= start || span.start >= end {
            continue;
        }
        if span.shown_from < span.end && shown > span.shown_from && candidate.proof <= Proof::Shape {
            span.shown_from = span.end;
        }
        let (taken, until) = (span.start, span.end);
        if free < taken {
            push_part(text, candidate, free, taken, spans);
        }
        free = free.max(until);
    }
    if free < end {
        push_part(text, candidate, free, end, spans);
    }
}

/// Digits of a number sequence at least.
const SEQUENCE: usize = 5;

fn push_part(text: &str, candidate: &Candidate, start: usize, end: usize, spans: &mut Vec<Span>) {
    let whole = start == candidate.start as usize && end == candidate.end as usize;
    let (start, end) = if whole { (start, end) } else { trimmed(text, start, end) };
    let part = text.get(start..end).unwrap_or("");
    let worth = match candidate.proof {
        // What is left of a sequence is one itself, or nothing.
        Proof::Any => part.chars().filter(|c| c.is_numeric()).nth(SEQUENCE - 1).is_some(),
        Proof::Alone => false,
        Proof::Card | Proof::Check | Proof::Cue | Proof::Shape => !part.is_empty(),
    };
    if whole || worth {
        spans.push(span(candidate, narrow(start), narrow(end)));
    }
}

/// A stretch without what is no letter or digit at its ends.
fn trimmed(text: &str, start: usize, end: usize) -> (usize, usize) {
    let part = text.get(start..end).unwrap_or("");
    let tail = part.trim_start_matches(|c: char| !c.is_alphanumeric());
    let start = end - tail.len();
    (start, start + tail.trim_end_matches(|c: char| !c.is_alphanumeric()).len())
}

fn span(candidate: &Candidate, start: u32, end: u32) -> Span {
    Span {
        start: start as usize,
        end: end as usize,
        shown_from: candidate.shown_from.clamp(start, end) as usize,
        entity: candidate.entity,
        reason: candidate.reason,
    }
}
