//! Questions for the code of a card by the place where it is printed: "what's the last group on the strip", "flip it over
//! and read me the three digits".

use super::bag::Bag;
use super::words::class;
use crate::entity::{Entity, EntitySet};

/// Entities whose names a question for the code may hold: "the last four", "the code".
const COMPATIBLE: EntitySet =
    EntitySet::from_slice(&[Entity::CVV, Entity::SSN, Entity::CREDIT_CARD_NUMBER, Entity::ONE_TIME_PASSCODE]);

/// Whether a message without a value, whose cues name these entities, asks for what stands in the place of the code. A
/// short message needs no more than the place: "and on the back?", "the strip behind".
pub(super) fn asks_for_card_code(bag: &Bag, named: EntitySet, is_short: bool) -> bool {
    // "for your membership fee"
    let is_paid = bag.has(class::PAYMENT) && bag.has_noun_place;
    // "choose five digits as your signature"
    let is_chosen = bag.has(class::CHOOSE) && bag.has_digit_count && !bag.has(class::CARD);
    let is_other = !is_paid && (bag.has(class::OTHER_THING | class::CALL) || !named.is_subset(COMPATIBLE)) || is_chosen;
    // "your virtual card shows a rotating code, what is it now"
    let is_dynamic = || bag.has_all(&[class::DYNAMIC, class::CARD, class::CODE]) && !bag.has(class::OTHER_THING);
    // "we're not allowed to store that, so i have to ask every time"
    let is_not_stored = || named.is_empty() && bag.stores_it && bag.has_all(&[class::NEGATION, class::ASK]);
    let says_what = bag.has(class::CODE)
        || (bag.has(class::WHAT) || is_short && bag.begins_with_place) && !bag.has(class::OTHER_ENTRY);
    let on_back = bag.has(class::PLACE) || bag.has_noun_place || bag.has(class::TURN) && bag.has(class::CARD);
    // "for maestro it is printed on the front, above the main number"
    let on_front = || {
        bag.has_all(&[class::FRONT, class::CARD])
            && (bag.has(class::POSITION | class::FOUR) || named.is_subset(Entity::CVV.bit()) && bag.has(class::CODE))
    };
    !is_other && (on_back && says_what || on_front()) || is_dynamic() || is_not_stored()
}
