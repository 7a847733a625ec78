//! Contract of the adapters of the transcription component: over HTTP, in a directory and in a bucket.
//!
//! The tests read what an adapter delivers as the component would.

use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use object_store::{ObjectStoreExt, aws::AmazonS3};
use parlance::system::SystemClock;
use parlance_adapters_objects::ObjectVocabularies;
use parlance_adapters_transcription::{
    AddressTemplate, DirectoryComponent, HttpComponent, SIGNATURE_HEADER, SigningKey, TIMESTAMP_HEADER,
    encode_document, signature_headers,
};
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    time::Timestamp,
    vocabulary::{
        Alternative, SoundsLike, VocabularyEntry,
        delivery::{DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
    },
};
use serde_json::{Value, json};
use support::{
    fixtures::{acme, from_micros, globex, vocabulary_entry},
    s3,
    transcription_receiver::Receiver,
};
use tempfile::TempDir;

const KEY: &str = "a key of sixteen bytes or more";

/// An adapter under test and the target that it delivers to.
struct ComponentFixture {
    component: Arc<dyn TranscriptionComponent>,
    target: Target,
}

enum Target {
    Http(Receiver),
    Directory(TempDir),
    Bucket(AmazonS3),
}

impl ComponentFixture {
    fn http() -> Self {
        let (component, receiver) = http_component();
        Self { component: Arc::new(component), target: Target::Http(receiver) }
    }

    fn directory() -> Self {
        let (component, folder) = directory_component();
        Self { component: Arc::new(component), target: Target::Directory(folder) }
    }

    /// Returns `None` if the tests run without S3.
    async fn bucket() -> Option<Self> {
        let (_, bucket) = s3::create_bucket().await?;
        let component = Arc::new(ObjectVocabularies::from_store(Arc::new(bucket.clone()), encode_document));
        Some(Self { component, target: Target::Bucket(bucket) })
    }

    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Option<DeliveryErrorKind> {
        push_error(&*self.component, tenant, snapshot).await
    }

    /// The vocabulary of a tenant that was last delivered to the target.
    async fn delivered(&self, tenant: &TenantId) -> Option<Value> {
        let bytes = match &self.target {
            Target::Http(receiver) => {
                let line = format!("PUT /vocabularies/{tenant}");
                receiver.received().into_iter().rfind(|received| received.line == line).map(|received| received.body)
            }
            Target::Directory(folder) => fs::read(folder.path().join(format!("{tenant}.json"))).ok(),
            Target::Bucket(bucket) => match bucket.get(&format!("{tenant}.json").into()).await {
                Ok(found) => Some(found.bytes().await.unwrap().to_vec()),
                Err(_) => None,
            },
        };
        bytes.map(|bytes| serde_json::from_slice(&bytes).unwrap())
    }
}

fn http_component() -> (HttpComponent, Receiver) {
    let receiver = Receiver::start();
    (http_component_for(&receiver.url("/vocabularies/{tenant}")), receiver)
}

fn http_component_for(url: &str) -> HttpComponent {
    let (address, key) = (AddressTemplate::parse(url).unwrap(), SigningKey::parse(KEY).unwrap());
    HttpComponent::new(address, key, Arc::new(SystemClock))
}

fn directory_component() -> (DirectoryComponent, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (DirectoryComponent::new(folder.path()).unwrap(), folder)
}

async fn push_error(
    component: &dyn TranscriptionComponent,
    tenant: &TenantId,
    snapshot: &VocabularySnapshot,
) -> Option<DeliveryErrorKind> {
    component.push(tenant, snapshot).await.err().map(|error| error.kind())
}

macro_rules! on_every_target {
    ($($case:ident),+ $(,)?) => {
        mod http {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::ComponentFixture::http()).await;
                }
            )+
        }

        mod directory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::ComponentFixture::directory()).await;
                }
            )+
        }

        mod bucket {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(fixture) = super::ComponentFixture::bucket().await else { return };
                    super::$case(fixture).await;
                }
            )+
        }
    };
}

on_every_target![
    a_vocabulary_is_delivered_whole_with_its_tenant_and_version,
    a_later_version_replaces_an_earlier_one,
    an_empty_vocabulary_is_delivered,
    each_tenant_has_its_own_vocabulary,
    texts_are_delivered_unchanged,
    the_largest_vocabulary_is_delivered,
    a_version_can_be_delivered_again,
];

fn snapshot(version: u64, entries: Vec<VocabularyEntry>) -> VocabularySnapshot {
    VocabularySnapshot { version, changed_at: Some(from_micros(1_500_000)), entries }
}

fn entry(phrase: &str, alternatives: &[&str]) -> VocabularyEntry {
    let alternatives = alternatives.iter().map(|text| Alternative::parse(*text).unwrap()).collect();
    VocabularyEntry { sounds_like: SoundsLike::new(alternatives).unwrap(), ..vocabulary_entry(1, phrase) }
}

async fn a_vocabulary_is_delivered_whole_with_its_tenant_and_version(fixture: ComponentFixture) {
    let entry = entry("IEEE", &["I triple E", "eye triple e"]);
    let id = entry.id.as_str().to_owned();
    assert_eq!(fixture.push(&acme(), &snapshot(7, vec![entry])).await, None);
    let entries = json!([{"id": id, "phrase": "IEEE", "soundsLike": ["I triple E", "eye triple e"]}]);
    let expected = json!({"tenant": "acme", "version": 7, "changedAt": "1970-01-01T00:00:01.500Z",
        "custom-vocabularies": entries});
    assert_eq!(fixture.delivered(&acme()).await, Some(expected));
}

async fn a_later_version_replaces_an_earlier_one(fixture: ComponentFixture) {
    fixture.push(&acme(), &snapshot(7, vec![entry("IEEE", &[]), entry("ACM", &[])])).await;
    assert_eq!(fixture.push(&acme(), &snapshot(8, vec![entry("ACM", &[])])).await, None);
    let document = fixture.delivered(&acme()).await.unwrap();
    assert_eq!((&document["version"], document["custom-vocabularies"].as_array().unwrap().len()), (&json!(8), 1));
}

async fn an_empty_vocabulary_is_delivered(fixture: ComponentFixture) {
    assert_eq!(fixture.push(&acme(), &snapshot(2, Vec::new())).await, None);
    assert_eq!(fixture.delivered(&acme()).await.unwrap()["custom-vocabularies"], json!([]));
}

async fn each_tenant_has_its_own_vocabulary(fixture: ComponentFixture) {
    fixture.push(&acme(), &snapshot(7, Vec::new())).await;
    assert_eq!(fixture.delivered(&globex()).await, None);
    fixture.push(&globex(), &snapshot(3, Vec::new())).await;
    for (tenant, version) in [(acme(), 7), (globex(), 3)] {
        assert_eq!(fixture.delivered(&tenant).await.unwrap()["version"], version);
    }
}

async fn texts_are_delivered_unchanged(fixture: ComponentFixture) {
    let texts = ["Zürich", "\"quoted\" \\ back", "日本語", "e\u{301} 🦀", "<&>"];
    let entries = texts.iter().map(|text| entry(text, &[text])).collect();
    fixture.push(&acme(), &snapshot(1, entries)).await;
    let document = fixture.delivered(&acme()).await.unwrap();
    for (index, text) in texts.iter().enumerate() {
        let entry = &document["custom-vocabularies"][index];
        assert_eq!((&entry["phrase"], &entry["soundsLike"]), (&json!(text), &json!([text])));
    }
}

async fn the_largest_vocabulary_is_delivered(fixture: ComponentFixture) {
    let largest = entry(&"é".repeat(100), &[&*"ü".repeat(40); 5]);
    assert_eq!(fixture.push(&acme(), &snapshot(200, vec![largest; 200])).await, None);
    assert_eq!(fixture.delivered(&acme()).await.unwrap()["custom-vocabularies"].as_array().unwrap().len(), 200);
}

async fn a_version_can_be_delivered_again(fixture: ComponentFixture) {
    for _ in 0..2 {
        assert_eq!(fixture.push(&acme(), &snapshot(7, Vec::new())).await, None);
    }
    assert_eq!(fixture.delivered(&acme()).await.unwrap()["version"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_signed_with_its_timestamp() {
    let (component, receiver) = http_component();
    component.push(&acme(), &snapshot(7, vec![entry("IEEE", &[])])).await.unwrap();
    let sent = receiver.received().pop().unwrap();
    let header =
        |name| sent.headers.iter().find(|(header_name, _)| header_name == name).map(|(_, value)| value.as_str());
    let seconds: i64 = header(TIMESTAMP_HEADER).unwrap().parse().unwrap();
    let sent_at = Timestamp::from_micros(seconds * 1_000_000).unwrap();
    let expected = signature_headers(KEY.as_bytes(), sent_at, &sent.body).signature;
    assert_eq!(header(SIGNATURE_HEADER), Some(expected.as_str()));
    assert_eq!(header("content-type"), Some("application/json"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_status_is_a_failure_and_a_redirect_is_not_followed() {
    let (component, receiver) = http_component();
    let elsewhere = receiver.url("/elsewhere");
    for (status, kind) in [
        (307, DeliveryErrorKind::Refused),
        (401, DeliveryErrorKind::Refused),
        (429, DeliveryErrorKind::Failed),
        (503, DeliveryErrorKind::Failed),
    ] {
        receiver.set_response(status, Some(elsewhere.as_str()).filter(|_| status == 307));
        assert_eq!(push_error(&component, &acme(), &snapshot(7, Vec::new())).await, Some(kind), "{status}");
    }
    assert!(receiver.received().iter().all(|received| received.line == "PUT /vocabularies/acme"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_component_is_unreachable() {
    let (component, mut receiver) = http_component();
    receiver.stop();
    let failure = push_error(&component, &acme(), &snapshot(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryErrorKind::Unreachable));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_never_answers_times_out() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let component = http_component_for(&format!("http://{}/", silent.local_addr().unwrap()));
    let failure = push_error(&component, &acme(), &snapshot(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryErrorKind::TimedOut));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_directory_cannot_be_written_to() {
    let (component, folder) = directory_component();
    fs::remove_dir(folder.path()).unwrap();
    let failure = push_error(&component, &acme(), &snapshot(7, Vec::new())).await;
    assert_eq!(failure, Some(DeliveryErrorKind::Unwritable));
    assert!(DirectoryComponent::new(folder.path()).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_a_directory_is_readable_by_its_group_and_never_by_everybody() {
    let (component, folder) = directory_component();
    let mode = || fs::metadata(folder.path().join("acme.json")).unwrap().permissions().mode() & 0o777;
    component.push(&acme(), &snapshot(1, Vec::new())).await.unwrap();
    assert_eq!(mode(), 0o640);
    let component = component.with_mode(FileMode::parse("0600").unwrap());
    component.push(&acme(), &snapshot(2, Vec::new())).await.unwrap();
    assert_eq!(mode(), 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_never_holds_a_partial_file() {
    let (component, folder) = directory_component();
    let path = folder.path().join("acme.json");
    let large = |version| snapshot(version, vec![entry(&"é".repeat(100), &[]); 200]);
    component.push(&acme(), &large(0)).await.unwrap();
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
        component.push(&acme(), &large(version)).await.unwrap();
    }
    reader.join().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
