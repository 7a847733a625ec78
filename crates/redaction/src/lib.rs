//! Finds sensitive data in chat messages and speech transcripts and masks it.
//!
//! A text is cut into tokens in one pass that looks every word up once; only where that pass met digits, number words,
//! cues, or marks of interest do the detectors run, each on bounded windows. Everything is constant data: a
//! [`Redactor`] is a set of entities and nothing else.

#![expect(
    clippy::indexing_slicing,
    reason = "every place is made by the scan of the same text; checked access costs a third of the speed"
)]

#[cfg(test)]
mod tests;

mod bookmark;
mod candidate;
mod catalog;
mod check;
mod context;
mod cue;
mod detect;
mod entity;
mod interest;
mod known;
mod look;
mod mask;
mod misheard;
mod number_run;
mod redactor;
mod resolve;
mod scan;
mod settle;
mod settled;
mod slice;
mod span;
mod spread;
mod starred;
#[expect(dead_code, reason = "tables are whole, whichever parts the detectors read")]
mod table;
mod wants;

pub use catalog::{Activity, Control, Group, Mask, Row, catalogue_page};
pub use context::{MAX_CONTEXT, Speaker, Utterance};
pub use entity::{Entity, EntitySet};
pub use mask::mask_spans;
pub use redactor::{Redaction, Redactor};
pub use span::{EarlierSpan, Found, Reason, Span};
