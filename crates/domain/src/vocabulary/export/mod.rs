//! A vocabulary in what each speech engine can take: which engines there are, what fits them, and what had to go.

mod engine;
mod fitting;
mod spoken;

pub use engine::{Engine, EngineLimit, Measure, UnknownEngine};
pub use fitting::{Dropped, Fit, Reason, Term};
