//! Decoding of a fuzz input into one call of the engine.

use parlance_redaction::{Entity, EntitySet, MAX_CONTEXT, Speaker, Utterance};

/// Number of leading bytes of an input that select the entities.
const ENTITY_BYTES: usize = 16;

/// Separator between the text and each earlier message (ASCII "record separator").
const SEPARATOR: u8 = 0x1e;

/// One call of the engine.
#[derive(Clone, Debug)]
pub struct Call {
    /// The active entities.
    pub active: EntitySet,
    /// The text to redact.
    pub text: String,
    /// Up to [`MAX_CONTEXT`] earlier messages, oldest first.
    pub context: Vec<(Speaker, String)>,
}

impl Call {
    /// Decodes an input.
    ///
    /// The format is 16 bytes that select the entities, then the text, then the earlier messages. An earlier message is
    /// the byte `0x1e`, a byte for the speaker and a text. Invalid UTF-8 becomes U+FFFD.
    #[must_use]
    pub fn decode(input: &[u8]) -> Self {
        let (entity_bytes, messages) = input.split_at(input.len().min(ENTITY_BYTES));
        let mut parts = messages.split(|&b| b == SEPARATOR);
        let text = decode_text(parts.next().unwrap_or_default());
        let context = parts.take(MAX_CONTEXT).map(decode_message).collect();
        Self { active: decode_entities(entity_bytes), text, context }
    }

    /// The earlier messages in the type of the engine.
    #[must_use]
    pub fn utterances(&self) -> Vec<Utterance<'_>> {
        self.context.iter().map(|(speaker, text)| Utterance { text, speaker: *speaker }).collect()
    }
}

/// Decodes the set of entities. The last byte selects the encoding, so that typical sets are frequent: all entities,
/// the defaults, one bit per entity, or a single entity.
fn decode_entities(input: &[u8]) -> EntitySet {
    let mut bytes = [0; ENTITY_BYTES];
    bytes[..input.len()].copy_from_slice(input);
    match bytes[ENTITY_BYTES - 1] % 4 {
        0 => EntitySet::all(),
        1 => EntitySet::defaults(),
        2 => EntitySet::from_bits(u128::from_le_bytes(bytes)),
        _ => [Entity::ALL[usize::from(bytes[0]) % Entity::ALL.len()]].into_iter().collect(),
    }
}

fn decode_message(part: &[u8]) -> (Speaker, String) {
    let (&speaker, text) = part.split_first().unwrap_or((&0, &[]));
    let speaker = match speaker % 3 {
        0 => Speaker::Same,
        1 => Speaker::Other,
        _ => Speaker::Unknown,
    };
    (speaker, decode_text(text))
}

fn decode_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
