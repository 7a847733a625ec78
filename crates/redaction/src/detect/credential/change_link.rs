//! Links by a verb of change: "changed my password to X", "set it to X".

use super::naming::{Link, Naming, ends_clause};
use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::subject::MAX_DISTANCE;
use super::word_list::class;
use crate::tokenize::Gap;

/// Whether a verb of change is before a piece.
pub(super) fn has_change(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    change(pieces, at).is_some()
}

/// Whether a verb of change, whose object is a secret, is before a piece: "cambié la contraseña".
pub(super) fn has_named_change(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let is_object = pieces.before(at).cue().is_some() && !pieces.before(at).is(class::WEAK_CUE);
    is_object && change(pieces, at).is_some_and(|naming| naming.link == Link::NamedChange)
}

/// Whether a piece is the "from" of a change whose old and new value follow it: "de X a Y".
pub(super) fn is_origin(pieces: &Pieces<'_, '_>, from: usize) -> bool {
    const FROM: [&str; 8] = ["from", "de", "da", "do", "di", "du", "von", "desde"];
    const TO: [&str; 10] = ["to", "a", "à", "auf", "zu", "por", "para", "pra", "in", "en"];
    let is_made_up = |at: usize| pieces.at(at).shape >= Shape::Number;
    let to = from + 2 + usize::from(matches!(pieces.at(from + 2).kind, PieceKind::Mark(b'?' | b'!')));
    let after_mark = to + 1 + usize::from(matches!(pieces.at(to + 1).kind, PieceKind::Mark(b'*' | b'"')));
    pieces.is_word(from, &FROM) && is_made_up(from + 1) && pieces.is_word(to, &TO) && is_made_up(after_mark)
}

/// The link by a verb of change before the "to", "as" or "from" at a piece: "changed my password to".
pub(super) fn change(pieces: &Pieces<'_, '_>, to: usize) -> Option<Naming> {
    let (mut entity, mut verb, mut is_other) = (None, false, false);
    for at in (to.saturating_sub(MAX_DISTANCE)..to).rev() {
        let piece = pieces.at(at);
        match piece.kind {
            PieceKind::Cue(found) => entity = entity.or(Some(found)),
            PieceKind::OtherCue => is_other |= entity.is_none(),
            // "da Luna22? a Sole99"
            PieceKind::Mark(b'?' | b'!')
                if at + 1 == to && piece.gap == Gap::None && pieces.before(at).shape >= Shape::Mixed => {}
            PieceKind::Mark(mark) if ends_clause(piece) || mark == b':' => break,
            PieceKind::Word
            | PieceKind::Segment
            | PieceKind::Number
            | PieceKind::Letter
            | PieceKind::Mark(_)
            | PieceKind::Address
            | PieceKind::Mask => {}
        }
        // "use that password to upload pictures"
        let is_tool = pieces.is_word(at, &["use", "uses", "using"])
            && pieces.is_word(to, &["to"])
            && pieces.at(to + 1).shape < Shape::Number;
        verb |= piece.is(class::CHANGE | class::ENTER) && !is_tool;
        // "das passwort auf X geändert"
        verb |=
            at + 1 == to && pieces.is_word(to, &["auf"]) && (to + 2..to + 4).any(|at| pieces.at(at).is(class::CHANGE));
        if piece.gap >= Gap::Line || verb && entity.is_some() {
            break;
        }
    }
    if !verb {
        return None;
    }
    Some(match entity {
        Some(entity) => Naming::new(Link::NamedChange, Some(entity)),
        None if is_other => Naming::OTHER,
        None => Naming::new(Link::PronounChange, None),
    })
}
