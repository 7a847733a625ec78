//! The score of each label for a token. For a text that several questions may precede, the part that none of them changes is
//! kept.

use super::decode::{LABELS, Weights};
use super::features::{QUESTION_FEATURES, features, question_features};
use super::view::View;
use super::weights::{Sums, TrainedWeights, add_rows, scores};

/// Computes the scores of the tokens of a text.
#[derive(Default)]
pub(super) struct Scorer {
    /// For each token, the sums of the weights of the features that no question changes. Empty if they are not kept.
    kept: Vec<Option<Sums>>,
}

impl Scorer {
    /// Keeps what no question changes, for a text of this many tokens.
    pub(super) fn keep(&mut self, size: usize) {
        self.kept.resize(size, None);
    }

    /// The score of each label for a token.
    pub(super) fn scores(&mut self, view: &mut View<'_, '_>, at: usize) -> [i32; LABELS] {
        let Some(kept) = self.kept.get_mut(at) else { return TrainedWeights.emission(&features(view, at)) };
        let mut sums = *kept.get_or_insert_with(|| {
            let (rows, mut sums) = (features(view, at), Sums::default());
            add_rows(&rows[..QUESTION_FEATURES.start], &mut sums);
            add_rows(&rows[QUESTION_FEATURES.end..], &mut sums);
            sums
        });
        add_rows(&question_features(view, at), &mut sums);
        scores(sums)
    }
}
