//! The masked ranges of a text. Their offsets count Unicode scalar values of the masked text, which is the only text that
//! is stored and given out.

use super::{Confidence, DetectionReason, Entity, Span, mask_spans};

/// A masked range of a text, with what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaskedRange<Finding> {
    /// The first character, counted in Unicode scalar values of the masked text.
    pub start: usize,
    /// The character after the last one. A readable tail belongs to the range.
    pub end: usize,
    /// What was found there.
    pub finding: Finding,
}

/// What is kept of a span: only the entity, or the evidence too.
pub trait Finding: Copy {
    /// What is kept of this span.
    fn of_span(span: &Span) -> Self;
}

impl Finding for Entity {
    fn of_span(span: &Span) -> Self {
        span.entity
    }
}

/// A found value and its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The kind of the value.
    pub entity: Entity,
    /// How strong the evidence is.
    pub confidence: Confidence,
    /// The reason.
    pub reason: DetectionReason,
}

impl Finding for Evidence {
    fn of_span(span: &Span) -> Self {
        Self { entity: span.entity, confidence: span.confidence, reason: span.reason }
    }
}

/// The masked ranges of a text after these spans of it are masked. `earlier` holds the ranges that were already masked
/// in `text`. A new span replaces the part of an earlier range that it covers. Spans must be in order without overlap.
pub(crate) fn masked_ranges<F: Finding>(earlier: &[MaskedRange<F>], text: &str, spans: &[Span]) -> Vec<MaskedRange<F>> {
    let mut shift = OffsetShift::default();
    let mut ranges: Vec<_> = spans.iter().filter_map(|span| shift.push(text, span)).collect();
    ranges.extend(earlier.iter().flat_map(|range| shift.uncovered_parts(range)));
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// How masking moves the offsets of a text.
#[derive(Default)]
struct OffsetShift {
    /// For each span its range in the text, and its range in the masked text.
    spans: Vec<[usize; 4]>,
    /// The offset up to which the text was read, in bytes.
    read: usize,
}

impl OffsetShift {
    /// Adds the next span, and returns its range in the masked text. A span that does not fit the text is not masked.
    fn push<F: Finding>(&mut self, text: &str, span: &Span) -> Option<MaskedRange<F>> {
        let before = text.get(self.read..span.start)?.chars().count();
        let value = text.get(span.start..span.end)?;
        let [.., old_end, new_end] = self.spans.last().map_or([0; 4], |[a, b, c, d]| [*a, *c, *b, *d]);
        let whole =
            Span { start: 0, end: value.len(), visible_from: span.visible_from.saturating_sub(span.start), ..*span };
        let (old_start, start) = (old_end + before, new_end + before);
        let end = start + mask_spans(value, &[whole]).chars().count();
        self.spans.push([old_start, old_start + value.chars().count(), start, end]);
        self.read = span.end;
        Some(MaskedRange { start, end, finding: F::of_span(span) })
    }

    /// The parts of a range of the text that no span covers, in the masked text.
    fn uncovered_parts<F: Finding>(&self, range: &MaskedRange<F>) -> Vec<MaskedRange<F>> {
        let (mut parts, mut from) = (Vec::new(), range.start);
        for [start, end, ..] in self.spans.iter().filter(|[start, end, ..]| *start < range.end && range.start < *end) {
            parts.push((from, *start));
            from = *end;
        }
        parts.push((from, range.end));
        let moved = |(start, end)| MaskedRange { start: self.moved(start), end: self.moved(end), ..*range };
        parts.into_iter().filter(|(start, end)| start < end).map(moved).collect()
    }

    /// The offset in the masked text of a character outside the spans.
    fn moved(&self, offset: usize) -> usize {
        let before = self.spans.partition_point(|[_, end, ..]| *end <= offset);
        let last = before.checked_sub(1).and_then(|last| self.spans.get(last));
        last.map_or(offset, |[_, end, _, masked_end]| masked_end + (offset - end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::{EntitySet, Redactor};

    /// The masked text with the entity before each range, in brackets.
    fn annotated(text: &str, ranges: &[MaskedRange<Entity>]) -> String {
        let characters: Vec<_> = text.chars().collect();
        let part = |range: &MaskedRange<Entity>| -> String { characters[range.start..range.end].iter().collect() };
        ranges.iter().map(|range| format!("{}={}", range.finding.label(), part(range))).collect::<Vec<_>>().join("; ")
    }

    fn redacted(text: &str) -> (String, Vec<MaskedRange<Entity>>) {
        let redaction = Redactor::new(EntitySet::all()).redact(text, &[]);
        let ranges = masked_ranges(&[], text, &redaction.spans);
        (redaction.text.into_owned(), ranges)
    }

    #[test]
    fn ranges_count_characters_of_the_masked_text() {
        let (text, ranges) = redacted("é 🦀 my password is hunter2! and my ssn is 219-09-9999");
        assert_eq!(annotated(&text, &ranges), "PASSWORD=********; SSN=***-**-9999", "{text}");
    }

    #[test]
    fn earlier_ranges_move_with_the_text_and_yield_to_new_spans() {
        let text = "ab *** cd 12345 ef *** gh";
        let earlier = |start, end| MaskedRange { start, end, finding: Entity::CVV };
        let confidence = Confidence::from_percent(90).unwrap();
        let span = Span {
            start: 10,
            end: 18,
            visible_from: 18,
            entity: Entity::PASSWORD,
            reason: DetectionReason::Cue,
            confidence,
        };
        let masked = mask_spans(text, &[span]);
        let ranges = masked_ranges(&[earlier(3, 6), earlier(16, 22)], text, &[span]);
        assert_eq!(masked, "ab *** cd ******** *** gh");
        assert_eq!(annotated(&masked, &ranges), "CVV=***; PASSWORD=********; CVV= ***");
    }
}
