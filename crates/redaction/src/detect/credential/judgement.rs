//! Words that judge or describe a secret, by their ending or with a typing error: "intransferível", "invalda".

use super::unlisted_cue::is_one_edit_apart;

/// Whether a word that no list has is an adjective by its ending, or a mistyped word of refusal.
pub(super) fn is_judgement(word: &str) -> bool {
    const ENDINGS: [&str; 15] = [
        "ious", "ível", "ivel", "ável", "avel", "íveis", "iveis", "ibile", "abile", "lich", "iche", "isch", "ssimo",
        "ísimo", "iell",
    ];
    word.len() >= 8 && ends_with(word, &ENDINGS) || is_mistyped_refusal(word)
}

/// Whether a word has one of these endings. The last letters, which mostly differ, are compared first.
pub(super) fn ends_with(word: &str, endings: &[&str]) -> bool {
    let last = word.as_bytes().last();
    endings.iter().any(|ending| ending.as_bytes().last() == last && word.ends_with(ending))
}

/// Whether a word differs by one letter from what a system says of a secret that it does not take.
fn is_mistyped_refusal(word: &str) -> bool {
    const REFUSALS: [&str; 27] = [
        "invalid",
        "incorrect",
        "rejected",
        "declined",
        "inválida",
        "inválido",
        "invalida",
        "invalido",
        "incorreta",
        "incorreto",
        "incorrecta",
        "incorrecto",
        "invalide",
        "incorrecte",
        "erronée",
        "ungültig",
        "inkorrekt",
        "bloqueada",
        "bloqueado",
        "expirada",
        "rechazada",
        "rejeitada",
        "recusada",
        "abgelehnt",
        "sbagliata",
        "rifiutata",
        "refusée",
    ];
    (6..=12).contains(&word.len()) && REFUSALS.iter().any(|name| is_one_edit_apart(word, name))
}
