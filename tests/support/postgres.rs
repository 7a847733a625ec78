//! Which PostgreSQL server the tests use. It is decided once in a process:
//!
//! 1. `PARLANCE_TEST_POSTGRES_URL`, which must answer;
//! 2. the usual local server, where it answers;
//! 3. a cluster of this process, where server binaries are installed;
//! 4. none, which one line on standard error tells.
//!
//! `PARLANCE_TEST_POSTGRES` (`url`, `local`, `cluster` or `none`) picks one of these, and only that one.
//! `PARLANCE_TEST_REQUIRE=postgres` makes none a failure.

use std::{
    env,
    error::Error,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};

use sea_orm::sqlx::{self, AssertSqlSafe, Connection, postgres::PgConnection};
use tokio::{runtime, time::timeout};

const LOCAL: &str = "postgres://postgres@127.0.0.1:5432/postgres";
const CLUSTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/support/cluster.sh");

/// How long a server may take for one statement. To make or drop a database it writes a checkpoint.
const PATIENCE: Duration = Duration::from_mins(1);

struct Server {
    url: String,
    /// The shell that stops the cluster when its standard input ends: it is held open by this process alone.
    _watcher: Option<Child>,
}

/// Why a server did not do what was asked: an error of `sqlx`, or that it took too long.
type Refusal = Box<dyn Error + Send + Sync>;

/// A server, or why there is none.
type Found = Result<Server, String>;

/// The address of the server's own database, or none where the tests go without PostgreSQL.
///
/// # Panics
/// Where PostgreSQL is required and there is none.
pub(crate) fn server() -> Option<&'static str> {
    static SERVER: OnceLock<Result<Option<Server>, String>> = OnceLock::new();
    match SERVER.get_or_init(decide) {
        Ok(server) => server.as_ref().map(|server| server.url.as_str()),
        Err(reason) => panic!("{reason}"),
    }
}

fn decide() -> Result<Option<Server>, String> {
    let found = match setting("PARLANCE_TEST_POSTGRES").as_str() {
        "" if !setting("PARLANCE_TEST_POSTGRES_URL").is_empty() => return given().map(Some),
        "" => local().or_else(|no_local| cluster().map_err(|no_cluster| format!("{no_local}; {no_cluster}"))),
        "url" => return given().map(Some),
        "local" => local(),
        "cluster" => cluster(),
        "none" => Err("PARLANCE_TEST_POSTGRES is none".to_owned()),
        other => return Err(format!("PARLANCE_TEST_POSTGRES is {other:?}, not url, local, cluster or none")),
    };
    let Err(reason) = found else { return found.map(Some) };
    let reason = format!(
        "there is no PostgreSQL: {reason}. Install its server, or set PARLANCE_TEST_POSTGRES_URL to the address of \
         one where databases may be made."
    );
    if setting("PARLANCE_TEST_REQUIRE").split(',').any(|required| required.trim() == "postgres") {
        return Err(reason);
    }
    // Not `eprintln!`, which the test harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "Tests on PostgreSQL are left out, for {reason}");
    Ok(None)
}

fn setting(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn given() -> Found {
    let url = setting("PARLANCE_TEST_POSTGRES_URL");
    administer(&url, "SELECT 1").map_err(|error| format!("PARLANCE_TEST_POSTGRES_URL does not answer: {error}"))?;
    Ok(Server { url, _watcher: None })
}

fn local() -> Found {
    administer(LOCAL, "SELECT 1").map_err(|_| format!("{LOCAL} does not answer"))?;
    Ok(Server { url: LOCAL.to_owned(), _watcher: None })
}

fn cluster() -> Found {
    let unused = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let port = unused.map_err(|error| format!("no port is free: {error}"))?.port().to_string();
    let mut command = Command::new("sh");
    command.args([CLUSTER, &port]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // In a group of its own it outlives an interrupt from the terminal, by as long as stopping the cluster takes.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut watcher = command.spawn().map_err(|error| format!("no shell can be run: {error}"))?;
    let mut answer = String::new();
    let output = watcher.stdout.take().expect("standard output is piped");
    BufReader::new(output).read_line(&mut answer).map_err(|error| format!("the shell cannot be read: {error}"))?;
    match answer.trim() {
        "ready" => {
            Ok(Server { url: format!("postgres://postgres@127.0.0.1:{port}/postgres"), _watcher: Some(watcher) })
        }
        reason => Err(reason.to_owned()),
    }
}

/// Runs one statement on a connection of its own. Blocks, so that it can be called while a value is dropped.
pub(crate) fn administer(server: &str, statement: &str) -> Result<(), Refusal> {
    let run = async {
        let mut connection = PgConnection::connect(server).await?;
        // A statement of the tests' own making.
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await?;
        connection.close().await
    };
    let blocking = || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(async { timeout(PATIENCE, run).await })??)
    };
    // A thread of its own, for the caller's may belong to a runtime already, which cannot be entered twice.
    thread::scope(|scope| scope.spawn(blocking).join().expect("administering does not panic"))
}
