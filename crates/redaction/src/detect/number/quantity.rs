//! Digits that count or measure something and identify nobody.

use crate::detect::{flags, is_one_of};
use crate::numbers::Joint;
use crate::numbers::slice::Slice;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind};

/// Four groups up to 255 with dots between are an address of a machine, not a number.
pub(super) fn is_address_part(slice: Slice<'_, '_>) -> bool {
    slice.parts().len() == 4
        && slice.joined_by(b'.')
        && slice.parts().iter().all(|p| p.count <= 3)
        && slice.loosest() <= Joint::Tight
}

/// Money, percent, measures, clock times, ordinals, years.
pub(super) fn is_quantity(slice: Slice<'_, '_>) -> bool {
    let (before, next) = (slice.before(), slice.next());
    let own = slice.tokens.at(slice.token());
    let money = before.is_mark(b'$') && own.gap <= Gap::Space;
    let unit = next.gap <= Gap::Space && flags(next) & (flag::UNIT | flag::ENDING | flag::SCALE) != 0
        || next.is_mark(b'%')
        || next.is_mark(b'$') && next.gap == Gap::None;
    let time = next.is_mark(b':')
        && next.gap == Gap::None
        && slice.tokens.at(slice.after() + 1).kind == Kind::Digits
        && slice.tokens.at(slice.after() + 1).gap == Gap::None
        || before.is_mark(b':')
            && own.gap == Gap::None
            && slice.tokens.before(slice.token().saturating_sub(1)).kind == Kind::Digits;
    let decimal = slice.parts().iter().skip(1).any(|p| p.mark == b',' && p.joint < Joint::Pause);
    let month = slice.len() <= 4 && flags(before) & flag::MONTH != 0 && own.gap <= Gap::Space;
    money || unit || time || decimal || month || flags(before) & flag::HUGE != 0 || is_year(slice)
}

/// "in 2020", "since nineteen ninety-nine".
fn is_year(slice: Slice<'_, '_>) -> bool {
    matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && (slice.parts().len() == 1 || slice.spoken())
        && is_one_of(slice.tokens, slice.before(), &["in", "since", "during", "year"])
}
