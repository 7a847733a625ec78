//! Questions for the code on the other side of a card.

use crate::tokenize::{Token, TokenKind, Tokens};

/// Whether a message without a value asks to turn a card and to say what stands there: "flip the card over and read me
/// the code".
pub(super) fn is_question_for_card_back(tokens: &Tokens<'_>, after: usize) -> bool {
    const TURNS: [&str; 15] = [
        "turn",
        "flip",
        "turning",
        "flipping",
        "retourner",
        "retournez",
        "drehen",
        "gire",
        "gira",
        "girar",
        "giri",
        "girare",
        "voltee",
        "vire",
        "virar",
    ];
    const CARDS: [&str; 8] = ["card", "carte", "karte", "tarjeta", "carta", "cartao", "cartão", "visa"];
    const CODES: [&str; 14] = [
        "code", "number", "numbers", "digits", "figures", "chiffres", "numero", "zahlen", "ziffern", "codigo",
        "código", "codice", "numeros", "cifre",
    ];
    let has = |words: &[&str]| {
        let is_one = |token: &&Token| {
            token.kind == TokenKind::Word && words.iter().any(|word| word.eq_ignore_ascii_case(tokens.str(**token)))
        };
        tokens.as_slice().iter().any(|token| is_one(&token))
    };
    after == 0 && has(&TURNS) && has(&CARDS) && has(&CODES)
}
