//! The features of labelled texts, for the program that trains the tagger. Not part of the API of the crate.

use super::attributes::{Attributes, Withheld};
use super::candidates::find_candidates;
use super::decode::{
    self, ADDRESS_BEGIN, ADDRESS_INSIDE, LABELS, Label, NAME_BEGIN, NAME_INSIDE, OUTSIDE, Step, Weights,
};
use super::features::{FEATURES, FeatureRow, ROWS, features};
use super::view::View;
use super::word_class::WordClass;
use super::word_lists::Lexical;
use super::{ENTITIES, asked};
use crate::cross_message::context::expectation;
use crate::cross_message::utterance::Utterance;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::{Gap, TokenBuffer, TokenKind, TokenizedText, Tokens};
use std::ops::Range;

/// Number of labels, rows and features, and the bytes of a row in the file of weights.
pub const SIZES: (usize, usize, usize, usize) = (LABELS, ROWS, FEATURES, 8);

/// A labelled value: its bytes, and whether it is an address; otherwise it is a name.
#[derive(Clone, Debug)]
pub struct LabelledValue {
    /// The bytes of the value.
    pub bytes: Range<usize>,
    /// Whether the value is an address.
    pub is_address: bool,
}

/// What to withhold of a token: `(word, lists)`. The arguments are the index of the value and of the token in it, or
/// `None` and the index of the token in the text. Only rare words outside values are asked for.
pub type WithholdFn<'a> = &'a dyn Fn(Option<usize>, usize) -> (bool, bool);

/// A run of candidates with its features and labels.
#[derive(Clone, Debug)]
pub struct LabelledRun {
    /// For each token: its features, the kinds of value that it can be part of, and whether it begins a line.
    pub steps: Vec<(FeatureRow, u8, bool)>,
    /// The label of each token.
    pub labels: Vec<Label>,
}

/// The runs of a text, and the number of values with a token that is no candidate.
#[must_use]
pub fn labelled_runs(
    text: &str,
    context: &[Utterance<'_>],
    values: &[LabelledValue],
    entities: EntitySet,
    withhold: WithholdFn<'_>,
) -> (Vec<LabelledRun>, usize) {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(text, &mut buffer);
    let tokens = tokenized.tokens();
    let labels = token_labels(&tokens, values);
    let hide = |at: usize| {
        let (word, lists) = match labels.get(at).and_then(|label| label.1) {
            Some((value, part)) => withhold(Some(value), part),
            None if is_open(&tokens, at) => withhold(None, at),
            None => (false, false),
        };
        Withheld { word, lists }
    };
    let mut view = View::new(&tokens, asked(&tokens, expectation(context).entities), Some(&hide));
    let set = find_candidates(&mut view, entities.and(ENTITIES));
    let mut runs = Vec::new();
    for run in set.runs() {
        let steps =
            run.clone().map(|at| (features(&mut view, at), set.kinds(at), tokens.at(at).gap >= Gap::Line)).collect();
        runs.push(LabelledRun { steps, labels: consistent(run.clone().map(|at| labels[at].0).collect()) });
    }
    let covered = |value: usize| {
        (0..labels.len())
            .filter(|at| labels[*at].1.is_some_and(|(v, _)| v == value))
            .all(|at| decode::is_allowed(set.kinds(at), labels[at].0))
    };
    let missed = (0..values.len()).filter(|value| !covered(*value)).count();
    (runs, missed)
}

/// Whether a word is of no class and not common: one of the many words that no training text can have all of.
fn is_open(tokens: &Tokens<'_>, at: usize) -> bool {
    let attributes = Attributes::new(tokens, tokens.at(at), Withheld::default());
    tokens.at(at).kind == TokenKind::Word
        && attributes.class == WordClass::Other
        && !matches!(attributes.lexical, Lexical::Common)
}

/// The label of each token, with the value and the index in the value.
fn token_labels(tokens: &Tokens<'_>, values: &[LabelledValue]) -> Vec<(Label, Option<(usize, usize)>)> {
    let mut labels = vec![(OUTSIDE, None); tokens.len()];
    for (nth, value) in values.iter().enumerate() {
        let inside = |at: &usize| {
            let token = tokens.at(*at);
            (token.start as usize) < value.bytes.end && token.end as usize > value.bytes.start
        };
        for (part, at) in (0..tokens.len()).filter(inside).enumerate() {
            let label = match (value.is_address, part) {
                (false, 0) => NAME_BEGIN,
                (false, _) => NAME_INSIDE,
                (true, 0) => ADDRESS_BEGIN,
                (true, _) => ADDRESS_INSIDE,
            };
            labels[at] = (label, Some((nth, part)));
        }
    }
    labels
}

/// A run that begins inside a value begins it.
fn consistent(mut labels: Vec<Label>) -> Vec<Label> {
    let mut before = OUTSIDE;
    for label in &mut labels {
        if !decode::is_possible(before, *label, false) {
            *label -= 1;
        }
        before = *label;
    }
    labels
}

/// The entity of a label, if it is the first of a value.
#[must_use]
pub fn begins(label: Label) -> Option<Entity> {
    match label {
        NAME_BEGIN => Some(Entity::PERSON_NAME),
        ADDRESS_BEGIN => Some(Entity::STREET_ADDRESS),
        _ => None,
    }
}

/// Weights in training.
pub trait TrainingWeights {
    /// The score of each label for a token with these features.
    fn emission(&self, features: &FeatureRow) -> [i32; LABELS];

    /// The score of a label after another.
    fn transition(&self, from: Label, to: Label) -> i32;
}

struct Adapter<'w, W>(&'w W);

impl<W: TrainingWeights> Weights for Adapter<'_, W> {
    fn emission(&self, features: &FeatureRow) -> [i32; LABELS] {
        self.0.emission(features)
    }

    fn transition(&self, from: Label, to: Label) -> i32 {
        self.0.transition(from, to)
    }
}

/// The labels with the highest score, where each wrong label scores `margin[label]` more.
pub fn decode_run(
    weights: &impl TrainingWeights,
    run: &LabelledRun,
    margin: &[[i32; LABELS]; LABELS],
    labels: &mut Vec<Label>,
) {
    let steps = run.steps.iter().zip(&run.labels).map(|((features, kinds, begins_line), gold)| {
        let mut scores = weights.emission(features);
        for (score, extra) in scores.iter_mut().zip(&margin[usize::from(*gold)]) {
            *score += extra;
        }
        Step { scores, kinds: *kinds, begins_line: *begins_line }
    });
    let mut found = decode::Labels::default();
    decode::decode(&Adapter(weights), steps, &mut found);
    labels.clear();
    labels.extend_from_slice(found.as_slice());
}
