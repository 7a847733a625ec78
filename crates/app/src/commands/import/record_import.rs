//! Imports one record: repeats it while the database is out of reach, and imports what is left of it if lines are refused.

use std::sync::Arc;

use parlance_adapters_http::records::{RecordError, refusal_errors};
use parlance_domain::{
    access::{AuthorizedCaller, WriteConversations},
    error::StoreError,
    import::{Import, ImportError, ImportOptions, ImportOutcome},
    redaction::{IdentifierField, SensitiveIdentifiers},
};

use super::unit::{NumberedRecord, RecordLines, RefusedLine};
use crate::commands::retry::{MaybeStoreError, retry_while_unavailable};

/// The service that imports, the caller, and the options.
pub(super) type Importer = (Import, Arc<AuthorizedCaller<WriteConversations>>, ImportOptions);

/// What became of the lines of a record.
#[derive(Default)]
pub(super) struct ImportedRecord {
    /// What became of the lines that are not refused, if there are any.
    pub(super) outcome: Option<ImportOutcome>,
    pub(super) refused: Vec<RefusedLine>,
}

/// Imports a record. From a CSV file, each line of it stands alone.
///
/// # Errors
/// If the database fails.
pub(super) async fn import_record(
    importer: &Importer,
    record: &mut NumberedRecord,
) -> Result<ImportedRecord, StoreError> {
    let mut result = ImportedRecord::default();
    loop {
        let refusal = match try_import(importer, record).await {
            Ok(outcome) => return Ok(ImportedRecord { outcome: Some(outcome), ..result }),
            Err(ImportError::Store(error)) => return Err(error),
            Err(refusal) => refusal,
        };
        match (refusal, &mut record.lines) {
            (refusal, RecordLines::Conversation(number)) => {
                result.refused.push(RefusedLine { number: *number, errors: refusal_errors(refusal) });
                return Ok(result);
            }
            (ImportError::Identifiers(sensitive), RecordLines::Messages(_)) => {
                result.refused.extend(take_refused(record, &sensitive));
            }
            (ImportError::Erased, RecordLines::Messages(numbers)) => {
                let refused =
                    |number: &u64| RefusedLine { number: *number, errors: refusal_errors(ImportError::Erased) };
                result.refused.extend(numbers.iter().map(refused));
                return Ok(result);
            }
            // Lines of a CSV file have no id.
            (ImportError::Refused(_) | ImportError::Store(_), RecordLines::Messages(_)) => return Ok(result),
        }
        if record.record.messages.is_empty() {
            return Ok(result);
        }
    }
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

/// Takes the refused lines out of a record of a CSV file.
fn take_refused(record: &mut NumberedRecord, sensitive: &SensitiveIdentifiers) -> Vec<RefusedLine> {
    let RecordLines::Messages(numbers) = &mut record.lines else { return Vec::new() };
    let messages = std::mem::take(&mut record.record.messages);
    let mut refused = Vec::new();
    for (index, (number, message)) in std::mem::take(numbers).into_iter().zip(messages).enumerate() {
        let columns = sensitive.fields.iter().filter_map(|field| column(*field, index));
        let errors: Vec<_> = columns.map(|column| error_at(column, sensitive)).collect();
        if errors.is_empty() {
            numbers.push(number);
            record.record.messages.push(message);
        } else {
            refused.push(RefusedLine { number, errors });
        }
    }
    refused
}

fn error_at(column: &str, sensitive: &SensitiveIdentifiers) -> RecordError {
    RecordError { field: column.to_owned(), rule: "sensitive_value", message: sensitive.to_string() }
}

/// The column of an identifier in the line with this index.
fn column(field: IdentifierField, line: usize) -> Option<&'static str> {
    match field {
        IdentifierField::Conversation => Some("conversation_external_id"),
        IdentifierField::Agent => Some("agent_external_id"),
        IdentifierField::Customer => Some("customer_external_id"),
        IdentifierField::MetadataKey => Some("metadata"),
        IdentifierField::Sender => Some("sender_external_id"),
        IdentifierField::BatchSender(index) => (index == line).then_some("sender_external_id"),
    }
}
