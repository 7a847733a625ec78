//! What the detectors hand over: a stretch of the text that may be a value, how sure that is, and what may stay readable.

use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use std::ops::Range;

/// How well a candidate is proved; the better proved wins where two overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Proof {
    /// A payment card or its code.
    Card,
    /// Check digits, or a structure that nothing else has.
    Check,
    /// Named by a cue.
    Cue,
    /// The shape alone.
    Shape,
    /// All there is to the message, and of a fitting shape.
    Alone,
    /// A number of any kind.
    Any,
}

/// A possible value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// First byte that stays readable, up to the end; equal to the end where nothing does.
    pub(crate) shown_from: u32,
    pub(crate) entity: Entity,
    pub(crate) reason: Reason,
    pub(crate) proof: Proof,
}

/// Gathers candidates of active entities.
pub(crate) struct Candidates {
    active: EntitySet,
    named: EntitySet,
    answers: bool,
    found: Vec<Candidate>,
}

impl Candidates {
    pub(crate) fn new(active: EntitySet) -> Self {
        Self { active, named: EntitySet::empty(), answers: false, found: Vec::new() }
    }

    pub(crate) fn wants(&self, set: EntitySet) -> bool {
        self.active.touches(set)
    }

    pub(crate) fn active(&self) -> EntitySet {
        self.active
    }

    /// Notes what the cues of the text and an earlier message name.
    pub(crate) fn note_named(&mut self, named: EntitySet) {
        self.named = named;
    }

    /// What the cues of the text and an earlier message name, active or not.
    pub(crate) fn named(&self) -> EntitySet {
        self.named
    }

    /// Notes that a number was taken for the answer to an earlier question, be it for an active entity or not.
    pub(crate) fn note_answer(&mut self) {
        self.answers = true;
    }

    /// Whether a number was taken for the answer to an earlier question.
    pub(crate) fn answers(&self) -> bool {
        self.answers
    }

    /// Takes a candidate if its entity is active.
    pub(crate) fn push(&mut self, candidate: Candidate) {
        if self.active.contains(candidate.entity) && candidate.start < candidate.end {
            self.found.push(candidate);
        }
    }

    /// Takes a stretch that is masked whole.
    pub(crate) fn whole(&mut self, start: u32, end: u32, entity: Entity, reason: Reason, proof: Proof) {
        self.push(Candidate { start, end, shown_from: end, entity, reason, proof });
    }

    /// Gives up candidates of an entity within stretches, in their order, that turned out to be part of something else.
    pub(crate) fn take_back(&mut self, entity: Entity, stretches: &[Range<u32>]) {
        let within = |found: &Candidate| {
            let at = stretches.partition_point(|stretch| stretch.end < found.end);
            stretches.get(at).is_some_and(|stretch| stretch.start <= found.start)
        };
        self.found.retain(|found| found.entity != entity || !within(found));
    }

    pub(crate) fn found(&self) -> &[Candidate] {
        &self.found
    }

    pub(crate) fn into_found(self) -> Vec<Candidate> {
        self.found
    }
}
