//! Contract of stores of erasures of whole tenants: the removal of rows, and its counts.

use parlance_domain::{
    privacy::{ErasurePlace, TenantFenceOutcome, TenantRows},
    vocabulary::Capacity,
};
use support::{
    fixtures::{acme, email_switch, globex, vocabulary_entry},
    stores::TestStores,
    webhooks,
};

use crate::tenant_erasure_store::{begin, count_of, erasure, fill, remove_all, remove_rows};

contract![
    every_row_is_removed_in_steps_and_counted,
    an_erasure_counts_what_was_counted_before_it,
    an_emptied_vocabulary_is_due_for_delivery,
    the_rows_of_another_tenant_stay,
];

async fn every_row_is_removed_in_steps_and_counted(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    stores.tenant_erasures.add_count(&acme(), ErasurePlace::FeedFiles, 3).await.unwrap();
    assert_eq!(stores.tenant_erasures.count(&acme()).await.unwrap(), []);
    let counts = stores.tenant_erasures.erased_counts(&acme()).await.unwrap();
    let found = ["conversations", "messages", "credentials", "feed_files"].map(|place| count_of(&counts, place));
    assert_eq!(found, [1, 2, 1, 3]);
    assert!(stores.credentials.list(Some(&acme())).await.unwrap().is_empty());
}

async fn an_erasure_counts_what_was_counted_before_it(stores: TestStores) {
    fill(&stores, &acme()).await;
    assert!(stores.redaction.set(&acme(), &email_switch()).await.is_ok());
    let entry = vocabulary_entry(1, "IEEE");
    assert!(stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    webhooks::insert(&stores, &acme(), &webhooks::webhook(1)).await;
    let before = stores.tenant_erasures.count(&acme()).await.unwrap();
    let places = ErasurePlace::ALL.map(ErasurePlace::as_str);
    assert!(before.iter().all(|count| places.contains(&count.place.as_str())), "{before:?}");
    assert_eq!(["vocabulary_entries", "redaction_flags", "redaction_switches"].map(|it| count_of(&before, it)), [1; 3]);
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    assert_eq!(stores.tenant_erasures.erased_counts(&acme()).await.unwrap(), before);
}

async fn an_emptied_vocabulary_is_due_for_delivery(stores: TestStores) {
    let entry = vocabulary_entry(1, "IEEE");
    assert!(stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_rows(&stores, TenantRows::Content).await;
    let snapshot = stores.deliveries.snapshot(&acme()).await.unwrap();
    assert!(snapshot.entries.is_empty() && snapshot.version == 2, "{snapshot:?}");
    assert!(stores.deliveries.progress(&acme()).await.unwrap().pending_since.is_some());
    remove_all(&stores).await;
    assert_eq!(stores.deliveries.snapshot(&acme()).await.unwrap().version, 0);
}

async fn the_rows_of_another_tenant_stay(stores: TestStores) {
    fill(&stores, &acme()).await;
    fill(&stores, &globex()).await;
    let before = stores.tenant_erasures.count(&globex()).await.unwrap();
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    assert_eq!(stores.tenant_erasures.count(&globex()).await.unwrap(), before);
    assert_eq!(stores.tenant_erasures.erased_counts(&globex()).await.unwrap(), []);
}
