//! Contract of stores of erasures of whole tenants.

use std::slice;

use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, Verification, VerificationScope},
    conversation::UpsertOutcome,
    error::StoreErrorKind,
    privacy::{
        ErasureReceipt, HoldOutcome, KnownUncoveredCopy, LedgerEntry, OpenTenantErasures, PlaceCount, PrivacyRequestId,
        ReceiptDraft, SignedReceipt, TenantCompletion, TenantErasure, TenantFenceOutcome, TenantRemovalStep,
        TenantRows,
    },
    redaction::{Approval, Approver, ChangeReference},
    vocabulary::Capacity,
};
use support::{
    fixtures::{
        acme, conversation, credential, email_switch, from_micros, globex, message, upsert_for, vocabulary_entry,
    },
    stores::TestStores,
    webhooks,
};

use crate::{hold_store, privacy_request_store::signer};

contract![
    an_erasure_is_found_as_it_was_stored,
    an_erasure_is_stored_once,
    the_open_erasures_of_all_tenants_are_counted,
    an_erasure_revokes_the_credentials_and_is_recorded,
    an_erasure_is_queued_for_the_ledger,
    an_erasure_of_the_ledger_has_no_approval_and_is_not_queued,
    a_hold_refuses_an_erasure,
    nothing_is_stored_for_an_erased_tenant,
    another_tenant_still_stores,
    what_is_stored_is_counted_by_place,
    an_erasure_with_rows_left_is_not_completed,
    an_erasure_is_completed_once_with_a_receipt,
    the_audit_log_stays_intact,
];

pub(crate) fn erasure() -> TenantErasure {
    let approver = |name| Approver::parse(name).unwrap();
    let approval =
        Approval::new(ChangeReference::parse("CHG-1041").unwrap(), approver("Ada"), approver("Grace")).unwrap();
    TenantErasure {
        id: PrivacyRequestId::from_bits(9),
        approval: Some(approval),
        requested_at: from_micros(50),
        completed_at: None,
    }
}

pub(crate) async fn begin(stores: &TestStores, erasure: &TenantErasure) -> TenantFenceOutcome {
    let entry = AuditEntry::tenant_erasure_began(erasure);
    stores.tenant_erasures.begin(&acme(), erasure, entry).await.unwrap()
}

/// Stores a conversation with two messages, and a credential.
pub(crate) async fn fill(stores: &TestStores, tenant: &TenantId) {
    let created = conversation(1, "call-1");
    stores.create_conversation(tenant, &created, from_micros(1)).await;
    for number in [1, 2] {
        let _ = stores.messages.append(tenant, &message(number, &created.id, from_micros(2))).await.unwrap();
    }
    stores.credentials.insert(&credential(tenant.clone(), 1)).await.unwrap();
}

/// Removes these rows in one pass.
pub(crate) async fn remove_rows(stores: &TestStores, rows: TenantRows) {
    let mut step = TenantRemovalStep::first(rows);
    while let Some(removed) = stores.tenant_erasures.remove_some(&acme(), step, from_micros(60)).await.unwrap() {
        step = removed.next;
    }
}

pub(crate) async fn remove_all(stores: &TestStores) {
    for rows in [TenantRows::Content, TenantRows::Progress] {
        remove_rows(stores, rows).await;
    }
}

pub(crate) fn count_of(counts: &[PlaceCount], place: &str) -> u64 {
    counts.iter().find(|count| count.place.as_str() == place).map_or(0, |count| count.count)
}

async fn complete(stores: &TestStores) -> TenantCompletion {
    let counts = stores.tenant_erasures.erased_counts(&acme()).await.unwrap();
    let entry = AuditEntry::tenant_erased(&erasure(), &counts, from_micros(70));
    let copies = KnownUncoveredCopy::ALL;
    let draft = ReceiptDraft::for_tenant((&acme(), &erasure()), from_micros(70), counts, &copies).unwrap();
    stores.tenant_erasures.complete(&acme(), from_micros(70), entry, Some((draft, &*signer()))).await.unwrap()
}

async fn an_erasure_is_found_as_it_was_stored(stores: TestStores) {
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), None);
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), Some(erasure()));
    assert_eq!(stores.tenant_erasures.find(&globex()).await.unwrap(), None);
}

async fn an_erasure_is_stored_once(stores: TestStores) {
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap().len();
    let second = TenantErasure { id: PrivacyRequestId::from_bits(8), ..erasure() };
    assert_eq!(begin(&stores, &second).await, TenantFenceOutcome::Exists);
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), Some(erasure()));
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), records);
}

async fn the_open_erasures_of_all_tenants_are_counted(stores: TestStores) {
    let store = &stores.tenant_erasures;
    assert_eq!(store.open().await.unwrap(), None);
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let later = TenantErasure { id: PrivacyRequestId::from_bits(8), requested_at: from_micros(55), ..erasure() };
    let entry = AuditEntry::tenant_erasure_began(&later);
    assert_eq!(store.begin(&globex(), &later, entry).await.unwrap(), TenantFenceOutcome::Stored);
    let open = |count, tenant, micros| {
        Some(OpenTenantErasures { count, oldest_tenant: tenant, open_since: from_micros(micros) })
    };
    assert_eq!(store.open().await.unwrap(), open(2, acme(), 50));
    assert_eq!(complete(&stores).await, TenantCompletion::Completed);
    assert_eq!(store.open().await.unwrap(), open(1, globex(), 55));
}

async fn an_erasure_revokes_the_credentials_and_is_recorded(stores: TestStores) {
    fill(&stores, &acme()).await;
    fill(&stores, &globex()).await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let revoked = stores.credentials.list(Some(&acme())).await.unwrap();
    assert!(revoked.iter().all(|credential| credential.revoked_at == Some(from_micros(50))));
    let others = stores.credentials.list(Some(&globex())).await.unwrap();
    assert!(others.iter().all(|credential| credential.revoked_at.is_none()));
    let record = stores.audit.records(&acme(), 0, 10).await.unwrap().pop().unwrap();
    assert_eq!(record.entry, AuditEntry::tenant_erasure_began(&erasure()));
}

async fn an_erasure_is_queued_for_the_ledger(stores: TestStores) {
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let entry = LedgerEntry::of_tenant(&acme(), from_micros(50));
    assert_eq!(stores.ledger.queued(10).await.unwrap(), slice::from_ref(&entry));
    let (object, missing) = (crate::erasure_ledger::object(1), [crate::erasure_ledger::object(1)].into());
    stores.ledger.record_object(&object, slice::from_ref(&entry)).await.unwrap();
    assert_eq!(stores.ledger.queued(10).await.unwrap(), []);
    stores.ledger.requeue(&missing).await.unwrap();
    assert_eq!(stores.ledger.queued(10).await.unwrap(), [entry]);
}

async fn an_erasure_of_the_ledger_has_no_approval_and_is_not_queued(stores: TestStores) {
    let hold = hold_store::on_customer(1, "customer-1");
    assert_eq!(hold_store::place(&stores, &acme(), &hold).await, HoldOutcome::Placed);
    let erasure = TenantErasure { approval: None, ..erasure() };
    assert_eq!(begin(&stores, &erasure).await, TenantFenceOutcome::Stored);
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), Some(erasure));
    assert_eq!(stores.ledger.queued(10).await.unwrap(), []);
}

async fn a_hold_refuses_an_erasure(stores: TestStores) {
    fill(&stores, &acme()).await;
    let hold = hold_store::on_customer(1, "customer-1");
    assert_eq!(hold_store::place(&stores, &acme(), &hold).await, HoldOutcome::Placed);
    assert_eq!(stores.tenant_erasures.count_holds(&acme()).await.unwrap(), 1);
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap().len();
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Held(1));
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), None);
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), records);
    assert!(stores.credentials.list(Some(&acme())).await.unwrap()[0].revoked_at.is_none());
}

async fn nothing_is_stored_for_an_erased_tenant(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    for (number, key) in [(1, "call-1"), (2, "call-2")] {
        let upsert = upsert_for(&conversation(number, key));
        let outcome = stores.conversations.upsert(&acme(), &upsert, from_micros(55), None).await;
        assert_eq!(outcome.unwrap(), UpsertOutcome::Erased, "{key}");
    }
    let kinds = [
        stores.credentials.insert(&credential(acme(), 2)).await.map_err(|error| error.kind()).err(),
        stores.redaction.set(&acme(), &email_switch()).await.map_err(|error| error.kind()).err(),
        stores
            .vocabularies
            .insert(&acme(), &vocabulary_entry(1, "IEEE"), Capacity::PER_TENANT, None)
            .await
            .map_err(|error| error.kind())
            .err(),
        stores
            .webhooks
            .insert(&acme(), &webhooks::webhook(1), 20, webhooks::entry(&webhooks::webhook(1)))
            .await
            .map_err(|error| error.kind())
            .err(),
    ];
    assert_eq!(kinds, [Some(StoreErrorKind::TenantErased); 4]);
}

async fn another_tenant_still_stores(stores: TestStores) {
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    fill(&stores, &globex()).await;
    webhooks::insert(&stores, &globex(), &webhooks::webhook(1)).await;
    assert!(stores.redaction.set(&globex(), &email_switch()).await.is_ok());
}

async fn what_is_stored_is_counted_by_place(stores: TestStores) {
    assert_eq!(stores.tenant_erasures.count(&acme()).await.unwrap(), []);
    fill(&stores, &acme()).await;
    let counts = stores.tenant_erasures.count(&acme()).await.unwrap();
    let found = ["conversations", "messages", "credentials", "webhooks"].map(|place| count_of(&counts, place));
    assert_eq!(found, [1, 2, 1, 0]);
    assert!(counts.is_sorted_by(|one, next| one.place.as_str() < next.place.as_str()), "{counts:?}");
    assert_eq!(stores.tenant_erasures.count(&globex()).await.unwrap(), []);
}

async fn an_erasure_with_rows_left_is_not_completed(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap().len();
    assert_eq!(complete(&stores).await, TenantCompletion::RowsLeft);
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap(), Some(erasure()));
    assert_eq!(stores.tenant_erasures.receipt(&acme()).await.unwrap(), None);
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), records);
}

async fn an_erasure_is_completed_once_with_a_receipt(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    assert_eq!(complete(&stores).await, TenantCompletion::Completed);
    let file = stores.tenant_erasures.receipt(&acme()).await.unwrap().unwrap();
    assert_eq!(complete(&stores).await, TenantCompletion::Completed);
    assert_eq!(stores.tenant_erasures.receipt(&acme()).await.unwrap(), Some(file.clone()));
    let ErasureReceipt { audit, request, counts, .. } = SignedReceipt::parse(file.as_bytes()).unwrap().receipt;
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    assert_eq!((records.len() as u64, request), (audit.sequence, erasure().id));
    assert_eq!((count_of(&counts, "messages"), records.last().unwrap().head()), (2, audit));
    let found = stores.tenant_erasures.find(&acme()).await.unwrap().unwrap();
    assert_eq!(found.completed_at, Some(from_micros(70)));
}

async fn the_audit_log_stays_intact(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert!(stores.redaction.set(&acme(), &email_switch()).await.is_ok());
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    assert_eq!(complete(&stores).await, TenantCompletion::Completed);
    let found = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    assert!(found.iter().all(Verification::is_intact), "{found:?}");
}
