//! What every adapter of the transcription component does: over HTTP and in a directory. Each is looked at from the
//! other side, as the component would.

use std::{fmt::Write, fs, process::Command, sync::Arc};

use parlance::system::SystemClock;
use parlance_adapters_transcription::{
    AddressTemplate, DirectoryComponent, HttpComponent, SIGNATURE_HEADER, SigningKey, TIMESTAMP_HEADER, sign,
};
use parlance_domain::{
    access::TenantId,
    time::{Clock, Timestamp},
    vocabulary::{
        Alternative, SoundsLike, Vocabulary,
        delivery::{DeliveryFailure, TranscriptionComponent, VocabularyEdition},
    },
};
use serde_json::{Value, json};
use support::{
    fixtures::{acme, at, globex, vocabulary},
    receiver::Receiver,
};
use tempfile::TempDir;

const KEY: &str = "a key of sixteen bytes or more";

/// Both sides of a component.
struct Sides {
    component: Arc<dyn TranscriptionComponent>,
    other: Other,
}

enum Other {
    Http(Receiver),
    Directory(TempDir),
}

impl Sides {
    fn http() -> Self {
        let (component, receiver) = over_http();
        Self { component: Arc::new(component), other: Other::Http(receiver) }
    }

    fn directory() -> Self {
        let (component, folder) = in_a_directory();
        Self { component: Arc::new(component), other: Other::Directory(folder) }
    }

    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Option<DeliveryFailure> {
        failure(&*self.component, tenant, edition).await
    }

    /// What the component has of a tenant.
    fn has(&self, tenant: &TenantId) -> Option<Value> {
        let bytes = match &self.other {
            Other::Http(receiver) => {
                let line = format!("PUT /vocabularies/{tenant}");
                receiver.received().into_iter().rfind(|received| received.line == line).map(|received| received.body)
            }
            Other::Directory(folder) => fs::read(folder.path().join(format!("{tenant}.json"))).ok(),
        };
        bytes.map(|bytes| serde_json::from_slice(&bytes).unwrap())
    }
}

fn over_http() -> (HttpComponent, Receiver) {
    let receiver = Receiver::start();
    (sending_to(&receiver.url("/vocabularies/{tenant}")), receiver)
}

fn sending_to(url: &str) -> HttpComponent {
    let (address, key) = (AddressTemplate::parse(url).unwrap(), SigningKey::parse(KEY).unwrap());
    HttpComponent::new(address, key, Arc::new(SystemClock))
}

fn in_a_directory() -> (DirectoryComponent, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (DirectoryComponent::new(folder.path()).unwrap(), folder)
}

async fn failure(
    component: &dyn TranscriptionComponent,
    tenant: &TenantId,
    edition: &VocabularyEdition,
) -> Option<DeliveryFailure> {
    component.bring(tenant, edition).await.err().map(|error| error.kind())
}

macro_rules! on_both_sides {
    ($($case:ident),+ $(,)?) => {
        mod http {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::Sides::http()).await;
                }
            )+
        }

        mod directory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::Sides::directory()).await;
                }
            )+
        }
    };
}

on_both_sides![
    a_vocabulary_arrives_whole_with_its_tenant_and_version,
    a_later_version_takes_the_place_of_an_earlier_one,
    an_empty_vocabulary_arrives_too,
    each_tenant_has_its_own,
    texts_arrive_as_they_are,
    the_largest_vocabulary_arrives,
    a_version_can_be_brought_again,
];

fn edition(version: u64, entries: Vec<Vocabulary>) -> VocabularyEdition {
    VocabularyEdition { version, changed_at: Some(at(1_500_000)), entries }
}

fn entry(phrase: &str, alternatives: &[&str]) -> Vocabulary {
    let alternatives = alternatives.iter().map(|text| Alternative::parse(*text).unwrap()).collect();
    Vocabulary { sounds_like: SoundsLike::new(alternatives).unwrap(), ..vocabulary(1, phrase) }
}

async fn a_vocabulary_arrives_whole_with_its_tenant_and_version(sides: Sides) {
    let entry = entry("IEEE", &["I triple E", "eye triple e"]);
    let id = entry.id.as_str().to_owned();
    assert_eq!(sides.bring(&acme(), &edition(7, vec![entry])).await, None);
    let entries = json!([{"id": id, "phrase": "IEEE", "soundsLike": ["I triple E", "eye triple e"]}]);
    let expected = json!({"tenant": "acme", "version": 7, "changedAt": "1970-01-01T00:00:01.500Z",
        "custom-vocabularies": entries});
    assert_eq!(sides.has(&acme()), Some(expected));
}

async fn a_later_version_takes_the_place_of_an_earlier_one(sides: Sides) {
    sides.bring(&acme(), &edition(7, vec![entry("IEEE", &[]), entry("ACM", &[])])).await;
    assert_eq!(sides.bring(&acme(), &edition(8, vec![entry("ACM", &[])])).await, None);
    let document = sides.has(&acme()).unwrap();
    assert_eq!((&document["version"], document["custom-vocabularies"].as_array().unwrap().len()), (&json!(8), 1));
}

async fn an_empty_vocabulary_arrives_too(sides: Sides) {
    assert_eq!(sides.bring(&acme(), &edition(2, Vec::new())).await, None);
    assert_eq!(sides.has(&acme()).unwrap()["custom-vocabularies"], json!([]));
}

async fn each_tenant_has_its_own(sides: Sides) {
    sides.bring(&acme(), &edition(7, Vec::new())).await;
    assert_eq!(sides.has(&globex()), None);
    sides.bring(&globex(), &edition(3, Vec::new())).await;
    let versions = [acme(), globex()].map(|tenant| sides.has(&tenant).unwrap()["version"].clone());
    assert_eq!(versions, [json!(7), json!(3)]);
}

async fn texts_arrive_as_they_are(sides: Sides) {
    let texts = ["Zürich", "\"quoted\" \\ back", "日本語", "e\u{301} 🦀", "<&>"];
    let entries = texts.iter().map(|text| entry(text, &[text])).collect();
    sides.bring(&acme(), &edition(1, entries)).await;
    let document = sides.has(&acme()).unwrap();
    for (place, text) in texts.iter().enumerate() {
        let entry = &document["custom-vocabularies"][place];
        assert_eq!((&entry["phrase"], &entry["soundsLike"]), (&json!(text), &json!([text])));
    }
}

async fn the_largest_vocabulary_arrives(sides: Sides) {
    let largest = entry(&"é".repeat(100), &[&*"ü".repeat(40); 5]);
    assert_eq!(sides.bring(&acme(), &edition(200, vec![largest; 200])).await, None);
    assert_eq!(sides.has(&acme()).unwrap()["custom-vocabularies"].as_array().unwrap().len(), 200);
}

async fn a_version_can_be_brought_again(sides: Sides) {
    for _ in 0..2 {
        assert_eq!(sides.bring(&acme(), &edition(7, Vec::new())).await, None);
    }
    assert_eq!(sides.has(&acme()).unwrap()["version"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_is_signed_with_its_time() {
    let (component, receiver) = over_http();
    component.bring(&acme(), &edition(7, vec![entry("IEEE", &[])])).await.unwrap();
    let sent = receiver.received().pop().unwrap();
    let header = |name| sent.headers.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
    let seconds: i64 = header(TIMESTAMP_HEADER).unwrap().parse().unwrap();
    let sent_at = Timestamp::from_micros(seconds * 1_000_000).unwrap();
    assert_eq!(header(SIGNATURE_HEADER), Some(sign(KEY.as_bytes(), sent_at, &sent.body).1.as_str()));
    assert_eq!(header("content-type"), Some("application/json"));
}

/// Python's own library is all that the example needs; Python itself is needed to run it.
#[test]
fn the_example_in_the_docs_tells_a_genuine_request_from_others() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/delivery.md")).unwrap();
    let example = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let sent_at = SystemClock.now();
    let (timestamp, signature) = sign(KEY.as_bytes(), sent_at, br#"{"version":7}"#);
    let old = sign(KEY.as_bytes(), sent_at.plus_seconds(-600), br#"{"version":7}"#);
    let mut program = example.to_owned();
    for (timestamp, signature, body, genuine) in [
        (&timestamp, &signature, r#"{"version":7}"#, "True"),
        (&timestamp, &signature, r#"{"version":8}"#, "False"),
        (&old.0, &old.1, r#"{"version":7}"#, "False"),
        (&timestamp, &old.1, r#"{"version":7}"#, "False"),
    ] {
        let headers = json!({TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: signature});
        let _ = writeln!(program, "assert is_genuine({headers}, b'{body}', '{KEY}') is {genuine}");
    }
    let output = Command::new("python3").args(["-c", &program]).output().expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_no_success_is_a_failure_and_a_redirect_is_not_followed() {
    let (component, receiver) = over_http();
    let elsewhere = receiver.url("/elsewhere");
    for (status, kind) in [
        (307, DeliveryFailure::Refused),
        (401, DeliveryFailure::Refused),
        (429, DeliveryFailure::Failed),
        (503, DeliveryFailure::Failed),
    ] {
        receiver.answer(status, Some(elsewhere.as_str()).filter(|_| status == 307));
        assert_eq!(failure(&component, &acme(), &edition(7, Vec::new())).await, Some(kind), "{status}");
    }
    assert!(receiver.received().iter().all(|received| received.line == "PUT /vocabularies/acme"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_is_gone_is_unreachable() {
    let (component, mut receiver) = over_http();
    receiver.go_away();
    let failure = failure(&component, &acme(), &edition(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryFailure::Unreachable));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_never_answers_is_given_up_in_time() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let component = sending_to(&format!("http://{}/", silent.local_addr().unwrap()));
    let failure = failure(&component, &acme(), &edition(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryFailure::TimedOut));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_is_gone_cannot_be_written_to() {
    let (component, folder) = in_a_directory();
    fs::remove_dir(folder.path()).unwrap();
    let failure = failure(&component, &acme(), &edition(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryFailure::Unwritable));
    assert!(DirectoryComponent::new(folder.path()).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_holds_whole_files_only_at_every_moment() {
    let (component, folder) = in_a_directory();
    let path = folder.path().join("acme.json");
    let large = |version| edition(version, vec![entry(&"é".repeat(100), &[]); 200]);
    component.bring(&acme(), &large(0)).await.unwrap();
    let reader = std::thread::spawn(move || {
        let mut last = 0;
        while last < 100 {
            let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let version = document["version"].as_u64().unwrap();
            assert!(version >= last && document["custom-vocabularies"].as_array().unwrap().len() == 200);
            last = version;
        }
    });
    for version in 1..=100 {
        component.bring(&acme(), &large(version)).await.unwrap();
    }
    reader.join().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
