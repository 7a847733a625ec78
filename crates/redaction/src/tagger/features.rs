//! The features of a token: hashed combinations of the attributes of the token and its neighbours.

use super::attributes::Attributes;
use super::view::{Position, View};
use super::word_class::WordClass as C;
use crate::tokenize::{Gap, TokenKind};

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

struct Writer {
    row: FeatureRow,
    next: usize,
}

impl Writer {
    /// Adds the combination of up to three attributes. Each call has its own hash.
    fn add(&mut self, a: u32, b: u32, c: u32) {
        let template = u32::try_from(self.next).unwrap_or(0).wrapping_mul(0x9E37_79B1);
        let hash = [a, b, c].iter().fold(template ^ 0x5bd1_e995, |hash, part| {
            let mixed = (hash ^ part).wrapping_mul(0x85EB_CA6B);
            mixed ^ mixed >> 15
        });
        let hash = hash.wrapping_mul(0xC2B2_AE35);
        if let Some(slot) = self.row.get_mut(self.next) {
            *slot = u16::try_from(hash as usize >> 7 & (ROWS - 1)).unwrap_or(0);
        }
        self.next += 1;
    }
}

/// The features of a token.
pub(super) fn features(view: &mut View<'_, '_>, at: usize) -> FeatureRow {
    let (b1, a1) = (view.before(at), view.after(at));
    let (b2, a2) = (view.before(b1), view.after(a1));
    let b3 = view.before(b2);
    let this = view.at(at);
    let (l1, l2, l3) = (view.at(b1), view.at(b2), view.at(b3));
    let (r1, r2) = (view.at(a1), view.at(a2));
    let (kind, class) = (u32::from(this.kind), this.class_or_kind());
    let mut out = Writer { row: [0; FEATURES], next: 0 };
    out.add(class, 0, 0);
    out.add(this.word, kind, 0);
    out.add(l1.word, 0, 0);
    out.add(r1.word, 0, 0);
    out.add(l1.word, kind, 0);
    out.add(r1.word, kind, 0);
    out.add(l2.word, l1.word, kind);
    out.add(r1.word, r2.word, kind);
    out.add(l1.word, r1.word, kind);
    out.add(l2.word, kind, 0);
    out.add(r2.word, kind, 0);
    let [c1, c2, c3] = [l1, l2, l3].map(Attributes::class_or_kind);
    let [d1, d2] = [r1, r2].map(Attributes::class_or_kind);
    out.add(c1, class, 0);
    out.add(class, d1, 0);
    out.add(c2 << 8 | c1, class, 0);
    out.add(class, d1, d2);
    out.add(c1, class, d1);
    out.add(c3 << 16 | c2 << 8 | c1, kind, 0);
    out.add(l1.word, class, d1);
    out.add(c2 << 8 | c1, kind, d1);
    let [three, two] = this.suffixes;
    out.add(three, kind, 0);
    out.add(two, kind, c1);
    out.add(this.prefix, kind, 0);
    add_places(view, at, this, c1, &mut out);
    out.row
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
    let asked = u32::from(view.asked.name) | u32::from(view.asked.address) << 1;
    out.add(asked, kind, u32::try_from(at.min(4)).unwrap_or(0));
    out.add(asked, class, left);
    out.add(asked << 8 | next_position, kind, position);
    let (cue, distance) = cue_before(view, at);
    out.add(cue, kind, 0);
    out.add(cue, kind, distance);
    out.add(cue, class, left);
    let street = street_after(view, at);
    out.add(street, kind, left);
    let number = number_before(view, at);
    out.add(number << 8 | street, kind, 0);
    out.add(case_of_text(view, at), kind, 0);
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

/// The class of the nearest word to the left that names a person, an address or a company, and its distance in steps.
fn cue_before(view: &mut View<'_, '_>, at: usize) -> (u32, u32) {
    for distance in 1..=MAX_CUE_DISTANCE {
        let before = at.wrapping_sub(distance);
        if view.is_edge(before) || view.tokens.at(before + 1).gap >= Gap::Paragraph {
            break;
        }
        let class = view.class(before);
        if matches!(
            class,
            C::NameWord
                | C::Relation
                | C::Title
                | C::Greeting
                | C::SignOff
                | C::AddressWord
                | C::Company
                | C::Contact
                | C::Role
        ) {
            return (class as u32, u32::try_from(distance.min(4)).unwrap_or(0));
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

/// The distance to the last number, in steps; 0 if there is none.
fn number_before(view: &View<'_, '_>, at: usize) -> u32 {
    use crate::tokenize::words::flag;
    let is_number = |distance: &usize| {
        let token = view.tokens.at(at.wrapping_sub(*distance));
        token.kind == TokenKind::Digits || token.flags & flag::NUMBER != 0
    };
    (1..=MAX_STREET_DISTANCE).find(is_number).map_or(0, |distance| u32::try_from(distance).unwrap_or(0))
}

/// Whether the words around a token have capitals and marks.
fn case_of_text(view: &View<'_, '_>, at: usize) -> u32 {
    let bytes = view.tokens.text.as_bytes();
    let (mut capitals, mut marks) = (0, 0);
    for token in (at.saturating_sub(MAX_CUE_DISTANCE)..at + MAX_CUE_DISTANCE).map(|at| view.tokens.at(at)) {
        match token.kind {
            TokenKind::Word => {
                let first = bytes.get(token.start as usize).copied().unwrap_or(0);
                capitals += u32::from(first.is_ascii_uppercase());
            }
            TokenKind::Mark => marks += 1,
            TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => {}
        }
    }
    capitals.min(5) << 2 | u32::min(marks, 2)
}
