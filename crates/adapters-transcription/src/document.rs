//! The document that a transcription component receives: a tenant's whole vocabulary as JSON.

use parlance_domain::{
    access::TenantId,
    vocabulary::{Alternative, VocabularyEntry, delivery::VocabularySnapshot},
};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VocabularyDocument<'snapshot> {
    tenant: &'snapshot str,
    version: u64,
    changed_at: Option<String>,
    #[serde(rename = "custom-vocabularies")]
    entries: Vec<DocumentEntry<'snapshot>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentEntry<'snapshot> {
    id: &'snapshot str,
    phrase: &'snapshot str,
    sounds_like: Vec<&'snapshot str>,
}

/// A tenant's vocabulary as one line of JSON: `tenant`, `version`, `changedAt` (`null` before the first change) and
/// `custom-vocabularies`: the list of entries, oldest first, in the form of the HTTP interface.
#[must_use]
pub fn encode_document(tenant: &TenantId, snapshot: &VocabularySnapshot) -> Vec<u8> {
    let document = VocabularyDocument {
        tenant: tenant.as_str(),
        version: snapshot.version,
        changed_at: snapshot.changed_at.map(|at| at.to_string()),
        entries: snapshot.entries.iter().map(document_entry).collect(),
    };
    // Texts, numbers and lists always serialize.
    let mut bytes = serde_json::to_vec(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn document_entry(entry: &VocabularyEntry) -> DocumentEntry<'_> {
    let sounds_like = entry.sounds_like.alternatives().iter().map(Alternative::as_str).collect();
    DocumentEntry { id: entry.id.as_str(), phrase: entry.phrase.as_str(), sounds_like }
}
