#![doc = include_str!("../README.md")]
#![expect(
    clippy::indexing_slicing,
    reason = "indices come from the tokens of the same text; checked access costs a third of the speed"
)]

#[cfg(test)]
mod tests;

mod candidate;
mod card_floor;
mod catalog;
mod classifier;
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
#[expect(dead_code, reason = "the tables are complete, although the detectors read only parts of them")]
mod tables;
mod tagger;
mod tokenize;
mod validate;

pub use card_floor::{message_part::NumberRunPart, message_run::MAX_NUMBER_RUN};
pub use catalog::{Activity, CatalogRow, Control, Group, Mask, catalogue_page};
#[cfg(feature = "training")]
#[doc(hidden)]
pub use classifier::training as classifier_training;
pub use cross_message::utterance::{MAX_CONTEXT, Speaker, Utterance};
pub use entity::{Entity, EntitySet};
pub use masking::mask::mask_spans;
pub use redactor::{Redaction, Redactor};
pub use span::{Confidence, DetectionReason, EarlierSpan, ExternalSpan, Span};
#[cfg(feature = "training")]
#[doc(hidden)]
pub use tagger::training as tagger_training;
