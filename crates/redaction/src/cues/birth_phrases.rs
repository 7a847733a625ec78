//! Cue phrases for a date of birth in Spanish, French, German, Portuguese and Italian.

use super::cue_phrase::CuePhrase;
use super::phrases::cue;
use crate::entity::Entity;

const DOB: &[Entity] = &[Entity::DOB];

pub(super) const BIRTH_PHRASES: &[CuePhrase] = &[
    cue("fecha de nacimiento", DOB),
    cue("nacimiento", DOB),
    cue("nacido", DOB),
    cue("nacida", DOB),
    cue("nacio", DOB),
    cue("naci", DOB),
    cue("cumpleanos", DOB),
    cue("date de naissance", DOB),
    cue("naissance", DOB),
    cue("etes vous ne", DOB),
    cue("etes vous nee", DOB),
    cue("geburtsdatum", DOB),
    cue("geburtstag", DOB),
    cue("geburt", DOB),
    cue("geboren", DOB),
    cue("geb", DOB),
    cue("data de nascimento", DOB),
    cue("nascimento", DOB),
    cue("nascido", DOB),
    cue("nascida", DOB),
    cue("nasceu", DOB),
    cue("nasci", DOB),
    cue("data di nascita", DOB),
    cue("nascita", DOB),
    cue("compleanno", DOB),
];
