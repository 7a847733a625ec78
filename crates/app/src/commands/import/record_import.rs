//! Imports one record: repeats it while the database is out of reach, and imports what is left of it if lines are refused.

use std::{collections::HashMap, sync::Arc};

use parlance_adapters_http::records::{RecordError, refusal_errors};
use parlance_domain::{
    access::{AuthorizedCaller, WriteConversations},
    error::StoreError,
    import::{Import, ImportError, ImportOptions, ImportOutcome},
    redaction::{IdentifierField, SensitiveIdentifiers},
};

use super::unit::{LineNumbers, MessageLines, NumberedRecord, RecordLines, RefusedRecord};
use crate::commands::retry::{MaybeStoreError, retry_while_unavailable};

/// The service that imports, the caller, and the options.
pub(super) type Importer = (Import, Arc<AuthorizedCaller<WriteConversations>>, ImportOptions);

/// What became of the lines of a record.
#[derive(Default)]
pub(super) struct ImportedRecord {
    /// What became of the lines that are not refused, if there are any.
    pub(super) outcome: Option<ImportOutcome>,
    pub(super) refused: Vec<RefusedRecord>,
}

/// Imports a record. From a CSV file, each line of it stands alone.
///
/// # Errors
/// If the database fails.
pub(super) async fn import_record(
    importer: &Importer,
    record: &mut NumberedRecord,
) -> Result<ImportedRecord, StoreError> {
    let mut result =
        ImportedRecord { refused: refuse_descriptions(importer, record).await?, ..ImportedRecord::default() };
    loop {
        if matches!(&record.lines, RecordLines::Messages(lines) if lines.messages.is_empty()) {
            return Ok(result);
        }
        let refusal = match try_import(importer, record).await {
            Ok(outcome) => return Ok(ImportedRecord { outcome: Some(outcome), ..result }),
            Err(ImportError::Store(error)) => return Err(error),
            Err(refusal) => refusal,
        };
        match (refusal, &record.lines) {
            (refusal, RecordLines::Conversation(number)) => {
                let lines = LineNumbers::one(*number);
                result.refused.push(RefusedRecord { lines, errors: refusal_errors(refusal) });
                return Ok(result);
            }
            (ImportError::Identifiers(sensitive), RecordLines::Messages(_)) => {
                result.refused.extend(take_refused(record, |index, _| errors_at(&sensitive, Some(index))));
            }
            (ImportError::Erased, RecordLines::Messages(_)) => {
                result.refused.extend(take_refused(record, |_, _| refusal_errors(ImportError::Erased)));
                return Ok(result);
            }
            // Lines of a CSV file have no id.
            (ImportError::Refused(_) | ImportError::Store(_), RecordLines::Messages(_)) => return Ok(result),
        }
    }
}

/// Takes those lines out of a record of a CSV file whose description of the conversation is refused. A record with one
/// description is refused when it is imported.
async fn refuse_descriptions(
    (import, caller, _): &Importer,
    record: &mut NumberedRecord,
) -> Result<Vec<RefusedRecord>, StoreError> {
    let RecordLines::Messages(MessageLines { conversations, .. }) = &record.lines else { return Ok(Vec::new()) };
    let mut refused = HashMap::new();
    for (index, conversation) in conversations.iter().enumerate().filter(|_| conversations.len() > 1) {
        match retry_while_unavailable(|| import.check(caller, conversation), |_| {}).await {
            Err(ImportError::Store(error)) => return Err(error),
            Err(ImportError::Identifiers(sensitive)) => {
                refused.insert(index, errors_at(&sensitive, None));
            }
            Ok(()) | Err(ImportError::Refused(_) | ImportError::Erased) => {}
        }
    }
    if refused.is_empty() {
        return Ok(Vec::new());
    }
    Ok(take_refused(record, |_, description| refused.get(&description).cloned().unwrap_or_default()))
}

/// Imports a record, and tries it again while the database is out of reach.
async fn try_import(
    (import, caller, options): &Importer,
    record: &NumberedRecord,
) -> Result<ImportOutcome, ImportError> {
    retry_while_unavailable(|| import.import(caller, &record.record, *options), |_| {}).await
}

impl MaybeStoreError for ImportError {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// Takes the refused lines out of a record of a CSV file: those with errors. `errors_of` gets the index of the message, and
/// that of the description of the conversation. The first line that is left describes the conversation.
fn take_refused(
    record: &mut NumberedRecord,
    errors_of: impl Fn(usize, usize) -> Vec<RecordError>,
) -> Vec<RefusedRecord> {
    let RecordLines::Messages(lines) = &mut record.lines else { return Vec::new() };
    let messages = std::mem::take(&mut record.record.messages);
    let mut refused = Vec::new();
    for (index, (line, message)) in std::mem::take(&mut lines.messages).into_iter().zip(messages).enumerate() {
        let errors = errors_of(index, line.1);
        if errors.is_empty() {
            lines.messages.push(line);
            record.record.messages.push(message);
        } else {
            refused.push(RefusedRecord { lines: line.0, errors });
        }
    }
    let first = lines.messages.first().and_then(|(_, description)| lines.conversations.get(*description));
    if let Some(first) = first {
        record.record.conversation.clone_from(first);
    }
    refused
}

/// The errors of the line with this index; of any line of its description of the conversation without an index.
fn errors_at(sensitive: &SensitiveIdentifiers, line: Option<usize>) -> Vec<RecordError> {
    let columns = sensitive.fields.iter().filter_map(|field| column(*field, line));
    let error = |column: &str| RecordError {
        field: column.to_owned(),
        rule: "sensitive_value",
        message: sensitive.to_string(),
    };
    columns.map(error).collect()
}

/// The column of an identifier in the line with this index.
fn column(field: IdentifierField, line: Option<usize>) -> Option<&'static str> {
    match field {
        IdentifierField::Conversation => Some("conversation_external_id"),
        IdentifierField::Agent => Some("agent_external_id"),
        IdentifierField::Customer => Some("customer_external_id"),
        IdentifierField::MetadataKey => Some("metadata"),
        IdentifierField::Sender => Some("sender_external_id"),
        IdentifierField::BatchSender(index) => (Some(index) == line).then_some("sender_external_id"),
    }
}
