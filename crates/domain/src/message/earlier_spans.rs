//! The spans of earlier messages that a later message reveals.

use std::collections::BTreeMap;

use crate::redaction::{EarlierSpan, Span};

/// The spans of each earlier message, by its index in the context.
pub(super) fn by_utterance(earlier: &[EarlierSpan]) -> BTreeMap<usize, Vec<Span>> {
    earlier.iter().fold(BTreeMap::new(), |mut spans, found| {
        spans.entry(found.utterance).or_insert_with(Vec::new).push(found.span);
        spans
    })
}

/// Sorts spans and merges those that overlap. A merged span has no readable tail.
pub(super) fn merge_overlapping(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if *last == span => {}
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                last.visible_from = last.end;
            }
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::{Confidence, DetectionReason, Entity};

    fn span(start: usize, end: usize) -> Span {
        let (entity, reason) = (Entity::SSN, DetectionReason::SplitNumber);
        Span { start, end, visible_from: end, entity, reason, confidence: Confidence::from_percent(85).unwrap() }
    }

    #[test]
    fn overlapping_spans_are_merged_and_duplicates_are_dropped() {
        let merged = merge_overlapping(vec![span(4, 9), span(0, 3), span(0, 3), span(7, 11)]);
        assert_eq!(merged, [span(0, 3), span(4, 11)]);
    }
}
