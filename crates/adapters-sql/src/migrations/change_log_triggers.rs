//! The functions and triggers that append to the change log.
//!
//! The kinds are the numbers that `data_plane/change_log/rows.rs` reads.

use parlance_domain::time::MICROS_PER_DAY;

use super::dialect::fill;
use crate::data_plane::change_log::partitions::{LOCK_CLASS, SLOT_DAYS, SLOTS};

const FUNCTIONS_POSTGRES: &str = include_str!("functions/change_log_v1_postgres.sql");

const STATEMENT_POSTGRES: &str = include_str!("functions/change_log_statement_v1_postgres.sql");

const ROW_POSTGRES: &str = include_str!("functions/change_log_row_v1_postgres.sql");

const ROW_SQLITE: &str = include_str!("functions/change_log_row_v1_sqlite.sql");

/// A trigger that appends to the change log.
struct LogTrigger {
    name: &'static str,
    write: &'static str,
    table: &'static str,
    kind: &'static str,
    /// The expression for the reference to what changed. `{ROW}` stands for the row.
    reference: &'static str,
}

const MESSAGE_REFERENCE: &str = "{ROW}.conversation_id || '/' || {ROW}.sent_at || '/' || {ROW}.id";

const FEED_DAY_REFERENCE: &str = "{ROW}.feed || '/' || {ROW}.day || '/' || {ROW}.revision";

impl LogTrigger {
    const fn new(
        name: &'static str,
        (write, table): (&'static str, &'static str),
        kind: &'static str,
        reference: &'static str,
    ) -> Self {
        Self { name, write, table, kind, reference }
    }

    fn sql(&self, template: &str, row: &str) -> String {
        let Self { name, write, table, kind, reference } = self;
        let reference = reference.replace("{ROW}", row);
        let (slot_micros, slots) = ((SLOT_DAYS * MICROS_PER_DAY).to_string(), SLOTS.to_string());
        let terms = [
            ("{NAME}", *name),
            ("{WRITE}", write),
            ("{TABLE}", table),
            ("{KIND}", kind),
            ("{REFERENCE}", &reference),
            ("{ROW}", row),
            ("{SLOT_MICROS}", &slot_micros),
            ("{SLOTS}", &slots),
        ];
        fill(template, &terms)
    }

    /// The trigger for each written row.
    fn for_rows(&self, template: &str) -> String {
        self.sql(template, if self.write == "DELETE" { "OLD" } else { "NEW" })
    }
}

/// The writes of many rows at once: on PostgreSQL one trigger for each statement, on SQLite one for each row.
const STATEMENT_TRIGGERS: [LogTrigger; 3] = [
    LogTrigger::new("log_new_conversations", ("INSERT", "conversations"), "1", "{ROW}.id"),
    LogTrigger::new("log_updated_conversations", ("UPDATE", "conversations"), "2", "{ROW}.id"),
    LogTrigger::new("log_new_messages", ("INSERT", "messages"), "3", MESSAGE_REFERENCE),
];

/// The writes of single rows.
const ROW_TRIGGERS: [LogTrigger; 6] = [
    LogTrigger::new("log_masked_messages", ("UPDATE OF text", "messages"), "4", MESSAGE_REFERENCE),
    LogTrigger::new("log_new_vocabularies", ("INSERT", "vocabularies"), "6", "{ROW}.id"),
    LogTrigger::new("log_deleted_vocabularies", ("DELETE", "vocabularies"), "7", "{ROW}.id"),
    LogTrigger::new("log_switches", ("INSERT", "redaction_audit"), "8", "{ROW}.label"),
    LogTrigger::new("log_completed_feed_days", ("INSERT", "feed_changes"), "9", FEED_DAY_REFERENCE),
    LogTrigger::new("log_revised_feed_days", ("UPDATE", "feed_changes"), "10", FEED_DAY_REFERENCE),
];

/// The record of an erased conversation.
const ERASURE_TRIGGER: LogTrigger =
    LogTrigger::new("log_erased_conversations", ("INSERT", "erased_conversations"), "5", "{ROW}.conversation_id");

/// The trigger on erasures for PostgreSQL.
pub(super) fn erasures_postgres() -> String {
    ERASURE_TRIGGER.for_rows(ROW_POSTGRES)
}

/// The trigger on erasures for SQLite.
pub(super) fn erasures_sqlite() -> String {
    ERASURE_TRIGGER.for_rows(ROW_SQLITE)
}

/// The record of an erased message: its text reads differently now, since there is none.
const ERASED_MESSAGE_TRIGGER: LogTrigger =
    LogTrigger::new("log_erased_messages", ("INSERT", "erased_messages"), "4", MESSAGE_REFERENCE);

/// The trigger on erased messages for PostgreSQL.
pub(super) fn erased_messages_postgres() -> String {
    ERASED_MESSAGE_TRIGGER.for_rows(ROW_POSTGRES)
}

/// The trigger on erased messages for SQLite.
pub(super) fn erased_messages_sqlite() -> String {
    ERASED_MESSAGE_TRIGGER.for_rows(ROW_SQLITE)
}

/// The text for PostgreSQL.
pub(super) fn postgres() -> String {
    let of_statement = |trigger: &LogTrigger| trigger.sql(STATEMENT_POSTGRES, "written");
    let functions = fill(FUNCTIONS_POSTGRES, &[("{LOCK_CLASS}", &LOCK_CLASS.to_string())]);
    let of_statements = STATEMENT_TRIGGERS.iter().map(of_statement);
    [functions]
        .into_iter()
        .chain(of_statements)
        .chain(ROW_TRIGGERS.iter().map(|trigger| trigger.for_rows(ROW_POSTGRES)))
        .collect()
}

/// The text for SQLite.
pub(super) fn sqlite() -> String {
    STATEMENT_TRIGGERS.iter().chain(&ROW_TRIGGERS).map(|trigger| trigger.for_rows(ROW_SQLITE)).collect()
}
