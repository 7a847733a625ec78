//! Candidates: the ranges of a text that may be a value, each with its evidence and the part that may stay readable.

use crate::entity::{Entity, EntitySet};
use crate::span::{Confidence, DetectionReason};
use std::ops::Range;

/// How strong the evidence for a candidate is, strongest first. The stronger candidate wins an overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EvidenceRank {
    /// A payment card or its code.
    PaymentCard,
    /// Valid check digits, or a structure that no other kind of value has.
    Checksum,
    /// A cue names the value.
    Cue,
    /// Only the shape.
    Shape,
    /// The sequence tagger.
    Model,
    /// The value is the whole message and has a fitting shape.
    WholeMessage,
    /// A number of any kind.
    AnyNumber,
}

impl EvidenceRank {
    /// The confidence of a finding with this evidence and reason.
    pub(crate) const fn confidence(self, reason: DetectionReason) -> Confidence {
        Confidence::constant(match (self, reason) {
            (Self::AnyNumber, _) => 30,
            (Self::WholeMessage, _) => 50,
            (Self::PaymentCard, DetectionReason::Checksum) => 99,
            (_, DetectionReason::Checksum) => 95,
            (_, DetectionReason::Cue) | (Self::PaymentCard | Self::Checksum, DetectionReason::Shape) => 90,
            (_, DetectionReason::EarlierCue | DetectionReason::SplitNumber) => 85,
            (_, DetectionReason::WordList) => 80,
            (_, DetectionReason::Shape | DetectionReason::Model | DetectionReason::External) => 70,
        })
    }
}

/// A possible value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// First byte of the readable tail; equal to `end` if the value has none.
    pub(crate) visible_from: u32,
    pub(crate) entity: Entity,
    pub(crate) reason: DetectionReason,
    pub(crate) evidence: EvidenceRank,
}

impl Candidate {
    /// Whether it covers more than half of a range.
    pub(crate) fn covers_most_of(&self, start: u32, end: u32) -> bool {
        2 * self.end.min(end).saturating_sub(self.start.max(start)) > end - start
    }
}

/// Collects the candidates of active entities.
pub(crate) struct Candidates {
    active: EntitySet,
    cued_entities: EntitySet,
    has_answer: bool,
    may_tag_more: bool,
    list: Vec<Candidate>,
}

impl Candidates {
    pub(crate) fn new(active: EntitySet) -> Self {
        Self { active, cued_entities: EntitySet::empty(), has_answer: false, may_tag_more: false, list: Vec::new() }
    }

    pub(crate) fn is_any_active(&self, set: EntitySet) -> bool {
        self.active.intersects(set)
    }

    pub(crate) fn active(&self) -> EntitySet {
        self.active
    }

    /// Records the entities that the cues of the text and of an earlier message name.
    pub(crate) fn set_cued_entities(&mut self, entities: EntitySet) {
        self.cued_entities = entities;
    }

    /// Entities that the cues of the text and of an earlier message name, active or not.
    pub(crate) fn cued_entities(&self) -> EntitySet {
        self.cued_entities
    }

    /// Records that a number answers an earlier question, whether or not its entity is active.
    pub(crate) fn record_answer(&mut self) {
        self.has_answer = true;
    }

    /// Whether a number answers an earlier question.
    pub(crate) fn has_answer(&self) -> bool {
        self.has_answer
    }

    /// Records that the tagger may find more once the values are masked.
    pub(crate) fn record_open_tokens(&mut self) {
        self.may_tag_more = true;
    }

    /// Whether the tagger may find more once the values are masked.
    pub(crate) fn may_tag_more(&self) -> bool {
        self.may_tag_more
    }

    /// Adds a candidate if its entity is active and its range is not empty.
    pub(crate) fn push(&mut self, candidate: Candidate) {
        if self.active.contains(candidate.entity) && candidate.start < candidate.end {
            self.list.push(candidate);
        }
    }

    /// Extends the candidates for which `is_extendable` is true to the range that `range` returns. An extended candidate
    /// has no readable tail.
    pub(crate) fn extend_each(
        &mut self,
        is_extendable: impl Fn(&Candidate) -> bool,
        range: impl Fn(&Candidate) -> (u32, u32),
    ) {
        for candidate in self.list.iter_mut().filter(|candidate| is_extendable(candidate)) {
            let (start, end) = range(candidate);
            if end > candidate.end {
                candidate.visible_from = end;
            }
            (candidate.start, candidate.end) = (start.min(candidate.start), end.max(candidate.end));
        }
    }

    /// Gives the candidate at an index another entity, which a cue names, and extends it to a range.
    pub(crate) fn rename(&mut self, index: usize, entity: Entity, reason: DetectionReason, range: &Range<u32>) {
        if let Some(found) = self.list.get_mut(index) {
            let (start, end) = (found.start.min(range.start), found.end.max(range.end));
            *found = Candidate { start, end, visible_from: end, entity, reason, evidence: EvidenceRank::Cue };
        }
    }

    /// Keeps the candidates for which `is_kept` is true.
    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&Candidate) -> bool) {
        self.list.retain(is_kept);
    }

    /// Whether the last candidate is of this entity and begins at this byte.
    pub(crate) fn last_covers(&self, start: u32, entity: Entity) -> bool {
        self.list.last().is_some_and(|candidate| candidate.start == start && candidate.entity == entity)
    }

    /// Adds a candidate without a readable tail.
    pub(crate) fn push_fully_masked(
        &mut self,
        start: u32,
        end: u32,
        entity: Entity,
        reason: DetectionReason,
        evidence: EvidenceRank,
    ) {
        self.push(Candidate { start, end, visible_from: end, entity, reason, evidence });
    }

    /// Removes the candidates of an entity that lie within one of these ranges. The ranges are in order.
    pub(crate) fn remove_within(&mut self, entity: Entity, ranges: &[Range<u32>]) {
        let within = |candidate: &Candidate| {
            let at = ranges.partition_point(|range| range.end < candidate.end);
            ranges.get(at).is_some_and(|range| range.start <= candidate.start)
        };
        self.list.retain(|candidate| candidate.entity != entity || !within(candidate));
    }

    pub(crate) fn as_slice(&self) -> &[Candidate] {
        &self.list
    }

    pub(crate) fn into_vec(self) -> Vec<Candidate> {
        self.list
    }
}
