//! Numbers of records whose first letters say what they number: "ORD-20418", "inv-77120-3".

use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::DetectorInput;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// The letters before the hyphen, and what they number.
const PREFIXES: [(&str, Entity); 14] = [
    ("ord", Entity::ORDER_NUMBER),
    ("order", Entity::ORDER_NUMBER),
    ("inv", Entity::ORDER_NUMBER),
    ("invoice", Entity::ORDER_NUMBER),
    ("po", Entity::ORDER_NUMBER),
    ("txn", Entity::ORDER_NUMBER),
    ("pol", Entity::POLICY_NUMBER),
    ("policy", Entity::POLICY_NUMBER),
    ("clm", Entity::POLICY_NUMBER),
    ("claim", Entity::POLICY_NUMBER),
    ("bkg", Entity::BOOKING_REFERENCE),
    ("bkng", Entity::BOOKING_REFERENCE),
    ("cust", Entity::ACCOUNT_NUMBER),
    ("acct", Entity::ACCOUNT_NUMBER),
];
const ENTITIES: EntitySet = {
    let (mut set, mut at) = (EntitySet::empty(), 0);
    while at < PREFIXES.len() {
        set.insert(PREFIXES[at].1);
        at += 1;
    }
    set
};
/// Maximum tokens after the prefix.
const MAX_TOKENS: usize = 8;
/// Minimum digits of such a number.
const MIN_DIGITS: usize = 4;

/// Looks at each hyphen before digits.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(ENTITIES) {
        return;
    }
    let tokens = input.tokens;
    let numbers = tokens.digit_range();
    for at in numbers.start.saturating_sub(2)..numbers.end {
        if let Some((entity, after)) = code_at(tokens, at) {
            let (start, end) = (tokens.at(at).start, tokens.before(after).end);
            out.push_fully_masked(start, end, entity, DetectionReason::Cue, EvidenceRank::Cue);
        }
    }
}

/// What the code that begins at a token numbers, and the token after it.
fn code_at(tokens: &Tokens<'_>, first: usize) -> Option<(Entity, usize)> {
    let token = tokens.at(first);
    let starts = token.kind == TokenKind::Word && (token.gap != Gap::None || !tokens.before(first).is_alphanumeric());
    let is_hyphenated = tokens.at(first + 1).is_mark(b'-') && tokens.at(first + 1).gap == Gap::None;
    if !starts || !is_hyphenated {
        return None;
    }
    let word = tokens.str(token);
    let (_, entity) = PREFIXES.iter().find(|(prefix, _)| prefix.eq_ignore_ascii_case(word))?;
    let (mut after, mut digits) = (first + 2, 0);
    for at in first + 2..first + 2 + MAX_TOKENS {
        let part = tokens.at(at);
        if part.gap != Gap::None || !(part.is_alphanumeric() || part.is_mark(b'-')) {
            break;
        }
        digits += if part.kind == TokenKind::Digits { usize::from(part.digit_count()) } else { 0 };
        after = if part.is_alphanumeric() { at + 1 } else { after };
    }
    (digits >= MIN_DIGITS).then_some((*entity, after))
}
