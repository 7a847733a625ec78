//! What was found: where, what, and why.

use crate::entity::Entity;

/// Why a span was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Check digits hold.
    Checksum,
    /// Written the way only such a value is.
    Shape,
    /// A cue in the same text names it.
    Cue,
    /// A cue in an earlier message asks for it.
    EarlierCue,
    /// The word is in a list.
    WordList,
    /// The number began in an earlier message.
    Spread,
    /// A detector outside this crate found it.
    External,
}

/// A stretch of the text to mask. Offsets are bytes, on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// The part from here to `end` stays readable; equal to `end` where nothing does.
    pub shown_from: usize,
    /// What it is.
    pub entity: Entity,
    /// Why it was found.
    pub reason: Reason,
}

/// A stretch of an earlier message that must be masked as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarlierSpan {
    /// Which message: an index into the context that was passed in.
    pub utterance: usize,
    /// The stretch, in that message's text.
    pub span: Span,
}

/// A stretch that a detector outside this crate found. Offsets are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// What it is.
    pub entity: Entity,
}
