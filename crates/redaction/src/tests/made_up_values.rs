//! Passwords that somebody made up, in sentences that do not name them: by what they are written on, by their letters, by
//! what they open, and by how they fared.

use super::secrets_apart::{answer, assert_hidden, assert_untouched};

#[test]
fn what_a_piece_of_paper_or_a_label_says_is_a_secret_if_it_is_made_up() {
    assert_hidden(&[
        (
            "the post-it on his desk says gerbil58 and then nothing",
            "the post-it on his desk says ******** and then nothing",
        ),
        ("en la etiqueta del módem pone Tortuga44 y nada", "en la etiqueta del módem pone ******** y nada"),
        ("sul biglietto leggo Gufo.92x", "sul biglietto leggo ********"),
        ("the label says walrus four eight two one", "the label says ********"),
    ]);
    assert_untouched(&[
        "the leaflet says section B12 applies",
        "the sticker says made in 2016",
        "the sheet says we are closed on monday",
    ]);
}

#[test]
fn a_question_about_a_letter_of_a_made_up_value_shows_that_it_is_a_secret() {
    assert_hidden(&[
        ("is the l in Plover71 a one or an ell", "is the l in ******** a one or an ell"),
        ("which one is the capital in walrus_9 please", "which one is the capital in ******** please"),
        ("does the dot at the end count? Plover71 i mean", "does the dot at the end count? ******** i mean"),
    ]);
    assert_untouched(&["is the digit in the address a one", "which one is the capital of peru"]);
}

#[test]
fn a_correction_or_a_swap_of_made_up_values_hides_both() {
    assert_hidden(&[
        ("meant Plover71 not Plover17", "meant ******** not ********"),
        ("she swapped it out for Heron!44 last week", "she swapped it out for ******** last week"),
        ("all reset, new value Marmot73, thanks", "all reset, new value ********, thanks"),
        ("it used to be Marmot73 until june", "it used to be ******** until june"),
        (
            "the portal login was changed from Zorilla7 to marmot83 in june",
            "the portal login was changed from ******** to ******** in june",
        ),
    ]);
    assert_untouched(&["i meant tuesday not wednesday", "swap it out for an iphone12", "it used to be room 4"]);
}

#[test]
fn what_an_account_or_a_lock_opens_with_is_a_secret() {
    assert_hidden(&[
        ("root is Heron!44 on that machine", "root is ******** on that machine"),
        ("the admin is marmot 481 on that box", "the admin is ******** on that box"),
        ("admin / plover71", "admin / ********"),
        ("the network key is 88120934", "the network key is ********"),
        ("underneath it has WPA2 88120934", "underneath it has WPA2 ********"),
        ("temp credentials below\nuse 88120934 until noon", "temp credentials below\nuse ******** until noon"),
        (
            "here is your new login\nana@example.com\nplover\nbye",
            "here is your new login\nana@example.com\n********\nbye",
        ),
    ]);
    assert_untouched(&[
        "the gas key is in the drawer",
        "the access is limited to 4 people",
        "admin / support",
        "use 88120934 until noon",
        "votre accès est rétabli",
    ]);
}

#[test]
fn how_a_made_up_value_fared_shows_that_it_is_a_secret() {
    assert_hidden(&[
        ("Plover71 worked until the update", "******** worked until the update"),
        ("the shopper stated that Marmot73 was accepted twice", "the shopper stated that ******** was accepted twice"),
        (
            "they handed me walrus four eight two one and it expired at lunch",
            "they handed me ******** and it expired at lunch",
        ),
    ]);
    assert_untouched(&["the iphone12 worked fine until the update", "they sold me eleven tickets and it expired"]);
}

#[test]
fn an_answer_about_something_else_is_no_secret() {
    for reply in ["thunder here again, can you hear me", "cable red or the blue one"] {
        assert_eq!(answer("your password please", reply), reply);
    }
    let reply = "the front only says washer 2916 on it";
    assert_eq!(answer("which wifi password is on the sticker", reply), reply);
    assert_eq!(answer("your password please", "thunder"), "********");
    assert_untouched(&[
        "my passcode fails, try again in 3 min",
        "the password is wrong and i'm a hundred percent sure",
    ]);
}

#[test]
fn what_somebody_tells_learns_or_shares_is_a_secret_if_it_is_made_up() {
    assert_hidden(&[
        ("he yelled Plover71 across the hall", "he yelled ******** across the hall"),
        ("your lot emailed me Plover71 on monday", "your lot emailed me ******** on monday"),
        ("der Chef hat mir Dachs.77 gegeben", "der Chef hat mir ******** gegeben"),
        ("hier steht Dachs77 drauf", "hier steht ******** drauf"),
        ("old one Plover71, new one Plover72", "old one ********, new one ********"),
        ("Plover71 doesn't do anything", "******** doesn't do anything"),
        ("i put in walrus seventy one and it just spins", "i put in ******** and it just spins"),
        ("we use walrus seventy one for everything", "we use ******** for everything"),
        ("plover seventy one is what i've always typed", "******** is what i've always typed"),
    ]);
    assert_untouched(&[
        "he yelled at me across the hall",
        "they sent me an iphone12",
        "we use platform nine for the trains",
        "hier steht nichts drauf",
        "old one is fine, new one is broken",
    ]);
}

#[test]
fn the_subject_of_a_sentence_is_no_answer() {
    for reply in [
        "dogs barking at the door, give me a minute",
        "grandma keeps it in her purse",
        "it's taped under the keyboard at home",
        "rainbows and unicorns, how would i know",
    ] {
        assert_eq!(answer("what's your password", reply), reply);
    }
    assert_eq!(answer("what's your password", "walrus i think"), "******** i think");
    assert_eq!(answer("what's your password", "walrus all lowercase"), "******** all lowercase");
}

#[test]
fn a_word_that_somebody_typed_where_a_password_is_wanted_is_one() {
    assert_hidden(&[
        (
            "the page wants my password, i put autumn, and it wants it again",
            "the page wants my password, i put ********, and it wants it again",
        ),
        (
            "it asks for the password so i typed pumpkin, no luck",
            "it asks for the password so i typed ********, no luck",
        ),
    ]);
    assert_untouched(&[
        "it wants my password, i give up, and it wants it again",
        "it asks for the password and i put nothing, no luck",
        "i typed slowly, the password was still wrong",
    ]);
}

#[test]
fn a_password_stands_on_the_thing_where_somebody_wrote_it() {
    assert_hidden(&[
        (
            "she wrote the guest password on the envelope Walnut.harbour but it fails",
            "she wrote the guest password on the envelope ******** but it fails",
        ),
        ("wifi passs otter1988, still nothing", "wifi passs ********, still nothing"),
    ]);
    assert_untouched(&["she wrote the password on the box and left", "he put the password on the wall calendar"]);
    let question = "can i have the fifth letter of your password";
    assert_eq!(answer(question, "well the whole thing is 440192 so look"), "well the whole thing is ******** so look");
    assert_eq!(
        answer("which password did you use?", "that was ages ago. pumpkin maybe?"),
        "that was ages ago. ******** maybe?"
    );
    assert_eq!(answer("spell the password please", "K - 7 - B - E - 2"), "********");
    assert_eq!(answer("spell the password please", "k, 7, b, e, two"), "********");
}

#[test]
fn the_last_letter_of_a_spelled_secret_is_no_word_of_the_sentence() {
    let said = answer("spell the password please", "capital w a l n u t dot t u l i p s did you get it");
    assert_eq!(said, "******** did you get it");
    assert_eq!(answer("spell the password please", "g a r d e n t is what i have"), "******** is what i have");
    assert_untouched(&["it s mine and i m sure that the password doesn t work"]);
}

#[test]
fn a_rare_word_after_the_words_that_lead_to_an_answer_is_the_password() {
    let question = "which password did you set up?";
    for (reply, hidden) in [
        ("i hate giving this out but moonberry", "i hate giving this out but ********"),
        ("off the top of my head moonberry", "off the top of my head ********"),
        ("if i'm not mistaken moonberry", "if i'm not mistaken ********"),
        ("yes ma'am moonberry", "yes ma'am ********"),
        ("don't judge me, moonberry", "don't judge me, ********"),
        ("what i have is moonberry", "what i have is ********"),
        ("moonberry does that work?", "******** does that work?"),
        ("moonberry there you go", "******** there you go"),
        ("moonberry :)", "******** :)"),
    ] {
        assert_eq!(answer(question, reply), hidden);
    }
    for reply in [
        "i don't know but grandma might",
        "i reckon Hitesh changed it",
        "the one i have is expired",
        "the clinic one is closed",
        "please don't laugh, i forgot it",
        "my daughter's name, i think",
        "ok so basically the kettle broke",
        "is it working now",
    ] {
        assert_eq!(answer(question, reply), reply);
    }
    assert_hidden(&[("the password is pumpkin exclamation mark", "the password is ********")]);
}
