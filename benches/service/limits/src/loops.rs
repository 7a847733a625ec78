//! Loops over rusqlite, one thread, every commit flushed.

use std::{
    error::Error,
    fs,
    time::{Duration, Instant},
};

use rusqlite::{Connection, params};

const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, \
    text, created_at, masked_with) VALUES ('limits', ?1, ?2, ?3, 2, 'customer-7', ?4, ?2, '0')";

const UPSERT: &str = "INSERT INTO conversations (tenant_id, id, external_id, customer_external_id, customer_name, \
    started_at, created_at, updated_at) VALUES ('limits', ?1, ?2, 'customer-7', 'Ada', ?3, ?3, ?3) \
    ON CONFLICT (tenant_id, external_id) DO UPDATE SET customer_external_id = excluded.customer_external_id, \
    customer_name = excluded.customer_name, updated_at = excluded.updated_at RETURNING id";

/// About as long as what the bench sends.
const TEXT: &str = "thank you for waiting, I have found your order and it was sent this morning, \
    so it should be with you before the weekend";

const CONVERSATIONS: u64 = 1_000;

/// Inserts messages into conversations of a tenant of its own, so many in a transaction.
pub(crate) fn insert(file: &str, seconds: u64, grouped: u64) -> Result<(), Box<dyn Error>> {
    let mut connection = open(file)?;
    measure(seconds, grouped, |number| {
        let transaction = connection.transaction()?;
        for number in number..number + grouped {
            let mut statement = transaction.prepare_cached(INSERT)?;
            statement.execute(params![format!("C{}", number % CONVERSATIONS), moment(number), id(number), TEXT])?;
        }
        transaction.commit()
    })
}

/// Creates or updates conversations of a tenant of its own, half of them new, one in a transaction.
pub(crate) fn upsert(file: &str, seconds: u64) -> Result<(), Box<dyn Error>> {
    let connection = open(file)?;
    measure(seconds, 1, |number| {
        let name = if number % 2 == 0 { id(number) } else { format!("call-{}", number % CONVERSATIONS) };
        let mut statement = connection.prepare_cached(UPSERT)?;
        statement.query_row(params![id(number), name, moment(number)], |row| row.get::<_, String>(0)).map(|_| ())
    })
}

fn measure(
    seconds: u64,
    step: u64,
    mut work: impl FnMut(u64) -> rusqlite::Result<()>,
) -> Result<(), Box<dyn Error>> {
    let (start, used) = (Instant::now(), cpu()?);
    // Numbers that no run before had.
    let first = now()?;
    let mut done = 0;
    while start.elapsed() < Duration::from_secs(seconds) {
        work(first + done)?;
        done += step;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let done = done as f64;
    let micros = (cpu()? - used).as_secs_f64() * 1e6 / done;
    println!("RESULT {:.1} {micros:.1}", done / start.elapsed().as_secs_f64());
    Ok(())
}

/// The processor time that this process has used, in the ticks of a hundredth of a second that Linux tells.
fn cpu() -> Result<Duration, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(") ").ok_or("/proc/self/stat has another form")?.1.split(' ');
    let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or_default()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

/// Microseconds since 1970: each row is made now, so that no trigger takes it for late.
fn now() -> Result<u64, Box<dyn Error>> {
    Ok(u64::try_from(std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_micros())?)
}

fn id(number: u64) -> String {
    format!("{number:026}")
}

fn moment(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn open(file: &str) -> Result<Connection, Box<dyn Error>> {
    let mut connection = Connection::open(file)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")?;
    let now = now()?;
    let transaction = connection.transaction()?;
    for number in 0..CONVERSATIONS {
        transaction.execute(
            "INSERT OR IGNORE INTO conversations (tenant_id, id, external_id, customer_external_id, started_at, \
             created_at, updated_at) VALUES ('limits', ?1, ?2, 'customer-7', ?3, ?3, ?3)",
            params![format!("C{number}"), format!("call-{number}"), moment(now)],
        )?;
    }
    transaction.commit()?;
    Ok(connection)
}
