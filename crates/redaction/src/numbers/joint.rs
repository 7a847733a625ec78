//! What may stand between two groups of a run.

use super::{Joint, word_is};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, lexicon};

/// Tokens between two groups at most.
const REACH: usize = 4;

/// Words that may stand inside a run.
const THROUGH: u32 = flag::NUMBER | flag::FILLER | flag::AND | flag::MARK;
/// Marks that may, a bit each.
const JOINTS: u64 = 1 << b'-' | 1 << b'.' | 1 << b'/' | 1 << b'(' | 1 << b')' | 1 << b'+' | 1 << b',';

/// Whether no run goes on over a token.
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
pub(super) fn parts(token: Token) -> bool {
    (token.kind == Kind::Word) & (token.flags & THROUGH == 0)
        | (token.kind == Kind::Mark) & ((token.code >= 64) | (JOINTS >> (token.code & 63) & 1 == 0))
        | (token.kind == Kind::Mask)
        | (token.gap == Gap::Paragraph)
}

/// The token where the run goes on after `last`, and how it is joined.
pub(super) fn next(tokens: &Tokens<'_>, last: usize) -> Option<(usize, Joint, u8)> {
    let (mut joint, mut mark, mut fillers, mut at) = (Joint::Touching, 0, 0, last);
    while at < last + REACH {
        let token = tokens.at(at);
        joint = joint.max(match token.gap {
            Gap::None if at == last => Joint::Touching,
            Gap::None => Joint::Tight,
            Gap::Space => Joint::Space,
            Gap::Wide => Joint::Pause,
            Gap::Line => Joint::Break,
            Gap::Paragraph => return None,
        });
        if token.kind == Kind::Digits {
            return Some((at, joint, mark));
        }
        if token.kind == Kind::Mark {
            let byte = u8::try_from(token.code).unwrap_or(0);
            match byte {
                b'-' | b'.' | b'/' | b'(' | b')' | b'+' if token.bytes() <= 3 => joint = joint.max(Joint::Tight),
                b',' => joint = joint.max(Joint::Pause),
                _ => return None,
            }
            mark = if mark == 0 || byte != b' ' { byte } else { mark };
        } else if token.kind == Kind::Word {
            let flags = token.flags;
            if flags & flag::NUMBER != 0 {
                return Some((at, joint, mark));
            }
            if flags & flag::FILLER != 0 && fillers < 2 && !word_is(tokens, token, "so") {
                fillers += 1;
                joint = joint.max(Joint::Pause);
            } else if flags & flag::AND != 0 && fillers < 2 {
                fillers += 1;
                let then = tokens.at(at + 1);
                joint = joint.max(if word_is(tokens, then, "then") { Joint::Pause } else { Joint::Break });
            } else if flags & flag::MARK != 0 && lexicon::entry(token.code).value == b'-' {
                joint = joint.max(Joint::Space);
                mark = b'-';
            } else {
                return None;
            }
        } else {
            return None;
        }
        at += 1;
    }
    None
}
