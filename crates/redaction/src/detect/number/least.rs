//! How many digits a text must have before it is worth a look for a number: most texts with digits have too few.

use super::shape;
use crate::detect::date_words::DATES;
use crate::detect::{Page, fit};
use crate::entity::EntitySet;
use crate::numbers::Digits;

/// How many digits the shortest value has that is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Least {
    digits: usize,
    /// Whether dates in digits, which can have fewer, are looked for.
    dates: bool,
}

impl Least {
    /// For these entities, given those of them that a cue or question names.
    pub(crate) fn of(active: EntitySet, named: EntitySet) -> Self {
        Self { digits: fit::fewest(named).min(shape::fewest(active)), dates: active.touches(DATES) }
    }

    /// Whether no run of so many digits is a value.
    pub(crate) fn is_more_than(self, digits: Digits) -> bool {
        digits.are_fewer_than(self.digits) && !(self.dates && digits.may_be_date())
    }
}

/// The digits of a text, where a run may have as many as the shortest value that is looked for.
pub(super) fn enough_digits(page: &Page<'_, '_>, active: EntitySet) -> Option<Digits> {
    let least = Least::of(active, page.named.and(active));
    let enough = |digits: &Digits| !least.is_more_than(*digits);
    Some(Digits::of(page.tokens)).filter(enough).map(|_| Digits::parted(page.tokens.of_numbers())).filter(enough)
}

#[cfg(test)]
mod tests {
    use super::super::{detect, look_at_each};
    use super::*;
    use crate::candidate::Candidates;
    use crate::cues::Cues;
    use crate::numbers::{Room, Run};
    use crate::registry::lookup::Known;
    use crate::tests::dice::Dice;
    use crate::tokenize::{Scan, Store};

    const WORDS: [&str; 40] = [
        "my", "is", "pin", "ssn", "card", "cvv", "phone", "age", "born", "policy", "order", "account", "expires",
        "plan", "march", "and", "uh", "to", "for", "one", "two", "oh", "five", "double", "twenty", "hundred",
        "nineteen", "1", "3", "12", "450", "1990", "4111", "-", "/", ".", ",", ":", "+", "****",
    ];

    /// What the runs of a text are found to be: all that hold a value at all, or each of them.
    fn found(text: &str, active: EntitySet, armed: EntitySet, each: bool) -> String {
        let mut store = Store::new();
        let scan = Scan::of(text, &mut store);
        let tokens = scan.tokens();
        let (cues, mut out) = (Cues::of(&tokens), Candidates::new(active));
        let page = Page::new(&tokens, scan.seen.words, cues.all(), armed, Known::of(active));
        if each {
            look_at_each(&page, Run::within(&mut Room::for_any()), &mut out);
        } else {
            detect(&page, &mut out);
        }
        format!("{:?}", out.found())
    }

    #[test]
    fn no_value_is_in_a_text_that_is_taken_to_have_too_few_digits() {
        let mut dice = Dice::new();
        for _ in 0..10_000 {
            let text = dice.text(&WORDS, 12);
            for (active, armed) in [
                (EntitySet::all(), EntitySet::empty()),
                (EntitySet::defaults(), EntitySet::empty()),
                (dice.entities(4), EntitySet::empty()),
                (dice.entities(2), dice.entities(8)),
            ] {
                assert_eq!(found(&text, active, armed, false), found(&text, active, armed, true), "{text}");
            }
        }
    }
}
