//! Spans: the range, entity and reason of each value.

use crate::entity::Entity;

/// The reason for a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DetectionReason {
    /// The check digits are valid.
    Checksum,
    /// The shape, which only such a value has.
    Shape,
    /// A cue in the same text names the value.
    Cue,
    /// A cue in an earlier message asks for the value.
    EarlierCue,
    /// The word is in a list.
    WordList,
    /// The number begins in an earlier message.
    SplitNumber,
    /// The sequence tagger found the value.
    Model,
    /// A detector outside this crate reported the value.
    External,
}

impl DetectionReason {
    /// The reason in words, for people. "It" is the value.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Checksum => "its check digits are valid",
            Self::Shape => "only such a value has its shape",
            Self::Cue => "words beside it name it",
            Self::EarlierCue => "an earlier message asks for it",
            Self::WordList => "it is in a list of such words",
            Self::SplitNumber => "it continues a number of an earlier message",
            Self::Model => "a model of sentences recognises it",
            Self::External => "an external detector reported it",
        }
    }
}

/// How strong the evidence for a span is, in percent.
///
/// The values order spans by their evidence. They are no measured probabilities.
///
/// | percent | evidence |
/// |--:|---|
/// | 99 | the check digits of a payment card |
/// | 95 | other check digits |
/// | 90 | a cue in the same text, or a structure that no other value has |
/// | 85 | a cue in an earlier message, or a number that begins there |
/// | 80 | a word of a list |
/// | 70 | the shape, the sequence tagger, or an external detector |
/// | 50 | the shape of a whole message |
/// | 30 | any number |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Confidence(u8);

impl Confidence {
    /// The confidence of this many percent. Only for constants up to 100.
    pub(crate) const fn constant(percent: u8) -> Self {
        Self(percent)
    }

    /// The confidence of this many percent; `None` over 100.
    #[must_use]
    pub const fn from_percent(percent: u8) -> Option<Self> {
        if percent <= 100 { Some(Self(percent)) } else { None }
    }

    /// The confidence in percent, from 0 to 100.
    #[must_use]
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// The confidence as a fraction, from 0 to 1.
    #[must_use]
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// A range of the text to mask. Offsets are bytes, on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// First byte of the readable tail, which ends at `end`; equal to `end` if the value has none.
    pub visible_from: usize,
    /// The kind of the value.
    pub entity: Entity,
    /// The reason for the span.
    pub reason: DetectionReason,
    /// How strong the evidence is.
    pub confidence: Confidence,
}

/// A range of an earlier message that must be masked as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarlierSpan {
    /// Index of the message in the context that the caller passed.
    pub utterance: usize,
    /// The range in the text of that message.
    pub span: Span,
}

/// A finding of a detector outside this crate. Offsets are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalSpan {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// The kind of the value.
    pub entity: Entity,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EntitySet, Redactor};

    /// The confidences of the spans of a text, in percent.
    fn confidences(text: &str, entities: EntitySet) -> Vec<u8> {
        Redactor::new(entities).redact(text, &[]).spans.iter().map(|span| span.confidence.percent()).collect()
    }

    #[test]
    fn stronger_evidence_gives_a_higher_confidence() {
        assert_eq!(confidences("my card is 4111 1111 1111 1111", EntitySet::all()), [99]);
        assert_eq!(confidences("my pin number is 4821", EntitySet::all()), [90]);
        assert_eq!(confidences("the number 48213 and then", Entity::NUMERIC_SEQUENCE.bit()), [30]);
    }

    #[test]
    fn a_second_pass_keeps_the_confidence_of_the_first() {
        assert_eq!(confidences("4111 1111 1111 1111 1234 and the number 48213 of ten", EntitySet::all())[0], 99);
    }

    #[test]
    fn the_confidence_as_a_fraction_is_between_0_and_1() {
        assert!((Confidence(95).fraction() - 0.95).abs() < f64::EPSILON);
    }
}
