//! Made-up values after a message that makes a password likely without asking for one.

use super::secrets_apart::answer;

#[test]
fn a_warning_or_an_announcement_before_a_made_up_value_shows_that_it_is_a_secret() {
    for question in [
        "please dont post it in this chat",
        "i can try it on my side",
        "have you got a pen handy",
        "what did you use before the switch",
        "je vous ai créé un accès temporaire",
    ] {
        assert_eq!(answer(question, "Plover71"), "********", "{question}");
    }
    assert_eq!(answer("womit melden Sie sich an", "na mit Plover71"), "na mit ********");
    assert_eq!(answer("what's the wifi here", "Marmots"), "********");
    assert_eq!(answer("what's the wifi speed", "Marmots"), "Marmots");
    assert_eq!(answer("please don't park here", "it is the one in the corner"), "it is the one in the corner");
    assert_eq!(answer("have you got a pen handy", "yes in the drawer"), "yes in the drawer");
}
