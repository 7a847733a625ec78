//! Tests of replicas of the last release beside replicas of this program, over one PostgreSQL database.
//!
//! `tests/upgrade.sh` builds the last release and runs these tests.

use std::path::{Path, PathBuf};

use parlance_adapters_sql::Database;
use reqwest::Method;
use serde_json::json;
use support::requirements::{is_required, report_skipped};

use crate::{
    postgres_cluster::Cluster,
    replica::{CONVERSATIONS, Caller, Replica, TestEnvironment, message},
    writers::{Ledger, Writers},
};

const VOCABULARIES: &str = "/configuration/v1/custom-vocabularies";

/// Returns the binary of the last release, or `None` if the tests run without it.
fn last_release() -> Option<PathBuf> {
    let program = std::env::var_os("PARLANCE_TEST_LAST_RELEASE").map(PathBuf::from);
    if program.is_none() {
        assert!(!is_required("last-release"), "PARLANCE_TEST_LAST_RELEASE must name the binary of the last release");
        report_skipped("Tests of upgrades are skipped, because PARLANCE_TEST_LAST_RELEASE is not set");
    }
    program
}

fn this_program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_parlance"))
}

/// Starts a replica of `program`, and then stops the oldest replica, all under writes. Checks that only writes to the
/// stopped replica fail, and that every acknowledged message is stored once.
async fn replace_oldest(
    (env, credential, ledger): (&TestEnvironment, &(String, String), &Ledger),
    replicas: &mut Vec<Replica>,
    paths: &[String],
    program: &Path,
) {
    replicas.push(env.serve_with(program));
    let mut oldest = replicas.remove(0);
    let staying: Vec<_> = replicas.iter().map(|replica| replica.caller(credential)).collect();
    let writers_to_oldest = Writers::start(&[oldest.caller(credential)], paths, ledger);
    let writers = Writers::start(&staying, paths, ledger);
    Writers::wait_for_more(ledger, 120).await;
    oldest.stop();
    Writers::wait_for_more(ledger, 60).await;
    let outcomes = writers.stop().await;
    assert!(outcomes.iter().all(|outcome| outcome.status == Some(200)), "{outcomes:?}");
    let outcomes = writers_to_oldest.stop().await;
    assert!(outcomes.iter().all(|outcome| [None, Some(200)].contains(&outcome.status)), "{outcomes:?}");
    for caller in &staying {
        ledger.assert_stored_once(caller, paths).await;
    }
}

/// Checks that each replica reads what the other writes, and that a repeated request is recognised.
async fn assert_shared(first: &Caller, second: &Caller, round: usize) {
    for (writer, reader) in [(first, second), (second, first)] {
        let path = writer.create_conversation(&format!("shared-{round}")).await;
        let key = format!("key-{round}");
        let text = message("my card is 4111 1111 1111 1111");
        let sent = writer.try_send_with_key(Method::POST, &path, Some(&text), Some(&key)).await.unwrap();
        assert_eq!(sent.0, 200, "{}", sent.1);
        let repeated = reader.try_send_with_key(Method::POST, &path, Some(&text), Some(&key)).await.unwrap();
        assert_eq!(repeated, sent);
        assert_eq!(reader.create_conversation(&format!("shared-{round}")).await, path);
        let transcript = format!("/conversation/v1/conversation/messages?externalId=shared-{round}");
        assert_eq!(writer.get(&transcript).await, reader.get(&transcript).await);
    }
    let entry = json!({"phrase": format!("phrase {round}"), "soundsLike": ["fraze"]});
    let created = (first.post(VOCABULARIES, &entry).await.0, second.post(VOCABULARIES, &entry).await.0);
    assert_eq!(created, (201, 409));
    assert_eq!(first.get(VOCABULARIES).await, second.get(VOCABULARIES).await);
    assert_eq!(first.get(&format!("{CONVERSATIONS}?externalId=call-0")).await.0, 200);
}

/// Records a migration that neither program knows, as a release does whose schema serves older programs.
async fn add_migration_of_next_release(cluster: &Cluster) {
    let database = Database::open(&cluster.url()).await.unwrap();
    let sql = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_next_release', 0)";
    database.execute_unprepared(sql).await.unwrap();
    database.close().await.unwrap();
}

#[actix_web::test]
async fn the_last_release_and_this_program_serve_one_database_forwards_and_back() {
    let Some((release, cluster)) = last_release().zip(Cluster::start()) else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let mut replicas = vec![env.serve_with(&release), env.serve_with(&release)];
    let (credential, ledger) = (env.create_credential_with(&release, "acme"), Ledger::default());
    let paths = replicas[0].caller(&credential).create_conversations(4).await;
    let programs = [this_program(), this_program(), &release, &release, this_program()];
    for (round, program) in programs.into_iter().enumerate() {
        if round == 2 {
            add_migration_of_next_release(&cluster).await;
        }
        replace_oldest((&env, &credential, &ledger), &mut replicas, &paths, program).await;
        let callers = [0, 1].map(|replica| replicas[replica].caller(&credential));
        assert_shared(&callers[0], &callers[1], round).await;
    }
}

#[actix_web::test]
async fn a_backup_of_the_last_release_is_restored_by_this_program() {
    let Some(release) = last_release() else { return };
    let env = TestEnvironment::new();
    let credential = env.create_credential_with(&release, "acme");
    let mut server = env.serve_with(&release);
    let path = server.caller(&credential).create_conversation("call-1").await;
    assert_eq!(server.caller(&credential).post(&path, &message("hello")).await.0, 200);
    let before = server.caller(&credential).get(&path).await;
    env.run_program_ok(&release, &["backup", "copy.db"]);
    server.stop();
    std::fs::remove_file(env.path().join("parlance.db")).unwrap();
    env.run_ok(&["restore", "copy.db"]);
    let server = env.serve();
    assert_eq!(server.caller(&credential).get(&path).await, before);
}
