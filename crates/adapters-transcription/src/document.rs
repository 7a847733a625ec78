//! The document that a transcription component is given: a tenant's whole vocabulary, as JSON.

use parlance_domain::{
    access::TenantId,
    vocabulary::{Alternative, Vocabulary, delivery::VocabularyEdition},
};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'edition> {
    tenant: &'edition str,
    version: u64,
    changed_at: Option<String>,
    #[serde(rename = "custom-vocabularies")]
    entries: Vec<Entry<'edition>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'edition> {
    id: &'edition str,
    phrase: &'edition str,
    sounds_like: Vec<&'edition str>,
}

/// A tenant's vocabulary as one line of JSON: `tenant`, `version`, `changedAt` (null before the first change) and
/// `custom-vocabularies`, the entries, oldest first, in the form in which the interface lists them.
#[must_use]
pub fn document(tenant: &TenantId, edition: &VocabularyEdition) -> Vec<u8> {
    let document = Document {
        tenant: tenant.as_str(),
        version: edition.version,
        changed_at: edition.changed_at.map(|at| at.to_string()),
        entries: edition.entries.iter().map(entry).collect(),
    };
    // Texts, numbers and lists of them always have a JSON form.
    let mut bytes = serde_json::to_vec(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn entry(entry: &Vocabulary) -> Entry<'_> {
    let sounds_like = entry.sounds_like.alternatives().iter().map(Alternative::as_str).collect();
    Entry { id: entry.id.as_str(), phrase: entry.phrase.as_str(), sounds_like }
}
