//! Numbers split over several messages. "four one one one", "uh one one one one" and "one one one one one one one one"
//! are one card number once the last message arrives. The fragments in earlier messages must be masked too.

mod fragment;

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cross_message::utterance::{MAX_CONTEXT, Speaker, Utterance, newest};
use crate::cues::{Cues, LAST_FOUR};
use crate::detect::list_marker_end;
use crate::entity::{Entity, EntitySet};
use crate::numbers::SSN_DIGITS;
use crate::span::{DetectionReason, EarlierSpan, Span};
use crate::tokenize::{TokenBuffer, TokenizedText, Tokens};
use crate::validate;
use fragment::{Fragment, MAX_CARD_DIGITS};

/// Entities whose values are assembled from fragments.
const SPLIT_ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]);
/// Digits of a complete card number without a valid checksum.
const UNCHECKED_CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=16;
/// Maximum tokens of a message between two fragments: "okay, go on".
const MAX_INTERJECTION_TOKENS: usize = 8;

/// The fragments before the last one, newest first.
struct FragmentChain {
    /// Each fragment with the index of its message in the context.
    fragments: [(usize, Option<Fragment>); MAX_CONTEXT],
    count: usize,
    /// Entities that a message among or before the fragments names, and the number of fragments that follow them.
    cued: EntitySet,
    after_cue: usize,
}

/// A value assembled from the last fragment and fragments of the chain.
struct Assembled {
    entity: Entity,
    /// Number of fragments of the chain that belong to the value.
    fragments: usize,
    /// Whether the value is complete, so that the last four digits may stay readable.
    complete: bool,
}

/// Whether a number of one of these entities that earlier messages begin may end in a text.
pub(crate) fn may_end_number(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    last_fragment(text, active).is_some()
}

fn last_fragment(text: &TokenizedText<'_>, active: EntitySet) -> Option<Fragment> {
    let is_possible = text.has_numbers() && active.intersects(SPLIT_ENTITIES);
    is_possible
        .then(|| fragment::read(&text.tokens(), list_marker_end(&text.tokens())))
        .flatten()
        .filter(|f| !f.is_masked && f.digit_count < MAX_CARD_DIGITS)
}

/// Assembles a number from its fragments. Adds the fragment in the text as a candidate and returns those in earlier
/// messages.
pub(crate) fn detect(text: &TokenizedText<'_>, context: &[Utterance<'_>], out: &mut Candidates) -> Vec<EarlierSpan> {
    let Some(last) = last_fragment(text, out.active()) else { return Vec::new() };
    let chain = FragmentChain::before(context);
    let Some(Assembled { entity, fragments, complete }) = chain.assemble(&last, out.active()) else {
        return Vec::new();
    };
    let visible_from = if complete && last.digit_count >= 4 { last.last_four_start } else { last.end };
    let evidence = if entity == Entity::SSN { EvidenceRank::Checksum } else { EvidenceRank::PaymentCard };
    out.push(Candidate {
        start: last.start,
        end: last.end,
        visible_from,
        entity,
        reason: DetectionReason::SplitNumber,
        evidence,
    });
    let earlier_span = |(utterance, fragment): &(usize, Option<Fragment>)| {
        fragment.filter(|f| !f.is_masked).map(|f| EarlierSpan {
            utterance: *utterance,
            span: Span {
                start: f.start as usize,
                end: f.end as usize,
                visible_from: f.end as usize,
                entity,
                reason: DetectionReason::SplitNumber,
                confidence: evidence.confidence(DetectionReason::SplitNumber),
            },
        })
    };
    chain.fragments[..fragments].iter().filter_map(earlier_span).rev().collect()
}

impl FragmentChain {
    /// Collects the fragments before a text, back to the first message that is neither a fragment nor a short
    /// interjection.
    fn before(context: &[Utterance<'_>]) -> Self {
        let mut chain = Self { fragments: [(0, None); MAX_CONTEXT], count: 0, cued: EntitySet::empty(), after_cue: 0 };
        let offset = context.len() - newest(context).len();
        for (at, utterance) in newest(context).iter().enumerate().rev() {
            if !chain.add(offset + at, utterance) {
                break;
            }
        }
        chain
    }

    /// Adds a message; false if no message before it can continue the chain.
    fn add(&mut self, index: usize, utterance: &Utterance<'_>) -> bool {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(utterance.text, &mut buffer);
        let tokens = text.tokens();
        let cues = Cues::of_words(&text);
        let cue = cues.as_slice().last().filter(|cue| cue.entities != LAST_FOUR);
        if cue.is_some_and(|c| !c.entities.intersects(SPLIT_ENTITIES)) || cue.is_some() && mentions_end(&tokens) {
            return false;
        }
        let from = cue.map_or_else(|| list_marker_end(&tokens), |c| c.end_token as usize);
        let fragment = if utterance.speaker == Speaker::Other { None } else { fragment::read(&tokens, from) };
        // A social security number that its message names and gives is no part of another number.
        let has_whole_ssn = cue.is_some_and(|cue| cue.entities.contains(Entity::SSN))
            && fragment.is_some_and(|fragment| fragment.digit_count == SSN_DIGITS);
        if fragment.is_some() && !has_whole_ssn {
            self.fragments[self.count] = (index, fragment);
            self.count += 1;
        }
        if let Some(cue) = cue.filter(|_| self.cued.is_empty()) {
            let open = if has_whole_ssn { cue.entities.without(Entity::SSN.bit()) } else { cue.entities };
            (self.cued, self.after_cue) = (open.and(SPLIT_ENTITIES), self.count);
        }
        fragment.is_some() && cue.is_none()
            || fragment.is_none() && !text.features.has_digits && tokens.len() <= MAX_INTERJECTION_TOKENS
    }

    /// Assembles a value from the last fragment and the newest fragments of the chain.
    fn assemble(&self, last: &Fragment, active: EntitySet) -> Option<Assembled> {
        self.assemble_valid(last, active).or_else(|| self.assemble_unchecked(last, active))
    }

    /// Assembles a value with valid check digits or fragment lengths.
    fn assemble_valid(&self, last: &Fragment, active: EntitySet) -> Option<Assembled> {
        let mut digits = [0; MAX_CARD_DIGITS];
        let mut from = MAX_CARD_DIGITS - last.digit_count;
        digits[from..].copy_from_slice(&last.digits[..last.digit_count]);
        let mut best = None;
        for (at, (_, fragment)) in self.fragments[..self.count].iter().enumerate() {
            let Some(fragment) = fragment.filter(|f| !f.is_masked) else { break };
            let Some(start) = from.checked_sub(fragment.digit_count) else { break };
            digits[start..from].copy_from_slice(&fragment.digits[..fragment.digit_count]);
            from = start;
            let joined = &digits[from..];
            let is_grouped_ssn = last.digit_count == 4 && at == 1 && fragment.digit_count == 3
                || self.cued.contains(Entity::SSN) && at < self.after_cue;
            let complete = |entity| Some(Assembled { entity, fragments: at + 1, complete: true });
            if active.contains(Entity::CREDIT_CARD_NUMBER)
                && joined.len() >= 13
                && validate::payment::card_number(joined)
            {
                best = complete(Entity::CREDIT_CARD_NUMBER);
            } else if best.is_none()
                && active.contains(Entity::SSN)
                && is_grouped_ssn
                && joined.len() == 9
                && validate::us::ssn(joined)
            {
                best = complete(Entity::SSN);
            }
        }
        best
    }

    /// Assembles a value without a check: a message names the value, or masked fragments and the last one complete it.
    fn assemble_unchecked(&self, last: &Fragment, active: EntitySet) -> Option<Assembled> {
        let digits_of =
            |count: usize| self.fragments[..count].iter().filter_map(|(_, f)| f.map(|f| f.digit_count)).sum::<usize>();
        let cued = self.cued.and(active);
        let earlier = digits_of(self.after_cue);
        let total = earlier + last.digit_count;
        let card = Entity::CREDIT_CARD_NUMBER;
        if cued.contains(Entity::SSN) && earlier > 0 && total <= 9 {
            return Some(Assembled { entity: Entity::SSN, fragments: self.after_cue, complete: false });
        }
        if cued.contains(card)
            && earlier > 0
            && earlier < *UNCHECKED_CARD_DIGITS.start()
            && total <= *UNCHECKED_CARD_DIGITS.end()
        {
            let complete = UNCHECKED_CARD_DIGITS.contains(&total);
            return Some(Assembled { entity: card, fragments: self.after_cue, complete });
        }
        let masked = self.fragments[..self.count].iter().take_while(|(_, f)| f.is_some_and(|f| f.is_masked)).count();
        let total = digits_of(masked) + last.digit_count;
        let completes_card = masked >= 2 && active.contains(card) && UNCHECKED_CARD_DIGITS.contains(&total);
        completes_card.then_some(Assembled { entity: card, fragments: masked, complete: true })
    }
}

/// Whether a message mentions the end of a number. Its digits then do not begin one.
fn mentions_end(tokens: &Tokens<'_>) -> bool {
    let ends = ["last", "ending", "ends", "final"];
    tokens.as_slice().iter().any(|t| ends.iter().any(|w| tokens.str(*t).eq_ignore_ascii_case(w)))
}
