//! Earlier messages: which of them count, and what they ask for.

use crate::candidate::{Candidates, Proof};
use crate::cues::Cues;
use crate::detect::announced;
use crate::entity::EntitySet;
use crate::masking::mask::mask_spans;
use crate::numbers::{Room, Run};
use crate::span::{EarlierSpan, Found, Reason};
use crate::tokenize::{self, Scan, Store, Tokens, narrow};
use std::borrow::Cow;

/// How many earlier messages count; of more, the newest.
pub const MAX_CONTEXT: usize = 6;

/// Who spoke an earlier message, as seen from the text being redacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The one who speaks now.
    Same,
    /// The other side.
    Other,
    /// Not known.
    Unknown,
}

/// An earlier message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Utterance<'a> {
    /// What was said, as it was stored: masked or not.
    pub text: &'a str,
    /// Who said it.
    pub speaker: Speaker,
}

/// The earlier messages that count.
pub(crate) fn newest<'c, 'a>(context: &'c [Utterance<'a>]) -> &'c [Utterance<'a>] {
    &context[context.len().saturating_sub(MAX_CONTEXT)..]
}

/// The earlier messages of which something must be masked, masked, each with its place in the context.
pub(crate) fn masked(context: &[Utterance<'_>], earlier: &[EarlierSpan]) -> Vec<(usize, String)> {
    let spans = |message: usize| {
        let mut spans: Vec<_> = earlier.iter().filter(|e| e.utterance == message).map(|e| e.span).collect();
        spans.sort_by_key(|span| span.start);
        spans
    };
    let concerned = |message: &usize| earlier.iter().any(|e| e.utterance == *message);
    let messages = (0..context.len()).filter(concerned);
    messages.map(|message| (message, mask_spans(context[message].text, &spans(message)))).collect()
}

/// The earlier messages as they are stored once some of them are masked.
pub(crate) fn stored<'c>(context: &'c [Utterance<'_>], masked: &'c [(usize, String)]) -> Cow<'c, [Utterance<'c>]> {
    if masked.is_empty() {
        return Cow::Borrowed(context);
    }
    let mut stored = context.to_vec();
    for (message, text) in masked {
        stored[*message].text = text;
    }
    Cow::Owned(stored)
}

/// Bytes of a message at most that is a part of a longer answer.
const INSTALLMENT: usize = 60;
/// How far back a question still waits for its answer.
const PATIENCE: usize = 4;

/// What the earlier messages ask for: the newest one that has a cue decides.
pub(crate) fn armed(context: &[Utterance<'_>]) -> EntitySet {
    let mut continued = true;
    for utterance in newest(context).iter().rev().take(PATIENCE) {
        let (asked, answered) = asks(utterance.text);
        let installment = continued
            && asked.is_empty()
            && answered
            && utterance.speaker != Speaker::Other
            && utterance.text.len() <= INSTALLMENT;
        if (!asked.is_empty() || answered) && !installment {
            return asked;
        }
        continued = installment;
    }
    EntitySet::empty()
}

/// What a message asks for, and whether it holds a value itself.
fn asks(text: &str) -> (EntitySet, bool) {
    let mut store = Store::new();
    let scan = Scan::of(tail(text), &mut store);
    let tokens = scan.tokens();
    let mut cues = Cues::new();
    cues.read_to(&tokens, tokens.len());
    let after = last_value(&tokens);
    (announced::asked(cues.all(), after), after > 0)
}

/// Questions stand at the end of a message; of a long one only that much is read, in bytes.
const TAIL: usize = 600;

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(TAIL);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Token after the last number of three digits or more, or of something masked; 0 where there is none.
fn last_value(tokens: &Tokens<'_>) -> usize {
    let mut room = Room::for_any();
    let mut run = Run::within(&mut room);
    let (mut from, mut after) = (0, 0);
    while let Some(first) = run.read(tokens, from) {
        from = run.after.max(first + 1);
        if run.digits().len() >= 3 {
            after = run.after;
        }
    }
    let masked = tokens.all().iter().rposition(|t| t.kind == tokenize::Kind::Mask).map_or(0, |at| at + 1);
    after.max(masked)
}

/// Takes what an outside detector found, moved to character boundaries.
pub(crate) fn push_external(text: &str, found: Found, out: &mut Candidates) {
    let (mut start, mut end) = (found.start.min(text.len()), found.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    out.whole(narrow(start), narrow(end), found.entity, Reason::External, Proof::Shape);
}
