//! Contract of the store of webhooks.

use std::sync::Arc;

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permissions, SecretDigest},
    audit::AuditEntry,
    event::{EventType, EventTypes},
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{
        DeliveryQuery, Enqueue, SealedSecret, SwitchOffReason, Webhook, WebhookChange, WebhookId, WebhookInsertOutcome,
    },
};
use support::{
    fixtures::{acme, from_micros, globex},
    stores::TestStores,
    webhooks::{TERM, at, attempted, delivery, due, enqueue, entry, ids, insert, succeeded, webhook, with_deliveries},
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_stored_webhook_is_read_back,
    webhooks_are_listed_in_the_order_of_their_identifiers,
    another_tenant_does_not_see_a_webhook,
    a_tenant_has_at_most_the_maximum_of_webhooks,
    racing_inserts_do_not_exceed_the_maximum,
    a_change_needs_the_revision_before,
    a_change_leaves_the_cursor,
    each_change_has_an_audit_record,
    a_removed_webhook_is_gone_with_its_deliveries,
    an_earlier_term_changes_nothing,
    a_claim_refuses_earlier_terms,
    the_service_switches_a_webhook_off,
    a_revoked_credential_is_told,
];

async fn stored(stores: &TestStores, number: u128) -> Option<Webhook> {
    stores.webhooks.find(&acme(), &WebhookId::from_bits(number)).await.unwrap()
}

async fn a_stored_webhook_is_read_back(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    assert_eq!(stored(&stores, 1).await, Some(webhook(1)));
    assert_eq!(stored(&stores, 2).await, None);
}

async fn webhooks_are_listed_in_the_order_of_their_identifiers(stores: TestStores) {
    for number in [3, 1, 2] {
        insert(&stores, &acme(), &webhook(number)).await;
    }
    assert_eq!(stores.webhooks.list(&acme()).await.unwrap(), [1, 2, 3].map(webhook));
}

async fn another_tenant_does_not_see_a_webhook(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let (webhooks, id) = (&stores.webhooks, WebhookId::from_bits(1));
    assert_eq!(webhooks.find(&globex(), &id).await.unwrap(), None);
    assert_eq!(webhooks.list(&globex()).await.unwrap(), []);
    let query = DeliveryQuery { status: None, before: None, limit: 10 };
    assert_eq!(webhooks.deliveries(&globex(), &id, &query).await.unwrap(), []);
    assert_eq!(webhooks.due(&globex(), &id, Timestamp::MAX, 10).await.unwrap(), []);
    let changed = webhook(1).changed(WebhookChange::default(), None);
    assert!(!webhooks.update(&globex(), &changed, entry(&changed)).await.unwrap());
    assert!(!webhooks.replay(&globex(), &id, at(0), entry(&changed)).await.unwrap());
    assert!(!webhooks.put_delivery(&globex(), &delivery(1, 1), 1).await.unwrap());
    assert!(
        webhooks
            .record(TERM, &[attempted(globex(), &delivery(1, 1), succeeded(delivery(1, 1)))])
            .await
            .unwrap()
            .is_empty()
    );
    assert!(!webhooks.remove(&globex(), &id, entry(&changed)).await.unwrap());
    assert_eq!(due(&stores, 10).await, ids([1]));
}

async fn a_tenant_has_at_most_the_maximum_of_webhooks(stores: TestStores) {
    for number in 1..=2 {
        insert(&stores, &acme(), &webhook(number)).await;
    }
    let third = stores.webhooks.insert(&acme(), &webhook(3), 2, entry(&webhook(3))).await.unwrap();
    assert_eq!(third, WebhookInsertOutcome::Full);
    assert_eq!(stored(&stores, 3).await, None);
    insert(&stores, &globex(), &webhook(3)).await;
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), 2);
}

async fn racing_inserts_do_not_exceed_the_maximum(stores: TestStores) {
    let barrier = Arc::new(Barrier::new(8));
    let mut racers = JoinSet::new();
    for number in 1..=8 {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        racers.spawn(async move {
            barrier.wait().await;
            stores.webhooks.insert(&acme(), &webhook(number), 3, entry(&webhook(number))).await.unwrap()
        });
    }
    let outcomes = racers.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == WebhookInsertOutcome::Inserted).count(), 3);
    assert_eq!(stores.webhooks.list(&acme()).await.unwrap().len(), 3);
}

async fn a_change_needs_the_revision_before(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    let types: EventTypes = [EventType::ConversationErased].into_iter().collect();
    let change = WebhookChange { types: Some(types), active: Some(false), ..WebhookChange::default() };
    let changed = webhook(1).changed(change, Some(ApiId::new(acme(), 7)));
    assert!(stores.webhooks.update(&acme(), &changed, entry(&changed)).await.unwrap());
    assert_eq!(stored(&stores, 1).await, Some(changed.clone()));
    assert!(!stores.webhooks.update(&acme(), &changed, entry(&changed)).await.unwrap());
    let rotated = changed.rotated(SealedSecret(vec![8]), from_micros(1));
    assert!(stores.webhooks.update(&acme(), &rotated, entry(&rotated)).await.unwrap());
    assert_eq!(stored(&stores, 1).await, Some(rotated));
}

async fn a_change_leaves_the_cursor(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(4, 1)]).await;
    let changed = webhook(1).changed(WebhookChange::default(), None);
    assert!(stores.webhooks.update(&acme(), &changed, entry(&changed)).await.unwrap());
    assert_eq!(stored(&stores, 1).await.unwrap().cursor, at(4));
}

async fn each_change_has_an_audit_record(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    let changed = webhook(1).changed(WebhookChange::default(), None);
    let changed_entry = AuditEntry::webhook_changed(&changed, from_micros(10));
    assert!(stores.webhooks.update(&acme(), &changed, changed_entry.clone()).await.unwrap());
    assert!(!stores.webhooks.update(&acme(), &changed, changed_entry).await.unwrap());
    let removed = AuditEntry::webhook_removed(&changed.id, None, from_micros(11));
    assert!(stores.webhooks.remove(&acme(), &changed.id, removed).await.unwrap());
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    let actions: Vec<_> = records.iter().map(|record| record.entry.action.as_str()).collect();
    assert_eq!(actions, ["webhook.created", "webhook.changed", "webhook.removed"]);
}

async fn a_removed_webhook_is_gone_with_its_deliveries(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let id = WebhookId::from_bits(1);
    assert!(stores.webhooks.remove(&acme(), &id, entry(&webhook(1))).await.unwrap());
    assert!(!stores.webhooks.remove(&acme(), &id, entry(&webhook(1))).await.unwrap());
    assert_eq!(stored(&stores, 1).await, None);
    assert_eq!(stores.webhooks.due_webhooks(Timestamp::MAX).await.unwrap(), []);
    assert_eq!(stores.webhooks.active().await.unwrap(), []);
    stores.webhooks.drop_delivered(Timestamp::EPOCH, 10).await.unwrap();
    insert(&stores, &acme(), &webhook(1)).await;
    assert_eq!(due(&stores, 10).await, []);
}

async fn an_earlier_term_changes_nothing(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let (webhooks, earlier) = (&stores.webhooks, LeaseTerm(4));
    assert!(
        webhooks
            .record(earlier, &[attempted(acme(), &delivery(1, 1), succeeded(delivery(1, 1)))])
            .await
            .unwrap()
            .is_empty()
    );
    let next = Enqueue { expected_cursor: at(1), ..enqueue(vec![delivery(2, 1)]) };
    assert!(!webhooks.enqueue(earlier, &acme(), &next).await.unwrap());
    let off = webhook(1).off(SwitchOffReason::Failing);
    assert!(!webhooks.switch_off(earlier, &acme(), &off, entry(&off)).await.unwrap());
    assert_eq!(stored(&stores, 1).await.unwrap(), Webhook { cursor: at(1), ..webhook(1) });
    assert_eq!(due(&stores, 10).await, ids([1]));
    assert!(webhooks.enqueue(TERM, &acme(), &next).await.unwrap());
}

async fn a_claim_refuses_earlier_terms(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    stores.webhooks.claim(LeaseTerm(6)).await.unwrap();
    assert!(!stores.webhooks.enqueue(TERM, &acme(), &enqueue(vec![delivery(1, 1)])).await.unwrap());
    stores.webhooks.claim(TERM).await.unwrap();
    assert!(stores.webhooks.enqueue(LeaseTerm(6), &acme(), &enqueue(vec![delivery(1, 1)])).await.unwrap());
}

async fn the_service_switches_a_webhook_off(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    let off = webhook(1).off(SwitchOffReason::CursorLost);
    let entry = AuditEntry::webhook_switched_off(&off.id, SwitchOffReason::CursorLost, from_micros(3));
    assert!(stores.webhooks.switch_off(TERM, &acme(), &off, entry.clone()).await.unwrap());
    assert!(!stores.webhooks.switch_off(TERM, &acme(), &off, entry.clone()).await.unwrap());
    assert_eq!(stored(&stores, 1).await, Some(off));
    let records = stores.audit.records(&acme(), 1, 10).await.unwrap();
    assert_eq!(records.into_iter().map(|record| record.entry).collect::<Vec<_>>(), [entry]);
}

async fn a_revoked_credential_is_told(stores: TestStores) {
    let credential = Credential {
        id: ApiId::new(acme(), 7),
        name: CredentialName::parse("a").unwrap(),
        permissions: Permissions::all(),
        digest: SecretDigest::new([1; 32]),
        previous: None,
        created_at: from_micros(1),
        revoked_at: None,
    };
    stores.credentials.insert(&credential).await.unwrap();
    insert(&stores, &acme(), &Webhook { credential: Some(credential.id.clone()), ..webhook(1) }).await;
    insert(&stores, &acme(), &webhook(2)).await;
    let revoked = async || -> Vec<bool> {
        let active = stores.webhooks.active().await.unwrap();
        active.into_iter().map(|active| active.is_credential_revoked).collect()
    };
    assert_eq!(revoked().await, [false, false]);
    stores.credentials.revoke(&credential.id, from_micros(2)).await.unwrap();
    assert_eq!(revoked().await, [true, false]);
}
