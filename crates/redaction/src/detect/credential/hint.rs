//! Values in a text that only hints at a secret: its shape, its link and the words around it must fit.

use super::entry_link::signs_in;
use super::evidence::MIN_QUOTED_WORDS;
use super::link_after::{FUNCTIONING, is_judged};
use super::made_up_link::{is_opened_by, is_written_on};
use super::naming::{Link, Naming};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;

/// What a device does with a secret that it does not take.
const FAILING: [&str; 8] = ["spins", "beeps", "shakes", "freezes", "blinks", "flashes", "crashes", "hangs"];

impl Search<'_, '_, '_> {
    /// Whether a value is a secret in a text that only hints at one: its shape fits its link.
    pub(super) fn fits_hint(&self, value: Value, naming: Naming) -> bool {
        let is_linked = matches!(naming.link, Link::PronounSubject | Link::PronounChange | Link::Entered);
        // "r-i-v-e-r" spells a name if a name is asked for.
        let parts = || self.pieces.str(value.first).split(['-', '.']);
        let spells_other = self.asks_other && !value.is_spoken && parts().all(|part| part.len() == 1);
        // "with harbor62, you mean"
        let opens = |with: usize| {
            let is_hesitation = |at: usize| self.pieces.at(at).is(class::INTERJECTION);
            self.pieces.at(with).is(class::WITH | class::TO) && (0..with).all(is_hesitation)
        };
        let is_with = matches!(naming.link, Link::With | Link::Absent)
            && value.first.checked_sub(1).is_some_and(opens)
            && !self.asks_other;
        let is_clause = (naming.link == Link::Clause || is_with) && self.names_secret && !spells_other;
        let has_other = !self.known.is_empty();
        let is_said = value.is_spoken && !self.pieces.is_word(value.first, &["a", "the"]);
        match value.shape {
            _ if self.is_digits(value) => {
                let is_temporary = || {
                    (value.first.saturating_sub(4)..value.first).any(|at| {
                        self.pieces.is_word(
                            at,
                            &[
                                "temporary",
                                "temp",
                                "provisional",
                                "provisorio",
                                "provisoire",
                                "first",
                                "primer",
                                "primera",
                                "première",
                                "ersten",
                                "primeiro",
                                "primo",
                            ],
                        )
                    })
                };
                let is_linked =
                    (has_other || is_temporary() || self.signs_in_with(value) || self.is_number_of_login(value))
                        && is_linked
                        || naming.link == Link::Adjacent;
                self.is_long_number(value) && (is_linked || is_judged(self.pieces, value.after))
            }
            Shape::None | Shape::Common => false,
            Shape::Rare if self.is_quoted(value) && value.after >= value.first + MIN_QUOTED_WORDS => true,
            Shape::Rare => {
                let ends =
                    self.ends_clause(value) || self.pieces.at(value.after).is(class::CONJUNCTION | class::CLOSING);
                let is_label = naming.link == Link::Entered && self.is_after_colon(value);
                (naming.link == Link::PronounChange || is_label) && ends || has_other && is_linked
            }
            Shape::Number | Shape::Mixed | Shape::Strong => {
                is_linked && is_said
                    || is_clause
                    || value.is_spoken && value.shape >= Shape::Mixed && is_judged(self.pieces, value.after)
                    || naming.link == Link::Told && self.is_hinted_aloud(value, naming)
            }
        }
    }

    /// Whether a value is what somebody signs in with or opens something with: "log on with X".
    pub(super) fn signs_in_with(&self, value: Value) -> bool {
        let with = value.first.wrapping_sub(1);
        let opens = || self.pieces.is_word(with.wrapping_sub(1), &["open", "opens", "opened", "unlock", "unlocks"]);
        self.pieces.before(value.first).is(class::WITH) && (signs_in(self.pieces, with) || opens())
    }

    /// Whether a number is what a login or a key is, or what somebody uses after a word for credentials: "the key is
    /// 39599366", "temporary credentials. use 62524775".
    pub(super) fn is_number_of_login(&self, value: Value) -> bool {
        const USING: [&str; 6] = ["use", "enter", "type", "try", "using", "with"];
        let before = value.first.wrapping_sub(1);
        self.pieces.is_word(before, &USING) && self.speaks_of_logins(value.first) || is_opened_by(self.pieces, before)
    }

    /// Whether a text says of a value said aloud that it is written somewhere, how it fared, or what it is set to.
    pub(super) fn is_hinted_aloud(&self, value: Value, naming: Naming) -> bool {
        const REACH: usize = 12;
        let pieces = self.pieces;
        let fares = |at: usize| {
            let is_it = pieces.is_word(at, &["it", "that", "hers", "his", "mine", "theirs"]);
            // "and that's what i've been trying"
            let is_tried = || {
                pieces.is_word(at, &["what"])
                    && pieces.at(at + 1).is(class::PRONOUN)
                    && (at + 2..at + 5).any(|at| pieces.at(at).is(class::ENTER))
            };
            // "and it just spins"
            let verb = at + 1 + usize::from(pieces.is_word(at + 1, &["just", "only"]));
            is_it && (pieces.is_word(verb, &FUNCTIONING) || pieces.is_word(verb, &FAILING)) || is_tried()
        };
        let is_linked = matches!(naming.link, Link::Entered | Link::Told | Link::PronounSubject);
        let is_set =
            naming.link == Link::PronounChange && value.after >= value.first + 4 && !self.is_part_of_address(value);
        let is_written = || value.first > 0 && is_written_on(pieces, value.first - 1);
        // "we use X for everything"
        let is_shared = || (value.after..value.after + 4).any(|at| pieces.is_word(at, &["everything", "everywhere"]));
        let is_set = is_set || is_linked && is_shared();
        is_set || is_linked && (is_written() || (value.after..value.after + REACH).any(fares))
    }
}
