//! The number of something that is guarded, by its name: "the letter with the number for atms says 4821", "les chiffres du
//! cadenas c'est 5512".

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::other_meaning::has_other_meaning;
use super::words::{cue, is};
use crate::entity::Entity;
use crate::tables::access_words::{class, classes_at};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Tokens between what is guarded and its number.
const MAX_JOINTS: usize = 6;
/// Tokens from the noun for a number to what it is for.
const MAX_TO_GUARD: usize = 5;
/// Words between what is guarded and its number, beside those of grammar.
const JOINTS: [&str; 18] = [
    "says", "said", "now", "still", "reads", "should", "lautet", "steht", "dice", "pone", "dit", "est", "c", "sono",
    "sao", "son", "sind", "e",
];

/// The cue of a number. It ends where the number begins.
pub(super) fn cue_before(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    const GRAMMAR: u32 = flag::COPULA | flag::CONNECTOR | flag::FILLER | flag::STOPWORD;
    let number = code.first;
    let is_joint = |at: &usize| {
        let token = tokens.at(*at);
        token.gap <= Gap::Space
            && (token.kind == TokenKind::Mark
                || token.kind == TokenKind::Word
                    && classes_at(tokens, *at) & class::GUARD == 0
                    && (token.flags & GRAMMAR != 0 || is(tokens, token, &JOINTS)))
    };
    let joints = (number.saturating_sub(MAX_JOINTS)..number).rev().take_while(is_joint).count();
    let guard = number.checked_sub(joints + 1)?;
    if joints == 0 || classes_at(tokens, guard) & class::GUARD == 0 {
        return None;
    }
    // "the number of the gate" is that of its place.
    let is_for = |at: usize| match classes_at(tokens, at) & (class::CODE | class::NUMBER) {
        0 => false,
        class::NUMBER => is(tokens, tokens.at(at + 1), &["for", "to", "para", "pour", "fur", "furs", "per"]),
        _ => classes_at(tokens, at + 1) & class::FOR != 0,
    };
    let is_noun = |at: &usize| {
        is_for(*at)
            && (at + 2..=guard).all(|at| tokens.at(at).gap == Gap::Space && tokens.at(at).kind == TokenKind::Word)
    };
    let noun = (guard.saturating_sub(MAX_TO_GUARD)..guard).rev().find(is_noun)?;
    (code.digits >= MIN_DIGITS && !has_other_meaning(tokens, code)).then(|| cue(noun, number, Entity::PIN.bit(), false))
}

/// Digits of the shortest PIN.
const MIN_DIGITS: usize = 4;
