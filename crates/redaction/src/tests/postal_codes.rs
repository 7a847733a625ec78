//! Postal codes beside a street.

use super::masked;
use crate::{Entity, EntitySet, Redactor};

/// The labels of the values of a text with the address and the postal code active.
fn labels(text: &str) -> Vec<(&'static str, String)> {
    let active = EntitySet::from_iter([Entity::STREET_ADDRESS, Entity::ZIP_CODE]);
    let found = Redactor::new(active).redact(text, &[]);
    found.spans.iter().map(|span| (span.entity.label(), text[span.start..span.end].to_owned())).collect()
}

#[test]
fn five_digits_after_a_street_and_a_city_are_a_postal_code() {
    for (text, hidden) in [
        ("it went to 77 Cedar Lane, Boise 83702", "it went to 77 Cedar Lane, Boise *****"),
        ("Wir wohnen Gartenstraße 14, 79098 Freiburg.", "Wir wohnen Gartenstraße 14, ***** Freiburg."),
        ("Nouvelle adresse : 8 rue des Tilleuls, 44000 Nantes", "Nouvelle adresse : 8 rue des Tilleuls, ***** Nantes"),
        (
            "send it to ninety nine oak street el paso seven nine nine oh one",
            "send it to ninety nine oak street el paso ***** **** **** ** ***",
        ),
    ] {
        assert_eq!(masked(Entity::ZIP_CODE, text), hidden);
    }
}

#[test]
fn a_postal_code_is_no_part_of_the_address_before_it() {
    let found = labels("Please ship to 410 Willow Avenue, Reno, NV 89502 today");
    assert_eq!(found.last().map(|(label, value)| (*label, value.as_str())), Some(("ZIP_CODE", "89502")));
    assert_eq!(found.first().map(|(label, _)| *label), Some("STREET_ADDRESS"));
}

#[test]
fn other_numbers_near_a_street_are_no_postal_code() {
    for text in [
        "I am at 12 High Street and my order is 48213",
        "The meter at 9 Mill Road shows: 48213",
        "we met on the road, then 48213 people came",
    ] {
        assert_eq!(masked(Entity::ZIP_CODE, text), text);
    }
}

#[test]
fn coordinates_may_have_hemispheres_or_a_minus_without_a_comma() {
    for (text, hidden) in [
        ("we are at 51.50740° N, 12.37310° E", "we are at **.*****° *, **.*****° *"),
        ("go to -31.9523 -115.8613 then left", "go to -**.**** -***.**** then left"),
    ] {
        assert_eq!(masked(Entity::GEO_COORDINATES, text), hidden);
    }
}

#[test]
fn a_dwelling_and_a_military_box_are_addresses_without_a_street() {
    for (text, masked_text) in [
        ("Ole Berg\nAarhus 9\nApt. 57\nAarhus C", "Ole Berg\nAarhus 9\n***. **\nAarhus C"),
        ("> Suite 414\n> Artilleros", "> ***** ***\n> Artilleros"),
        ("send it to Unit 5146 Box 1772\nDPO AE 91410", "send it to **** **** *** ****\n*** ** *****"),
        ("PSC 4095, Box 8316", "*** ****, *** ****"),
    ] {
        assert_eq!(masked(Entity::STREET_ADDRESS, text), masked_text);
    }
    for text in ["Office Suite 2019 is slow", "apt 2.4 is installed", "unit 3 of the course", "the box 12 is empty"] {
        assert_eq!(masked(Entity::STREET_ADDRESS, text), text);
    }
}
