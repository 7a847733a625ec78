//! Whether earlier messages could change what is found in a text, told from the text alone.

use crate::candidate::Candidates;
use crate::cross_message::split_number;
use crate::detect;
use crate::entity::{Entity, EntitySet};
use crate::numbers::{self, Digits, Run, with_room};
use crate::tokenize::words::flag;
use crate::tokenize::{self, Scan, Tokens};

/// What is found in a text `alone`; nothing where earlier messages could change that, by what they ask for, or since a number
/// that they begin ends in it. `asked` tells what is found in it where they ask for these entities.
///
/// A text with a number, or with letters and digits in one piece, is looked at with everything asked for. Where nothing else
/// is found then, and no number is taken for an answer, none of them fits anything that may be asked for.
pub(crate) fn found_alone(
    scan: &Scan<'_>,
    active: EntitySet,
    asked: impl FnOnce(EntitySet) -> Candidates,
    alone: impl FnOnce() -> Candidates,
) -> Option<Candidates> {
    if may_answer(scan, active) || split_number::may_end_in(scan, active) {
        return None;
    }
    if !holds_value(scan, active) {
        return Some(alone());
    }
    let by_all = asked(EntitySet::all());
    if by_all.answers() {
        return None;
    }
    Some(alone()).filter(|alone| alone.found() == by_all.found())
}

/// Whether a text may be an answer in words, be a code and little else, or hold what is an e-mail address if one is asked for.
fn may_answer(scan: &Scan<'_>, active: EntitySet) -> bool {
    let tokens = &scan.tokens();
    let words = || active.touches(detect::word_value::ASKED) && detect::word_value::answer_word(tokens).is_some();
    let codes = || active.touches(detect::code::CODES) && detect::code::may_answer(tokens).is_some();
    let spelled = || active.touches(detect::spelled::SPELLED) && detect::spelled::may_answer(tokens).is_some();
    let emails = || active.contains(Entity::EMAIL) && detect::disguised_email::may_answer(scan);
    words() || codes() || spelled() || emails()
}

/// Whether a text holds what may be asked for, among other words or as its end: a number, a date, letters and digits.
fn holds_value(scan: &Scan<'_>, active: EntitySet) -> bool {
    holds_number(scan, active) || holds_code(scan, active)
}

/// Tokens of a message at most that can be an answer with a digit or two.
const SHORT: usize = 12;

/// Whether a text holds a number, in few words a digit or two, or a date.
fn holds_number(scan: &Scan<'_>, active: EntitySet) -> bool {
    let tokens = &scan.tokens();
    scan.is_numeric() && (tokens.len() <= SHORT || has_number(tokens))
        || scan.seen.words & flag::MONTH != 0 && active.contains(Entity::DOB)
}

/// Whether a text holds letters and digits in one piece, of which there may be an entity.
fn holds_code(scan: &Scan<'_>, active: EntitySet) -> bool {
    scan.seen.digits && !active.without(IN_NUMBERS).is_empty() && has_mixed(&scan.tokens())
}

/// Entities whose values are numbers or words, never letters and digits by a check.
const IN_NUMBERS: EntitySet =
    EntitySet::of(&[Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PIN, Entity::SSN, Entity::PASSWORD]);

/// Whether a text has a number of three digits or more.
fn has_number(tokens: &Tokens<'_>) -> bool {
    let digits = Digits::of(tokens);
    !digits.are_fewer_than(numbers::LEAST) && with_room(digits, |run| has_value(tokens, run))
}

fn has_value(tokens: &Tokens<'_>, mut run: Run<'_>) -> bool {
    let mut from = 0;
    while let Some(first) = run.read(tokens, from) {
        from = run.after.max(first + 1);
        if run.digits().len() >= numbers::LEAST {
            return true;
        }
    }
    false
}

/// Whether letters touch digits anywhere, or stand beside them.
fn has_mixed(tokens: &Tokens<'_>) -> bool {
    tokens.all().windows(2).any(|pair| {
        pair[0].is_value() && pair[1].is_value() && pair[0].kind != pair[1].kind && pair[1].gap == tokenize::Gap::None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use crate::cross_message::context::{Speaker, Utterance};
    use crate::pipeline::Looker;
    use crate::tests::dice::Dice;
    use crate::tokenize::Store;

    const PIECES: &str = "my|is|pin|ssn|card|cvv|phone|number|age|born|policy|order|account|expires|march|and|uh|to|the|\
        it|was|for|one|two|oh|five|twenty|hundred|nineteen|1|3|12|450|1990|4111|4111 1111 1111 1111|(202) 555-0143|\
        536-90-4399|12/27|A10-48213|-|.|,|:|please|then|ring|plate|booking|jfo|98|e|AB 12|****|\
        QQ123456C|SW1A 1AA|a1b2c3d4e5f6g7h8|K7|x";

    /// What is found in a text where this was asked, and what an earlier piece of a number makes of it.
    fn found(looker: &Looker, scan: &Scan<'_>, asked: EntitySet, earlier: &[Utterance<'_>]) -> Vec<Candidate> {
        let mut out = looker.asked(scan, asked);
        split_number::detect(scan, earlier, &mut out);
        out.into_found()
    }

    #[test]
    fn in_a_text_that_wants_no_context_the_same_is_found_whatever_was_asked_and_said_before() {
        let (mut dice, pieces) = (Dice::new(), PIECES.split('|').collect::<Vec<_>>());
        let mut unwanted = 0;
        for _ in 0..10_000 {
            let (text, earlier) = (dice.text(&pieces, 32), [dice.text(&pieces, 6), dice.text(&pieces, 3)]);
            let sets = [EntitySet::all(), EntitySet::defaults(), dice.entities(4), dice.entities(30)];
            let active = *dice.one_of(&sets);
            let (looker, mut store) = (Looker::of(active), Store::new());
            let scan = Scan::of(&text, &mut store);
            let Some(alone) = looker.found_alone(&scan).map(Candidates::into_found) else { continue };
            unwanted += 1;
            let earlier = earlier.each_ref().map(|text| Utterance { text, speaker: Speaker::Same });
            for nth in [1, 2, 8, 30] {
                let asked = if holds_value(&scan, active) { dice.entities(nth) } else { EntitySet::empty() };
                assert_eq!(found(&looker, &scan, asked, &earlier), alone, "{text:?} where {asked:?} is asked");
            }
        }
        assert!(unwanted > 1_000, "{unwanted}");
    }
}
