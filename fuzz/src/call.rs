//! How the bytes of an input become one call of the engine.

use parlance_redaction::{Entity, EntitySet, MAX_CONTEXT, Speaker, Utterance};

/// Bytes at the front of an input that choose the entities.
const CHOICE: usize = 16;

/// Stands between the text and each earlier message (ASCII "record separator").
const SEPARATOR: u8 = 0x1e;

/// One call of the engine.
#[derive(Clone, Debug)]
pub struct Call {
    /// The entities that are on.
    pub active: EntitySet,
    /// The text to redact.
    pub text: String,
    /// The messages before it, oldest first, at most six.
    pub context: Vec<(Speaker, String)>,
}

impl Call {
    /// The call that these bytes stand for: 16 bytes that choose the entities, the text, and then, each after a byte
    /// `0x1e`, a byte for the speaker and the text of an earlier message. Bytes that are no UTF-8 become U+FFFD.
    #[must_use]
    pub fn read(input: &[u8]) -> Self {
        let (choice, rest) = input.split_at(input.len().min(CHOICE));
        let mut parts = rest.split(|&b| b == SEPARATOR);
        let text = lossy(parts.next().unwrap_or_default());
        let context = parts.take(MAX_CONTEXT).map(utterance).collect();
        Self { active: entities(choice), text, context }
    }

    /// The earlier messages as the engine takes them.
    #[must_use]
    pub fn utterances(&self) -> Vec<Utterance<'_>> {
        self.context.iter().map(|(speaker, text)| Utterance { text, speaker: *speaker }).collect()
    }
}

/// The last byte says how to read the others, so that the sets in use come up often: every entity, the defaults, one
/// bit an entity, or one entity alone.
fn entities(choice: &[u8]) -> EntitySet {
    let mut bytes = [0; CHOICE];
    bytes[..choice.len()].copy_from_slice(choice);
    match bytes[CHOICE - 1] % 4 {
        0 => EntitySet::all(),
        1 => EntitySet::defaults(),
        2 => EntitySet::from_bits(u128::from_le_bytes(bytes)),
        _ => [Entity::ALL[usize::from(bytes[0]) % Entity::ALL.len()]].into_iter().collect(),
    }
}

fn utterance(part: &[u8]) -> (Speaker, String) {
    let (&speaker, text) = part.split_first().unwrap_or((&0, &[]));
    let speaker = match speaker % 3 {
        0 => Speaker::Same,
        1 => Speaker::Other,
        _ => Speaker::Unknown,
    };
    (speaker, lossy(text))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
