//! Names of people that name a brand, a place, a work or an illness.

use super::masked;
use crate::Entity;

#[test]
fn a_thing_that_bears_the_name_of_a_person_is_no_person() {
    for text in [
        "is the Vera Wang ring back in stock",
        "my calvin klein jacket ripped",
        "we land at Charles de Gaulle around noon",
        "He shows no sign of Alzheimer's disease.",
        "the Mary Poppins costume is too small",
        "ich warte vor dem Robert Koch Institut",
        "el perfume de Paco Rabanne llegó abierto",
    ] {
        assert_eq!(masked(Entity::PERSON_NAME, text), text);
    }
}

#[test]
fn a_whole_name_after_the_is_that_of_a_thing() {
    for text in ["The Ada Lindqvist room is locked.", "Leave it behind the Henry Okafor pavilion."] {
        assert_eq!(masked(Entity::PERSON_NAME, text), text);
    }
}

#[test]
fn a_person_may_bear_the_name_of_a_brand() {
    for (text, hidden) in
        [("my name is Calvin Klein", "my name is ****** *****"), ("Dear Mr Jimmy Choo,", "Dear Mr ***** ****,")]
    {
        assert_eq!(masked(Entity::PERSON_NAME, text), hidden);
    }
}

#[test]
fn a_person_beside_a_brand_is_found() {
    let text = "my sister Renata Vogel wants the Kate Spade bag";
    assert_eq!(masked(Entity::PERSON_NAME, text), "my sister ****** ***** wants the Kate Spade bag");
}
