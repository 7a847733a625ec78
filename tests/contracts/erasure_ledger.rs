//! Contract of the ledger of erasures, in memory, in a directory and in a bucket.

use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::Arc};

use object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
use parlance_adapters_objects::ObjectLedger;
use parlance_domain::{
    id::MessageId,
    privacy::{ErasedPart, ErasureLedger, IdentifierDigest, LedgerContent, LedgerEntry, LedgerError, LedgerObjectId},
};
use support::{
    fixtures::{acme, conversation, from_micros, globex},
    s3,
};
use tempfile::TempDir;

/// A ledger under test, with direct access to its objects.
pub(crate) struct TestLedger {
    ledger: ObjectLedger,
    objects: Arc<dyn ObjectStore>,
    /// Not there until the first write.
    directory: Option<(TempDir, PathBuf)>,
}

impl TestLedger {
    fn in_memory() -> Self {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        Self { ledger: ObjectLedger::from_store(Arc::clone(&objects)), objects, directory: None }
    }

    fn in_directory() -> Self {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("ledger");
        let ledger = ObjectLedger::open(&format!("file://{}", path.display())).unwrap();
        let prefix = Path::from_absolute_path(&path).unwrap();
        let root = object_store::local::LocalFileSystem::new();
        let objects = Arc::new(object_store::prefix::PrefixStore::new(root, prefix));
        Self { ledger, objects, directory: Some((parent, path)) }
    }

    async fn in_bucket() -> Option<Self> {
        let (_, bucket) = s3::create_bucket().await?;
        let objects: Arc<dyn ObjectStore> = Arc::new(bucket);
        Some(Self { ledger: ObjectLedger::from_store(Arc::clone(&objects)), objects, directory: None })
    }

    async fn put(&self, name: &str, content: &str) {
        self.objects.put(&Path::from(name), content.to_owned().into()).await.unwrap();
    }
}

macro_rules! ledger_contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test] async fn $case() { super::$case(super::TestLedger::in_memory()).await; })+
        }

        mod directory {
            $(#[tokio::test] async fn $case() { super::$case(super::TestLedger::in_directory()).await; })+
        }

        mod bucket {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(ledger) = super::TestLedger::in_bucket().await else { return };
                    super::$case(ledger).await;
                }
            )+
        }
    };
}

ledger_contract![
    a_new_ledger_has_no_object,
    entries_are_read_back_in_their_order_and_with_their_code,
    an_object_of_an_earlier_release_has_no_code,
    every_object_is_listed,
    objects_with_other_names_are_ignored,
    a_malformed_line_is_named_by_object_and_number,
    an_object_that_lost_a_line_is_refused,
    a_missing_object_is_an_error,
];

pub(crate) fn object(bits: u128) -> LedgerObjectId {
    LedgerObjectId::from_bits(bits)
}

fn content() -> LedgerContent {
    let entry = LedgerEntry {
        tenant: acme(),
        erased: ErasedPart::Conversation(conversation(1, "call-1").id, IdentifierDigest([0xab; 32])),
        at: from_micros(50),
    };
    let message = ErasedPart::Message(conversation(1, "call-1").id, MessageId::from_bits(9));
    let entries = vec![
        entry.clone(),
        LedgerEntry { tenant: globex(), erased: message, ..entry },
        LedgerEntry::of_tenant(&globex(), from_micros(51)),
    ];
    LedgerContent { entries, code: Some([0xcd; 32]) }
}

async fn a_new_ledger_has_no_object(test: TestLedger) {
    assert_eq!(test.ledger.objects().await.unwrap(), BTreeSet::new());
}

async fn entries_are_read_back_in_their_order_and_with_their_code(test: TestLedger) {
    test.ledger.write(&object(1), &content()).await.unwrap();
    assert_eq!(test.ledger.read(&object(1)).await.unwrap(), content());
}

async fn an_object_of_an_earlier_release_has_no_code(test: TestLedger) {
    let earlier = LedgerContent { code: None, ..content() };
    test.ledger.write(&object(1), &earlier).await.unwrap();
    assert_eq!(test.ledger.read(&object(1)).await.unwrap(), earlier);
}

async fn every_object_is_listed(test: TestLedger) {
    for bits in [2, 1] {
        test.ledger.write(&object(bits), &content()).await.unwrap();
    }
    assert_eq!(test.ledger.objects().await.unwrap(), [object(1), object(2)].into());
}

async fn objects_with_other_names_are_ignored(test: TestLedger) {
    for name in ["README", "lower.jsonl", "ABC.json", "FOLDER/ABC.jsonl", "ABC"] {
        test.put(name, "").await;
    }
    assert_eq!(test.ledger.objects().await.unwrap(), BTreeSet::new());
}

async fn a_malformed_line_is_named_by_object_and_number(test: TestLedger) {
    test.put("ABC.jsonl", "{}\n").await;
    let id = LedgerObjectId::parse("ABC").unwrap();
    let error = test.ledger.read(&id).await.unwrap_err();
    assert!(matches!(error, LedgerError::Malformed { object, line: 1 } if object == id));
}

async fn an_object_that_lost_a_line_is_refused(test: TestLedger) {
    test.ledger.write(&object(1), &content()).await.unwrap();
    let content = test.objects.get(&Path::from(format!("{}.jsonl", object(1)))).await.unwrap().bytes().await.unwrap();
    let lines = String::from_utf8(content.to_vec()).unwrap();
    let (_, rest) = lines.split_once('\n').unwrap();
    test.put("ABC.jsonl", rest).await;
    let id = LedgerObjectId::parse("ABC").unwrap();
    let error = test.ledger.read(&id).await.unwrap_err();
    assert!(matches!(error, LedgerError::Changed { object } if object == id));
}

async fn a_missing_object_is_an_error(test: TestLedger) {
    assert!(matches!(test.ledger.read(&object(1)).await, Err(LedgerError::Ledger(_))));
}

#[tokio::test]
async fn only_the_owner_can_read_a_ledger_in_a_directory() {
    let test = TestLedger::in_directory();
    test.ledger.write(&object(1), &content()).await.unwrap();
    let (_, directory) = test.directory.as_ref().unwrap();
    let file = directory.join(format!("{}.jsonl", object(1)));
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(directory), mode(&file)), (0o700, 0o600));
}

#[tokio::test]
async fn a_file_in_the_place_of_the_directory_is_not_an_empty_ledger() {
    let test = TestLedger::in_directory();
    fs::write(&test.directory.as_ref().unwrap().1, "").unwrap();
    assert!(test.ledger.objects().await.is_err());
    assert!(test.ledger.write(&object(1), &content()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_bucket_is_not_an_empty_ledger() {
    let Some(bucket) = s3::open_bucket("not-there") else { return };
    assert!(ObjectLedger::from_store(Arc::new(bucket)).objects().await.is_err());
}
