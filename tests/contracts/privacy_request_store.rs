//! Contract of stores of privacy requests.

use std::sync::Arc;

use parlance::keys::{KeyPurpose, MasterKey};
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    conversation::{Participant, UpsertOutcome},
    id::ConversationId,
    ports::Signer,
    privacy::{
        CreateOutcome, ErasureReceipt, Hold, HoldId, HoldOutcome, HoldSubject, IdentifierDigest, PrivacyCounts,
        PrivacyReference, PrivacyRequest, PrivacyRequestCursor, PrivacyRequestId, PrivacyRequestPage,
        PrivacyRequestStatus, PrivacyRequestType, ReceiptDraft, SignedReceipt, WaitReason,
    },
    text::ExternalId,
    vocabulary::PageSize,
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, upsert_for},
    stores::TestStores,
};

contract![
    a_request_is_found_as_it_was_stored,
    a_request_of_another_tenant_is_not_found,
    open_requests_are_listed_oldest_first_and_only_while_they_are_open,
    requests_are_listed_by_identifier_in_both_directions,
    a_started_request_is_running,
    an_open_request_says_what_it_waits_for,
    the_subject_is_known_until_it_is_forgotten,
    the_counts_of_a_request_that_reads_are_replaced,
    each_revision_of_a_period_of_a_feed_is_counted_once,
    a_period_counts_for_each_open_request_that_it_was_not_added_to_last,
    a_request_is_completed_once,
    receipts_of_a_tenant_follow_each_other_and_name_their_audit_records,
    a_customer_that_is_being_erased_refuses_upserts,
    a_stored_conversation_of_a_fenced_customer_does_not_change_hands,
    only_requests_that_erase_refuse_upserts,
    upserts_of_another_tenant_are_not_refused,
    upserts_are_accepted_once_the_subject_is_forgotten,
    a_hold_outweighs_a_request_that_erases,
];

pub(crate) fn signer() -> Arc<dyn Signer> {
    Arc::new(MasterKey::from_bytes([7; 32]).signer(KeyPurpose::AuditHeads).unwrap())
}

pub(crate) fn customer(text: &str) -> ExternalId {
    ExternalId::parse(text).unwrap()
}

pub(crate) fn request(number: u128, kind: PrivacyRequestType) -> PrivacyRequest {
    PrivacyRequest {
        id: PrivacyRequestId::from_bits(number),
        kind,
        dry_run: false,
        subject: IdentifierDigest([9; 32]),
        reference: PrivacyReference::parse("CHG-7").unwrap(),
        status: PrivacyRequestStatus::Pending,
        waiting_for: None,
        failure: None,
        counts: PrivacyCounts::default(),
        requested_at: from_micros(i64::try_from(number).unwrap()),
        ended_at: None,
    }
}

/// Stores a request about a customer.
pub(crate) async fn create_for(stores: &TestStores, tenant: &TenantId, request: &PrivacyRequest, subject: &str) {
    let entry = AuditEntry::privacy_requested(request, None);
    let outcome = stores.privacy_requests.create(tenant, request, &customer(subject), entry).await.unwrap();
    assert_eq!(outcome, CreateOutcome::Created);
}

pub(crate) async fn create(stores: &TestStores, number: u128, kind: PrivacyRequestType) -> PrivacyRequest {
    let request = request(number, kind);
    create_for(stores, &acme(), &request, "ada").await;
    request
}

pub(crate) async fn found(stores: &TestStores, request: &PrivacyRequest) -> PrivacyRequest {
    stores.privacy_requests.find(&acme(), &request.id).await.unwrap().unwrap()
}

pub(crate) async fn complete(stores: &TestStores, request: &PrivacyRequest) -> Option<SignedReceipt> {
    let (at, signer) = (from_micros(90), signer());
    let draft = ReceiptDraft::for_request(&acme(), request, at, &[]).unwrap();
    let entry = AuditEntry::privacy_request_completed(request, at);
    stores.privacy_requests.complete(&acme(), &request.id, at, entry, Some((draft, &*signer))).await.unwrap();
    let file = stores.privacy_requests.receipt(&acme(), &request.id, None).await.unwrap();
    file.map(|file| SignedReceipt::parse(file.as_bytes()).unwrap())
}

/// Upserts the conversation with this number as one of a customer.
pub(crate) async fn upsert(stores: &TestStores, tenant: &TenantId, number: u128, subject: &str) -> UpsertOutcome {
    let new = conversation(number, &format!("call-{number}"));
    let participant = Participant { external_id: customer(subject), name: None };
    let upsert = parlance_domain::conversation::Upsert { customer: participant, ..upsert_for(&new) };
    stores.conversations.upsert(tenant, &upsert, from_micros(5), None).await.unwrap()
}

pub(crate) async fn stored(stores: &TestStores, number: u128, subject: &str) -> ConversationId {
    let UpsertOutcome::Stored(id) = upsert(stores, &acme(), number, subject).await else { panic!("not refused") };
    id
}

/// Adds a message to a conversation, and returns the reference to it.
async fn a_request_is_found_as_it_was_stored(stores: TestStores) {
    let access = create(&stores, 1, PrivacyRequestType::Access).await;
    let dry = PrivacyRequest { dry_run: true, ..request(2, PrivacyRequestType::Erasure) };
    create_for(&stores, &acme(), &dry, "ada").await;
    assert_eq!((found(&stores, &access).await, found(&stores, &dry).await), (access, dry));
}

async fn a_request_of_another_tenant_is_not_found(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let requests = &stores.privacy_requests;
    assert_eq!(requests.find(&globex(), &request.id).await.unwrap(), None);
    assert_eq!(requests.subject(&globex(), &request.id).await.unwrap(), None);
    assert!(complete(&stores, &request).await.is_some());
    assert_eq!(requests.receipt(&globex(), &request.id, None).await.unwrap(), None);
}

async fn open_requests_are_listed_oldest_first_and_only_while_they_are_open(stores: TestStores) {
    let newer = create(&stores, 3, PrivacyRequestType::Access).await;
    let completed = create(&stores, 2, PrivacyRequestType::Access).await;
    let older = request(1, PrivacyRequestType::Access);
    create_for(&stores, &globex(), &older, "ada").await;
    complete(&stores, &completed).await;
    let open = stores.privacy_requests.open(None).await.unwrap().requests;
    assert_eq!(open, [(globex(), older), (acme(), newer)]);
}

async fn requests_are_listed_by_identifier_in_both_directions(stores: TestStores) {
    let mut requests = Vec::new();
    for number in [3, 1, 2] {
        requests.push(create(&stores, number, PrivacyRequestType::Access).await);
    }
    requests.sort_by(|one, other| one.id.cmp(&other.id));
    create_for(&stores, &globex(), &request(4, PrivacyRequestType::Access), "ada").await;
    let (size, third) = (PageSize::new(2).unwrap(), requests[2].id.clone());
    let first = stores.privacy_requests.page(&acme(), None, size).await.unwrap();
    let second = stores.privacy_requests.page(&acme(), first.next.as_ref(), size).await.unwrap();
    let before = stores.privacy_requests.page(&acme(), second.previous.as_ref(), size).await.unwrap();
    let next = Some(PrivacyRequestCursor::From(third.clone()));
    assert_eq!(first, PrivacyRequestPage { entries: requests[..2].to_vec(), previous: None, next });
    let previous = Some(PrivacyRequestCursor::Before(third));
    assert_eq!(second, PrivacyRequestPage { entries: requests[2..].to_vec(), previous, next: None });
    assert_eq!(before, first);
}

async fn a_started_request_is_running(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Access).await;
    stores.privacy_requests.start(&acme(), &request.id).await.unwrap();
    assert_eq!(found(&stores, &request).await.status, PrivacyRequestStatus::Running);
}

async fn an_open_request_says_what_it_waits_for(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    for reason in WaitReason::ALL {
        stores.privacy_requests.set_waiting(&acme(), &request.id, reason).await.unwrap();
        assert_eq!(found(&stores, &request).await.waiting_for, Some(reason));
    }
    complete(&stores, &request).await;
    assert_eq!(found(&stores, &request).await.waiting_for, None);
    stores.privacy_requests.set_waiting(&acme(), &request.id, WaitReason::Hold).await.unwrap();
    assert_eq!(found(&stores, &request).await.waiting_for, None);
}

async fn the_subject_is_known_until_it_is_forgotten(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    assert_eq!(stores.privacy_requests.subject(&acme(), &request.id).await.unwrap(), Some(customer("ada")));
    stores.privacy_requests.forget_subject(&acme(), &request.id).await.unwrap();
    assert_eq!(stores.privacy_requests.subject(&acme(), &request.id).await.unwrap(), None);
}

async fn the_counts_of_a_request_that_reads_are_replaced(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Access).await;
    for conversations in [5, 2] {
        let counts = PrivacyCounts { conversations, messages: 3, messages_elsewhere: 4, feed_periods: 0 };
        stores.privacy_requests.set_counts(&acme(), &request.id, &counts).await.unwrap();
        assert_eq!(found(&stores, &request).await.counts, counts);
    }
}

fn feed_periods(feed_periods: u64) -> PrivacyCounts {
    PrivacyCounts { feed_periods, ..PrivacyCounts::default() }
}

async fn each_revision_of_a_period_of_a_feed_is_counted_once(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let ids = [request.id.clone()];
    for (revision, count) in [("day 1 revision 2", 1), ("day 2 revision 2", 2), ("day 2 revision 2", 2)] {
        stores.privacy_requests.add_feed_period(&acme(), &ids, revision).await.unwrap();
        assert_eq!(found(&stores, &request).await.counts, feed_periods(count));
    }
}

async fn a_period_counts_for_each_open_request_that_it_was_not_added_to_last(stores: TestStores) {
    let mut requests = Vec::new();
    for number in 1..=4 {
        requests.push(create(&stores, number, PrivacyRequestType::Erasure).await);
    }
    let ids: Vec<_> = requests.iter().map(|request| request.id.clone()).collect();
    let revision = "day 1 revision 2";
    stores.privacy_requests.add_feed_period(&acme(), &ids[..1], revision).await.unwrap();
    complete(&stores, &requests[2]).await;
    stores.privacy_requests.add_feed_period(&acme(), &ids[..3], revision).await.unwrap();
    for (request, count) in requests.iter().zip([1, 1, 0, 0]) {
        assert_eq!(found(&stores, request).await.counts, feed_periods(count), "{}", request.id);
    }
}

async fn a_request_is_completed_once(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    let first = complete(&stores, &request).await;
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap().len();
    assert_eq!(complete(&stores, &request).await, first);
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), records);
    let ended = found(&stores, &request).await;
    assert_eq!((ended.status, ended.ended_at), (PrivacyRequestStatus::Completed, Some(from_micros(90))));
}

async fn receipts_of_a_tenant_follow_each_other_and_name_their_audit_records(stores: TestStores) {
    let other = request(9, PrivacyRequestType::Erasure);
    create_for(&stores, &globex(), &other, "ada").await;
    let mut receipts = Vec::new();
    for number in 1..=3 {
        let request = create(&stores, number, PrivacyRequestType::Erasure).await;
        receipts.push(complete(&stores, &request).await.unwrap());
        let head = stores.audit.head(&acme()).await.unwrap().unwrap().head;
        assert_eq!(receipts.last().unwrap().receipt.audit, head);
    }
    assert_eq!(receipts[0].receipt.previous, ErasureReceipt::FIRST);
    assert!(receipts.windows(2).all(|pair| pair[1].check_follows(&pair[0]).is_ok()));
}

async fn a_customer_that_is_being_erased_refuses_upserts(stores: TestStores) {
    stored(&stores, 1, "ada").await;
    create(&stores, 1, PrivacyRequestType::Erasure).await;
    for number in [1, 2] {
        assert_eq!(upsert(&stores, &acme(), number, "ada").await, UpsertOutcome::Erased, "{number}");
    }
    assert!(matches!(upsert(&stores, &acme(), 3, "grace").await, UpsertOutcome::Stored(_)));
}

async fn a_stored_conversation_of_a_fenced_customer_does_not_change_hands(stores: TestStores) {
    stored(&stores, 1, "ada").await;
    create(&stores, 1, PrivacyRequestType::Erasure).await;
    assert_eq!(upsert(&stores, &acme(), 1, "grace").await, UpsertOutcome::Erased);
}

async fn only_requests_that_erase_refuse_upserts(stores: TestStores) {
    create(&stores, 1, PrivacyRequestType::Access).await;
    let dry = PrivacyRequest { dry_run: true, ..request(2, PrivacyRequestType::Erasure) };
    create_for(&stores, &acme(), &dry, "ada").await;
    assert!(matches!(upsert(&stores, &acme(), 1, "ada").await, UpsertOutcome::Stored(_)));
}

async fn upserts_of_another_tenant_are_not_refused(stores: TestStores) {
    create(&stores, 1, PrivacyRequestType::Erasure).await;
    assert!(matches!(upsert(&stores, &globex(), 1, "ada").await, UpsertOutcome::Stored(_)));
}

async fn upserts_are_accepted_once_the_subject_is_forgotten(stores: TestStores) {
    let fence = create(&stores, 1, PrivacyRequestType::Erasure).await;
    stores.privacy_requests.forget_subject(&acme(), &fence.id).await.unwrap();
    assert!(matches!(upsert(&stores, &acme(), 1, "ada").await, UpsertOutcome::Stored(_)));
}

pub(crate) async fn place_hold(stores: &TestStores, number: u128, subject: HoldSubject) -> HoldId {
    let reference = PrivacyReference::parse("Case 7").unwrap();
    let hold = Hold { id: HoldId::from_bits(number), subject, reference, created_at: from_micros(8) };
    let entry = AuditEntry::hold_released(&hold.id, None, from_micros(8));
    assert_eq!(stores.holds.place(&acme(), &hold, entry).await.unwrap(), HoldOutcome::Placed);
    hold.id
}

pub(crate) async fn release_hold(stores: &TestStores, id: &HoldId) {
    let entry = AuditEntry::hold_released(id, None, from_micros(8));
    assert!(stores.holds.release(&acme(), id, entry).await.unwrap());
}

async fn a_hold_outweighs_a_request_that_erases(stores: TestStores) {
    let own = stored(&stores, 1, "ada").await;
    for (number, subject) in [(1, HoldSubject::Customer(customer("ada"))), (2, HoldSubject::Conversation(own.clone()))]
    {
        let hold = place_hold(&stores, number, subject).await;
        let erasure = request(number, PrivacyRequestType::Erasure);
        let asked = AuditEntry::privacy_requested(&erasure, None);
        let outcome = stores.privacy_requests.create(&acme(), &erasure, &customer("ada"), asked).await.unwrap();
        assert_eq!(outcome, CreateOutcome::Held);
        create(&stores, number + 10, PrivacyRequestType::Access).await;
        release_hold(&stores, &hold).await;
    }
}
