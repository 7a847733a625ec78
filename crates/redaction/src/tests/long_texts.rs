//! Tests that the work for a text grows with its length, and not with the square of it: one message must not hold up a server.

use crate::tokenize::work::take_steps;
use crate::{EntitySet, Redactor};

/// Bytes of the shorter text, which is longer than what a rule reads around a value.
const BYTES: u32 = 3_000;
/// How much longer the longer text is.
const FACTOR: u32 = 4;
/// By how much the work may grow.
const MAX_GROWTH: f64 = 5.5;
/// The most steps for a byte.
const MAX_STEPS: f64 = 120.0;

/// Pieces of texts in which each value makes some rule read what the text says around it.
const PIECES: &[&str] = &[
    "1.1.1.1.",
    "4 1 1 1 ",
    "4111 1111 1111 1112 ",
    "4111 no sorry 11 no sorry 11 no sorry 12 ",
    "A1B2C3",
    "GB29 NWBK ",
    "MRN aaa11MRN.aa11a ",
    "an old card with 4111 1111 1111 1111 ",
    "back of card 123 ",
    "card one two three ",
    "code 123 cvv 456 ",
    "i have 2fa, i have the app i have Velvet6, what else do you want ",
    "last four 1234 ssn ",
    "last four? 6787 ",
    "my card is 41 11 no wait 41 11 no ",
    "my card is one two ",
    "my pin is 1234 ",
    "no at the end there's two five one ",
    "okay one twenty eight ",
    "on the phone she said the order pin 4821 ",
    "one two one two ",
    "password is ",
    "quarante-sept trois trois sept et quatre-vingt-six vingt ",
    "rocket123 then it says invalid credentials ",
    "the wrong card b4, the blue one has 7272 as cvv not 553 ",
    "una password temporanea, sole51, valida fino a stasera ",
    "ut7 s37 ",
    "voter id is the only one i have, ABC3676431 ",
    "yeah a b n four triple two three one ",
];

/// The steps that the redaction of a text takes.
fn work(redactor: &Redactor, text: &str) -> f64 {
    take_steps();
    let _ = redactor.redact(text, &[]);
    f64::from(u32::try_from(take_steps()).unwrap())
}

fn assert_work_grows_with_length(active: EntitySet) {
    let redactor = Redactor::new(active);
    let text = |piece: &str, bytes: u32| piece.repeat(bytes as usize / piece.len());
    for piece in PIECES {
        let (short, long) = (work(&redactor, &text(piece, BYTES)), work(&redactor, &text(piece, FACTOR * BYTES)));
        let growth = long / short;
        assert!(long < MAX_STEPS * f64::from(FACTOR * BYTES), "{piece}: {long} steps");
        assert!(growth < MAX_GROWTH, "{piece}: {growth:.1} times the work for {FACTOR} times the text");
    }
}

#[test]
fn the_work_of_the_default_entities_grows_with_the_length_of_a_text() {
    assert_work_grows_with_length(EntitySet::defaults());
}

#[test]
fn the_work_of_every_entity_grows_with_the_length_of_a_text() {
    assert_work_grows_with_length(EntitySet::all());
}
