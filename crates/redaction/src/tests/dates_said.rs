//! Dates of birth that are said aloud.

use super::dictated_parts::masked;

#[test]
fn a_date_that_begins_an_answer_is_masked_with_its_day() {
    for (answer, expected) in [
        ("24 may 2006", "** *** ****"),
        ("twenty fifth march nineteen sixty six", "****** ***** ***** ******** ***** ***"),
    ] {
        assert_eq!(masked(&["what's your date of birth", answer]), expected);
    }
}

#[test]
fn the_last_two_digits_of_a_year_are_masked_with_the_day_and_the_month() {
    let answer = masked(&["what's your date of birth", "eighth of may ninety one and it's my son"]);
    assert_eq!(answer, "****** ** *** ****** *** and it's my son");
}

#[test]
fn an_amount_after_a_day_is_left() {
    assert_eq!(
        masked(&["on the eighth of may ninety dollars were taken"]),
        "on *** ****** ** *** ninety dollars were taken"
    );
}

#[test]
fn a_month_with_its_year_is_masked_to_the_end_of_the_year() {
    for (answer, expected) in [
        ("october twenty thirty one", "******* ****** ****** ***"),
        ("august two thousand and twenty nine", "****** *** ******** *** ****** ****"),
        ("the fourth of may twenty twenty", "*** ****** ** *** ****** ******"),
    ] {
        assert_eq!(masked(&["when does the card expire", answer]), expected);
    }
}

#[test]
fn a_date_of_birth_is_masked_in_five_languages() {
    for (question, answer, expected) in [
        (
            "fecha de nacimiento",
            "veinte de mayo de mil novecientos setenta y ocho",
            "****** ** **** ** *** *********** ******* * ****",
        ),
        ("y su fecha de nacimiento", "veintinueve de mayo de dos mil tres", "*********** ** **** ** *** *** ****"),
        (
            "votre date de naissance s'il vous plaît",
            "je suis née le premier septembre mille neuf cent soixante-six à nantes",
            "je suis née le ******* ********* ***** **** **** ********-*** à nantes",
        ),
        (
            "votre date de naissance",
            "vingt et un novembre mille neuf cent quatre-vingt-six",
            "***** ** ** ******** ***** **** **** ******-*****-***",
        ),
        (
            "qual a data de nascimento do titular",
            "dois de agosto de mil novecentos e noventa e sete mas saiu errado",
            "**** ** ****** ** *** ********** * ******* * **** mas saiu errado",
        ),
        ("data di nascita", "quattro marzo millenovecentosettantatré", "******* ***** *************************"),
        (
            "geburtsdatum zur sicherheit",
            "elften april neunzehnhundertsechsundneunzig",
            "****** ***** ******************************",
        ),
    ] {
        assert_eq!(masked(&[question, answer]), expected);
    }
}

#[test]
fn a_year_is_masked_however_it_is_said() {
    for (answer, expected) in [
        ("july fourth one nine eight two", "**** ****** *** **** ***** ***"),
        ("july fourth oh one", "**** ****** ** ***"),
        ("july fourth nineteen hundred and eighty two", "**** ****** ******** ******* *** ****** ***"),
        ("july fourth two thousand oh one", "**** ****** *** ******** ** ***"),
        ("july fourth nineteen eighty-two", "**** ****** ******** ******-***"),
        ("july fourth in nineteen eighty two", "**** ****** ** ******** ****** ***"),
        ("4th of july '82", "*** ** **** '**"),
        ("geboren am vierten juli zweiundachtzig", "geboren am ******* **** **************"),
        ("el cuatro de julio del ochenta y dos", "el ****** ** ***** *** ******* * ***"),
    ] {
        assert_eq!(masked(&["what's the date of birth", answer]), expected);
    }
}

#[test]
fn a_number_that_counts_what_follows_a_month_is_left() {
    for text in [
        "in may twenty people came",
        "last october two agents promised me a call",
        "they march ten miles every saturday",
        "il a trente sept ans",
    ] {
        assert_eq!(masked(&[text]), text);
    }
}

#[test]
fn a_verb_and_a_walk_are_no_months() {
    for text in ["the second may be better than the first", "the first march against the law"] {
        assert_eq!(masked(&[text]), text);
    }
}
