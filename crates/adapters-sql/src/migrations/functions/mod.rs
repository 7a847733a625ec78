//! The functions and triggers of the schema. Each text is run again when it differs from the text that was run last.
//!
//! A text replaces what an older one created, and creates the same on every database. A text that drops a parameter or
//! changes a meaning needs a migration too, so that programs with the older text refuse the schema.

use std::collections::BTreeMap;

use parlance_domain::time::{MICROS_PER_DAY, SECONDS_PER_DAY};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement};
use sea_orm_migration::{IntoSchemaManagerConnection, SchemaManager};
use sha2::{Digest, Sha256};

use super::dialect::fill;
use crate::data_plane::messages::precondition::TAIL_DIGEST;

const ADD_MESSAGES: &str = include_str!("add_messages_postgres.sql");

/// The functions that insert messages: one looks up the conversation of each message, the other does not. If a
/// conversation does not exist, the foreign key makes the second function fail.
const ADD_MESSAGES_VARIANTS: [[(&str, &str); 3]; 2] = [
    [
        ("{NAME}", "add_messages"),
        (
            "{HAS_CONVERSATION}",
            "(SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) IS NOT NULL",
        ),
        ("{TAIL_DIGEST}", TAIL_DIGEST),
    ],
    [("{NAME}", "add_messages_to_known"), ("{HAS_CONVERSATION}", "true"), ("{TAIL_DIGEST}", TAIL_DIGEST)],
];

const LATE_CHANGES_POSTGRES: &str = include_str!("late_changes_postgres.sql");

const LATE_CHANGES_SQLITE: &str = include_str!("late_changes_sqlite.sql");

/// For each trigger of SQLite its name, the write that fires it, and the feed of the late change.
const SQLITE_TRIGGERS: [[(&str, &str); 3]; 4] = [
    [("{NAME}", "late_new_messages"), ("{WRITE}", "INSERT ON messages"), ("{FEED}", "messages")],
    [("{NAME}", "late_messages"), ("{WRITE}", "UPDATE OF text ON messages"), ("{FEED}", "messages")],
    [("{NAME}", "late_new_conversations"), ("{WRITE}", "INSERT ON conversations"), ("{FEED}", "conversations")],
    [("{NAME}", "late_conversations"), ("{WRITE}", "UPDATE ON conversations"), ("{FEED}", "conversations")],
];

const SAVE_DIGEST: &str = "INSERT INTO schema_functions (name, sha256) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256";

/// The digest of each installed text, by its name.
pub(super) type InstalledDigests = BTreeMap<String, Vec<u8>>;

#[derive(FromQueryResult)]
struct InstalledFunction {
    name: String,
    sha256: Vec<u8>,
}

/// A text that creates functions and triggers.
struct SchemaFunction {
    name: &'static str,
    sql: String,
}

impl SchemaFunction {
    fn all(backend: DbBackend) -> Vec<Self> {
        if backend == DbBackend::Postgres {
            let add_messages = ADD_MESSAGES_VARIANTS.map(|terms| fill(ADD_MESSAGES, &terms)).concat();
            let late_changes = with_day_lengths(LATE_CHANGES_POSTGRES);
            vec![Self { name: "add_messages", sql: add_messages }, Self { name: "late_changes", sql: late_changes }]
        } else {
            let triggers = SQLITE_TRIGGERS.map(|terms| fill(LATE_CHANGES_SQLITE, &terms)).concat();
            vec![Self { name: "late_changes", sql: with_day_lengths(&triggers) }]
        }
    }

    fn digest(&self) -> Vec<u8> {
        Sha256::digest(&self.sql).to_vec()
    }

    fn is_installed(&self, installed: &InstalledDigests) -> bool {
        installed.get(self.name) == Some(&self.digest())
    }
}

fn with_day_lengths(template: &str) -> String {
    let (micros, seconds) = (MICROS_PER_DAY.to_string(), SECONDS_PER_DAY.to_string());
    fill(template, &[("{DAY_MICROS}", &micros), ("{DAY_SECONDS}", &seconds)])
}

/// Whether every text of this program is installed.
pub(super) fn are_installed(backend: DbBackend, installed: &InstalledDigests) -> bool {
    SchemaFunction::all(backend).iter().all(|function| function.is_installed(installed))
}

/// Runs each text that is not installed, and saves its digest.
pub(super) async fn install<C: ConnectionTrait>(db: &C, installed: &InstalledDigests) -> Result<(), DbErr> {
    let backend = db.get_database_backend();
    for function in SchemaFunction::all(backend).iter().filter(|function| !function.is_installed(installed)) {
        db.execute_unprepared(&function.sql).await?;
        let values = [function.name.into(), function.digest().into()];
        db.execute_raw(Statement::from_sql_and_values(backend, SAVE_DIGEST, values)).await?;
    }
    Ok(())
}

/// The digests of the installed texts; empty if the database has no table of them.
pub(super) async fn installed_digests<'db, C>(db: &'db C) -> Result<InstalledDigests, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    if !SchemaManager::new(db).has_table("schema_functions").await? {
        return Ok(InstalledDigests::new());
    }
    let select = Statement::from_string(db.get_database_backend(), "SELECT name, sha256 FROM schema_functions");
    let rows = InstalledFunction::find_by_statement(select).all(db).await?;
    Ok(rows.into_iter().map(|row| (row.name, row.sha256)).collect())
}
