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

mod candidate;
mod catalog;
mod cross_message;
mod cues;
mod detect;
mod entity;
mod masking;
mod numbers;
mod pipeline;
mod prefilter;
mod redactor;
mod registry;
mod span;
#[expect(dead_code, reason = "tables are whole, whichever parts the detectors read")]
mod tables;
mod tokenize;
mod validate;

pub use catalog::{Activity, Control, Group, Mask, Row, catalogue_page};
pub use cross_message::context::{MAX_CONTEXT, Speaker, Utterance};
pub use entity::{Entity, EntitySet};
pub use masking::mask::mask_spans;
pub use redactor::{Redaction, Redactor};
pub use span::{EarlierSpan, Found, Reason, Span};
