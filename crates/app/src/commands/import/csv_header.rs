//! The header of a CSV file: which column holds what.

use parlance_adapters_http::records::MessageCells;
use parlance_domain::conversation::Metadata;

/// The columns that a file must have.
const REQUIRED: [&str; 7] = [
    "conversation_external_id",
    "customer_external_id",
    "conversation_timestamp",
    "sender_role",
    "sender_external_id",
    "timestamp",
    "text",
];

/// The columns that a file may have, besides those of metadata.
const OPTIONAL: [&str; 3] = ["customer_name", "agent_external_id", "agent_name"];

/// The start of the name of a column with metadata. The key follows.
const METADATA_PREFIX: &str = "metadata.";

/// What is wrong with a header. The message has no text of the file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum HeaderError {
    #[error("the header has semicolons: cells must be separated by commas")]
    Semicolons,
    #[error("the header has tabs: cells must be separated by commas")]
    Tabs,
    #[error("the header is not UTF-8")]
    NotUtf8,
    #[error("the header lacks the column {0}")]
    Missing(&'static str),
    #[error("column {0} of the header is there twice")]
    Duplicate(usize),
    #[error(
        "column {0} of the header is unknown: columns are {required}, {optional} and {METADATA_PREFIX}KEY",
        required = REQUIRED.join(", "), optional = OPTIONAL.join(", ")
    )]
    Unknown(usize),
}

/// The names of the columns, in their order.
#[derive(Debug)]
pub(super) struct CsvHeader {
    columns: Vec<String>,
}

impl CsvHeader {
    /// Reads a header.
    pub(super) fn read<'cells>(cells: impl Iterator<Item = &'cells [u8]>) -> Result<Self, HeaderError> {
        let names = cells.map(|cell| std::str::from_utf8(cell).map(str::to_owned));
        let columns: Vec<String> = names.collect::<Result<_, _>>().map_err(|_| HeaderError::NotUtf8)?;
        if let [line] = columns.as_slice()
            && REQUIRED.iter().any(|name| line.contains(name))
            && !REQUIRED.contains(&line.as_str())
        {
            return Err(if line.contains('\t') { HeaderError::Tabs } else { HeaderError::Semicolons });
        }
        for (index, name) in columns.iter().enumerate() {
            let metadata_key = name.strip_prefix(METADATA_PREFIX).is_some_and(|key| Metadata::check_key(key).is_ok());
            if !metadata_key && !REQUIRED.contains(&name.as_str()) && !OPTIONAL.contains(&name.as_str()) {
                return Err(HeaderError::Unknown(index + 1));
            }
            if columns.iter().take(index).any(|other| other == name) {
                return Err(HeaderError::Duplicate(index + 1));
            }
        }
        let missing = REQUIRED.into_iter().find(|name| !columns.iter().any(|column| column == name));
        missing.map_or(Ok(Self { columns }), |name| Err(HeaderError::Missing(name)))
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The name of a column.
    pub(super) fn name(&self, index: usize) -> &str {
        self.columns.get(index).map_or("", String::as_str)
    }

    /// The cells of a line by their columns.
    pub(super) fn assign<'line>(&'line self, cells: &[&'line str]) -> MessageCells<'line> {
        let mut assigned = MessageCells::default();
        for (name, cell) in self.columns.iter().zip(cells.iter().copied()) {
            let field = match name.as_str() {
                "conversation_external_id" => &mut assigned.conversation_external_id,
                "customer_external_id" => &mut assigned.customer_external_id,
                "customer_name" => &mut assigned.customer_name,
                "agent_external_id" => &mut assigned.agent_external_id,
                "agent_name" => &mut assigned.agent_name,
                "conversation_timestamp" => &mut assigned.conversation_timestamp,
                "sender_role" => &mut assigned.sender_role,
                "sender_external_id" => &mut assigned.sender_external_id,
                "timestamp" => &mut assigned.timestamp,
                "text" => &mut assigned.text,
                name => {
                    assigned.metadata.extend(name.strip_prefix(METADATA_PREFIX).map(|key| (key, cell)));
                    continue;
                }
            };
            *field = cell;
        }
        assigned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Result<CsvHeader, HeaderError> {
        CsvHeader::read(header.split(',').map(str::as_bytes))
    }

    fn error(header: &str) -> HeaderError {
        read(header).unwrap_err()
    }

    #[test]
    fn columns_stand_in_any_order() {
        let header = read(&format!("metadata.a.b,agent_name,{}", REQUIRED.join(","))).unwrap();
        let cells = header.assign(&["v", "Ada", "1", "2", "3", "4", "5", "6", "hi"]);
        assert_eq!((cells.agent_name, cells.conversation_external_id, cells.text), ("Ada", "1", "hi"));
        assert_eq!((cells.metadata, header.len(), header.name(1)), (vec![("a.b", "v")], 9, "agent_name"));
    }

    #[test]
    fn another_separator_is_named() {
        assert_eq!(error(&REQUIRED.join(";")), HeaderError::Semicolons);
        assert_eq!(error(&REQUIRED.join("\t")), HeaderError::Tabs);
    }

    #[test]
    fn a_missing_an_unknown_and_a_repeated_column_are_refused() {
        assert_eq!(error("text"), HeaderError::Missing("conversation_external_id"));
        assert_eq!(error(&format!("{},texts", REQUIRED.join(","))), HeaderError::Unknown(8));
        assert_eq!(error(&format!("{},metadata.", REQUIRED.join(","))), HeaderError::Unknown(8));
        assert_eq!(error(&format!("{},text", REQUIRED.join(","))), HeaderError::Duplicate(8));
        let message = error(&format!("{},hush", REQUIRED.join(","))).to_string();
        assert!(message.contains("customer_name, agent_external_id") && !message.contains("hush"), "{message}");
    }
}
