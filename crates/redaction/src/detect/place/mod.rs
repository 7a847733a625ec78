//! Street addresses, post boxes, and postal codes beside the name of a state.

mod coordinates;
mod street;
mod zip;

use super::Page;
use crate::candidate::{Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tokenize::lexicon::id_of;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Seen, Token, Tokens};

const WANTED: EntitySet = EntitySet::of(&[Entity::STREET_ADDRESS, Entity::ZIP_CODE, Entity::GEO_COORDINATES]);
/// Looks at every number.
pub(crate) fn detect(page: &Page<'_, '_>, seen: &Seen, out: &mut Candidates) {
    if !out.wants(WANTED) {
        return;
    }
    let tokens = page.tokens;
    let numbers = tokens.digits();
    let mut at = numbers.start.saturating_sub(1);
    while let Some(skipped) = tokens.all().get(at..numbers.end).and_then(|rest| rest.iter().position(is_start)) {
        at += skipped;
        let token = tokens.at(at);
        if token.kind == Kind::Digits {
            let street = if token.code <= 6 && seen.words & flag::STREET != 0 { street::end(page, at) } else { None };
            if let Some(after) = street {
                let after = street::tail(tokens, after);
                out.whole(token.start, tokens.before(after).end, Entity::STREET_ADDRESS, Reason::Shape, Proof::Shape);
                at = after;
                continue;
            }
            zip::detect(tokens, at, out);
            if let Some(after) = coordinates::end(tokens, at) {
                let start = tokens.at(at - usize::from(coordinates::is_minus(tokens, at))).start;
                out.whole(start, tokens.before(after).end, Entity::GEO_COORDINATES, Reason::Shape, Proof::Check);
                at = after;
                continue;
            }
        } else if is_box(tokens, at) {
            let first = box_start(tokens, at);
            out.whole(
                tokens.at(first).start,
                tokens.at(at + 1).end,
                Entity::STREET_ADDRESS,
                Reason::Shape,
                Proof::Shape,
            );
        }
        at += 1;
    }
}

/// Digits, or the word "box".
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
fn is_start(token: &Token) -> bool {
    (token.kind == Kind::Digits) | (token.kind == Kind::Word) & (token.code == BOX)
}

/// The word "box".
const BOX: u16 = id_of("box");

/// "box 123" after "p o".
fn is_box(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == Kind::Word
        && token.code == BOX
        && tokens.at(at + 1).kind == Kind::Digits
        && tokens.at(at + 1).gap <= Gap::Space
        && box_start(tokens, at) < at
}

fn box_start(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut first = at;
    while first > 0 && at - first < 4 {
        let before = tokens.at(first - 1);
        let part = before.is_mark(b'.')
            || before.kind == Kind::Word && ["p", "o", "po"].iter().any(|w| tokens.str(before).eq_ignore_ascii_case(w));
        if !part || tokens.at(first).gap > Gap::Space {
            break;
        }
        first -= 1;
    }
    first
}
