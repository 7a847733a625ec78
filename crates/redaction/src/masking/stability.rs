//! Stability of a masked text: a quick check that another detection pass would find nothing. Most messages with a value
//! pass this check and need no rescan.

use crate::card_floor;
use crate::catalog::Mask;
use crate::cues;
use crate::detect::credential;
use crate::detect::identifier::is_code_like;
use crate::detect::number::min_digits::MinDigits;
use crate::detect::spelled_run;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens::would_be_emphasis;
use crate::numbers::{DigitBound, MIN_DIGITS, is_number_token};
use crate::prefilter::SPOKEN_ADDRESS;
use crate::span::Span;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, LONG_SEGMENT, Token, TokenKind, TokenizedText, Tokens};

/// Words of cues. If one of them is masked, the words beside it may form another cue.
const CUE_WORDS: u32 = flag::CUE_HEAD | flag::CUE_TAIL;
/// Words that are never a value.
const NON_VALUES: u32 = flag::AND
    | flag::CUE_HEAD
    | flag::FILLER
    | flag::COPULA
    | flag::CONNECTOR
    | flag::STOPWORD
    | flag::STATUS
    | flag::UNIT
    | flag::NUMBER;

/// Entities whose values, after a cue, are never letters and digits that an outline or check digits identify.
const WITHOUT_LETTERS: EntitySet = EntitySet::from_slice(&[
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

/// Entities of a number that only its being the only one of a message shows.
const SOLE_CODES: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN]);

/// Whether another detection pass over the masked text would find nothing for the active entities. False if that is
/// uncertain. The spans are everything that a pass without earlier messages found. `cued` are the entities that the
/// cues of the text name, active or not.
pub(crate) fn is_stable(text: &TokenizedText<'_>, spans: &[Span], active: EntitySet, cued: EntitySet) -> bool {
    let features = &text.features;
    let tokens = text.tokens();
    if features.has_at_sign || features.has_dash_run || credential::may_be_in(&tokens, features, cued, active) {
        return false;
    }
    let leaves_tails = cued.iter().all(|entity| entity.row().mask == Mask::KeepLast4);
    let cued = cued.and(active);
    let joined = features.may_have_address_mark || features.has_triple_letter;
    let boundary = Boundary { tokens: &tokens, word_valued: cued.intersects(cues::WORD_VALUED), joined };
    let (mut hidden, mut word_flags) = (false, 0);
    let (mut digits, mut hidden_digits) = (DigitBound::zero(), DigitBound::zero());
    for (at, (token, cover)) in with_covering_spans(tokens.as_slice(), spans).enumerate() {
        if cover.is_some() != hidden {
            hidden = !hidden;
            if boundary.may_expose_value(at, hidden) {
                return false;
            }
        }
        if cover.is_some() {
            hidden_digits.add_token(token);
        }
        match cover {
            Some(_) if !cued.is_empty() && would_be_emphasis(&tokens, at) => return false,
            Some(span) if is_hidden(token, span) || leaves_tails && is_visible_tail(&tokens, at, span) => {}
            Some(_) => return false,
            None => {
                word_flags |= token.flags;
                digits.add_token(token);
            }
        }
    }
    let minimum = MinDigits::new(active, cued);
    let mixed = !cued.without(WITHOUT_LETTERS).is_empty();
    let may_leave_card = active.contains(Entity::CREDIT_CARD_NUMBER) && card_floor::may_remain(text, digits);
    // Once the other numbers are masked, the only one left may be the code that the message speaks of.
    let may_leave_code =
        active.intersects(SOLE_CODES) && !digits.is_below(MIN_DIGITS) && !hidden_digits.is_below(MIN_DIGITS);
    let may_leave_run = active.intersects(spelled_run::MASKED_AS) && spelled_run::has_run(text);
    let may_leave_value = may_leave_card || may_leave_code || may_leave_run;
    word_flags & (flag::MONTH | SPOKEN_ADDRESS) == 0
        && !may_leave_value
        && !(mixed && digits.has_digits())
        && (minimum.rules_out(digits) || minimum.rules_out(visible_digits(tokens.as_slice(), spans)))
        && !(features.has_long_segment && has_visible_long_segment(tokens.as_slice(), spans))
}

/// The tokens, each with the span that covers it or a part of it.
fn with_covering_spans<'a>(tokens: &'a [Token], spans: &'a [Span]) -> impl Iterator<Item = (Token, Option<&'a Span>)> {
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
    span.start <= token.start as usize && span.visible_from >= token.end as usize
}

/// The boundaries between masked and visible tokens.
struct Boundary<'a, 't> {
    tokens: &'a Tokens<'t>,
    /// Whether a cue names an entity whose values can be words.
    word_valued: bool,
    /// Whether words, digits and marks without spaces between them can be one value.
    joined: bool,
}

impl Boundary<'_, '_> {
    /// Whether the visible token at a boundary may be a value or part of another cue. The boundary is before the token
    /// `at`; the masked tokens are after it if `masked_after` is true, otherwise before it.
    fn may_expose_value(&self, at: usize, masked_after: bool) -> bool {
        let (before, after) = (self.tokens.before(at), self.tokens.at(at));
        let visible = if masked_after { before } else { after };
        let splits_cue = before.flags & CUE_WORDS != 0 && after.flags & flag::CUE_TAIL != 0;
        let is_word_value =
            masked_after && self.word_valued && visible.kind == TokenKind::Word && visible.flags & NON_VALUES == 0;
        let touches = after.gap == Gap::None && visible.is_alphanumeric();
        is_number_token(visible)
            || splits_cue
            || is_word_value
            || touches
            || self.joined && self.touches_value(at, masked_after)
    }

    /// Whether visible letters or digits touch the boundary, directly or through other tokens without spaces.
    fn touches_value(&self, at: usize, masked_after: bool) -> bool {
        let no_gap = |at: &usize| self.tokens.at(*at).gap == Gap::None;
        if masked_after {
            (1..=at).rev().take_while(no_gap).any(|at| self.tokens.at(at - 1).is_alphanumeric())
        } else {
            (at..self.tokens.len()).take_while(no_gap).any(|at| self.tokens.at(at).is_alphanumeric())
        }
    }
}

/// The digit bound of a text without its spans.
fn visible_digits(tokens: &[Token], spans: &[Span]) -> DigitBound {
    DigitBound::by_run(
        with_covering_spans(tokens, spans).map(|(token, cover)| if cover.is_some() { Token::EDGE } else { token }),
    )
}

/// Whether a segment too long for prose has a visible letter or digit.
fn has_visible_long_segment(tokens: &[Token], spans: &[Span]) -> bool {
    let (mut start, mut visible) = (0, false);
    with_covering_spans(tokens, spans).any(|(token, cover)| {
        if token.gap != Gap::None {
            (start, visible) = (token.start, false);
        }
        visible |= token.is_alphanumeric() && cover.is_none();
        visible && (token.end - start) as usize >= LONG_SEGMENT
    })
}

/// Whether a token is the readable last four digits of a masked number, and no value can continue after it.
fn is_visible_tail(tokens: &Tokens<'_>, at: usize, span: &Span) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let ends = match next.kind {
        TokenKind::Edge => true,
        TokenKind::Word => next.gap == Gap::Space && !is_code_like(tokens, at + 1) && !leads_to_number(tokens, at + 1),
        TokenKind::Mark => tokens.at(at + 2).kind == TokenKind::Edge,
        TokenKind::Digits | TokenKind::Mask => false,
    };
    let four = span.end - span.visible_from == 4 && span.visible_from > span.start;
    let tail = token.kind == TokenKind::Digits && token.end as usize == span.end;
    ends && four && tail && token.start as usize <= span.visible_from
}

/// Whether a number begins at a word, or after words that can stand inside a number. The readable digits before it may
/// then be read as the first part of that number.
fn leads_to_number(tokens: &Tokens<'_>, at: usize) -> bool {
    const INNER_WORDS: u32 = flag::FILLER | flag::AND | flag::SPOKEN_MARK;
    let first = (at..tokens.len()).find(|at| tokens.at(*at).flags & INNER_WORDS == 0).unwrap_or(tokens.len());
    is_number_token(tokens.at(first))
}

#[cfg(test)]
mod tests {
    use crate::entity::EntitySet;
    use crate::masking::overlap::resolve_overlaps;
    use crate::pipeline::Pipeline;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    fn is_stable(text: &str) -> bool {
        let (pipeline, mut buffer) = (Pipeline::new(EntitySet::all()), TokenBuffer::new());
        let tokenized = TokenizedText::new(text, &mut buffer);
        let (out, _) = pipeline.detect(&tokenized, &[]);
        let cued = out.cued_entities();
        let spans = resolve_overlaps(text, out.into_vec());
        assert!(!spans.is_empty(), "{text}");
        pipeline.is_stable(&tokenized, &spans, cued)
    }

    #[test]
    fn a_text_with_too_few_visible_digits_needs_no_rescan() {
        assert!(is_stable("you leave on March 13th, starting at 7:30 pm"));
        assert!(is_stable("my card is 4111 1111 1111 1111 thanks"));
    }

    #[test]
    fn digits_directly_after_a_mask_need_a_rescan() {
        assert!(!is_stable("4111 1111 1111 1111 1234"));
    }

    #[test]
    fn a_number_after_the_readable_end_of_a_card_needs_a_rescan() {
        assert!(!is_stable("39.1072060 =8, -74?0060 and 40 left"));
    }

    #[test]
    fn a_number_beside_a_mask_needs_a_rescan() {
        assert!(!is_stable("on March 13th 7 of us left"));
    }

    #[test]
    fn a_partly_masked_cue_needs_a_rescan() {
        assert!(!is_stable("it is 12 High Street address unknown"));
    }

    #[test]
    fn a_word_between_a_cue_and_a_mask_needs_a_rescan() {
        assert!(!is_stable("my password is table March 13 1990"));
    }

    #[test]
    fn a_visible_month_needs_a_rescan() {
        assert!(!is_stable("it is 4111 1111 1111 1111 since March"));
    }

    #[test]
    fn digits_beside_a_cue_for_a_code_need_a_rescan() {
        assert!(!is_stable("my booking number is ABCD1234 for 7"));
    }

    #[test]
    fn a_segment_too_long_for_prose_beside_a_mask_needs_a_rescan() {
        assert!(!is_stable("it is 4111 1111 1111 1111 incomprehensibilities"));
    }

    #[test]
    fn a_mask_that_touches_a_word_needs_a_rescan() {
        assert!(!is_stable("0exp10005, 234a"));
    }

    #[test]
    fn a_mask_that_looks_like_emphasis_after_a_cue_needs_a_rescan() {
        assert!(!is_stable("user name jc= hunter.be"));
    }
}
