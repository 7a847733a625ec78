//! The PostgreSQL server of the tests. Each process selects the first of these once:
//!
//! 1. the server at `PARLANCE_TEST_POSTGRES_URL`, if set; it must respond;
//! 2. a new cluster of this process, if server binaries are installed: it need not survive a crash, so it is several times
//!    faster;
//! 3. the server on the usual local port, if it responds;
//! 4. no server; one line on standard error reports the skipped tests.
//!
//! `PARLANCE_TEST_POSTGRES` (`url`, `local`, `cluster` or `none`) selects exactly one of these.
//! With `PARLANCE_TEST_REQUIRE=postgres`, a missing server is a failure.

use std::{
    env,
    error::Error,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};

use sea_orm::sqlx::{self, AssertSqlSafe, Connection, postgres::PgConnection};
use tokio::{runtime, time::timeout};

use crate::requirements::{is_required, report_skipped};

const LOCAL_SERVER_URL: &str = "postgres://postgres@127.0.0.1:5432/postgres";
const CLUSTER_SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/support/cluster.sh");

/// The time limit of one statement. Creating or dropping a database writes a checkpoint, which can be slow.
const STATEMENT_TIMEOUT: Duration = Duration::from_mins(1);

struct Server {
    url: String,
    /// The shell that stops the cluster when its standard input ends. Only this process keeps that input open.
    watcher: Option<Child>,
}

/// An error of `sqlx`, or a timeout.
type AdminError = Box<dyn Error + Send + Sync>;

/// A server, or the reason for its absence.
type ServerResult = Result<Server, String>;

/// The URL of the server's default database; `None` if the tests run without PostgreSQL.
///
/// # Panics
/// If PostgreSQL is required and there is no server.
pub(crate) fn server_url() -> Option<&'static str> {
    server().map(|server| server.url.as_str())
}

fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Result<Option<Server>, String>> = OnceLock::new();
    match SERVER.get_or_init(select_server) {
        Ok(server) => server.as_ref(),
        Err(reason) => panic!("{reason}"),
    }
}

/// Whether the server is a cluster of this process, which is removed with all its databases when the process ends.
pub(crate) fn ends_with_process() -> bool {
    server().is_some_and(|server| server.watcher.is_some())
}

fn select_server() -> Result<Option<Server>, String> {
    let server = match variable("PARLANCE_TEST_POSTGRES").as_str() {
        "" if !variable("PARLANCE_TEST_POSTGRES_URL").is_empty() => return server_at_url().map(Some),
        "" => {
            start_cluster().or_else(|no_cluster| local_server().map_err(|no_local| format!("{no_cluster}; {no_local}")))
        }
        "url" => return server_at_url().map(Some),
        "local" => local_server(),
        "cluster" => start_cluster(),
        "none" => Err("PARLANCE_TEST_POSTGRES is none".to_owned()),
        other => return Err(format!("PARLANCE_TEST_POSTGRES is {other:?}, not url, local, cluster or none")),
    };
    let Err(reason) = server else { return server.map(Some) };
    let reason = format!(
        "there is no PostgreSQL server: {reason}. Install one, or set PARLANCE_TEST_POSTGRES_URL to the URL of a \
         server where the tests may create databases."
    );
    if is_required("postgres") {
        return Err(reason);
    }
    report_skipped(&format!("Tests on PostgreSQL are skipped, because {reason}"));
    Ok(None)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn server_at_url() -> ServerResult {
    let url = variable("PARLANCE_TEST_POSTGRES_URL");
    run_admin_statement(&url, "SELECT 1")
        .map_err(|error| format!("the server at PARLANCE_TEST_POSTGRES_URL does not respond: {error}"))?;
    Ok(Server { url, watcher: None })
}

fn local_server() -> ServerResult {
    run_admin_statement(LOCAL_SERVER_URL, "SELECT 1").map_err(|_| format!("{LOCAL_SERVER_URL} does not respond"))?;
    Ok(Server { url: LOCAL_SERVER_URL.to_owned(), watcher: None })
}

fn start_cluster() -> ServerResult {
    let unused = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let port = unused.map_err(|error| format!("no port is free: {error}"))?.port().to_string();
    let mut command = Command::new("sh");
    command.args([CLUSTER_SCRIPT, &port]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // In its own process group, the shell survives an interrupt from the terminal and can stop the cluster.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut watcher = command.spawn().map_err(|error| format!("cannot run a shell: {error}"))?;
    let mut status = String::new();
    let output = watcher.stdout.take().expect("standard output is piped");
    BufReader::new(output).read_line(&mut status).map_err(|error| format!("cannot read from the shell: {error}"))?;
    match status.trim() {
        "ready" => Ok(Server { url: format!("postgres://postgres@127.0.0.1:{port}/postgres"), watcher: Some(watcher) }),
        reason => Err(reason.to_owned()),
    }
}

/// Runs one statement on a new connection. The function blocks, so that `Drop` can call it.
pub(crate) fn run_admin_statement(server: &str, statement: &str) -> Result<(), AdminError> {
    let run = async {
        let mut connection = PgConnection::connect(server).await?;
        // The statement comes from the tests, not from input.
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await?;
        connection.close().await
    };
    let blocking = || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(async { timeout(STATEMENT_TIMEOUT, run).await })??)
    };
    // A new thread, because the caller's thread may belong to a runtime, which does not allow a second one.
    thread::scope(|scope| scope.spawn(blocking).join().expect("the statement does not panic"))
}
