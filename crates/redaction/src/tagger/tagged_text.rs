//! What the tagger finds in a text, for each question that an earlier message can ask.

use super::candidate_set::CandidateSet;
use super::candidates::find_candidates;
use super::decode::{self, ADDRESS_BEGIN, ADDRESS_INSIDE, Label, Labels, NAME_BEGIN, NAME_INSIDE, OUTSIDE, Step};
use super::found::Found;
use super::scores::Scorer;
use super::view::{AskedEntities, View};
use super::weights::TrainedWeights;
use super::{eponym, middle_initial, no_person};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::{Gap, TokenKind, Tokens};
use std::cell::{OnceCell, RefCell};
use std::ops::Range;

/// The values that the tagger finds in a text.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) list: Vec<Found>,
    /// Whether the masks of any values could bring more: a token that can be part of a value is part of none, or a word
    /// for a street may come nearer to a number.
    pub(super) is_open: bool,
}

/// A text that several passes read, each with another question before it. What the tagger finds with a question is found
/// on first use, and kept.
pub(crate) struct TaggedText<'r, 't> {
    pub(super) tokens: &'r Tokens<'t>,
    reader: RefCell<Option<Reader<'r, 't>>>,
    /// By [`AskedEntities::index`].
    findings: [OnceCell<Findings>; AskedEntities::COUNT],
}

impl<'r, 't> TaggedText<'r, 't> {
    /// A text in which nothing is found yet.
    pub(crate) fn new(tokens: &'r Tokens<'t>) -> Self {
        Self { tokens, reader: RefCell::new(None), findings: [const { OnceCell::new() }; AskedEntities::COUNT] }
    }

    /// What the tagger finds if an earlier message asks for these entities. `active` is the same in every call.
    pub(super) fn findings(&self, active: EntitySet, asked: AskedEntities) -> &Findings {
        self.findings[asked.index()].get_or_init(|| {
            let mut reader = self.reader.borrow_mut();
            let reader = reader.get_or_insert_with(|| Reader::new(self.tokens));
            reader.view.asked = asked;
            reader.find(active)
        })
    }

    /// Prepares for several calls of [`Self::findings`]: keeps the scores of tokens that no question changes.
    pub(super) fn keep_scores(&self) {
        let mut reader = self.reader.borrow_mut();
        reader.get_or_insert_with(|| Reader::new(self.tokens)).scorer.keep(self.tokens.len());
    }
}

/// Reads a text once for each question.
struct Reader<'r, 't> {
    view: View<'r, 't>,
    scorer: Scorer,
}

impl<'r, 't> Reader<'r, 't> {
    #[inline]
    fn new(tokens: &'r Tokens<'t>) -> Self {
        Self { view: View::new(tokens, AskedEntities::default(), None), scorer: Scorer::default() }
    }

    fn find(&mut self, active: EntitySet) -> Findings {
        let Self { view, scorer } = self;
        let tokens = view.tokens;
        let set = find_candidates(view, active);
        let is_open = set.has_address_word && !tokens.number_range().is_empty();
        let mut findings = Findings { list: Vec::new(), is_open };
        if !set.is_empty() {
            decode_runs(view, scorer, &set, &mut findings);
        }
        findings
    }
}

fn decode_runs(view: &mut View<'_, '_>, scorer: &mut Scorer, set: &CandidateSet, findings: &mut Findings) {
    let tokens = view.tokens;
    let Findings { list, is_open } = findings;
    let mut labels = Labels::default();
    for run in set.runs() {
        let steps = run.clone().map(|at| Step {
            scores: scorer.scores(view, at),
            kinds: set.kinds(at),
            begins_line: tokens.at(at).gap >= Gap::Line,
        });
        decode::decode(&TrainedWeights, steps, &mut labels);
        *is_open |= labels.as_slice().contains(&OUTSIDE);
        collect(run.start, labels.as_slice(), list);
    }
    middle_initial::add(view, set, list);
    for value in list.iter_mut() {
        trim(tokens, &mut value.tokens);
    }
    list.retain(|value| {
        let is_other = |view: &mut View<'_, '_>| {
            eponym::names_thing(view, &value.tokens) || no_person::names_no_person(view, &value.tokens)
        };
        let is_empty = value.tokens.is_empty();
        !(is_empty || value.entity == Entity::PERSON_NAME && is_other(view))
    });
}

/// Adds the values of the labels of a run.
fn collect(first: usize, labels: &[Label], found: &mut Vec<Found>) {
    for (at, label) in (first..).zip(labels) {
        match *label {
            NAME_BEGIN => found.push(Found { entity: Entity::PERSON_NAME, tokens: at..at + 1 }),
            ADDRESS_BEGIN => found.push(Found { entity: Entity::STREET_ADDRESS, tokens: at..at + 1 }),
            NAME_INSIDE | ADDRESS_INSIDE => {
                if let Some(last) = found.last_mut() {
                    last.tokens.end = at + 1;
                }
            }
            _ => {}
        }
    }
}

/// Removes marks at the ends of a value.
fn trim(tokens: &Tokens<'_>, range: &mut Range<usize>) {
    let is_outer = |at: usize| matches!(tokens.at(at).kind, TokenKind::Mark | TokenKind::Mask);
    while range.start < range.end && is_outer(range.end - 1) {
        range.end -= 1;
    }
    while range.start < range.end && is_outer(range.start) {
        range.start += 1;
    }
}
