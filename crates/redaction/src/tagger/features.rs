//! The features of a token: hashed combinations of the attributes of the token and its neighbours.

use super::attributes::{Affixes, Attributes};
use super::preceding::Preceding;
use super::view::{AskedEntities, Position, View};
use super::word_class::WordClass as C;
use crate::tokenize::{Gap, TokenKind};
use std::ops::Range;

/// Number of features of a token.
pub(super) const FEATURES: usize = 34;
/// Number of rows of the table of weights, a power of two.
pub(super) const ROWS: usize = 1 << 16;

/// The features of a token: rows of the table of weights.
pub(super) type FeatureRow = [u16; FEATURES];

/// Tokens to the left in which a word for a name or an address still counts.
const MAX_CUE_DISTANCE: usize = 8;
/// Tokens to the right in which a word for a street counts.
const MAX_STREET_DISTANCE: usize = 6;

/// Number of features, rounded up to a number that vectors of four or eight divide.
const LANES: usize = FEATURES.next_multiple_of(8);

/// The parts of each feature: combinations of up to three attributes.
struct Writer {
    parts: [[u32; LANES]; 3],
    next: usize,
}

impl Writer {
    /// Adds the combination of up to three attributes. Each call has its own hash.
    #[inline]
    fn add(&mut self, a: u32, b: u32, c: u32) {
        for (lane, part) in self.parts.iter_mut().zip([a, b, c]) {
            if let Some(slot) = lane.get_mut(self.next) {
                *slot = part;
            }
        }
        self.next += 1;
    }

    /// The hashes of the features. The loop has no branches, so that the compiler makes vectors of it.
    fn rows(&self) -> FeatureRow {
        let mut rows = [0; LANES];
        for (at, row) in rows.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|part: usize| self.parts[part][at]);
            *row = row_of(at, a, b, c);
        }
        let mut features = [0; FEATURES];
        features.copy_from_slice(&rows[..FEATURES]);
        features
    }
}

/// The row of a feature with these parts.
#[inline]
fn row_of(feature: usize, a: u32, b: u32, c: u32) -> u16 {
    let mut hash = TEMPLATES[feature];
    for part in [a, b, c] {
        let mixed = (hash ^ part).wrapping_mul(0x85EB_CA6B);
        hash = mixed ^ mixed >> 15;
    }
    low_bytes(hash.wrapping_mul(0xC2B2_AE35) >> 7)
}

/// The first value of the hash of each feature.
const TEMPLATES: [u32; LANES] = {
    let (mut templates, mut at) = ([0; LANES], 0);
    while at < LANES {
        templates[at] = truncated(at).wrapping_mul(0x9E37_79B1) ^ 0x5bd1_e995;
        at += 1;
    }
    templates
};

#[expect(clippy::cast_possible_truncation, reason = "there are few features")]
const fn truncated(at: usize) -> u32 {
    at as u32
}

#[expect(clippy::cast_possible_truncation, reason = "there is a row for each number of two bytes")]
const fn low_bytes(hash: u32) -> u16 {
    hash as u16
}
const _: () = assert!(ROWS == 1 << 16);

/// The features of a token.
pub(super) fn features(view: &mut View<'_, '_>, at: usize) -> FeatureRow {
    let (b1, a1) = (view.before(at), view.after(at));
    let (b2, a2) = (view.before(b1), view.after(a1));
    let b3 = view.before(b2);
    let this = view.at(at);
    let [l1, l2, l3, r1, r2] = [b1, b2, b3, a1, a2].map(|at| view.at(at).class_or_kind());
    let [word, left, left2, right, right2] = [at, b1, b2, a1, a2].map(|at| view.hash(at));
    let (kind, class) = (u32::from(this.kind), this.class_or_kind());
    let mut out = Writer { parts: [[0; LANES]; 3], next: 0 };
    out.add(class, 0, 0);
    out.add(word, kind, 0);
    out.add(left, 0, 0);
    out.add(right, 0, 0);
    out.add(left, kind, 0);
    out.add(right, kind, 0);
    out.add(left2, left, kind);
    out.add(right, right2, kind);
    out.add(left, right, kind);
    out.add(left2, kind, 0);
    out.add(right2, kind, 0);
    out.add(l1, class, 0);
    out.add(class, r1, 0);
    out.add(l2 << 8 | l1, class, 0);
    out.add(class, r1, r2);
    out.add(l1, class, r1);
    out.add(l3 << 16 | l2 << 8 | l1, kind, 0);
    out.add(left, class, r1);
    out.add(l2 << 8 | l1, kind, r1);
    let Affixes { prefix, suffixes: [three, two] } = Affixes::of(view.tokens, view.tokens.at(at));
    out.add(three, kind, 0);
    out.add(two, kind, l1);
    out.add(prefix, kind, 0);
    add_places(view, at, this, l1, &mut out);
    out.rows()
}

/// Adds the features of the place of a token in its text, and of the words further away.
fn add_places(view: &mut View<'_, '_>, at: usize, this: Attributes, left: u32, out: &mut Writer) {
    let (kind, class) = (u32::from(this.kind), this.class_or_kind());
    let tokens = view.tokens;
    let position = view.position(at) as u32;
    let next_position = end_position(view, at);
    out.add(position, kind, 0);
    out.add(next_position, kind, position);
    let gap = |at: usize| tokens.at(at).gap.min(Gap::Line) as u32;
    out.add(gap(at) << 4 | gap(at + 1), kind, left);
    for [a, b, c] in question_parts(view.asked, at, this, left, [position, next_position]) {
        out.add(a, b, c);
    }
    let (cue, distance) = cue_before(view, at);
    out.add(cue, kind, 0);
    out.add(cue, kind, distance);
    out.add(cue, class, left);
    let street = street_after(view, at);
    out.add(street, kind, left);
    let preceding = view.preceding();
    out.add(u32::from(preceding[at].number) << 8 | street, kind, 0);
    out.add(case_of_text(preceding, at), kind, 0);
}

/// The features that a question in an earlier message changes.
pub(super) const QUESTION_FEATURES: Range<usize> = 25..28;

/// The rows of [`QUESTION_FEATURES`].
pub(super) fn question_features(view: &mut View<'_, '_>, at: usize) -> [u16; 3] {
    let (this, before) = (view.at(at), view.before(at));
    let left = view.at(before).class_or_kind();
    let positions = [view.position(at) as u32, end_position(view, at)];
    let parts = question_parts(view.asked, at, this, left, positions);
    let mut feature = QUESTION_FEATURES.start;
    parts.map(|[a, b, c]| {
        feature += 1;
        row_of(feature - 1, a, b, c)
    })
}

fn question_parts(
    asked: AskedEntities,
    at: usize,
    this: Attributes,
    left: u32,
    [position, next_position]: [u32; 2],
) -> [[u32; 3]; 3] {
    let (kind, class) = (u32::from(this.kind), this.class_or_kind());
    let asked = u32::from(asked.name) | u32::from(asked.address) << 1;
    [
        [asked, kind, u32::try_from(at.min(4)).unwrap_or(0)],
        [asked, class, left],
        [asked << 8 | next_position, kind, position],
    ]
}

/// How a token ends its part of the text: at the end of the text or line, before a mark, or not.
fn end_position(view: &View<'_, '_>, at: usize) -> u32 {
    let next = view.tokens.at(at + 1);
    match next.kind {
        TokenKind::Edge => 0,
        _ if next.gap >= Gap::Line => 1,
        TokenKind::Mark => 2 + u32::from(next.mark()),
        _ if view.position(at + 1) == Position::Sentence => 3,
        TokenKind::Word | TokenKind::Digits | TokenKind::Mask => 4,
    }
}

/// Classes of words that name a person, an address or a company, one bit each.
const CUE_CLASSES: u32 = 1 << C::NameWord as u32
    | 1 << C::Relation as u32
    | 1 << C::Title as u32
    | 1 << C::Greeting as u32
    | 1 << C::SignOff as u32
    | 1 << C::AddressWord as u32
    | 1 << C::Company as u32
    | 1 << C::Contact as u32
    | 1 << C::Role as u32;

/// The class of the nearest word to the left that names a person, an address or a company, and its distance in steps.
fn cue_before(view: &mut View<'_, '_>, at: usize) -> (u32, u32) {
    for distance in 1..=MAX_CUE_DISTANCE.min(at) {
        let before = at - distance;
        if view.tokens.at(before + 1).gap >= Gap::Paragraph {
            break;
        }
        let class = view.class(before) as u32;
        if CUE_CLASSES >> class & 1 != 0 {
            return (class, u32::try_from(distance.min(4)).unwrap_or(0));
        }
    }
    (0, 0)
}

/// The distance to the next word for a street, in steps; 0 if there is none.
fn street_after(view: &mut View<'_, '_>, at: usize) -> u32 {
    if !view.has_street {
        return 0;
    }
    let range = 0..=MAX_STREET_DISTANCE;
    let found = range.into_iter().find(|distance| view.at(at + distance).is_street);
    found.map_or(0, |distance| u32::try_from(distance).unwrap_or(0) + 1)
}

/// Whether the words around a token have capitals and marks.
fn case_of_text(preceding: &[Preceding], at: usize) -> u32 {
    let before = preceding[at.saturating_sub(MAX_CUE_DISTANCE)];
    let after = preceding[(at + MAX_CUE_DISTANCE).min(preceding.len() - 1)];
    let capitals = u32::from(after.capitals.wrapping_sub(before.capitals));
    let marks = u32::from(after.marks.wrapping_sub(before.marks));
    capitals.min(5) << 2 | marks.min(2)
}
