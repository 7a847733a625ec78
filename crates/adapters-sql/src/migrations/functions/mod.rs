//! The functions and triggers of the schema. The name of each text ends in a version, and the functions on PostgreSQL
//! have the same version in their names, so that two releases of the program can call their own on one database.
//!
//! A released text never changes. A changed function is a new text with the next version. The older text stays in this
//! list for one release, so that the program of the release before still finds its functions after a failed upgrade. A
//! migration of the release after that drops them. Triggers serve all programs, so the newest text defines them.

mod erased_tenants;

use std::collections::BTreeMap;

use parlance_domain::time::{MICROS_PER_DAY, MICROS_PER_HOUR, SECONDS_PER_DAY, SECONDS_PER_HOUR};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement};
use sea_orm_migration::{IntoSchemaManagerConnection, SchemaManager};
use sha2::{Digest, Sha256};

use super::{change_log_triggers, dialect::fill};
use crate::data_plane::{conversations::statement::REFUSED_AS_ERASED, messages::precondition::TAIL_DIGEST};

/// The function of the release before, which does not know the column `redactions`.
const ADD_MESSAGES_V1: &str = include_str!("add_messages_v1_postgres.sql");

const ADD_MESSAGES_V2: &str = include_str!("add_messages_v2_postgres.sql");

/// The functions that insert messages: one looks up the conversation of each message, the other does not. If a
/// conversation does not exist, the foreign key makes the second function fail.
fn add_messages(template: &str, names: [&str; 2]) -> String {
    let look_up = "(SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) IS NOT NULL";
    let [checked, unchecked] = names;
    let variant = |name, has_conversation| {
        fill(template, &[("{NAME}", name), ("{HAS_CONVERSATION}", has_conversation), ("{TAIL_DIGEST}", TAIL_DIGEST)])
    };
    [variant(checked, look_up), variant(unchecked, "true")].concat()
}

/// The functions of the release before, which record the day of a late change without its hour.
const LATE_CHANGES_V1_POSTGRES: &str = include_str!("late_changes_v1_postgres.sql");

const LATE_CHANGES_V1_SQLITE: &str = include_str!("late_changes_v1_sqlite.sql");

const LATE_CHANGES_V2_POSTGRES: &str = include_str!("late_changes_v2_postgres.sql");

const LATE_CHANGES_V2_SQLITE: &str = include_str!("late_changes_v2_sqlite.sql");

const CONVERSATION_CRITERIA_POSTGRES: &str = include_str!("conversation_criteria_v1_postgres.sql");

const CONVERSATION_CRITERIA_SQLITE: &str = include_str!("conversation_criteria_v1_sqlite.sql");

const ERASURE_POSTGRES: &str = include_str!("erasure_v1_postgres.sql");

const ERASURE_SQLITE: &str = include_str!("erasure_v1_sqlite.sql");

const PRIVACY_REQUESTS_POSTGRES: &str = include_str!("privacy_requests_v1_postgres.sql");

const PRIVACY_REQUESTS_SQLITE: &str = include_str!("privacy_requests_v1_sqlite.sql");

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
    /// The name and the version, such as `add_messages_v2`.
    name: &'static str,
    sql: String,
}

impl SchemaFunction {
    fn all(backend: DbBackend) -> Vec<Self> {
        if backend == DbBackend::Postgres {
            let v1 = add_messages(ADD_MESSAGES_V1, ["add_messages_v1", "add_messages_to_known_v1"]);
            let v2 = add_messages(ADD_MESSAGES_V2, ["add_messages_v2", "add_messages_to_known_v2"]);
            vec![
                Self { name: "add_messages_v1", sql: v1 },
                Self { name: "add_messages_v2", sql: v2 },
                Self { name: "late_changes_v1", sql: with_lengths(LATE_CHANGES_V1_POSTGRES) },
                Self { name: "late_changes_v2", sql: with_lengths(LATE_CHANGES_V2_POSTGRES) },
                Self { name: "conversation_criteria_v1", sql: with_lengths(CONVERSATION_CRITERIA_POSTGRES) },
                Self { name: "change_log_v1", sql: change_log_triggers::postgres() },
                Self { name: "erasure_v1", sql: erasure_postgres() },
                Self { name: "privacy_requests_v1", sql: privacy_requests_postgres() },
                Self { name: "erased_tenants_v1", sql: erased_tenants::postgres() },
            ]
        } else {
            let triggers = |text| with_lengths(&SQLITE_TRIGGERS.map(|terms| fill(text, &terms)).concat());
            vec![
                Self { name: "late_changes_v1", sql: triggers(LATE_CHANGES_V1_SQLITE) },
                Self { name: "late_changes_v2", sql: triggers(LATE_CHANGES_V2_SQLITE) },
                Self { name: "conversation_criteria_v1", sql: with_lengths(CONVERSATION_CRITERIA_SQLITE) },
                Self { name: "change_log_v1", sql: change_log_triggers::sqlite() },
                Self {
                    name: "erasure_v1",
                    sql: with_lengths(ERASURE_SQLITE) + &change_log_triggers::erasures_sqlite(),
                },
                Self {
                    name: "privacy_requests_v1",
                    sql: PRIVACY_REQUESTS_SQLITE.to_owned() + &change_log_triggers::erased_messages_sqlite(),
                },
                Self { name: "erased_tenants_v1", sql: erased_tenants::sqlite() },
            ]
        }
    }

    fn digest(&self) -> Vec<u8> {
        Sha256::digest(&self.sql).to_vec()
    }

    fn is_installed(&self, installed: &InstalledDigests) -> bool {
        installed.get(self.name) == Some(&self.digest())
    }
}

fn erasure_postgres() -> String {
    let triggers = fill(ERASURE_POSTGRES, &[("{REFUSED}", REFUSED_AS_ERASED)]);
    with_lengths(&triggers) + &change_log_triggers::erasures_postgres()
}

fn privacy_requests_postgres() -> String {
    fill(PRIVACY_REQUESTS_POSTGRES, &[("{REFUSED}", REFUSED_AS_ERASED)])
        + &change_log_triggers::erased_messages_postgres()
}

fn with_lengths(template: &str) -> String {
    let lengths = [MICROS_PER_DAY, SECONDS_PER_DAY, MICROS_PER_HOUR, SECONDS_PER_HOUR].map(|length| length.to_string());
    let [day_micros, day_seconds, hour_micros, hour_seconds] = &lengths;
    let days = [("{DAY_MICROS}", day_micros.as_str()), ("{DAY_SECONDS}", day_seconds)];
    let hours = [("{HOUR_MICROS}", hour_micros.as_str()), ("{HOUR_SECONDS}", hour_seconds)];
    fill(&fill(template, &days), &hours)
}

/// The statement that adds the rows of stored conversations to the side tables of their criteria. For PostgreSQL.
pub(super) fn side_rows_sql() -> String {
    with_lengths(include_str!("side_rows_postgres.sql"))
}

/// Whether every text of this program is installed.
pub(super) fn are_installed(backend: DbBackend, installed: &InstalledDigests) -> bool {
    SchemaFunction::all(backend).iter().all(|function| function.is_installed(installed))
}

/// Runs the texts from the first one that is not installed, and saves their digests. Returns the names. The texts after it
/// run again, because a later version replaces the triggers of an earlier one.
pub(super) async fn install<'db, C>(db: &'db C) -> Result<Vec<&'static str>, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    let (backend, installed) = (db.get_database_backend(), installed_digests(db).await?);
    let mut names = Vec::new();
    for function in SchemaFunction::all(backend).iter().skip_while(|function| function.is_installed(&installed)) {
        db.execute_unprepared(&function.sql).await?;
        let values = [function.name.into(), function.digest().into()];
        db.execute_raw(Statement::from_sql_and_values(backend, SAVE_DIGEST, values)).await?;
        names.push(function.name);
    }
    Ok(names)
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
