//! Contract of dry runs of imports: they count what an import would do, and write nothing.

use parlance_domain::{
    conversation::{Change, UpsertRequest},
    import::{ConversationRecord, ImportOptions, ImportOutcome, ImportedAs},
    redaction::IdentifierPolicy,
};
use support::{
    fixtures::{acme, external_id, participant},
    stores::TestStores,
};

use crate::import::{caller, import_with, outcome, record, request, run, stored, texts};

contract![a_dry_run_counts_and_writes_nothing, a_dry_run_counts_what_occurs_in_several_records_as_an_import_does,];

/// Imports records, or only counts them.
async fn run_all(stores: &TestStores, records: &[ConversationRecord], dry_run: bool) -> Vec<ImportOutcome> {
    let import = import_with(stores, IdentifierPolicy::Allow);
    let options = ImportOptions { dry_run, ..ImportOptions::default() };
    let mut outcomes = Vec::new();
    for record in records {
        outcomes.push(import.import(&caller(), record, options).await.unwrap());
    }
    outcomes
}

async fn a_dry_run_counts_and_writes_nothing(stores: TestStores) {
    let messages = [record(&[(1, "a"), (2, "b")])];
    assert_eq!(run_all(&stores, &messages, true).await, [outcome(ImportedAs::Created, 2, 0)]);
    assert!(stores.conversations.find_by_external_id(&acme(), &external_id("call-1")).await.unwrap().is_none());
    run(&stores, &record(&[(1, "a")])).await;
    assert_eq!(run_all(&stores, &messages, true).await, [outcome(ImportedAs::Unchanged, 1, 1)]);
    assert_eq!(texts(&stores).await, ["a"]);
}

async fn a_dry_run_counts_what_occurs_in_several_records_as_an_import_does(stores: TestStores) {
    let with = |agent, messages: &[(i64, &str)]| {
        let conversation = UpsertRequest { agent, ..request("call-1") };
        ConversationRecord { conversation, ..record(messages) }
    };
    let grace = || Change::Set(participant("agent-2", "Grace"));
    let ok = (1, "ok");
    let records = [
        with(Change::Keep, &[ok, (2, "my pin is 1234")]),
        with(Change::Keep, &[ok, (2, "my pin is 1234")]),
        with(grace(), &[ok, ok, ok]),
        with(Change::Keep, &[ok]),
        with(grace(), &[ok, ok, ok, ok]),
        ConversationRecord { updates: false, ..with(Change::Clear, &[]) },
        with(Change::Clear, &[(3, "bye")]),
    ];
    let counted = run_all(&stores, &records, true).await;
    assert!(stored(&stores, "call-1").await.is_empty());
    let expected = [
        outcome(ImportedAs::Created, 2, 0),
        outcome(ImportedAs::Unchanged, 0, 2),
        outcome(ImportedAs::Updated, 2, 1),
        outcome(ImportedAs::Unchanged, 0, 1),
        outcome(ImportedAs::Unchanged, 1, 3),
        outcome(ImportedAs::Unchanged, 0, 0),
        outcome(ImportedAs::Updated, 1, 0),
    ];
    assert_eq!(counted, expected);
    assert_eq!(run_all(&stores, &records, false).await, expected);
    // All of it is stored now, and only the agent goes back and forth.
    let again = run_all(&stores, &records, true).await;
    assert!(again.iter().all(|outcome| outcome.added == 0), "{again:?}");
    assert_eq!(again, run_all(&stores, &records, false).await);
}
