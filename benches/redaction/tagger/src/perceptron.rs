//! The averaged structured perceptron with a margin, and its weights in one byte each.

use crate::random::Random;
use parlance_redaction::tagger_training::{LabelledRun, SIZES, TrainingWeights, decode_run};

const LABELS: usize = SIZES.0;
const ROWS: usize = SIZES.1;
const ROW_BYTES: usize = SIZES.3;
const FEATURES: usize = SIZES.2;

/// By how much a right label must win over a wrong one: outside taken for a value, a value taken for outside, and one
/// value taken for another.
const MARGINS: [i32; 3] = [60, 40, 40];

/// Percent of the features that a correction leaves out, so that the weights do not rely on few of them.
const DROPPED: usize = 25;
/// The row of a feature that is left out. Its weights are zero.
const NO_ROW: u16 = 0;

/// A matrix of the margin of each label, by the right label.
fn margins() -> [[i32; LABELS]; LABELS] {
    std::array::from_fn(|gold| {
        std::array::from_fn(|label| match (gold, label) {
            _ if gold == label => 0,
            (0, _) => MARGINS[0],
            (_, 0) => MARGINS[1],
            _ => MARGINS[2],
        })
    })
}

/// Weights in training, with the sums for their average.
pub(crate) struct Perceptron {
    weights: Vec<[i32; LABELS]>,
    sums: Vec<[i64; LABELS]>,
    transitions: [[i32; LABELS]; LABELS],
    transition_sums: [[i64; LABELS]; LABELS],
    margins: [[i32; LABELS]; LABELS],
    time: i64,
    labels: Vec<u8>,
}

struct Current<'p>(&'p [[i32; LABELS]], &'p [[i32; LABELS]; LABELS]);

impl TrainingWeights for Current<'_> {
    fn emission(&self, features: &[u16; FEATURES]) -> [i32; LABELS] {
        let mut sums = [0; LABELS];
        for row in features {
            for (sum, weight) in sums.iter_mut().zip(&self.0[usize::from(*row)]) {
                *sum += weight;
            }
        }
        sums
    }

    fn transition(&self, from: u8, to: u8) -> i32 {
        self.1[usize::from(from)][usize::from(to)]
    }
}

impl Perceptron {
    pub(crate) fn new() -> Self {
        Self {
            weights: vec![[0; LABELS]; ROWS],
            sums: vec![[0; LABELS]; ROWS],
            transitions: [[0; LABELS]; LABELS],
            transition_sums: [[0; LABELS]; LABELS],
            margins: margins(),
            time: 0,
            labels: Vec::new(),
        }
    }

    /// Corrects the weights by one run. Returns whether a correction was needed.
    pub(crate) fn learn(&mut self, run: &LabelledRun, random: &mut Random) -> bool {
        self.time += 1;
        let mut run = run.clone();
        let dropped: [bool; FEATURES] = std::array::from_fn(|_| random.chance(DROPPED));
        for (features, ..) in &mut run.steps {
            for (row, _) in features.iter_mut().zip(dropped).filter(|(_, dropped)| *dropped) {
                *row = NO_ROW;
            }
        }
        let run = &run;
        let mut labels = std::mem::take(&mut self.labels);
        decode_run(&Current(&self.weights, &self.transitions), run, &self.margins, &mut labels);
        let wrong = labels != run.labels;
        if wrong {
            let (mut gold_before, mut label_before) = (0, 0);
            for (((features, ..), gold), label) in run.steps.iter().zip(&run.labels).zip(&labels) {
                self.add_transition(gold_before, *gold, 1);
                self.add_transition(label_before, *label, -1);
                if gold != label {
                    for row in features.iter().filter(|row| **row != NO_ROW) {
                        self.add(usize::from(*row), *gold, 1);
                        self.add(usize::from(*row), *label, -1);
                    }
                }
                (gold_before, label_before) = (*gold, *label);
            }
            self.add_transition(gold_before, 0, 1);
            self.add_transition(label_before, 0, -1);
        }
        self.labels = labels;
        wrong
    }

    fn add(&mut self, row: usize, label: u8, change: i32) {
        self.weights[row][usize::from(label)] += change;
        self.sums[row][usize::from(label)] += self.time * i64::from(change);
    }

    fn add_transition(&mut self, from: u8, to: u8, change: i32) {
        self.transitions[usize::from(from)][usize::from(to)] += change;
        self.transition_sums[usize::from(from)][usize::from(to)] += self.time * i64::from(change);
    }

    /// The average weights, scaled so that all but the largest few fit a byte.
    pub(crate) fn into_bytes(self, bias: &[i16]) -> ByteWeights {
        let time = self.time.max(1);
        let average = |weight: i32, sum: i64| i64::from(weight) * SCALE - sum * SCALE / time;
        let rows: Vec<[i64; LABELS]> = self
            .weights
            .iter()
            .zip(&self.sums)
            .map(|(weights, sums)| std::array::from_fn(|label| average(weights[label], sums[label])))
            .collect();
        let transitions: [[i64; LABELS]; LABELS] = std::array::from_fn(|from| {
            std::array::from_fn(|to| average(self.transitions[from][to], self.transition_sums[from][to]))
        });
        let mut sizes: Vec<i64> = rows.iter().flatten().map(|weight| weight.abs()).filter(|size| *size > 0).collect();
        sizes.sort_unstable();
        let unit = (sizes.get(sizes.len() * KEPT / 10_000).copied().unwrap_or(127) / 127).max(1);
        let byte = |weight: i64| {
            i8::try_from((2 * weight + unit * weight.signum()) / (2 * unit)).unwrap_or(if weight > 0 {
                127
            } else {
                -127
            })
        };
        println!("{} weights, one byte is {unit} of {SCALE}", sizes.len());
        let wide = |weight: i64| i16::try_from(weight / unit).unwrap_or(if weight > 0 { i16::MAX } else { i16::MIN });
        let mut transitions = transitions.map(|row| row.map(wide));
        for row in &mut transitions {
            for (label, bias) in FIRST_LABELS.into_iter().zip(bias) {
                row[label] = row[label].saturating_sub(*bias);
            }
        }
        ByteWeights { rows: rows.iter().map(|row| row.map(byte)).collect(), transitions }
    }
}

/// The first labels of a name and of an address.
const FIRST_LABELS: [usize; 2] = [1, 3];
/// The fraction of averages: one weight in training is this much.
const SCALE: i64 = 1000;
/// The share of weights, in 10,000, that are not cut.
const KEPT: usize = 9_985;

/// Weights of one byte, as the crate reads them.
pub(crate) struct ByteWeights {
    rows: Vec<[i8; LABELS]>,
    transitions: [[i16; LABELS]; LABELS],
}

impl ByteWeights {
    /// The file of weights: the transitions in two bytes each, then the rows, each row padded.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let transitions = self.transitions.iter().flatten().flat_map(|weight| weight.to_le_bytes());
        let rows = self.rows.iter().flat_map(|row| row.iter().copied().chain([0; ROW_BYTES - LABELS]));
        transitions.chain(rows.map(i8::cast_unsigned)).collect()
    }
}

impl TrainingWeights for ByteWeights {
    fn emission(&self, features: &[u16; FEATURES]) -> [i32; LABELS] {
        let mut sums = [0; LABELS];
        for row in features {
            for (sum, weight) in sums.iter_mut().zip(self.rows[usize::from(*row)]) {
                *sum += i32::from(weight);
            }
        }
        sums
    }

    fn transition(&self, from: u8, to: u8) -> i32 {
        i32::from(self.transitions[usize::from(from)][usize::from(to)])
    }
}
