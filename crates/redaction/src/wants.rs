//! Whether earlier messages could change what is found in a text, told from the text alone.

use crate::candidate::Candidates;
use crate::detect;
use crate::entity::{Entity, EntitySet};
use crate::number_run::{self, Digits, Run, with_room};
use crate::scan::words::flag;
use crate::scan::{self, Scan, Tokens};
use crate::spread;

/// Whether earlier messages could change what is found in a text: by what they ask for, or since a number that they begin
/// ends in it. `asked` tells what is found in it where they ask for these entities.
pub(crate) fn wants_context(scan: &Scan<'_>, active: EntitySet, asked: impl Fn(EntitySet) -> Candidates) -> bool {
    may_answer(scan, active)
        || scan.is_numeric() && spread::may_end_in(scan, active)
        || holds_number(scan, active) && is_moved(asked)
}

/// Whether a text may be an answer in words, or in letters and digits.
fn may_answer(scan: &Scan<'_>, active: EntitySet) -> bool {
    let tokens = &scan.tokens();
    let words = || active.touches(detect::word_value::ASKED) && detect::word_value::answer_word(tokens).is_some();
    let codes = || active.touches(detect::code::CODES) && detect::code::may_answer(tokens).is_some();
    let spelled = || active.touches(detect::spelled::SPELLED) && detect::spelled::may_answer(tokens).is_some();
    let mixed = || scan.seen.digits && !active.without(IN_NUMBERS).is_empty() && has_mixed(tokens);
    words() || codes() || spelled() || mixed()
}

/// Whether a question before a text with a number could change what is found in it: with everything asked for, something
/// else is found, or a number is taken for an answer. Where neither is so, no number fits anything that may be asked for.
fn is_moved(asked: impl Fn(EntitySet) -> Candidates) -> bool {
    let by_all = asked(EntitySet::all());
    by_all.answers() || by_all.found() != asked(EntitySet::empty()).found()
}

/// Tokens of a message at most that can be an answer with a digit or two.
const SHORT: usize = 12;

/// Whether a text holds what may be asked for: a number, in few words a digit or two, or a date.
fn holds_number(scan: &Scan<'_>, active: EntitySet) -> bool {
    let tokens = &scan.tokens();
    scan.is_numeric() && (tokens.len() <= SHORT || has_number(tokens))
        || scan.seen.words & flag::MONTH != 0 && active.contains(Entity::DOB)
}

/// Entities whose values are numbers or words, never letters and digits by a check.
const IN_NUMBERS: EntitySet =
    EntitySet::of(&[Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PIN, Entity::SSN, Entity::PASSWORD]);

/// Whether a text has a number of three digits or more.
fn has_number(tokens: &Tokens<'_>) -> bool {
    let digits = Digits::of(tokens);
    !digits.are_fewer_than(number_run::LEAST) && with_room(digits, |run| has_value(tokens, run))
}

fn has_value(tokens: &Tokens<'_>, mut run: Run<'_>) -> bool {
    let mut from = 0;
    while let Some(first) = run.read(tokens, from) {
        from = run.after.max(first + 1);
        if run.digits().len() >= number_run::LEAST {
            return true;
        }
    }
    false
}

/// Whether letters touch digits anywhere, or stand beside them.
fn has_mixed(tokens: &Tokens<'_>) -> bool {
    tokens.all().windows(2).any(|pair| {
        pair[0].is_value() && pair[1].is_value() && pair[0].kind != pair[1].kind && pair[1].gap == scan::Gap::None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use crate::context::{Speaker, Utterance};
    use crate::look::Looker;
    use crate::scan::Store;

    const PIECES: &str = "my|is|pin|ssn|card|cvv|phone|number|age|born|policy|order|account|expires|march|and|uh|to|the|\
        it|was|for|one|two|oh|five|twenty|hundred|nineteen|1|3|12|450|1990|4111|4111 1111 1111 1111|(202) 555-0143|\
        536-90-4399|12/27|A10-48213|-|.|,|:|please|then|ring|plate|booking|jfo|98|e|AB 12|****";

    struct Dice(u64, Vec<&'static str>);

    impl Dice {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % most
        }

        fn text(&mut self, longest: usize) -> String {
            (0..self.below(longest)).fold(String::new(), |text, _| {
                let piece = self.below(self.1.len());
                text + self.1[piece] + ["", " ", " ", " "][self.below(4)]
            })
        }

        fn some(&mut self, nth: usize) -> EntitySet {
            EntitySet::all().iter().filter(|_| self.below(nth) == 0).collect()
        }
    }

    /// What is found in a text where this was asked, and what an earlier piece of a number makes of it.
    fn found(looker: &Looker, scan: &Scan<'_>, asked: EntitySet, earlier: &[Utterance<'_>]) -> Vec<Candidate> {
        let mut out = looker.asked(scan, asked);
        if scan.is_numeric() && out.wants(spread::SPREADS) {
            spread::detect(&scan.tokens(), earlier, &mut out);
        }
        out.into_found()
    }

    #[test]
    fn in_a_text_that_wants_no_context_the_same_is_found_whatever_was_asked_and_said_before() {
        let mut dice = Dice(1, PIECES.split('|').collect());
        let mut unwanted = 0;
        for _ in 0..10_000 {
            let (text, earlier) = (dice.text(32), [dice.text(6), dice.text(3)]);
            let active = [EntitySet::all(), EntitySet::defaults(), dice.some(4), dice.some(30)][dice.below(4)];
            let (looker, mut store) = (Looker::of(active), Store::new());
            let scan = Scan::of(&text, &mut store);
            if looker.wants_context(&scan) {
                continue;
            }
            unwanted += 1;
            let alone = looker.candidates(&scan, &[]).into_found();
            let earlier = earlier.each_ref().map(|text| Utterance { text, speaker: Speaker::Same });
            for nth in [1, 2, 8, 30] {
                let asked = if holds_number(&scan, active) { dice.some(nth) } else { EntitySet::empty() };
                assert_eq!(found(&looker, &scan, asked, &earlier), alone, "{text:?} where {asked:?} is asked");
            }
        }
        assert!(unwanted > 1_000, "{unwanted}");
    }
}
