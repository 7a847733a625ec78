//! The catalogue: every example, every counter-example, and the rules of the product.

use crate::{Activity, Control, Entity, EntitySet, Group, Redactor, catalogue_page};

#[test]
fn every_example_is_masked_as_the_catalogue_says() {
    let wrong: Vec<String> = Entity::ALL
        .into_iter()
        .flat_map(|e| e.row().examples.iter().map(move |(text, masked)| (e, *text, *masked)))
        .filter_map(|(e, text, masked)| {
            let got = Redactor::new(EntitySet::from_iter([e])).redact(text, &[]).text.into_owned();
            (got != masked).then(|| format!("{e:?}: {text:?} became {got:?}, not {masked:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_counter_example_stays_as_it_is() {
    let wrong: Vec<String> = Entity::ALL
        .into_iter()
        .flat_map(|e| e.row().counter_examples.iter().map(move |text| (e, *text)))
        .filter_map(|(e, text)| {
            let got = Redactor::new(EntitySet::from_iter([e])).redact(text, &[]).text.into_owned();
            (got != text).then(|| format!("{e:?}: {text:?} became {got:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_has_three_examples_and_two_counter_examples() {
    for entity in Entity::ALL {
        assert!(entity.row().examples.len() >= 3 && entity.row().counter_examples.len() >= 2, "{entity:?}");
    }
}

#[test]
fn labels_are_unique_and_upper_case() {
    let mut labels: Vec<&str> = Entity::ALL.iter().map(|e| e.row().label).collect();
    assert!(labels.iter().all(|l| l.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')));
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), 68);
}

#[test]
fn a_label_leads_to_its_entity() {
    for entity in Entity::ALL {
        assert_eq!(Entity::from_label(entity.row().label), Some(entity));
    }
    assert_eq!(Entity::from_label("NOTHING"), None);
}

#[test]
fn five_entities_are_active_by_default() {
    let five = [Entity::CREDIT_CARD_NUMBER, Entity::CVV, Entity::PASSWORD, Entity::PIN, Entity::SSN];
    assert_eq!(EntitySet::defaults(), EntitySet::from_iter(five));
    for entity in Entity::ALL {
        assert_eq!(entity.row().default_active == Activity::On, five.contains(&entity), "{entity:?}");
    }
}

#[test]
fn card_data_and_nothing_else_is_locked() {
    for entity in Entity::ALL {
        let locked = [Entity::CREDIT_CARD_NUMBER, Entity::CVV].contains(&entity);
        assert_eq!(entity.row().group == Group::CardData, locked, "{entity:?}");
        assert_eq!(entity.row().control == Control::Compliance, locked, "{entity:?}");
    }
}

#[test]
fn the_page_has_a_row_for_every_entity() {
    assert_eq!(catalogue_page().lines().count(), 4 + 68);
}
