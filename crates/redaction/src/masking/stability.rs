//! Whether a masked text is settled: nothing is left in it that only the mask brings to light. Most messages with a value are,
//! and need no second look.

use crate::catalog::Mask;
use crate::cues;
use crate::detect::identifier::is_code_like;
use crate::detect::number::least::Least;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens::would_be_emphasis;
use crate::numbers::{Digits, may_begin};
use crate::prefilter::SAID_ADDRESS;
use crate::span::Span;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, LONG_PIECE, Scan, Token, Tokens};

/// Words of cues: once one of them is masked, those beside it may be another cue.
const OF_CUES: u32 = flag::CUE | flag::IN_CUE;
/// Words that no value of words is.
const IDLE: u32 = flag::AND
    | flag::CUE
    | flag::FILLER
    | flag::IS
    | flag::LINK
    | flag::PLAIN
    | flag::STATUS
    | flag::UNIT
    | flag::NUMBER;

/// Entities that, where a cue names them, are never letters and digits told by an outline or by check digits.
const WITHOUT_LETTERS: EntitySet = EntitySet::of(&[
    Entity::AGE,
    Entity::BANK_ROUTING_NUMBER,
    Entity::CARD_EXPIRATION_DATE,
    Entity::CREDIT_CARD_NUMBER,
    Entity::CVV,
    Entity::DATE,
    Entity::DOB,
    Entity::EMAIL,
    Entity::PERSON_NAME,
    Entity::PHONE_NUMBER,
    Entity::PIN,
    Entity::SSN,
    Entity::STREET_ADDRESS,
    Entity::URL,
    Entity::ZIP_CODE,
]);

/// Whether nothing is left outside the spans of a text that would make its masked form worth a closer look for these entities.
/// The spans are all that a look without earlier messages found; `named` is what its cues name, active or not.
pub(crate) fn is_settled(scan: &Scan<'_>, spans: &[Span], active: EntitySet, named: EntitySet) -> bool {
    let seen = &scan.seen;
    if seen.at || seen.dashes {
        return false;
    }
    let tokens = scan.tokens();
    let leaves_tails = named.iter().all(|entity| entity.row().mask == Mask::KeepLast4);
    let named = named.and(active);
    let joined = seen.inner_mark || seen.triple;
    let border = Border { tokens: &tokens, wordy: named.touches(cues::WORDY), joined };
    let (mut hidden, mut words, mut digits) = (false, 0, Digits::none());
    for (at, (token, over)) in covered(tokens.all(), spans).enumerate() {
        if over.is_some() != hidden {
            hidden = !hidden;
            if border.matters(at, hidden) {
                return false;
            }
        }
        match over {
            Some(_) if !named.is_empty() && would_be_emphasis(&tokens, at) => return false,
            Some(found) if is_hidden(token, found) || leaves_tails && is_shown_tail(&tokens, at, found) => {}
            Some(_) => return false,
            None => {
                words |= token.flags;
                digits.note(token);
            }
        }
    }
    let least = Least::of(active, named);
    let lettered = !named.without(WITHOUT_LETTERS).is_empty();
    words & (flag::MONTH | SAID_ADDRESS) == 0
        && !(lettered && digits.are_any())
        && (least.is_more_than(digits) || least.is_more_than(shown(tokens.all(), spans)))
        && !(seen.long_piece && has_long_piece(tokens.all(), spans))
}

/// Tokens, each with the span that hides it or a part of it.
fn covered<'a>(tokens: &'a [Token], spans: &'a [Span]) -> impl Iterator<Item = (Token, Option<&'a Span>)> {
    let mut rest = spans;
    tokens.iter().map(move |token| {
        while let [first, later @ ..] = rest
            && first.end <= token.start as usize
        {
            rest = later;
        }
        (*token, rest.first().filter(|span| span.start < token.end as usize))
    })
}

fn is_hidden(token: Token, span: &Span) -> bool {
    span.start <= token.start as usize && span.shown_from >= token.end as usize
}

/// What is looked at where masked tokens border on others.
struct Border<'a, 't> {
    tokens: &'a Tokens<'t>,
    /// Whether a cue names values of words.
    wordy: bool,
    /// Whether words, digits and marks without a space between can be one value.
    joined: bool,
}

impl Border<'_, '_> {
    /// Whether a token beside the border before a token, behind which they are masked or before which they are, may be a value
    /// or another cue once they are.
    fn matters(&self, at: usize, masked_behind: bool) -> bool {
        let (before, behind) = (self.tokens.before(at), self.tokens.at(at));
        let shown = if masked_behind { before } else { behind };
        let cut = before.flags & OF_CUES != 0 && behind.flags & flag::IN_CUE != 0;
        let leads = masked_behind && self.wordy && shown.kind == Kind::Word && shown.flags & IDLE == 0;
        let touches = behind.gap == Gap::None && shown.is_value();
        may_begin(shown) || cut || leads || touches || self.joined && self.touches_value(at, masked_behind)
    }

    /// Whether letters or digits that are shown hang together with the border.
    fn touches_value(&self, at: usize, masked_behind: bool) -> bool {
        let close = |at: &usize| self.tokens.at(*at).gap == Gap::None;
        if masked_behind {
            (1..=at).rev().take_while(close).any(|at| self.tokens.at(at - 1).is_value())
        } else {
            (at..self.tokens.len()).take_while(close).any(|at| self.tokens.at(at).is_value())
        }
    }
}

/// The digits of a text outside its spans, as runs may have them.
fn shown(tokens: &[Token], spans: &[Span]) -> Digits {
    Digits::parted(covered(tokens, spans).map(|(token, over)| if over.is_some() { Token::EDGE } else { token }))
}

/// Whether a piece too long for prose is not masked whole, marks aside.
fn has_long_piece(tokens: &[Token], spans: &[Span]) -> bool {
    let (mut start, mut shown) = (0, false);
    covered(tokens, spans).any(|(token, over)| {
        if token.gap != Gap::None {
            (start, shown) = (token.start, false);
        }
        shown |= token.is_value() && over.is_none();
        shown && (token.end - start) as usize >= LONG_PIECE
    })
}

/// Whether a token is the four digits of a masked number that stay readable, and nothing goes on behind them.
fn is_shown_tail(tokens: &Tokens<'_>, at: usize, found: &Span) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let ends = match next.kind {
        Kind::Edge => true,
        Kind::Word => next.gap == Gap::Space && !is_code_like(tokens, at + 1),
        Kind::Mark => tokens.at(at + 2).kind == Kind::Edge,
        Kind::Digits | Kind::Mask => false,
    };
    let four = found.end - found.shown_from == 4 && found.shown_from > found.start;
    let tail = token.kind == Kind::Digits && token.end as usize == found.end;
    ends && four && tail && token.start as usize <= found.shown_from
}

#[cfg(test)]
mod tests {
    use crate::entity::EntitySet;
    use crate::masking::overlap::resolve;
    use crate::pipeline::Looker;
    use crate::tokenize::{Scan, Store};

    fn is_settled(text: &str) -> bool {
        let (looker, mut store) = (Looker::of(EntitySet::all()), Store::new());
        let scan = Scan::of(text, &mut store);
        let out = looker.candidates(&scan, &[]);
        let named = out.named();
        let spans = resolve(text, out.into_found());
        assert!(!spans.is_empty(), "{text}");
        looker.is_settled(&scan, &spans, named)
    }

    #[test]
    fn what_has_too_few_digits_beside_its_value_needs_no_second_look() {
        assert!(is_settled("you leave on March 13th, starting at 7:30 pm"));
        assert!(is_settled("my card is 4111 1111 1111 1111 thanks"));
    }

    #[test]
    fn digits_right_behind_a_mask_need_one() {
        assert!(!is_settled("4111 1111 1111 1111 1234"));
    }

    #[test]
    fn a_number_beside_a_mask_needs_one() {
        assert!(!is_settled("on March 13th 7 of us left"));
    }

    #[test]
    fn a_cue_that_is_masked_in_part_needs_one() {
        assert!(!is_settled("it is 12 High Street address unknown"));
    }

    #[test]
    fn a_word_between_a_cue_and_a_mask_needs_one() {
        assert!(!is_settled("my password is table March 13 1990"));
    }

    #[test]
    fn a_month_that_is_shown_needs_one() {
        assert!(!is_settled("it is 4111 1111 1111 1111 since March"));
    }

    #[test]
    fn digits_beside_a_cue_for_a_code_need_one() {
        assert!(!is_settled("my booking number is ABCD1234 for 7"));
    }

    #[test]
    fn a_piece_too_long_for_prose_beside_a_mask_needs_one() {
        assert!(!is_settled("it is 4111 1111 1111 1111 incomprehensibilities"));
    }

    #[test]
    fn a_mask_that_touches_a_word_needs_one() {
        assert!(!is_settled("0exp10005, 234a"));
    }

    #[test]
    fn a_mask_that_looks_like_emphasis_behind_a_cue_needs_one() {
        assert!(!is_settled("user name jc= hunter.be"));
    }
}
