//! Secrets in messages that name none: somebody sets, spells, writes down or is asked for one.

use super::masked_by_default;
use crate::{EntitySet, Redactor, Speaker, Utterance};

fn answer(question: &str, reply: &str) -> String {
    let context = [Utterance { text: question, speaker: Speaker::Other }];
    Redactor::new(EntitySet::defaults()).redact(reply, &context).text.into_owned()
}

#[test]
fn a_secret_is_found_by_what_is_done_with_it() {
    for (text, hidden) in [
        (
            "the archive won't unzip without Lemon_44 so keep that handy",
            "the archive won't unzip without ******** so keep that handy",
        ),
        ("he set it to walnut three nine ampersand and never told us", "he set it to ******** and never told us"),
        (
            "reset this morning, it's supposed to be Copper!88 but no joy",
            "reset this morning, it's supposed to be ******** but no joy",
        ),
        (
            "the parish login q r t delta seven ampersand v is in the newsletter",
            "the parish login ******** is in the newsletter",
        ),
        ("i spelled it m a r i g o l d four two and he typed it wrong", "i spelled it ******** and he typed it wrong"),
        ("das netflix-passwort auf Kiwi2024! geändert", "das netflix-passwort auf ******** geändert"),
        ("is LLqsTTvBn too weak for the portal?", "is ******** too weak for the portal?"),
        ("alarm people ring and you say the word Falcon_9", "alarm people ring and you say the word ********"),
        (
            "temporary password for the pension site's online account: Orbit5512",
            "temporary password for the pension site's online account: ********",
        ),
        (
            "i changed it last night to Sunset.bridge but the app refuses",
            "i changed it last night to ******** but the app refuses",
        ),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn a_network_is_named_for_its_password() {
    for (text, hidden) in [
        (
            "Welcome! The Wi-Fi is Cookie9!. Breakfast is at eight.",
            "Welcome! The Wi-Fi is ********. Breakfast is at eight.",
        ),
        ("el wifi es Naranja77! y la basura sale el lunes", "el wifi es ******** y la basura sale el lunes"),
        ("das WLAN ist Fichte!82, viel spaß", "das WLAN ist ********, viel spaß"),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
    for text in ["the wifi is slow in room B12", "the wifi is down! call me", "das wlan ist 5G"] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn a_sentence_in_which_something_else_is_set_is_left() {
    for text in [
        "i changed it to a different delivery date and set it to monday",
        "he changed it to Barcelona because the flights were cheaper",
        "log in with FaceID, set in 2 taps",
        "spell it B-R-O-W-N please",
        "my middle initial is capital R and i live at 12 elm",
        "the pdf won't open without Adobe",
        "wrote down nothing because my pen died at three",
        "it's going to be twenty two degrees with rain",
        "a replacement (model X200) was sent to me",
        "the signal is weak and the coffee is strong",
        "we set the table for eight people and changed the cloth",
        "wer hat das wlan-passwort geändert",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn an_answer_to_what_somebody_types_or_agreed_is_hidden() {
    for (question, reply, hidden) in [
        ("what do you put to get on to the school network", "greenhouse 42", "********"),
        ("You can pick anything you like for the guest network in your flat.", "lets do Comet9$", "lets do ********"),
        ("Choose anything with a number for the file.", "plum4jam", "********"),
        ("I need what you chose as your verbal check?", "71203344", "********"),
        ("what comes after you enter your email", "then i write big marble 7", "then i write ********"),
        ("What goes in the second box?", "Pomelo19", "********"),
        ("we need the sign-in for that account, can you type it here?", "here is fine qlz47", "here is fine ********"),
        ("welches codewort hatten wir damals vereinbart", "winterkatze", "********"),
        ("Cosa scrive dopo la mail per entrare nel portale?", "pinolo88", "********"),
        (
            "the deposit people want the phrase you lodged in nineteen ninety one",
            "otter soccer lantern violin",
            "********",
        ),
    ] {
        assert_eq!(answer(question, reply), hidden, "{question}");
    }
}

#[test]
fn an_answer_that_says_no_secret_is_left() {
    for (question, reply) in [
        ("What did you type in the box?", "just my email and then it froze"),
        ("What would you like the new one to be?", "whatever's easiest"),
        ("Please choose something for the guest wifi.", "the same as before please"),
        ("What's the code word on the account?", "we never agreed one"),
        ("What do you enter after your email?", "it asks me for a six digit code"),
        ("How many digits has the code you enter?", "four, i have tried 12 times"),
        ("what's the admin page on the hub set to", "nephew did it"),
        ("Wie lautet Ihr Passwort?", "hab keins, bin seit 2003 kunde"),
    ] {
        assert_eq!(answer(question, reply), reply, "{question}");
    }
}

#[test]
fn a_secret_that_somebody_signs_in_with_or_tries_is_hidden() {
    for (text, hidden) in [
        ("Until Monday, log in with 55120934.", "Until Monday, log in with ********."),
        (
            "sign in with your email and tulip88, you'll be prompted to change it",
            "sign in with your email and ********, you'll be prompted to change it",
        ),
        ("tried 20394817, then falcon321, none work", "tried ********, then ********, none work"),
        ("does Falcon77 still work for you", "does ******** still work for you"),
        ("it wont take Bluebell99 because its too short", "it wont take ******** because its too short"),
        ("could you swap Kitten2011 for Walrus2025", "could you swap ******** for ********"),
        ("¿sigue siendo Tortuga88 o la cambiaron?", "¿sigue siendo ******** o la cambiaron?"),
        ("is it still Walrus55 or was it changed", "is it still ******** or was it changed"),
        (
            "console stays locked. im putting asdfgh in the second box",
            "console stays locked. im putting ******** in the second box",
        ),
        ("why special characters, i had Cricket4821 for years", "why special characters, i had ******** for years"),
        (
            "Al primo ingresso digiti S0l3m4r e ne scelga una nuova.",
            "Al primo ingresso digiti ******** e ne scelga una nuova.",
        ),
        ("can you check if Walrus123 is what you have on file", "can you check if ******** is what you have on file"),
        (
            "the login for the kids reading club is four two big m a r b l e dollar",
            "the login for the kids reading club is ********",
        ),
    ] {
        assert_eq!(masked_by_default(text), hidden);
    }
}

#[test]
fn what_else_somebody_signs_in_with_or_tries_is_left() {
    for text in [
        "sign in with google and outlook365 if that's easier",
        "you can sign on with your fingerprint and face id",
        "is it still room 12 or have we moved",
        "swap size12 for size14 please",
        "does the app still work on ios15",
        "put a tick in the second box",
        "i had sky3000 for ten years and never a problem",
        "check if flight BA2490 is what you have on file",
        "the case was opened with number 88123456 last week",
        "geben Sie mir bitte einen Termin am Montag",
        "the login for the kids reading club is broken",
    ] {
        assert_eq!(masked_by_default(text), text);
    }
}

#[test]
fn what_somebody_chose_or_saw_on_a_page_is_left() {
    for (question, reply) in [
        ("What did you choose on the site?", "the blue one in medium"),
        ("What did you choose in the app?", "premium with sports"),
        ("What did you set on the router?", "factory settings i guess"),
        ("What are you using to get into the portal?", "chrome on a mac"),
        ("Which words come up on the account page?", "payment overdue"),
        ("Can you write the sign-in problem here?", "it spins forever"),
        ("¿Qué eligió en la aplicación?", "el plan familiar"),
        ("Qu'avez-vous choisi sur le site ?", "la livraison express"),
        ("O que o senhor escolheu no aplicativo?", "plano básico"),
        ("Was haben Sie im Portal eingegeben?", "meine Adresse und dann war Schluss"),
    ] {
        assert_eq!(answer(question, reply), reply, "{question}");
    }
}
