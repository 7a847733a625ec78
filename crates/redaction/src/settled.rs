//! Whether a masked text is settled: nothing is left in it that only the mask brings to light. Most messages with a value are,
//! and need no second look.

use crate::catalog::Mask;
use crate::cue;
use crate::detect::identifier::is_code_like;
use crate::detect::number::least::Least;
use crate::entity::{Entity, EntitySet};
use crate::interest::SAID_ADDRESS;
use crate::number_run::Digits;
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, LONG_PIECE, Scan, Token, Tokens};
use crate::span::Span;
use crate::starred::EMPHASIS;

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

/// What is known of a text when its values are: which entities are looked for, and which its cues name.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) active: EntitySet,
    /// Active or not.
    pub(crate) named: EntitySet,
    /// Words that make a text worth a look.
    pub(crate) words: u32,
}

/// Whether nothing is left outside the spans of a text that would make its masked form worth a closer look. The spans are all
/// that a look without earlier messages found.
pub(crate) fn is_settled(scan: &Scan<'_>, spans: &[Span], known: Known) -> bool {
    let seen = &scan.seen;
    if seen.at || seen.dashes {
        return false;
    }
    let tokens = scan.tokens();
    let named = known.named.and(known.active);
    let cued = !named.is_empty();
    let joined = seen.inner_mark || seen.triple;
    let border = Border { tokens: &tokens, wordy: named.touches(cue::WORDY), joined };
    let mut later = spans.iter();
    let mut next = later.next();
    let (mut hidden, mut words, mut digits) = (false, 0, Digits::none());
    for (at, token) in tokens.all().iter().enumerate() {
        while next.is_some_and(|found| found.end <= token.start as usize) {
            next = later.next();
        }
        let over = next.filter(|found| found.start < token.end as usize);
        if over.is_some() != hidden {
            hidden = !hidden;
            if border.matters(at, hidden) {
                return false;
            }
        }
        match over {
            Some(_) if cued && may_be_emphasis(&tokens, at) => return false,
            Some(found) if is_hidden(*token, found) || known.leaves_tails() && is_shown_tail(&tokens, at, found) => {}
            Some(_) => return false,
            None => {
                words |= token.flags;
                digits.note(*token);
            }
        }
    }
    let least = Least::of(known.active, named);
    let lettered = !named.without(WITHOUT_LETTERS).is_empty();
    words & (flag::MONTH | known.words & SAID_ADDRESS) == 0
        && !(lettered && digits.are_any())
        && (least.is_more_than(digits) || least.is_more_than(shown(&tokens, spans)))
        && !(seen.long_piece && has_long_piece(tokens.all(), spans))
}

impl Known {
    /// Whether no cue names a tail that stays readable: all that they name has one itself.
    fn leaves_tails(self) -> bool {
        self.named.iter().all(|entity| entity.row().mask == Mask::KeepLast4)
    }
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
        is_number(shown) || cut || leads || touches || self.joined && self.touches_value(at, masked_behind)
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

/// Whether the asterisks that hide a token may be taken for emphasis, which a cue reaches over.
fn may_be_emphasis(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    token.bytes() <= EMPHASIS && (token.gap == Gap::None || next.gap == Gap::None)
}

fn is_number(token: Token) -> bool {
    token.kind == Kind::Digits || token.flags & flag::NUMBER != 0
}

/// The digits of a text outside its spans, as runs may have them.
fn shown(tokens: &Tokens<'_>, spans: &[Span]) -> Digits {
    let mut spans = spans.iter().peekable();
    Digits::parted(tokens.all().iter().map(|token| {
        while spans.next_if(|span| span.end <= token.start as usize).is_some() {}
        let masked = spans.peek().is_some_and(|span| span.start < token.end as usize);
        if masked { Token::EDGE } else { *token }
    }))
}

/// Whether a piece too long for prose is not masked whole, marks aside.
fn has_long_piece(tokens: &[Token], spans: &[Span]) -> bool {
    let mut spans = spans.iter().peekable();
    let (mut start, mut shown) = (0, false);
    for token in tokens {
        if token.gap != Gap::None {
            (start, shown) = (token.start, false);
        }
        while spans.next_if(|span| span.end <= token.start as usize).is_some() {}
        shown |= token.is_value() && spans.peek().is_none_or(|span| span.start >= token.end as usize);
        if shown && (token.end - start) as usize >= LONG_PIECE {
            return true;
        }
    }
    false
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
    use crate::look::Looker;
    use crate::resolve::resolve;
    use crate::scan::{Scan, Store};

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
    fn a_mask_that_touches_a_word_needs_one() {
        assert!(!is_settled("0exp10005, 234a"));
    }

    #[test]
    fn a_mask_that_looks_like_emphasis_behind_a_cue_needs_one() {
        assert!(!is_settled("user name jc= hunter.be"));
    }
}
