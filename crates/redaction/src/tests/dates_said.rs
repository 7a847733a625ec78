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
