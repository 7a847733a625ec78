//! Databases for single tests. Each is dropped at the end of its test, even if the test fails.

use std::{
    fs,
    io::Write,
    process,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use parlance_adapters_sql::Database;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, sqlx};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::postgres;

/// A database, which is created without a schema where a test asks for its URL before [`TestDatabase::open_migrated`].
/// Dropping the value drops the database.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    backend: TestBackend,
    created: OnceLock<()>,
}

#[derive(Debug)]
enum TestBackend {
    Sqlite {
        _directory: TempDir,
    },
    Postgres {
        name: String,
    },
    /// Another value owns the database.
    Shared,
}

impl TestDatabase {
    /// A SQLite file in its own directory.
    #[must_use]
    pub fn sqlite() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", directory.path().join("test.db").display());
        Self { url, backend: TestBackend::Sqlite { _directory: directory }, created: OnceLock::new() }
    }

    /// A database on the PostgreSQL server of the tests; `None` if there is no server.
    ///
    /// The database sorts texts in dictionary order if the server supports ICU. Queries that need byte order must
    /// therefore request it.
    #[must_use]
    pub fn postgres() -> Option<Self> {
        let server = postgres::server_url()?;
        let name = unique_name();
        Some(Self {
            url: database_url(server, &name),
            backend: TestBackend::Postgres { name },
            created: OnceLock::new(),
        })
    }

    /// The same database, for another replica. It is dropped with `self`.
    #[must_use]
    pub fn share(&self) -> Self {
        Self { url: self.url().to_owned(), backend: TestBackend::Shared, created: OnceLock::new() }
    }

    /// The URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        self.created.get_or_init(|| {
            if let (TestBackend::Postgres { name }, Some(server)) = (&self.backend, postgres::server_url()) {
                create_postgres(server, name);
            }
        });
        &self.url
    }

    /// Opens the database without migrations. Opening is retried, because other tests may keep the server busy.
    pub async fn open(&self) -> Database {
        for _ in 0..20 {
            if let Ok(database) = Database::open(self.url()).await {
                return database;
            }
        }
        Database::open(self.url()).await.unwrap()
    }

    /// Opens the database with the current schema. A database on PostgreSQL that does not exist yet is copied from one that
    /// was migrated before: migrations take longer than most tests.
    pub async fn open_migrated(&self) -> Database {
        if self.created.get().is_none() {
            if let TestBackend::Postgres { name } = &self.backend {
                copy_migrated(name).await;
            }
            self.created.get_or_init(|| ());
        }
        let database = self.open().await;
        database.migrate().await.unwrap();
        database
    }

    /// Runs statements. Their byte strings have the syntax of SQLite, such as ` x'00'`.
    pub async fn execute(&self, sql: &str) {
        let sql = if self.is_postgres() { sql.replace(" x'", r" E'\\x") } else { sql.to_owned() };
        self.open().await.execute_unprepared(&sql).await.unwrap();
    }

    /// Whether the database is on the PostgreSQL server of the tests.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        matches!(self.backend, TestBackend::Postgres { .. })
    }

    /// A connection that bypasses the adapter, to read and change the stored rows.
    pub async fn connect(&self) -> DatabaseConnection {
        sea_orm::Database::connect(self.url()).await.unwrap()
    }

    /// Terminates every other connection to the database, as a restart of PostgreSQL does.
    pub async fn terminate_connections(&self) {
        let terminate = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.connect().await.execute_unprepared(terminate).await.unwrap();
    }
}

/// Creates a database that sorts texts in dictionary order if the server supports ICU.
fn create_postgres(server: &str, name: &str) {
    let default_locale = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
    let dictionary_order = format!("{default_locale} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
    let created = match postgres::run_admin_statement(server, &dictionary_order) {
        Err(error) if error.is::<sqlx::Error>() => postgres::run_admin_statement(server, &default_locale),
        result => result,
    };
    created.expect("the PostgreSQL server of the tests creates a database in time");
}

/// Creates a database from the migrated one of this process. On a server that outlives the process nothing would drop that
/// one, so there the database is created without a schema.
async fn copy_migrated(name: &str) {
    static MIGRATED: OnceCell<TestDatabase> = OnceCell::const_new();
    let Some(server) = postgres::server_url() else { return };
    if !postgres::ends_with_process() {
        return create_postgres(server, name);
    }
    let migrated = MIGRATED.get_or_init(|| async {
        let migrated = TestDatabase::postgres().expect("there is a server");
        let database = migrated.open().await;
        database.migrate().await.unwrap();
        // A database with an open connection cannot be copied.
        database.close().await.unwrap();
        migrated
    });
    let TestBackend::Postgres { name: template } = &migrated.await.backend else { return };
    postgres::run_admin_statement(server, &format!("CREATE DATABASE {name} TEMPLATE {template}"))
        .expect("the PostgreSQL server of the tests copies a database in time");
}

/// The text in the column `answer` of a query's only row; empty if it is NULL.
pub async fn query_text(connection: &DatabaseConnection, query: &str) -> String {
    let query = Statement::from_string(connection.get_database_backend(), query);
    let row = connection.query_one_raw(query).await.unwrap().unwrap();
    row.try_get::<Option<String>>("", "answer").unwrap().unwrap_or_default()
}

/// The integer in the column `answer` of a query's only row.
pub async fn query_integer(connection: &DatabaseConnection, query: &str) -> i64 {
    let query = Statement::from_string(connection.get_database_backend(), query);
    connection.query_one_raw(query).await.unwrap().unwrap().try_get("", "answer").unwrap()
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let TestBackend::Postgres { name } = &self.backend else { return };
        let Some(server) = postgres::server_url() else { return };
        if let Err(error) =
            postgres::run_admin_statement(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        {
            // A panic here would abort a test process that is already panicking.
            let _ = writeln!(std::io::stderr(), "the test database {name} was not dropped: {error}");
        }
    }
}

/// A name that no other test uses, including killed tests of earlier runs.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("parlance_test_{}_{}_{count}", process::id(), since_1970.as_micros())
}

/// The URL of another database on the same server.
fn database_url(server: &str, name: &str) -> String {
    let (url, query) = server.split_once('?').map_or((server, String::new()), |(a, q)| (a, format!("?{q}")));
    let (scheme, rest) = url.split_once("://").expect("a URL has a scheme");
    let host = rest.split_once('/').map_or(rest, |(host, _)| host);
    format!("{scheme}://{host}/{name}{query}")
}

/// The roles of docs/roles.sql, with names that only this test uses. Dropping the value drops the roles.
#[derive(Debug)]
pub struct Roles {
    /// The role that owns the schema.
    pub owner: String,
    /// The role of the server.
    pub server: String,
    url: String,
}

impl Roles {
    /// Creates the roles in a database.
    pub async fn create(database: &TestDatabase) -> Self {
        let name = unique_name();
        let roles = Self { owner: format!("{name}_o"), server: format!("{name}_s"), url: database.url().to_owned() };
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/roles.sql");
        let script = fs::read_to_string(file).unwrap();
        let script = script.replace("parlance_owner", &roles.owner).replace("parlance_server", &roles.server);
        database.open().await.execute_unprepared(&script).await.unwrap();
        roles
    }

    /// The URL of the database for the role that owns the schema.
    #[must_use]
    pub fn owner_url(&self) -> String {
        self.url_of(&self.owner)
    }

    /// The URL of the database for the role of the server.
    #[must_use]
    pub fn server_url(&self) -> String {
        self.url_of(&self.server)
    }

    fn url_of(&self, role: &str) -> String {
        let (scheme, rest) = self.url.split_once("://").expect("a URL has a scheme");
        let location = rest.rsplit_once('@').map_or(rest, |(_, location)| location);
        format!("{scheme}://{role}@{location}")
    }
}

impl Drop for Roles {
    fn drop(&mut self) {
        for role in [&self.server, &self.owner] {
            // The roles have objects and rights in this database only. The database is dropped after the roles.
            let _ =
                postgres::run_admin_statement(&self.url, &format!("DROP OWNED BY {role} CASCADE; DROP ROLE {role}"));
        }
    }
}
