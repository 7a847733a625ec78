//! Earlier messages as context: which of them count, and which entities they ask for.

use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cues;
use crate::detect::cue_link;
use crate::entity::EntitySet;
use crate::masking::mask::mask_spans;
use crate::numbers::{NumberRun, RunBuffer};
use crate::span::{DetectionReason, EarlierSpan, ExternalSpan};
use crate::tokenize::{self, TokenBuffer, TokenizedText, Tokens, saturating_u32};
use std::borrow::Cow;

/// Maximum number of earlier messages that count. Of more messages, the newest count.
pub const MAX_CONTEXT: usize = 6;

/// The speaker of an earlier message, relative to the text that is redacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The speaker of the text.
    Same,
    /// The other side.
    Other,
    /// Unknown.
    Unknown,
}

/// An earlier message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Utterance<'a> {
    /// The text of the message, as it is stored: masked or not.
    pub text: &'a str,
    /// The speaker of the message.
    pub speaker: Speaker,
}

/// The earlier messages that count.
pub(crate) fn newest<'c, 'a>(context: &'c [Utterance<'a>]) -> &'c [Utterance<'a>] {
    &context[context.len().saturating_sub(MAX_CONTEXT)..]
}

/// Masks the earlier messages that have spans. Returns each masked text with the index of its message in the context.
pub(crate) fn mask_earlier(context: &[Utterance<'_>], earlier: &[EarlierSpan]) -> Vec<(usize, String)> {
    let spans = |message: usize| {
        let mut spans: Vec<_> = earlier.iter().filter(|e| e.utterance == message).map(|e| e.span).collect();
        spans.sort_by_key(|span| span.start);
        spans
    };
    let has_spans = |message: &usize| earlier.iter().any(|e| e.utterance == *message);
    let messages = (0..context.len()).filter(has_spans);
    messages.map(|message| (message, mask_spans(context[message].text, &spans(message)))).collect()
}

/// The context with the masked texts in place of the original ones.
pub(crate) fn with_masked<'c>(context: &'c [Utterance<'_>], masked: &'c [(usize, String)]) -> Cow<'c, [Utterance<'c>]> {
    if masked.is_empty() {
        return Cow::Borrowed(context);
    }
    let mut messages = context.to_vec();
    for (message, text) in masked {
        messages[*message].text = text;
    }
    Cow::Owned(messages)
}

/// Maximum bytes of a message that is part of a longer answer.
const MAX_INSTALLMENT_BYTES: usize = 60;
/// Number of messages back in which a question still counts.
const MAX_QUESTION_AGE: usize = 4;

/// The entities that the earlier messages ask for. The newest message with a cue decides.
pub(crate) fn expected_entities(context: &[Utterance<'_>]) -> EntitySet {
    let mut continued = true;
    for utterance in newest(context).iter().rev().take(MAX_QUESTION_AGE) {
        let (expected, has_value) = read_question(utterance.text);
        let installment = continued
            && expected.is_empty()
            && has_value
            && utterance.speaker != Speaker::Other
            && utterance.text.len() <= MAX_INSTALLMENT_BYTES;
        if (!expected.is_empty() || has_value) && !installment {
            return expected;
        }
        continued = installment;
    }
    EntitySet::empty()
}

/// The entities that a message asks for, and whether the message holds a value itself.
fn read_question(text: &str) -> (EntitySet, bool) {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(tail(text), &mut buffer);
    let tokens = tokenized.tokens();
    let mut cues = Cues::new();
    cues.read_to(&tokens, tokens.len());
    let after = last_value(&tokens);
    (cue_link::requested_entities(cues.as_slice(), after), after > 0)
}

/// Bytes at the end of a long message that are read: a question is at the end of a message.
const TAIL_BYTES: usize = 600;

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// The token after the last number of three digits or more, or after the last mask; 0 if there is neither.
fn last_value(tokens: &Tokens<'_>) -> usize {
    let mut buffer = RunBuffer::full_size();
    let mut run = NumberRun::new(&mut buffer);
    let (mut from, mut after) = (0, 0);
    while let Some(first) = run.read(tokens, from) {
        from = run.end_token.max(first + 1);
        if run.digits().len() >= 3 {
            after = run.end_token;
        }
    }
    let masked = tokens.as_slice().iter().rposition(|t| t.kind == tokenize::TokenKind::Mask).map_or(0, |at| at + 1);
    after.max(masked)
}

/// Adds the finding of an external detector, extended to character boundaries.
pub(crate) fn push_external(text: &str, span: ExternalSpan, out: &mut Candidates) {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    out.push_fully_masked(
        saturating_u32(start),
        saturating_u32(end),
        span.entity,
        DetectionReason::External,
        EvidenceRank::Shape,
    );
}
