//! The most probable labels of a run of candidates (Viterbi).

use super::candidate_set::{ADDRESS, MAX_RUN, NAME};
use super::features::FeatureRow;

/// A label, as the index of its weight in a row.
pub(super) type Label = u8;

/// Part of no value.
pub(super) const OUTSIDE: Label = 0;
/// The first token of the name of a person.
pub(super) const NAME_BEGIN: Label = 1;
/// A later token of the name of a person.
pub(super) const NAME_INSIDE: Label = 2;
/// The first token of an address.
pub(super) const ADDRESS_BEGIN: Label = 3;
/// A later token of an address.
pub(super) const ADDRESS_INSIDE: Label = 4;
/// Number of labels.
pub(super) const LABELS: usize = 5;

/// The weights of a tagger.
pub(super) trait Weights {
    /// The score of each label for a token with these features.
    fn emission(&self, features: &FeatureRow) -> [i32; LABELS];

    /// The score of a label after another.
    fn transition(&self, from: Label, to: Label) -> i32;
}

/// A token of a run.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) scores: [i32; LABELS],
    /// The kinds of value that the token can be part of.
    pub(super) kinds: u8,
    /// Whether a line break separates the token from the token before it.
    pub(super) begins_line: bool,
}

/// A score below any other. Sums of it do not overflow.
const IMPOSSIBLE: i32 = i32::MIN / 4;

/// The labels that a label may follow.
const fn origins(to: Label, begins_line: bool) -> &'static [Label] {
    match to {
        NAME_INSIDE if begins_line => &[],
        NAME_INSIDE => &[NAME_BEGIN, NAME_INSIDE],
        ADDRESS_INSIDE => &[ADDRESS_BEGIN, ADDRESS_INSIDE],
        _ => &[OUTSIDE, NAME_BEGIN, NAME_INSIDE, ADDRESS_BEGIN, ADDRESS_INSIDE],
    }
}

/// Whether a label may follow another.
#[cfg(feature = "training")]
pub(super) fn is_possible(from: Label, to: Label, begins_line: bool) -> bool {
    origins(to, begins_line).contains(&from)
}

/// Whether a token that can be part of these kinds of value can have a label.
pub(super) fn is_allowed(kinds: u8, label: Label) -> bool {
    match label {
        NAME_BEGIN | NAME_INSIDE => kinds & NAME != 0,
        ADDRESS_BEGIN | ADDRESS_INSIDE => kinds & ADDRESS != 0,
        _ => true,
    }
}

/// The labels of a run.
pub(super) struct Labels {
    list: [Label; MAX_RUN],
    length: usize,
}

impl Default for Labels {
    fn default() -> Self {
        Self { list: [OUTSIDE; MAX_RUN], length: 0 }
    }
}

impl Labels {
    pub(super) fn as_slice(&self) -> &[Label] {
        self.list.get(..self.length).unwrap_or_default()
    }

    /// Adds the labels of a run from the last one back, by the best label before each.
    fn trace(&mut self, origins: &[[Label; LABELS]], mut label: Label) {
        self.length = origins.len().min(MAX_RUN);
        for (slot, origin) in self.list[..self.length].iter_mut().zip(origins).rev() {
            *slot = label;
            label = origin[usize::from(label)];
        }
    }
}

/// Writes the labels with the highest score. At most [`MAX_RUN`] steps are read; the tokens around them are outside.
pub(super) fn decode(weights: &impl Weights, steps: impl ExactSizeIterator<Item = Step>, labels: &mut Labels) {
    if steps.len() <= SHORT_RUN {
        search(weights, steps, &mut [[OUTSIDE; LABELS]; SHORT_RUN], labels);
    } else {
        search(weights, steps, &mut [[OUTSIDE; LABELS]; MAX_RUN], labels);
    }
}

/// Most runs are as short, and need little memory.
const SHORT_RUN: usize = 4;

/// `origins` is the memory for the best label before each label of each step.
fn search(
    weights: &impl Weights,
    steps: impl Iterator<Item = Step>,
    origins: &mut [[Label; LABELS]],
    labels: &mut Labels,
) {
    let mut best = [IMPOSSIBLE; LABELS];
    best[usize::from(OUTSIDE)] = 0;
    let mut count = 0;
    for (step, origin) in steps.zip(origins.iter_mut()) {
        let before = best;
        for to in 0..LABELS {
            let label = label_at(to);
            if !is_allowed(step.kinds, label) {
                best[to] = IMPOSSIBLE;
                continue;
            }
            let (from, score) = best_origin(weights, &before, label, step.begins_line);
            origin[to] = from;
            best[to] = (score + step.scores[to]).max(IMPOSSIBLE);
        }
        count += 1;
    }
    let (last, _) = best_origin(weights, &best, OUTSIDE, false);
    labels.trace(&origins[..count], last);
}

/// The label before another with the highest sum of scores, the first of equal ones, and that sum.
#[inline]
fn best_origin(weights: &impl Weights, before: &[i32; LABELS], to: Label, begins_line: bool) -> (Label, i32) {
    let mut best = (OUTSIDE, IMPOSSIBLE);
    for from in origins(to, begins_line) {
        let score = before[usize::from(*from)];
        if score > IMPOSSIBLE {
            let score = score + weights.transition(*from, to);
            if score > best.1 {
                best = (*from, score);
            }
        }
    }
    best
}

#[expect(clippy::cast_possible_truncation, reason = "there are five labels")]
const fn label_at(at: usize) -> Label {
    at as Label
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights without transitions.
    struct Flat;

    impl Weights for Flat {
        fn emission(&self, _: &FeatureRow) -> [i32; LABELS] {
            [0; LABELS]
        }

        fn transition(&self, _: Label, _: Label) -> i32 {
            0
        }
    }

    fn decoded(steps: &[([i32; LABELS], u8)]) -> Vec<Label> {
        let steps = steps.iter().map(|(scores, kinds)| Step { scores: *scores, kinds: *kinds, begins_line: false });
        let mut labels = Labels::default();
        decode(&Flat, steps, &mut labels);
        labels.as_slice().to_vec()
    }

    #[test]
    fn a_later_token_of_a_name_follows_its_first() {
        assert_eq!(decoded(&[([0, 1, 0, 0, 0], NAME), ([0, 0, 9, 0, 0], NAME)]), [NAME_BEGIN, NAME_INSIDE]);
        assert_eq!(decoded(&[([0, -5, 9, 0, 0], NAME)]), [OUTSIDE]);
    }

    #[test]
    fn a_label_needs_its_kind_of_candidate() {
        assert_eq!(decoded(&[([0, 9, 0, 5, 0], ADDRESS)]), [ADDRESS_BEGIN]);
        assert_eq!(decoded(&[([0, 9, 0, 0, 0], 0)]), [OUTSIDE]);
    }
}
