//! Runs of privacy requests on every store: each step can be repeated.

use std::sync::Arc;

use parlance::keys::{KeyPurpose, KeyedDigester, MasterKey};
use parlance_domain::{
    access::{AuthorizedCaller, Caller, OperatePrivacy, Permission},
    conversation::{Conversation, Participant},
    error::StoreError,
    message::{Message, Role},
    privacy::{
        CreatePrivacyRequest, DueRequest, Erasures, IdentifierDigester, KnownUncoveredCopy, PrivacyReference,
        PrivacyRequest, PrivacyRequestRunner, PrivacyRequestStatus, PrivacyRequestType, PrivacyRequests,
        RemovalOutcome, RunProgress, WaitReason,
    },
    text::ExternalId,
    time::Clock,
};
use support::{
    fixtures::{CountingIds, FrozenClock, acme, conversation, from_micros, message},
    stores::TestStores,
};

use crate::{
    privacy_request_store::{create_for, request},
    scripted_feeds::ScriptedFeeds,
};

contract![
    a_request_waits_until_the_feeds_are_written,
    a_run_that_failed_says_what_it_waits_for_and_goes_on_where_it_was,
    messages_that_arrive_while_the_feeds_are_written_are_erased_too,
    a_completed_request_is_not_open,
    every_open_request_is_on_one_of_the_pages,
];

pub(crate) struct Setup {
    pub(crate) stores: TestStores,
    runner: PrivacyRequestRunner,
    pub(crate) request: PrivacyRequest,
}

impl Setup {
    /// Runs one request, after this number of failed runs directly before.
    pub(crate) async fn run(&self, request: &PrivacyRequest, failed_runs: u32) -> Result<RunProgress, StoreError> {
        let due = DueRequest { request: request.clone(), failed_runs };
        self.runner.run(&acme(), &[due]).await.remove(0)
    }
}

fn caller() -> AuthorizedCaller<OperatePrivacy> {
    Caller::new(acme(), [Permission::OperatePrivacy].into_iter().collect()).authorize().unwrap()
}

/// Stores with a conversation of two messages, and an open erasure of its customer.
async fn set_up(stores: TestStores, outcomes: Vec<Option<RemovalOutcome>>) -> Setup {
    set_up_with(stores, outcomes, None).await
}

async fn set_up_with(stores: TestStores, outcomes: Vec<Option<RemovalOutcome>>, arriving: Option<Message>) -> Setup {
    set_up_over(stores, Arc::new(KeyedDigester::new(&[3; 32])), (outcomes, arriving)).await
}

/// The outcomes of the removals from feeds, and a message that arrives during the first one.
type FeedScript = (Vec<Option<RemovalOutcome>>, Option<Message>);

pub(crate) async fn set_up_over(
    stores: TestStores,
    digester: Arc<dyn IdentifierDigester>,
    (outcomes, arriving): FeedScript,
) -> Setup {
    let created = conversation(1, "call-1");
    stores.create_conversation(&acme(), &created, from_micros(1)).await;
    for number in [1, 2] {
        let message = message(number, &created.id, from_micros(2));
        assert_eq!(message.sender.role, Role::Customer);
        let _ = stores.messages.append(&acme(), &message).await.unwrap();
    }
    let clock: Arc<dyn Clock> = Arc::new(FrozenClock(from_micros(50)));
    let erasures = Erasures::new(
        Arc::clone(&stores.erasures),
        Arc::clone(&stores.conversations),
        Arc::clone(&digester),
        Arc::clone(&clock),
    );
    let ports = || (Arc::clone(&stores.privacy_requests), Arc::clone(&stores.subjects));
    let arriving = arriving.map(|message| (Arc::clone(&stores.messages), message));
    let feeds = Arc::new(ScriptedFeeds::new(outcomes, arriving));
    let signer = Arc::new(MasterKey::from_bytes([7; 32]).signer(KeyPurpose::AuditHeads).unwrap());
    let not_covered = vec![KnownUncoveredCopy::CollectedCopies];
    let (store, subjects) = ports();
    let runner = PrivacyRequestRunner::new(
        (store, subjects, Arc::clone(&stores.deleted_bytes)),
        erasures,
        vec![feeds],
        (Some(signer as Arc<_>), not_covered),
        Arc::clone(&clock),
    );
    let ids = Arc::new(CountingIds::default());
    let archives = stores.archive_reader(&ids, from_micros(50));
    let requests = PrivacyRequests::new(ports(), archives, digester, ids, clock);
    let new = CreatePrivacyRequest {
        kind: PrivacyRequestType::Erasure,
        customer: ExternalId::parse(created.customer.external_id.as_str()).unwrap(),
        reference: PrivacyReference::parse("CHG-7").unwrap(),
        dry_run: false,
    };
    let request = requests.create(&caller(), new).await.unwrap();
    Setup { stores, runner, request }
}

async fn status(setup: &Setup) -> PrivacyRequestStatus {
    setup.stores.privacy_requests.find(&acme(), &setup.request.id).await.unwrap().unwrap().status
}

async fn a_request_waits_until_the_feeds_are_written(stores: TestStores) {
    let setup = set_up(stores, vec![Some(RemovalOutcome::Waiting), Some(RemovalOutcome::Done(3))]).await;
    assert_eq!(setup.run(&setup.request, 0).await.unwrap(), RunProgress::Waiting(WaitReason::Feeds));
    assert_eq!(status(&setup).await, PrivacyRequestStatus::Running);
    assert_eq!(setup.stores.privacy_requests.receipt(&acme(), &setup.request.id, None).await.unwrap(), None);
    assert_eq!(setup.run(&setup.request, 0).await.unwrap(), RunProgress::Completed);
    assert_eq!(status(&setup).await, PrivacyRequestStatus::Completed);
}

async fn a_run_that_failed_says_what_it_waits_for_and_goes_on_where_it_was(stores: TestStores) {
    let setup = set_up(stores, vec![None, Some(RemovalOutcome::Done(3))]).await;
    assert!(setup.run(&setup.request, 0).await.is_err());
    let failed = setup.stores.privacy_requests.find(&acme(), &setup.request.id).await.unwrap().unwrap();
    assert_eq!((failed.status, failed.waiting_for), (PrivacyRequestStatus::Running, Some(WaitReason::Feeds)));
    assert_eq!(setup.run(&setup.request, 0).await.unwrap(), RunProgress::Completed);
    let counts = setup.stores.privacy_requests.find(&acme(), &setup.request.id).await.unwrap().unwrap().counts;
    // One period was written before the failure, and the one that failed is counted once.
    assert_eq!((counts.conversations, counts.messages, counts.feed_periods), (1, 2, 4));
}

async fn messages_that_arrive_while_the_feeds_are_written_are_erased_too(stores: TestStores) {
    let customer = Participant { external_id: ExternalId::parse("grace").unwrap(), name: None };
    let others = Conversation { customer, ..conversation(2, "call-2") };
    stores.create_conversation(&acme(), &others, from_micros(1)).await;
    let arriving = message(3, &others.id, from_micros(3));
    let setup = set_up_with(stores, vec![Some(RemovalOutcome::Done(1))], Some(arriving.clone())).await;
    let progress = setup.run(&setup.request, 0).await.unwrap();
    assert_eq!(progress, RunProgress::Waiting(WaitReason::Messages));
    assert_eq!(setup.run(&setup.request, 0).await.unwrap(), RunProgress::Completed);
    let found = setup.stores.privacy_requests.find(&acme(), &setup.request.id).await.unwrap().unwrap();
    assert_eq!((found.counts.messages_elsewhere, found.counts.feed_periods, found.waiting_for), (1, 2, None));
    assert_eq!(setup.stores.subjects.count_messages(&acme(), &others.id).await.unwrap(), 0);
}

async fn a_completed_request_is_not_open(stores: TestStores) {
    let setup = set_up(stores, vec![Some(RemovalOutcome::NotKept)]).await;
    let open = setup.runner.open(None).await.unwrap().requests;
    assert_eq!(open.iter().map(|(_, request)| &request.id).collect::<Vec<_>>(), [&setup.request.id]);
    assert_eq!(setup.run(&setup.request, 0).await.unwrap(), RunProgress::Completed);
    assert_eq!(setup.runner.open(None).await.unwrap().requests, []);
}

async fn every_open_request_is_on_one_of_the_pages(stores: TestStores) {
    let mut expected = Vec::new();
    for number in 1..=201 {
        // Two requests at each time.
        let request = PrivacyRequest {
            requested_at: from_micros(number / 2),
            ..request(number.unsigned_abs().into(), PrivacyRequestType::Access)
        };
        create_for(&stores, &acme(), &request, "ada").await;
        expected.push(request.id);
    }
    let (mut found, mut pages, mut position) = (Vec::new(), 0, None);
    loop {
        let page = stores.privacy_requests.open(position.as_ref()).await.unwrap();
        found.extend(page.requests.into_iter().map(|(_, request)| request.id));
        pages += 1;
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    assert_eq!((found, pages), (expected, 3));
}
