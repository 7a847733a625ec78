//! The network: sums of rows for each piece, then layers that add to the state of a piece what its neighbours say.
//!
//! All numbers are whole: states and scores are in 1/256. So the result is the same on every machine.

use super::features::PieceFeatures;
use super::weights::{
    CHANNELS, CONVOLUTIONS, DILATIONS, FIRST_STEP, HIDDEN, HIDDEN_UNITS, LABELS, Layer, SCORES, gram_rows, other_rows,
    word_row,
};

/// How many pieces on either side a score depends on.
pub(super) const REACH: usize = 31;
const _: () = assert!(REACH == DILATIONS[0] + DILATIONS[1] + DILATIONS[2] + DILATIONS[3] + DILATIONS[4]);

/// The state of a piece.
type State = [i16; CHANNELS];
/// The score of each label, in 1/256.
pub(super) type Scores = [i32; LABELS];

/// The states of pieces after the last layer.
pub(super) struct States(Vec<State>);

impl States {
    /// The states of these pieces.
    pub(super) fn of(pieces: &[PieceFeatures]) -> Self {
        let mut states: Vec<State> = pieces.iter().map(first_state).collect();
        let mut next = vec![[0; CHANNELS]; states.len()];
        for (layer, dilation) in CONVOLUTIONS.iter().zip(DILATIONS) {
            for (at, out) in next.iter_mut().enumerate() {
                convolve(layer, &states, at, dilation, out);
            }
            std::mem::swap(&mut states, &mut next);
        }
        Self(states)
    }

    /// The scores of a piece; `None` if its state is not known.
    pub(super) fn scores(&self, at: usize) -> Option<Scores> {
        let state = self.0.get(at)?;
        let mut hidden = [0_i16; HIDDEN];
        for (unit, out) in hidden.iter_mut().enumerate() {
            *out = rectified(output(&HIDDEN_UNITS, unit, dot(&HIDDEN_UNITS.weights[unit], state)));
        }
        Some(std::array::from_fn(|label| output(&SCORES, label, dot(&SCORES.weights[label], &hidden))))
    }
}

/// Factors of the groups of three letters of a word, by their number: 256 divided by its root.
const GRAM_FACTORS: [i32; 9] = [256, 256, 181, 148, 128, 114, 105, 97, 91];

/// The sum of the rows of a piece.
fn first_state(piece: &PieceFeatures) -> State {
    let (mut sums, mut grams, mut count) = ([0_i32; CHANNELS], [0_i32; CHANNELS], 0);
    for row in gram_rows(piece) {
        add(&mut grams, row);
        count += 1;
    }
    for row in other_rows(piece).into_iter().chain(word_row(piece.word)) {
        add(&mut sums, row);
    }
    std::array::from_fn(|at| {
        let sum = i64::from(256 * sums[at] + GRAM_FACTORS[count] * grams[at]);
        rectified(narrow((sum * FIRST_STEP) >> 24))
    })
}

fn add(sums: &mut [i32; CHANNELS], row: &[u8]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += i32::from(weight.cast_signed());
    }
}

/// Adds to the state of a piece what a layer makes of it and of the pieces at a distance on either side.
fn convolve(layer: &Layer<{ 3 * CHANNELS }, CHANNELS>, states: &[State], at: usize, distance: usize, out: &mut State) {
    let mut inputs = [0; 3 * CHANNELS];
    let places = [at.checked_sub(distance), Some(at), Some(at + distance)];
    for (part, place) in inputs.chunks_exact_mut(CHANNELS).zip(places) {
        if let Some(state) = place.and_then(|place| states.get(place)) {
            part.copy_from_slice(state);
        }
    }
    for (channel, out) in out.iter_mut().enumerate() {
        let change = rectified(output(layer, channel, dot(&layer.weights[channel], &inputs)));
        *out = states[at][channel].saturating_add(change);
    }
}

/// The product of two vectors. Sixteen bits for each factor have room for eight of the weight, so that the sum of a few
/// hundred products has room in 32 bits.
#[inline]
fn dot<const LENGTH: usize>(weights: &[i16; LENGTH], state: &[i16; LENGTH]) -> i32 {
    weights.iter().zip(state).map(|(weight, value)| i32::from(*weight) * i32::from(*value)).sum()
}

fn output<const INPUTS: usize, const OUTPUTS: usize>(layer: &Layer<INPUTS, OUTPUTS>, at: usize, sum: i32) -> i32 {
    narrow((i64::from(sum) * i64::from(layer.factors[at])) >> 20).saturating_add(layer.biases[at])
}

fn narrow(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// A negative value as zero, and a value that is too large as the largest state.
fn rectified(value: i32) -> i16 {
    i16::try_from(value.max(0)).unwrap_or(i16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::{features, piece};
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn a_score_depends_on_the_pieces_within_reach_only() {
        let (text, at) = ("my fob 7731 opens the gate and i typed it twice ".repeat(20), 100);
        let mut buffer = TokenBuffer::new();
        let tokens = TokenizedText::new(&text, &mut buffer).tokens();
        let mut pieces = Vec::new();
        features::push_text(&tokens, &piece::pieces(&tokens), &mut pieces);
        let scores = |from: usize, after: usize| States::of(&pieces[from..after]).scores(at - from);
        let whole = scores(0, pieces.len());
        assert!(whole.is_some());
        assert_eq!(scores(at - REACH, at + REACH + 1), whole);
        assert_ne!(scores(at - REACH + 1, at + REACH), whole);
    }
}
