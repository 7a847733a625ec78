//! Tests of `parlance tenant erase`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Server, TestEnvironment};

pub(crate) const PATH: &str = "/conversation/v1/conversations";
const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const HOLDS: &str = "/privacy/v1/holds";

pub(crate) const ERASE: [&str; 10] = [
    "tenant",
    "erase",
    "--tenant",
    "acme",
    "--reference",
    "CHG-1041",
    "--approved-by",
    "Ada",
    "--approved-by",
    "Grace",
];

/// A line of an import: a conversation with messages whose texts name the tenant.
pub(crate) fn line(tenant: &str, number: usize, messages: usize) -> String {
    let message = |message: usize| {
        json!({
            "sender": {"role": "customer", "externalId": format!("{tenant}-customer-{number}")},
            "text": format!("{tenant}-canary {number} {message}"), "timestamp": "2026-01-31T09:30:00Z"
        })
    };
    let messages: Vec<_> = (0..messages).map(message).collect();
    let customer = json!({"externalId": format!("{tenant}-customer-{number}"), "name": format!("{tenant} Person")});
    let conversation = json!({
        "externalId": format!("{tenant}-call-{number}"), "customer": customer,
        "metadata": {"channel": format!("{tenant}-channel")}, "timestamp": "2026-01-31T09:30:00Z", "messages": messages
    });
    format!("{conversation}\n")
}

/// The values of a tenant that must be gone.
fn canaries(tenant: &str) -> String {
    ["canary", "customer-", "call-", "channel", "phrase"].map(|value| format!("{tenant}-{value}\n")).concat()
        + &format!("{tenant} Person\n")
}

fn credential(env: &TestEnvironment, tenant: &str) -> Value {
    let permissions =
        ["conversation:read", "conversation:write", "configuration:read", "configuration:write", "privacy:operate"];
    let permissions = permissions.iter().flat_map(|permission| ["--permission", permission]);
    let create = ["credential", "create", "--tenant", tenant, "--name", "test", "--json"];
    serde_json::from_str(&env.run_ok(&create.into_iter().chain(permissions).collect::<Vec<_>>())).unwrap()
}

/// Stores conversations of two tenants by imports.
fn import(env: &TestEnvironment, conversations: usize) {
    for tenant in ["acme", "globex"] {
        let lines: String = (0..conversations).map(|number| line(tenant, number, 5)).collect();
        fs::write(env.path().join("import.jsonl"), lines).unwrap();
        env.run_ok(&["import", "import.jsonl", "--tenant", tenant]);
        fs::remove_file(env.path().join("import.jsonl")).unwrap();
    }
}

/// An environment with a running server, whose vocabularies go to a directory, and two tenants with data everywhere.
pub(crate) struct Setup {
    pub(crate) env: TestEnvironment,
    pub(crate) server: Server,
    pub(crate) acme: Value,
    pub(crate) globex: Value,
}

pub(crate) async fn set_up(conversations: usize) -> Setup {
    set_up_in(TestEnvironment::new(), conversations).await
}

/// The same on the database of this environment.
pub(crate) async fn set_up_in(env: TestEnvironment, conversations: usize) -> Setup {
    let target = format!("file://{}", env.path().join("vocabularies").display());
    let env = env.with_variables([("PARLANCE_VOCABULARY_DELIVERY_URL", target.as_str())]);
    fs::create_dir(env.path().join("vocabularies")).unwrap();
    let server = env.serve(&[]);
    let (acme, globex) = (credential(&env, "acme"), credential(&env, "globex"));
    import(&env, conversations);
    for (tenant, credential) in [("acme", &acme), ("globex", &globex)] {
        let entry = json!({"phrase": format!("{tenant}-phrase"), "soundsLike": ["a phrase"]});
        assert_eq!(server.request(credential, VOCABULARY, Some(&entry)).send().await.unwrap().status(), 201);
    }
    env.run_ok(&["feed", "export", "--unfinished"]);
    Setup { env, server, acme, globex }
}

pub(crate) async fn status(server: &Server, credential: &Value, path: &str, body: Option<&Value>) -> u16 {
    server.request(credential, path, body).send().await.unwrap().status().as_u16()
}

/// Every file below a directory, with its bytes.
fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push((path.clone(), fs::read(&path).unwrap())) }
    }
    found.sort();
    found
}

/// What the interface gives out of another tenant, and its files of feeds.
pub(crate) async fn of_globex(setup: &Setup) -> (Vec<String>, Vec<(PathBuf, Vec<u8>)>) {
    let mut answers = Vec::new();
    for path in [format!("{PATH}?metadata%5Bchannel%5D=globex-channel&limit=100"), VOCABULARY.to_owned()] {
        let answer = setup.server.request(&setup.globex, &path, None).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answers.push(answer.text().await.unwrap());
    }
    (answers, files(&setup.env.path().join("feeds/globex")))
}

fn assert_nothing_is_found(env: &TestEnvironment) {
    fs::write(env.path().join("canaries.txt"), canaries("acme")).unwrap();
    let printed = env.run_ok(&["privacy", "scan", "--canaries", "canaries.txt"]);
    assert!(printed.ends_with("found: 0\n"), "{printed}");
}

pub(crate) fn assert_erased(env: &TestEnvironment) {
    assert_nothing_is_found(env);
    assert!(!env.path().join("feeds/acme").exists());
    assert!(env.run_ok(&["audit", "log", "--tenant", "acme"]).contains("tenant.erased"));
    env.run_ok(&["audit", "verify"]);
}

#[actix_web::test]
async fn a_tenant_is_erased_beside_a_running_server_and_another_tenant_stays_as_it_is() {
    let setup = set_up(20).await;
    let (env, server) = (&setup.env, &setup.server);
    let before = of_globex(&setup).await;
    let dry_run = env.run_ok(&["tenant", "erase", "--tenant", "acme", "--dry-run"]);
    for line in
        ["conversations: 20\n", "messages: 100\n", "credentials: 1\n", "vocabulary_entries: 1\n", "feed_files: "]
    {
        assert!(dry_run.contains(line), "{line} is not in {dry_run}");
    }
    assert_eq!(status(server, &setup.acme, PATH, None).await, 400);

    let output = env.run(&[&ERASE[..], &["--receipt", "receipt.json"]].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    assert!(
        stderr.starts_with("Every credential of acme is revoked, and nothing more is stored for it.\n"),
        "{stderr}"
    );
    assert_erased(env);
    assert_eq!(of_globex(&setup).await, before);
    let delivered = fs::read_to_string(env.path().join("vocabularies/acme.json")).unwrap();
    assert!(delivered.contains("\"custom-vocabularies\":[]"), "{delivered}");
    assert!(fs::read_to_string(env.path().join("vocabularies/globex.json")).unwrap().contains("globex-phrase"));
    let verified = env.run_ok(&["privacy", "verify", "receipt.json"]);
    assert!(verified.contains("tenant, reference \"CHG-1041\"") && verified.contains("erased in messages: 100\n"));

    // The replica has the credential in its cache for a while, but stores nothing for the tenant.
    let body = json!({"phrase": "late", "soundsLike": ["late"]});
    assert_eq!(status(server, &setup.acme, VOCABULARY, Some(&body)).await, 401);
    let late = json!({"externalId": "late", "customer": {"externalId": "late"}, "timestamp": "2026-01-31T09:30:00Z"});
    assert!([401, 409].contains(&status(server, &setup.acme, PATH, Some(&late)).await));
    let again = env.run_ok(&ERASE);
    assert_eq!(again, fs::read_to_string(env.path().join("receipt.json")).unwrap());
}

#[actix_web::test]
async fn a_dry_run_changes_nothing() {
    let setup = set_up(3).await;
    let records = setup.env.run_ok(&["audit", "log", "--tenant", "acme"]);
    let printed = setup.env.run_ok(&["tenant", "erase", "--tenant", "acme", "--dry-run"]);
    assert!(printed.starts_with("Would be erased of acme; nothing is changed:\n"), "{printed}");
    assert_eq!(setup.env.run_ok(&["audit", "log", "--tenant", "acme"]), records);
    let body = json!({"phrase": "still", "soundsLike": ["stored"]});
    assert_eq!(status(&setup.server, &setup.acme, VOCABULARY, Some(&body)).await, 201);
}

#[actix_web::test]
async fn a_hold_refuses_the_erasure_until_it_is_released() {
    let setup = set_up(1).await;
    let (env, server) = (&setup.env, &setup.server);
    let hold = json!({"customerExternalId": "acme-customer-0", "reference": "Case 17"});
    let placed = server.request(&setup.acme, HOLDS, Some(&hold)).send().await.unwrap();
    assert_eq!(placed.status(), 201);
    let placed: Value = placed.json().await.unwrap();
    let (code, error) = env.run_failing(&ERASE);
    assert_eq!(code, 1);
    assert!(error.starts_with("parlance: 1 hold protects data of the tenant: release it by `DELETE "), "{error}");
    let printed = env.run_ok(&["tenant", "erase", "--tenant", "acme", "--dry-run"]);
    assert!(printed.contains("Holds that refuse the erasure: 1\n"), "{printed}");
    let path = format!("{HOLDS}/{}", placed["id"].as_str().unwrap());
    let released = server.request_with_method(Method::DELETE, &setup.acme, &path, None).send().await.unwrap();
    assert_eq!(released.status(), 204);
    env.run_ok(&ERASE);
    assert_erased(env);
}

#[test]
fn two_different_people_must_approve() {
    let env = TestEnvironment::new();
    env.create_credential();
    let with_approvers = |approvers: &[&'static str]| {
        let approvers = approvers.iter().flat_map(|approver| ["--approved-by", approver]);
        ERASE[..6].iter().copied().chain(approvers).collect::<Vec<_>>()
    };
    for approvers in [["Ada", "ada "], ["Ada", "А\u{200b}da"]] {
        let refused = (1, "parlance: --approved-by: the two approvers must be two people".to_owned());
        assert_eq!(env.run_failing(&with_approvers(&approvers)), refused, "{approvers:?}");
    }
    for approvers in [&["Ada"][..], &["Ada", "Grace", "Joan"]] {
        let refused = (2, "parlance: --approved-by must be given twice, for two people".to_owned());
        assert_eq!(env.run_failing(&with_approvers(approvers)), refused, "{approvers:?}");
    }
    assert_eq!(env.run(&with_approvers(&[])).status.code(), Some(2));
    assert_eq!(env.run(&["tenant", "erase", "--tenant", "acme"]).status.code(), Some(2));
}

#[test]
fn an_unknown_tenant_and_a_missing_key_are_refused() {
    let env = TestEnvironment::new();
    env.create_credential();
    let (code, error) = env.run_failing(&ERASE);
    assert_eq!(code, 1);
    assert!(error.contains("there is no master key"), "{error}");
    drop(env.serve(&[]));
    let mut unknown = ERASE;
    unknown[3] = "acmee";
    assert_eq!(env.run_failing(&unknown), (1, "parlance: --tenant: acmee: there is no such tenant".to_owned()));
    fs::write(env.path().join("receipt.json"), "").unwrap();
    let (code, error) = env.run_failing(&[&ERASE[..], &["--receipt", "receipt.json"]].concat());
    assert_eq!((code, error.as_str()), (1, "parlance: --receipt: receipt.json exists: name a new file"));
}

#[test]
fn commands_of_an_erased_tenant_are_refused() {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    env.run_ok(&ERASE);
    fs::write(env.path().join("import.jsonl"), line("acme", 1, 1)).unwrap();
    let compliance = ["compliance", "set", "--entity", "CVV", "--active", "false", "--reference", "CHG-7"];
    let compliance = [&compliance[..], &["--approved-by", "Ada", "--approved-by", "Grace", "--new-tenant"]].concat();
    let commands: [&[&str]; 5] = [
        &["credential", "create", "--name", "n"],
        &compliance,
        &["vocabulary", "redeliver"],
        &["import", "import.jsonl"],
        &["feed", "export"],
    ];
    for command in commands {
        let (code, error) = env.run_failing(&[command, &["--tenant", "acme"]].concat());
        assert!(code != 0, "{command:?}");
        let expected = "parlance: --tenant: the tenant acme was erased at ";
        assert!(
            error.starts_with(expected) && error.ends_with(": its name cannot be used again"),
            "{command:?}: {error}"
        );
    }
}
