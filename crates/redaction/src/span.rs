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
    /// A detector outside this crate reported the value.
    External,
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
