//! What every adapter of the transcription component does: over HTTP, in a directory and in a bucket. Each is looked at from the
//! other side, as the component would.

use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use object_store::{ObjectStoreExt, aws::AmazonS3};
use parlance::system::SystemClock;
use parlance_adapters_objects::ObjectVocabularies;
use parlance_adapters_transcription::{
    AddressTemplate, DirectoryComponent, HttpComponent, SIGNATURE_HEADER, SigningKey, TIMESTAMP_HEADER, document, sign,
};
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    time::Timestamp,
    vocabulary::{
        Alternative, SoundsLike, Vocabulary,
        delivery::{DeliveryFailure, TranscriptionComponent, VocabularyEdition},
    },
};
use serde_json::{Value, json};
use support::{
    fixtures::{acme, at, globex, vocabulary},
    receiver::Receiver,
    s3,
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
    Bucket(AmazonS3),
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

    /// Nothing where the tests go without S3.
    async fn bucket() -> Option<Self> {
        let (_, bucket) = s3::bucket().await?;
        let component = Arc::new(ObjectVocabularies::within(Arc::new(bucket.clone()), document));
        Some(Self { component, other: Other::Bucket(bucket) })
    }

    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Option<DeliveryFailure> {
        failure(&*self.component, tenant, edition).await
    }

    /// What the component has of a tenant.
    async fn has(&self, tenant: &TenantId) -> Option<Value> {
        let bytes = match &self.other {
            Other::Http(receiver) => {
                let line = format!("PUT /vocabularies/{tenant}");
                receiver.received().into_iter().rfind(|received| received.line == line).map(|received| received.body)
            }
            Other::Directory(folder) => fs::read(folder.path().join(format!("{tenant}.json"))).ok(),
            Other::Bucket(bucket) => match bucket.get(&format!("{tenant}.json").into()).await {
                Ok(found) => Some(found.bytes().await.unwrap().to_vec()),
                Err(_) => None,
            },
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

macro_rules! on_every_side {
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

        mod bucket {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(sides) = super::Sides::bucket().await else { return };
                    super::$case(sides).await;
                }
            )+
        }
    };
}

on_every_side![
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
    assert_eq!(sides.has(&acme()).await, Some(expected));
}

async fn a_later_version_takes_the_place_of_an_earlier_one(sides: Sides) {
    sides.bring(&acme(), &edition(7, vec![entry("IEEE", &[]), entry("ACM", &[])])).await;
    assert_eq!(sides.bring(&acme(), &edition(8, vec![entry("ACM", &[])])).await, None);
    let document = sides.has(&acme()).await.unwrap();
    assert_eq!((&document["version"], document["custom-vocabularies"].as_array().unwrap().len()), (&json!(8), 1));
}

async fn an_empty_vocabulary_arrives_too(sides: Sides) {
    assert_eq!(sides.bring(&acme(), &edition(2, Vec::new())).await, None);
    assert_eq!(sides.has(&acme()).await.unwrap()["custom-vocabularies"], json!([]));
}

async fn each_tenant_has_its_own(sides: Sides) {
    sides.bring(&acme(), &edition(7, Vec::new())).await;
    assert_eq!(sides.has(&globex()).await, None);
    sides.bring(&globex(), &edition(3, Vec::new())).await;
    for (tenant, version) in [(acme(), 7), (globex(), 3)] {
        assert_eq!(sides.has(&tenant).await.unwrap()["version"], version);
    }
}

async fn texts_arrive_as_they_are(sides: Sides) {
    let texts = ["Zürich", "\"quoted\" \\ back", "日本語", "e\u{301} 🦀", "<&>"];
    let entries = texts.iter().map(|text| entry(text, &[text])).collect();
    sides.bring(&acme(), &edition(1, entries)).await;
    let document = sides.has(&acme()).await.unwrap();
    for (place, text) in texts.iter().enumerate() {
        let entry = &document["custom-vocabularies"][place];
        assert_eq!((&entry["phrase"], &entry["soundsLike"]), (&json!(text), &json!([text])));
    }
}

async fn the_largest_vocabulary_arrives(sides: Sides) {
    let largest = entry(&"é".repeat(100), &[&*"ü".repeat(40); 5]);
    assert_eq!(sides.bring(&acme(), &edition(200, vec![largest; 200])).await, None);
    assert_eq!(sides.has(&acme()).await.unwrap()["custom-vocabularies"].as_array().unwrap().len(), 200);
}

async fn a_version_can_be_brought_again(sides: Sides) {
    for _ in 0..2 {
        assert_eq!(sides.bring(&acme(), &edition(7, Vec::new())).await, None);
    }
    assert_eq!(sides.has(&acme()).await.unwrap()["version"], 7);
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
async fn a_file_in_a_directory_is_for_its_group_to_read_and_never_for_everybody() {
    let (component, folder) = in_a_directory();
    let mode = || fs::metadata(folder.path().join("acme.json")).unwrap().permissions().mode() & 0o777;
    component.bring(&acme(), &edition(1, Vec::new())).await.unwrap();
    assert_eq!(mode(), 0o640);
    let component = component.with_mode(FileMode::parse("0600").unwrap());
    component.bring(&acme(), &edition(2, Vec::new())).await.unwrap();
    assert_eq!(mode(), 0o600);
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
