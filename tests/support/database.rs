//! Databases of one test each. They vanish when the test is over, passed or not.

use std::{
    io::Write,
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use parlance_adapters_sql::Database;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, sqlx};
use tempfile::TempDir;

use crate::postgres;

/// An empty database that is dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Folder { _until_dropped: TempDir },
    Server { name: String },
}

impl TestDatabase {
    /// A SQLite file in a folder of its own.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        Self { url, place: Place::Folder { _until_dropped: folder } }
    }

    /// A database on the PostgreSQL server of the tests, or none where there is no server.
    ///
    /// It orders texts as a dictionary does where the server can, so that what must order by bytes has to say so.
    #[must_use]
    pub fn postgres() -> Option<Self> {
        let server = postgres::server()?;
        let name = unused_name();
        let plain = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
        let dictionary = format!("{plain} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
        let made = match postgres::administer(server, &dictionary) {
            Err(refusal) if refusal.is::<sqlx::Error>() => postgres::administer(server, &plain),
            made => made,
        };
        made.expect("the PostgreSQL server of the tests makes a database in time");
        Some(Self { url: address_of(server, &name), place: Place::Server { name } })
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens it as it is. A server that is busy with other tests may take longer than the service would wait for it.
    pub async fn open(&self) -> Database {
        for _ in 0..20 {
            if let Ok(database) = Database::open(&self.url).await {
                return database;
            }
        }
        Database::open(&self.url).await.unwrap()
    }

    /// Opens it and brings its schema up to date.
    pub async fn migrated(&self) -> Database {
        let database = self.open().await;
        database.migrate().await.unwrap();
        database
    }

    /// A connection past the adapter, to see what it has really stored.
    pub async fn look(&self) -> DatabaseConnection {
        sea_orm::Database::connect(&self.url).await.unwrap()
    }

    /// Cuts every other connection to it, as a server of PostgreSQL does that is started anew.
    pub async fn cut_all(&self) {
        let cut = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.look().await.execute_unprepared(cut).await.unwrap();
    }
}

/// The whole number that a query gives as `answer`.
pub async fn answer(connection: &DatabaseConnection, query: &str) -> i64 {
    let query = Statement::from_string(connection.get_database_backend(), query);
    connection.query_one_raw(query).await.unwrap().unwrap().try_get("", "answer").unwrap()
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Place::Server { name } = &self.place else { return };
        let Some(server) = postgres::server() else { return };
        if let Err(error) = postgres::administer(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")) {
            // A panic here would end a test process that is panicking already.
            let _ = writeln!(std::io::stderr(), "the test database {name} is left behind: {error}");
        }
    }
}

/// A name that no other test has, nor one that ran before and was killed.
fn unused_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("parlance_test_{}_{}_{count}", process::id(), since_1970.as_micros())
}

/// The address of another database on the same server.
fn address_of(server: &str, name: &str) -> String {
    let (address, query) = server.split_once('?').map_or((server, String::new()), |(a, q)| (a, format!("?{q}")));
    let (scheme, place) = address.split_once("://").expect("an address has a scheme");
    let host = place.split_once('/').map_or(place, |(host, _)| host);
    format!("{scheme}://{host}/{name}{query}")
}

/// The roles of docs/roles.sql, under names of this test's own. They are dropped with this value.
#[derive(Debug)]
pub struct Roles {
    /// The role that owns the schema.
    pub owner: String,
    /// The role that serves.
    pub server: String,
    url: String,
}

impl Roles {
    /// Makes them in a database.
    pub async fn make(home: &TestDatabase) -> Self {
        let name = unused_name();
        let roles = Self { owner: format!("{name}_o"), server: format!("{name}_s"), url: home.url().to_owned() };
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/roles.sql");
        let script = std::fs::read_to_string(file).unwrap();
        let script = script.replace("parlance_owner", &roles.owner).replace("parlance_server", &roles.server);
        home.open().await.execute_unprepared(&script).await.unwrap();
        roles
    }

    /// The address of the database for the role that owns the schema.
    #[must_use]
    pub fn owner_url(&self) -> String {
        self.url_of(&self.owner)
    }

    /// The address of the database for the role that serves.
    #[must_use]
    pub fn server_url(&self) -> String {
        self.url_of(&self.server)
    }

    fn url_of(&self, role: &str) -> String {
        let (scheme, rest) = self.url.split_once("://").expect("an address has a scheme");
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        format!("{scheme}://{role}@{place}")
    }
}

impl Drop for Roles {
    fn drop(&mut self) {
        for role in [&self.server, &self.owner] {
            // They own and may do things in this database only, which is dropped after them.
            let _ = postgres::administer(&self.url, &format!("DROP OWNED BY {role} CASCADE; DROP ROLE {role}"));
        }
    }
}
