//! The words of cues by grammar.

use super::composed_heads::COMPOSED_CUE_HEADS;
use super::devices::DEVICES;

/// The words that begin a cue, by kind of cue. Each has the flag `CUE_HEAD` in the lexicon.
pub(crate) const GRAMMAR_HEADS: [&[&str]; 2] = [COMPOSED_CUE_HEADS, &DEVICES];
/// Verbs whose object is what somebody keys in.
pub(crate) const KEYED_VERBS: [&str; 40] = [
    "type",
    "typed",
    "typing",
    "tap",
    "tapped",
    "enter",
    "entered",
    "entering",
    "put",
    "putting",
    "keyed",
    "punch",
    "punched",
    "press",
    "pressed",
    "tried",
    "try",
    "trying",
    "wants",
    "marco",
    "marque",
    "tecleo",
    "teclee",
    "puse",
    "meto",
    "tape",
    "tapez",
    "compose",
    "saisi",
    "tippe",
    "getippt",
    "eingegeben",
    "gebe",
    "eingetippt",
    "digitei",
    "digito",
    "coloquei",
    "digitato",
    "inserito",
    "messo",
];
/// Further verbs whose object is a code that somebody keys in or asks for.
const REQUEST_VERBS: [&str; 24] = [
    "types",
    "tapping",
    "enters",
    "puts",
    "keying",
    "punching",
    "pressing",
    "took",
    "takes",
    "take",
    "need",
    "needs",
    "want",
    "asks",
    "meti",
    "ingreso",
    "ingrese",
    "introduje",
    "introduzco",
    "saisis",
    "inseri",
    "metto",
    "usato",
    "with",
];
/// Verbs whose object is a code that somebody keys in or asks for.
pub(crate) const CODE_VERBS: [&[&str]; 2] = [&KEYED_VERBS, &REQUEST_VERBS];
/// Words directly before a number that is read back.
pub(super) const READ_BACK_HEADS: [&str; 10] =
    ["heard", "say", "said", "was", "have", "got", "thats", "is", "s", "that"];
