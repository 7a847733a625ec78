//! How the number plates of vehicles are made up.

use crate::scan::{Kind, Token};

/// Groups of letters and digits that plates of North America, Europe and Asia are made of, as lengths: letters positive,
/// digits negative. Compiled by hand from the formats that the issuing states and countries use now.
const PLATES: &[&[i8]] = &[
    &[2, -4],
    &[2, -5],
    &[3, -3],
    &[3, -4],
    &[-3, 3],
    &[-4, 2],
    &[-4, 3],
    &[-1, 3, -3],
    &[-3, 2],
    &[1, -5],
    &[1, -6],
    &[2, -2, 3],
    &[1, -3, 3],
    &[3, -3, 1],
    &[2, -2, 2, -4],
    &[2, -2, 1, -4],
    &[-2, 3, -4],
    &[-2, 2, -3],
    &[1, 2, -4],
    &[2, 2, -4],
    &[2, -3, 2],
    &[3, -3, 2],
    &[-1, 2, -3],
    &[-2, 1, -3],
    &[-1, 2, -4],
    &[1, -2, -1, 2],
    &[-2, 1, 1, -2],
    &[-1, 2, 1, -2],
    &[-2, 2, -2],
    &[-2, 1, -4],
    &[2, -1, -4],
    &[1, -2, -2, 1],
    &[-3, -1, 2],
    &[-1, 1, -4, 1],
    &[-1, 1, -5],
    &[3, 1, -2],
    &[-2, 1, 2, -1],
    &[-1, 1, 1, -4],
    &[-3, 4],
    &[1, -2, 3],
];

/// Whether tokens are groups of a plate, marks between them aside.
pub(crate) fn is_plate(tokens: &[Token]) -> bool {
    let groups = || {
        tokens
            .iter()
            .filter(|t| t.is_value())
            .map(|t| if t.kind == Kind::Digits { -i64::from(t.code) } else { i64::try_from(t.bytes()).unwrap_or(0) })
    };
    PLATES.iter().any(|plate| groups().eq(plate.iter().map(|n| i64::from(*n))))
}
