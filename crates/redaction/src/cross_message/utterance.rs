//! Earlier messages: who says them, and how many of them count.

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
