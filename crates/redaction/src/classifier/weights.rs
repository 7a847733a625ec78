//! The weights of the classifier, as `benches/redaction/classifier/weights.py` writes them.
//!
//! The file has the number of known words and the value of one step of the first layer (both `u32`), the hashes of the
//! words in order (`u32`), a row of bytes for each word, for each group of three letters, kind, digit count, case, and
//! for an earlier and the current message, and then the layers: for each output its weights (bytes), then for each
//! output its factor, and its bias (both `i32`). The screen follows: the steps of one (`i32`), its biases (`i32`), and the rows of an unknown word,
//! of each word, kind, digit count and case, with a byte for each place and judgement. Numbers are little-endian.

use super::features::{CASES, DIGIT_COUNTS, GRAM_ROWS, KINDS, PieceFeatures};
use super::relative_position::{JUDGEMENTS, RELATIVE_POSITIONS, RelativePosition};

/// Length of the state of a piece.
pub(super) const CHANNELS: usize = 48;
/// Number of hidden units before the scores.
pub(super) const HIDDEN: usize = 2 * CHANNELS;
/// Number of labels: no entity, and each entity in the order of [`crate::EntitySet::all`].
pub(super) const LABELS: usize = 69;
/// Distances of the neighbours that a layer reads, by layer.
pub(super) const DILATIONS: [usize; 5] = [1, 2, 4, 8, 16];

static BYTES: &[u8] = include_bytes!("weights.bin");

const WORDS: usize = u32_at(0) as usize;
/// The value of one step of the first layer, in 2^-24.
pub(super) const FIRST_STEP: i64 = u32_at(4) as i64;
const HASHES: usize = 8;
const WORD_ROWS: usize = HASHES + 4 * WORDS;
const GRAMS: usize = WORD_ROWS + CHANNELS * WORDS;
const KIND: usize = GRAMS + CHANNELS * (GRAM_ROWS - 1);
const DIGITS: usize = KIND + CHANNELS * KINDS;
const CASE: usize = DIGITS + CHANNELS * DIGIT_COUNTS;
const CURRENT: usize = CASE + CHANNELS * CASES;
const LAYERS: usize = CURRENT + CHANNELS * 2;
const CONVOLUTION_BYTES: usize = CHANNELS * (3 * CHANNELS + 8);
const HIDDEN_LAYER: usize = LAYERS + DILATIONS.len() * CONVOLUTION_BYTES;
const SCORE_LAYER: usize = HIDDEN_LAYER + HIDDEN * (CHANNELS + 8);

const SCREEN: usize = SCORE_LAYER + LABELS * (HIDDEN + 8);
const SCREEN_WORDS: usize = SCREEN + 4 * (1 + JUDGEMENTS);
const SCREEN_BYTES: usize = RELATIVE_POSITIONS * JUDGEMENTS;
const SCREEN_KINDS: usize = SCREEN_WORDS + SCREEN_BYTES * (WORDS + 1);
const SCREEN_DIGITS: usize = SCREEN_KINDS + SCREEN_BYTES * KINDS;
const SCREEN_CASES: usize = SCREEN_DIGITS + SCREEN_BYTES * DIGIT_COUNTS;

const _: () = assert!(BYTES.len() == SCREEN_CASES + SCREEN_BYTES * CASES);

const fn u32_at(at: usize) -> u32 {
    u32::from_le_bytes([BYTES[at], BYTES[at + 1], BYTES[at + 2], BYTES[at + 3]])
}

/// A row of the first layer.
pub(super) type Row = &'static [u8];

fn row(table: usize, at: usize) -> Row {
    &BYTES[table + CHANNELS * at..table + CHANNELS * (at + 1)]
}

/// The place of a known word in the vocabulary.
fn word_at(hash: u32) -> Option<usize> {
    let (mut least, mut most) = (0, WORDS);
    while least < most {
        let middle = usize::midpoint(least, most);
        match u32_at(HASHES + 4 * middle) {
            found if found == hash => return Some(middle),
            found if found < hash => least = middle + 1,
            _ => most = middle,
        }
    }
    None
}

/// Whether the vocabulary has a word.
pub(super) fn is_known(hash: u32) -> bool {
    word_at(hash).is_some()
}

/// The row of a known word.
pub(super) fn word_row(hash: u32) -> Option<Row> {
    word_at(hash).map(|at| row(WORD_ROWS, at))
}

/// The number of steps of one in the screen.
pub(super) const SCREEN_UNIT: i32 = u32_at(SCREEN).cast_signed();
/// The biases of the screen.
pub(super) const SCREEN_BIAS: [i32; JUDGEMENTS] = [u32_at(SCREEN + 4).cast_signed(), u32_at(SCREEN + 8).cast_signed()];

/// The weights of a piece in the screen.
pub(super) struct ScreenRow([i16; SCREEN_BYTES]);

impl ScreenRow {
    /// The weight for a place and a judgement.
    pub(super) fn weight(&self, place: RelativePosition, judgement: usize) -> i32 {
        i32::from(self.0[JUDGEMENTS * place as usize + judgement])
    }
}

/// The weights of a piece in the screen.
pub(super) fn screen_row(piece: &PieceFeatures) -> ScreenRow {
    let word = if piece.word == 0 { 0 } else { word_at(piece.word).map_or(0, |at| at + 1) };
    let rows = [
        SCREEN_WORDS + SCREEN_BYTES * word,
        SCREEN_KINDS + SCREEN_BYTES * usize::from(piece.kind),
        SCREEN_DIGITS + SCREEN_BYTES * usize::from(piece.digits),
        SCREEN_CASES + SCREEN_BYTES * usize::from(piece.case),
    ];
    let mut sums = [0; SCREEN_BYTES];
    for start in rows {
        for (sum, number) in sums.iter_mut().zip(&BYTES[start..start + SCREEN_BYTES]) {
            *sum += i16::from(number.cast_signed());
        }
    }
    ScreenRow(sums)
}

/// The rows of the groups of three letters of a piece.
pub(super) fn gram_rows(piece: &PieceFeatures) -> impl Iterator<Item = Row> {
    piece.grams.iter().filter(|gram| **gram > 0).map(|gram| row(GRAMS, usize::from(*gram) - 1))
}

/// The rows of a piece without those of its word.
pub(super) fn other_rows(piece: &PieceFeatures) -> [Row; 4] {
    [
        row(KIND, usize::from(piece.kind)),
        row(DIGITS, usize::from(piece.digits)),
        row(CASE, usize::from(piece.case)),
        row(CURRENT, usize::from(piece.is_current)),
    ]
}

/// A layer: weights by output and input, and what makes a sum of products a state.
pub(super) struct Layer<const INPUTS: usize, const OUTPUTS: usize> {
    pub(super) weights: [[i16; INPUTS]; OUTPUTS],
    /// In 2^-20.
    pub(super) factors: [i32; OUTPUTS],
    pub(super) biases: [i32; OUTPUTS],
}

const fn layer<const INPUTS: usize, const OUTPUTS: usize>(start: usize) -> Layer<INPUTS, OUTPUTS> {
    let mut layer = Layer { weights: [[0; INPUTS]; OUTPUTS], factors: [0; OUTPUTS], biases: [0; OUTPUTS] };
    let (factors, mut output) = (start + INPUTS * OUTPUTS, 0);
    while output < OUTPUTS {
        let mut input = 0;
        while input < INPUTS {
            layer.weights[output][input] = BYTES[start + INPUTS * output + input].cast_signed() as i16;
            input += 1;
        }
        layer.factors[output] = u32_at(factors + 4 * output).cast_signed();
        layer.biases[output] = u32_at(factors + 4 * (OUTPUTS + output)).cast_signed();
        output += 1;
    }
    layer
}

/// The convolutions. The inputs of an output are those of the piece before, of the piece, and of the piece after it.
pub(super) static CONVOLUTIONS: [Layer<{ 3 * CHANNELS }, CHANNELS>; DILATIONS.len()] = [
    layer(LAYERS),
    layer(LAYERS + CONVOLUTION_BYTES),
    layer(LAYERS + 2 * CONVOLUTION_BYTES),
    layer(LAYERS + 3 * CONVOLUTION_BYTES),
    layer(LAYERS + 4 * CONVOLUTION_BYTES),
];
pub(super) static HIDDEN_UNITS: Layer<CHANNELS, HIDDEN> = layer(HIDDEN_LAYER);
pub(super) static SCORES: Layer<HIDDEN, LABELS> = layer(SCORE_LAYER);
