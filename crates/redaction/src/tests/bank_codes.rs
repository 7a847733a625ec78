//! Bank identifier codes in groups.

use super::dictated_parts::masked;

#[test]
fn a_code_in_groups_after_its_cue_is_masked() {
    for (text, expected) in [
        ("BIC: CHAS IE 2S", "BIC: **** ** **"),
        ("the bic is ndea gb 2l you gave me", "the bic is **** ** ** you gave me"),
        ("BIC: LOYDGB2L 123", "BIC: ******** ***"),
    ] {
        assert_eq!(masked(&[text]), expected);
    }
}

#[test]
fn a_code_in_groups_that_answers_a_question_is_masked() {
    assert_eq!(masked(&["BIC please", "NDEA ES HR"]), "**** ** **");
}

#[test]
fn words_after_the_cue_that_have_no_country_are_left() {
    for text in
        ["the bic code they gave me does not work", "SWIFT CODE IS INCORRECT", "where is the bic is it in my app"]
    {
        assert_eq!(masked(&[text]), text);
    }
    assert_eq!(masked(&["do you have the BIC?", "no it is in my email"]), "no it is in my email");
}
