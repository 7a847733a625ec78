//! Questions of earlier messages: how they are recognised, what leaves them open, and what is no answer.

use super::sole_codes;
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The text after these messages, masked with the entities that are active by default. The other side speaks last before the
/// text, and the sides take turns.
fn after(context: &[&str], text: &str) -> String {
    let utterances = context.iter().enumerate().map(|(at, text)| {
        let is_other = (context.len() - at) % 2 == 1;
        Utterance { text, speaker: if is_other { Speaker::Other } else { Speaker::Same } }
    });
    let known: Vec<_> = utterances.collect();
    let unknown: Vec<_> = known.iter().map(|u| Utterance { speaker: Speaker::Unknown, ..*u }).collect();
    let redactor = Redactor::new(EntitySet::defaults());
    let masked = redactor.redact(text, &known).text.into_owned();
    assert_eq!(redactor.redact(text, &unknown).text, masked, "speakers unknown");
    masked
}

#[test]
fn a_question_stays_open_over_replies_without_a_value() {
    for (context, text, masked) in [
        (&["card code?", "which card", "the one with the blue logo"] as &[_], "842", "***"),
        (
            &["last thing is the CVC", "didn't I read it to you", "That was the expiry date"],
            "oh silly me, 318",
            "oh silly me, ***",
        ),
        (&["¿me dice el PIN de la SIM?", "¿cuál?", "el que le dieron en la tienda"], "ah 4401", "ah ****"),
        (&["Passwort bitte", "muss das sein", "leider ja"], "Gartenzwerg7", "********"),
    ] {
        assert_eq!(after(context, text), masked, "{context:?}");
    }
}

#[test]
fn a_refused_value_leaves_its_question_open() {
    for (context, text, masked) in [
        (&["your pin", "6188", "sorry the line broke up"] as &[_], "6188", "****"),
        (&["Prüfnummer der Karte?", "119", "abgelehnt"], "191", "***"),
        (&["código de seguridad", "552", "no coincide"], "525 perdón", "*** perdón"),
        (&["what pin did you choose", "2297", "that one is not accepted"], "try 4491", "try ****"),
        (&["what number opens the locker", "5521", "say it back to me once more"], "5521", "****"),
        (&["choose one for the safe", "5521", "your neighbour has the same"], "lol ok 7734", "lol ok ****"),
        (&["cvv", "921", "which card is that"], "the visa, 912", "the visa, ***"),
    ] {
        assert_eq!(after(context, text), masked, "{context:?}");
    }
}

#[test]
fn a_correction_answers_a_question_again_that_was_answered() {
    for (context, text, masked) in [
        (
            &["what is your pin?", "4821", "perfect, thanks. anything else?"] as &[_],
            "my bad it is 4823",
            "my bad it is ****",
        ),
        (&["the cvv please", "318", "great thank you"], "oops sorry 381", "oops sorry ***"),
        (&["¿su NIP?", "4401", "perfecto, gracias"], "perdón, quise decir 4410", "perdón, quise decir ****"),
    ] {
        assert_eq!(after(context, text), masked, "{context:?}");
    }
    let context = ["what is your pin?", "4821", "perfect, thanks. anything else?"];
    assert_eq!(after(&context, "it is 4823 miles away"), "it is 4823 miles away");
}

#[test]
fn an_answer_or_a_question_for_an_amount_ends_a_question() {
    for (context, text) in [
        (
            &["What's your PIN?", "4471", "Perfect, thank you. Anything else today?"] as &[_],
            "yes I paid 3500 last week",
        ),
        (&["Your PIN please.", "not sure", "How many handsets are on the account?"], "1200 i think, we are a big firm"),
        (&["cvv please", "hang on", "what amount did you want to pay?"], "450"),
    ] {
        assert_eq!(after(context, text), text, "{context:?}");
    }
}

#[test]
fn a_question_for_the_time_or_the_count_of_a_secret_asks_for_no_secret() {
    for (question, reply) in [
        ("when did you last use the pin", "uh it was two thousand seven in pune i think"),
        ("how often do you change the pin", "2023 was the last time"),
    ] {
        assert_eq!(after(&[question], reply), reply);
    }
    for (question, reply, masked) in
        [("when did you set the pin and what is it", "4821", "****"), ("how many digits is your pin", "4821", "****")]
    {
        assert_eq!(after(&[question], reply), masked);
    }
}

#[test]
fn the_place_of_a_card_code_asks_for_it() {
    for (question, text, masked) in [
        ("turn your card over and look along the white bar, what are the figures at the end", "705", "***"),
        ("by the hologram there's three digits, would you read them", "three oh three", "***** ** *****"),
        ("sur le verso, à droite de la bande, qu'est-ce qui est écrit", "640 je crois", "*** je crois"),
        ("sul retro accanto alla firma cosa legge", "leggo 871", "leggo ***"),
        ("en el dorso, al lado de la firma, ¿qué pone?", "pone 552", "pone ***"),
        ("the model number on the back of the router please", "482", "482"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn digits_to_choose_and_what_opens_a_device_ask_for_a_pin() {
    for (question, text, masked) in [
        ("pick a four digit number you can remember", "6620", "****"),
        ("suchen Sie sich vier Ziffern aus", "7240", "****"),
        ("escolha quatro dígitos para o atendimento", "5518", "****"),
        (
            "what do you press on the keypad by the back entrance",
            "2580 and then the key symbol",
            "**** and then the key symbol",
        ),
        ("quel numéro vous composez au portail", "le 2846", "le ****"),
        ("which four items did you order", "the 4410 and three others", "the 4410 and three others"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn what_is_typed_or_agreed_asks_for_a_password() {
    for (question, text, masked) in [
        ("what do you normally put in to get on the billing portal", "tangerine88", "********"),
        ("Which word did we agree for callers?", "grasshopper", "********"),
        ("¿qué escribe en la segunda casilla?", "Golondrina7", "********"),
        ("qu'est-ce que vous tapez dans la deuxième case", "soleil1984", "********"),
        ("Welches Wort haben Sie bei der Registrierung vereinbart?", "Regenbogen", "********"),
        ("what did you type", "my email address", "my email address"),
        ("how do you get into the portal", "i just click the bookmark", "i just click the bookmark"),
        ("there's a word on the account, could you give it me", "i never set up any word", "i never set up any word"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn a_number_with_another_meaning_is_no_answer() {
    for (question, text) in [
        ("Ihre PIN bitte", "ich hab 2020 den Vertrag gemacht, da gab es keine"),
        ("your pin please", "my appointment was at 1530 and nobody came"),
        ("dígame el pin", "llevo 2500 puntos acumulados y no me los ponen"),
        ("what is your pin", "I earn 4000 a month do you think i can't pay this"),
        ("your pin please", "room 4410 is where i am staying"),
        ("your current passcode, sir?", "26 mins i am waiting"),
        ("wifi password?", "its open no password, harbour wifi"),
    ] {
        assert_eq!(after(&[question], text), text, "{question}");
    }
}

#[test]
fn the_number_of_what_is_guarded_is_a_pin() {
    for (question, text, masked) in [
        ("pick a fresh one for the changing room cubicle lock", "8801", "****"),
        ("what do you punch in at the side gate of the depot", "4471 then the bell", "**** then the bell"),
        ("and the e-bike, what did you choose for its lock", "five one seven two", "**** *** ***** ***"),
        ("can you recall the figures for the hotel safe in room 7712", "6615 i think", "**** i think"),
        ("which number did the courier enter at the terminal", "3309, twice", "****, twice"),
        ("¿qué combinación le pusieron a la taquilla?", "7712", "****"),
        ("choisissez-en un nouveau pour le casier", "6620", "****"),
        ("Was drücken Sie an der Schranke?", "4470 und Raute", "**** und Raute"),
        ("que números marca na fechadura da portaria", "9021", "****"),
        ("Was tippen Sie am Rolltor ein, welche Ziffern an der Schranke?", "4471", "****"),
        ("ha scelto una nuova combinazione per l'armadietto?", "4415", "****"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn the_number_that_a_caller_says_is_a_pin() {
    for (question, text, masked) in [
        ("could i have your memorable number", "90417", "*****"),
        ("choose one that you'll quote to us when you call", "let's say 6610", "let's say ****"),
        ("the second and the fourth of your five please", "i'll say all of it 55123", "i'll say all of it *****"),
        ("what number did you set for whoever collects the children", "7719", "****"),
        ("mi dica il codice che usa per i servizi telefonici", "8214", "****"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn a_number_of_what_is_guarded_that_opens_nothing_is_left() {
    for (question, text) in [
        ("what's your door number", "1204"),
        ("what time does the gate close", "2130"),
        ("which number did you call", "55512"),
        ("what's the serial number on the thermostat", "448812"),
        ("could you give me the reference for the safe installation?", "55610"),
        ("what is the meter reading on the panel", "44120"),
        ("what year was the alarm set up", "2015"),
        ("can you remember what you paid for the locker", "1450"),
        ("Welche Hausnummer hat das Tor?", "1204"),
        ("was it the first or the second of the four orders", "4412"),
    ] {
        assert_eq!(after(&[question], text), text, "{question}");
    }
}

#[test]
fn the_code_of_a_card_is_asked_for_in_other_words() {
    for (question, text, masked) in [
        ("your virtual card's dynamic code please", "662", "***"),
        ("die wechselnde Prüfzahl der virtuellen Karte bitte", "119", "***"),
        ("we may not keep that so i have to ask each time", "nine five one", "**** **** ***"),
        ("and for the annual dues the figures beside where you signed", "551", "***"),
        ("only the security figure is missing now", "084", "***"),
        ("is there a number by itself, right hand, reverse side?", "it's 415", "it's ***"),
        ("la valeur de sécurité ne passe pas, c'est quoi ?", "221", "***"),
        (
            "i have four four one as the check code is that right",
            "no you mixed it up it's 414",
            "no you mixed it up it's ***",
        ),
        ("we don't store shoes here, ask at shop", "117", "117"),
        ("did the card payment show an error code", "402", "402"),
        ("we could not store your parcel, ask your neighbour at number", "415", "415"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn a_social_security_number_is_asked_for_in_other_words() {
    for (question, text, masked) in [
        ("Which number goes on your W-2?", "536904399", "*****4399"),
        ("what's the federal ID number you use", "536 90 4399", "*** ** 4399"),
        ("Can I have the taxpayer number for the 1099?", "536904399", "*****4399"),
        ("the number the government gave you as a child please", "536904399", "*****4399"),
        ("what is your employer phone number for unemployment", "53690", "53690"),
        ("what's your medicare plan number", "53690", "53690"),
        ("how many of the 1099 forms did you send", "4155", "4155"),
        ("which government office is it, street and number", "4155 main street", "4155 main street"),
    ] {
        assert_eq!(after(&[question], text), masked, "{question}");
    }
}

#[test]
fn digits_that_people_choose_or_say_on_the_telephone_are_no_code_of_a_card() {
    for question in
        ["for your signature choose five digits, not all zeros", "please key in your telephone security number"]
    {
        assert_eq!(sole_codes::answered(question, "7730"), [(Entity::PIN, "7730")], "{question}");
    }
    let question = "what are the four digits on the front of your Amex card?";
    assert_eq!(sole_codes::answered(question, "7730"), [(Entity::CVV, "7730")]);
    let text = "the new cvc is 241 and the date is now 08/30";
    assert_eq!(sole_codes::found(text), [(Entity::CVV, "241")]);
}
