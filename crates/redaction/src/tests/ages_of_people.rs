//! Ages beside the person, in apposition.

use super::masked;
use crate::Entity;

#[test]
fn an_age_stands_between_commas_after_a_person() {
    for (text, hidden) in [
        ("Mrs Hale, 82, lives alone", "Mrs Hale, **, lives alone"),
        ("the guests are Rosa Diaz, 71, and a friend", "the guests are Rosa Diaz, **, and a friend"),
        ("Ward 4\n1. Weber, Hans, 66, bed 2", "Ward 4\n1. Weber, Hans, **, bed 2"),
        ("my brother Pedro, 44, will call", "my brother Pedro, **, will call"),
    ] {
        assert_eq!(masked(Entity::AGE, text), hidden);
    }
}

#[test]
fn an_age_stands_in_brackets_after_a_person() {
    assert_eq!(
        masked(Entity::AGE, "travelling: Rosa Diaz (23), Otto Weber (6)"),
        "travelling: Rosa Diaz (**), Otto Weber (*)"
    );
    assert_eq!(
        masked(Entity::AGE, "the new series (23) and the Rose Garden (12)"),
        "the new series (23) and the Rose Garden (12)"
    );
}

#[test]
fn years_of_a_person_are_an_age_in_five_languages() {
    for (text, hidden) in [
        ("mi padre, de 80 años, no ve bien", "mi padre, de ** años, no ve bien"),
        ("c'est pour ma fille de 7 ans", "c'est pour ma fille de * ans"),
        ("Herr Weber, 67 Jahre, wohnt hier", "Herr Weber, ** Jahre, wohnt hier"),
        ("paciente: Marta Souza, 91 anos", "paciente: Marta Souza, ** anos"),
        ("per mio marito di 58 anni", "per mio marito di ** anni"),
    ] {
        assert_eq!(masked(Entity::AGE, text), hidden);
    }
}

#[test]
fn years_of_a_thing_are_no_age() {
    for text in [
        "un contrato de 12 años",
        "un vin de 12 ans",
        "une garantie, 5 ans",
        "Frau Meier, 10 Jahre Kundin",
        "Morgan was my doctor 20 years ago",
        "mi marido, de 20 años de servicio",
    ] {
        assert_eq!(masked(Entity::AGE, text), text);
    }
}

#[test]
fn the_number_of_a_house_after_the_name_of_a_street_is_no_age() {
    for text in ["Calle Juan Bravo, 32, 3º izq", "Via Marco Rossi, 61, Palermo", "Mr Weber, 12 High Street"] {
        assert_eq!(masked(Entity::AGE, text), text);
    }
}

#[test]
fn the_wrong_age_beside_the_right_one_is_an_age_too() {
    assert_eq!(masked(Entity::AGE, "im 34 not 65"), "im ** not **");
    assert_eq!(masked(Entity::AGE, "the box is 34, not 65"), "the box is 34, not 65");
}
