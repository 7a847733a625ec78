//! Vocabulary export: the supported speech engines, and how a vocabulary is fitted to the limits of each.

mod engine;
mod fit;
mod spoken_form;

pub use engine::{EngineLimit, LimitUnit, SpeechEngine, UnknownSpeechEngine};
pub use fit::{DropReason, DroppedText, FittedVocabulary, KeyTerm};
