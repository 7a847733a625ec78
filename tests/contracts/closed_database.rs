//! Calls of the stores of privacy on a closed database.

use parlance_domain::{
    audit::AuditEntry,
    privacy::{Erasure, ErasurePageLimit, IdentifierDigest, LedgerObjectId, PrivacyRequestId},
    vocabulary::PageSize,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, message},
    stores::TestStores,
};

use crate::database::assert_unavailable;

sql_contract![every_privacy_call_on_a_closed_database_is_unavailable];

async fn every_privacy_call_on_a_closed_database_is_unavailable(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let TestStores { erasures, privacy_requests, subjects, ledger, holds, retention, .. } =
        TestStores::in_sql(&database);
    database.close().await.unwrap();
    let (tenant, new) = (acme(), conversation(1, "call-1"));
    let first_message = message(1, &new.id, from_micros(0));
    let erasure =
        Erasure { conversation: new.id.clone(), digest: IdentifierDigest([1; 32]), at: from_micros(5), request: None };
    let erased = AuditEntry::conversation_erased(&erasure, None);
    assert_unavailable("erase", erasures.erase(&tenant, &erasure, erased.clone()).await);
    assert_unavailable("apply an erasure", ledger.apply_erasure(&tenant, &erasure, erased).await);
    assert_unavailable("queued erasures", ledger.queued(1).await);
    assert_unavailable("record an object", ledger.record_object(&LedgerObjectId::from_bits(1), &[]).await);
    assert_unavailable("requeue", ledger.requeue(&[LedgerObjectId::from_bits(1)].into()).await);
    assert_unavailable("recorded objects", ledger.recorded_objects().await);
    assert_unavailable("remove a message", ledger.remove_message(&tenant, &new.id, &first_message.id).await);
    assert_unavailable("is erased", erasures.is_erased(&tenant, &new.id).await);
    assert_unavailable("erased messages", erasures.erased_messages(&tenant, &new.id).await);
    assert_unavailable("list erasures", erasures.list(&tenant, 0, ErasurePageLimit::default()).await);
    let id = PrivacyRequestId::from_bits(1);
    assert_unavailable("open privacy requests", privacy_requests.open(None).await);
    assert_unavailable("find a privacy request", privacy_requests.find(&tenant, &id).await);
    assert_unavailable("subject", privacy_requests.subject(&tenant, &id).await);
    assert_unavailable("start", privacy_requests.start(&tenant, &id).await);
    assert_unavailable("receipt", privacy_requests.receipt(&tenant, &id, None).await);
    assert_unavailable("newest receipts", privacy_requests.newest_receipts(None).await);
    let customer = &new.customer.external_id;
    assert_unavailable("conversations of a customer", subjects.conversations_of(&tenant, customer, None).await);
    assert_unavailable("messages of a customer", subjects.messages_sent_by(&tenant, customer, None).await);
    assert_unavailable("archive items", subjects.archive_items(&tenant, &id).await);
    assert_unavailable("page of holds", holds.page(&tenant, None, PageSize::MAX).await);
    assert_unavailable("retention rules", retention.retention(&tenant).await);
}
