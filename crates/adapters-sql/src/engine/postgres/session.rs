//! The beginning of each session: its settings, and whether its server accepts writes.
//!
//! The settings are sent as a statement and not as startup parameters. A pooler such as PgBouncer refuses these
//! parameters or, if told so, ignores them.

use std::{io, sync::Arc};

use sea_orm::sqlx::{self, AssertSqlSafe, Row, postgres::PgConnection, raw_sql};

/// Its answer is `on` on a standby, and on a primary that is set read-only.
const SHOW_READ_ONLY: &str = "SHOW transaction_read_only";

/// Settings of a session by name. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct SessionSettings {
    settings: Vec<(&'static str, String)>,
    /// One request to the server, which sets all of them and reads whether the session may write.
    statement: Arc<str>,
}

impl SessionSettings {
    pub(crate) fn new(settings: &[(&'static str, String)]) -> Self {
        let quoted = settings.iter().map(|(name, value)| format!("SET {name} = '{}'; ", value.replace('\'', "''")));
        let statement = format!("{}{SHOW_READ_ONLY}", quoted.collect::<String>()).into();
        Self { settings: settings.to_vec(), statement }
    }

    /// The same settings with others, which replace those of the same name.
    pub(crate) fn with(&self, others: &[(&'static str, String)]) -> Self {
        let is_kept = |name| others.iter().all(|(other, _)| *other != name);
        let kept = self.settings.iter().filter(|(name, _)| is_kept(*name));
        Self::new(&kept.chain(others).cloned().collect::<Vec<_>>())
    }

    /// Sends the settings, and refuses a read-only server if a writable one is required.
    ///
    /// # Errors
    /// The error of the server; also if a writable server is required and the server is read-only.
    pub(crate) async fn apply(
        &self,
        connection: &mut PgConnection,
        requires_writable: bool,
    ) -> Result<(), sqlx::Error> {
        // The settings are constants of this program.
        let row = raw_sql(AssertSqlSafe(Arc::clone(&self.statement))).fetch_one(connection).await?;
        if requires_writable { refuse_read_only(row.try_get(0)?) } else { Ok(()) }
    }
}

/// Fails if the server does not answer, or is read-only, as a standby is.
pub(crate) async fn ensure_writable(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    refuse_read_only(raw_sql(SHOW_READ_ONLY).fetch_one(connection).await?.try_get(0)?)
}

fn refuse_read_only(transaction_read_only: &str) -> Result<(), sqlx::Error> {
    if transaction_read_only == "off" { Ok(()) } else { Err(io::Error::other("the server is read-only").into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &'static str, value: &str) -> (&'static str, String) {
        (name, value.to_owned())
    }

    #[test]
    fn a_later_setting_replaces_an_earlier_one_of_the_same_name() {
        let settings = SessionSettings::new(&[setting("statement_timeout", "1900"), setting("enable_sort", "off")]);
        let settings = settings.with(&[setting("statement_timeout", "600")]);
        assert_eq!(
            &*settings.statement,
            "SET enable_sort = 'off'; SET statement_timeout = '600'; SHOW transaction_read_only"
        );
    }

    #[test]
    fn a_read_only_server_is_refused() {
        assert!(refuse_read_only("off").is_ok());
        assert_eq!(refuse_read_only("on").unwrap_err().to_string().matches("the server is read-only").count(), 1);
    }
}
