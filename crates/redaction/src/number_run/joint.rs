//! What may stand between two groups of a run.

use super::{Joint, word_is};
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Tokens, lexicon};

/// Tokens between two groups at most.
const REACH: usize = 4;

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
