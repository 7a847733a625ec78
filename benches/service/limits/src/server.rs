//! An actix-web server without the service, behind the service's authentication.

use std::{
    cell::RefCell,
    error::Error,
    sync::Arc,
    time::{Duration, Instant, UNIX_EPOCH},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    web::{self, Bytes, Data, Path},
};
use parlance_adapters_sql::{Database, SqlCredentials};
use parlance_domain::{
    access::{ApiId, ApiSecret, Caller, Authenticator, SecretDigest, SecretDigester},
    time::{Clock, MonotonicClock, Timestamp},
};
use rusqlite::{Connection, OpenFlags, Row, params};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The service's clock.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_1970 = UNIX_EPOCH.elapsed().unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX)).unwrap_or(Timestamp::EPOCH)
    }
}

/// The service's measure of the time that passes.
struct ProcessClock(Instant);

impl MonotonicClock for ProcessClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The service's digests.
struct Sha256Digester;

impl SecretDigester for Sha256Digester {
    fn digest(&self, secret: &ApiSecret) -> SecretDigest {
        SecretDigest::new(Sha256::digest(secret.reveal().as_bytes()).into())
    }
}

/// What every answer is made with.
struct Stage {
    gate: Authenticator,
    file: Option<String>,
}

/// Serves until it is killed.
pub(crate) fn serve(url: &str, file: Option<&str>) -> Result<(), Box<dyn Error>> {
    actix_web::rt::System::new().block_on(async {
        let database = Database::open(url).await?;
        let (store, digester) = (Arc::new(SqlCredentials::new(database)), Arc::new(Sha256Digester));
        let gate = Authenticator::new(store, digester, Arc::new(SystemClock), Arc::new(ProcessClock(Instant::now())));
        let stage = Data::new(Stage { gate, file: file.map(str::to_owned) });
        let server = HttpServer::new(move || {
            App::new()
                .app_data(stage.clone())
                .route("/constant", web::get().to(read_constant))
                .route("/constant", web::post().to(write_constant))
                .route("/conversations/{id}", web::get().to(conversation))
                .route("/conversations/{id}/messages", web::get().to(messages))
        });
        let server = server.bind(("127.0.0.1", 0))?;
        println!("http://{}", server.addrs().first().ok_or("no address was bound")?);
        Ok(server.run().await?)
    })
}

/// The caller, or nothing where the credential is not right.
async fn caller(request: &HttpRequest, stage: &Stage) -> Option<Caller> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let id = ApiId::parse(header("svc-api-id")?).ok()?;
    let secret = ApiSecret::new(header("svc-api-secret")?);
    stage.gate.authenticate(&id, &secret).await.ok()
}

async fn read_constant(request: HttpRequest, stage: Data<Stage>) -> HttpResponse {
    if caller(&request, &stage).await.is_none() {
        return HttpResponse::Unauthorized().finish();
    }
    HttpResponse::Ok().content_type("application/json").body("{\"id\":\"01JZ0000000000000000000000\"}")
}

async fn write_constant(request: HttpRequest, stage: Data<Stage>, _: Bytes) -> HttpResponse {
    read_constant(request, stage).await
}

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// Reads on this worker's connection.
fn read<T>(stage: &Stage, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    CONNECTION.with_borrow_mut(|connection| {
        if connection.is_none() {
            let file = stage.file.as_deref().unwrap_or_default();
            *connection = Some(Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?);
        }
        connection.as_ref().map_or(Err(rusqlite::Error::InvalidQuery), work)
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MessageView {
    text: String,
    sender: SenderView,
    message_id: String,
    created_timestamp: String,
    client_timestamp: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SenderView {
    role: &'static str,
    external_id: String,
}

fn role(stored: i64) -> &'static str {
    match stored {
        1 => "agent",
        2 => "customer",
        _ => "system",
    }
}

fn message(row: &Row<'_>) -> rusqlite::Result<MessageView> {
    let time = |micros| Timestamp::from_micros(micros).unwrap_or(Timestamp::EPOCH).to_string();
    Ok(MessageView {
        message_id: row.get(0)?,
        client_timestamp: time(row.get(1)?),
        sender: SenderView { role: role(row.get(2)?), external_id: row.get(3)? },
        text: row.get(4)?,
        created_timestamp: time(row.get(6)?),
    })
}

async fn messages(request: HttpRequest, stage: Data<Stage>, id: Path<String>) -> HttpResponse {
    let Some(caller) = caller(&request, &stage).await else { return HttpResponse::Unauthorized().finish() };
    let sql = "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages \
        WHERE tenant_id = ?1 AND conversation_id = ?2 ORDER BY sent_at, id LIMIT 51";
    let found = read(&stage, |connection| {
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![caller.tenant_name(), id.as_str()], message)?;
        rows.take(50).collect::<rusqlite::Result<Vec<_>>>()
    });
    answer(found.map(|items| MessagesView { items }))
}

#[derive(Serialize)]
struct MessagesView {
    items: Vec<MessageView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConversationView {
    id: String,
    external_id: String,
    agent: Option<ParticipantView>,
    customer: ParticipantView,
    metadata: Option<serde_json::Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ParticipantView {
    external_id: String,
    name: Option<String>,
}

async fn conversation(request: HttpRequest, stage: Data<Stage>, id: Path<String>) -> HttpResponse {
    let Some(caller) = caller(&request, &stage).await else { return HttpResponse::Unauthorized().finish() };
    let sql = "SELECT id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, \
        started_at FROM conversations WHERE tenant_id = ?1 AND id = ?2";
    let found = read(&stage, |connection| {
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_row(params![caller.tenant_name(), id.as_str()], |row| {
            let name = row.get(3)?;
            let metadata: Option<String> = row.get(6)?;
            Ok(ConversationView {
                id: row.get(0)?,
                external_id: row.get(1)?,
                agent: row.get::<_, Option<_>>(2)?.map(|external_id| ParticipantView { external_id, name }),
                customer: ParticipantView { external_id: row.get(4)?, name: row.get(5)? },
                metadata: metadata.and_then(|text| serde_json::from_str(&text).ok()),
            })
        })
    });
    answer(found)
}

fn answer(found: rusqlite::Result<impl Serialize>) -> HttpResponse {
    match found {
        Ok(found) => HttpResponse::Ok().json(found),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}
