//! Licence plates beside the word for a vehicle.

use super::masked;
use crate::Entity;

#[test]
fn a_plate_beside_the_word_for_a_vehicle_is_hidden() {
    for (text, hidden) in [
        ("somebody scratched my van, 07 KE 3312", "somebody scratched my van, ** ** ****"),
        ("Fahrzeug HH AB 482 steht im Weg", "Fahrzeug ** ** *** steht im Weg"),
        ("Coche 5521 KLM, color rojo", "Coche **** ***, color rojo"),
        ("la targa è GH 204 TR", "la targa è ** *** **"),
        ("AB-482-CD is my car", "**-***-** is my car"),
        ("a placa é RTX4H21", "a placa é *******"),
        ("it was under her plate TKV 552 i believe", "it was under her plate *** *** i believe"),
    ] {
        assert_eq!(masked(Entity::LICENSE_PLATE, text), hidden);
    }
}

#[test]
fn other_codes_beside_a_vehicle_are_no_plate() {
    for text in [
        "the car has 120 HP and 4 seats",
        "parked in zone B from 10 AM",
        "the taxi was 25 EUR",
        "my van broke down on the A 38 near exit 27",
        "the truck carries 3500 KG",
    ] {
        assert_eq!(masked(Entity::LICENSE_PLATE, text), text);
    }
}

#[test]
fn a_code_without_a_vehicle_is_no_plate() {
    let text = "the part is 07 KE 3312";
    assert_eq!(masked(Entity::LICENSE_PLATE, text), text);
}
