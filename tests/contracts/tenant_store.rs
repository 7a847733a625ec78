//! Contract of tenant stores.

use parlance_domain::{redaction::CommitOutcome, vocabulary::Capacity};
use support::{
    fixtures::{acme, conversation, credential, email_switch, from_micros, globex, vocabulary_entry},
    stores::TestStores,
};

contract![
    a_tenant_without_any_data_does_not_exist,
    a_credential_creates_its_tenant,
    a_conversation_creates_its_tenant,
    a_vocabulary_entry_creates_its_tenant,
    a_switch_creates_its_tenant,
];

async fn assert_only_acme_exists(stores: &TestStores) {
    assert!(stores.tenants.exists(&acme()).await.unwrap());
    assert!(!stores.tenants.exists(&globex()).await.unwrap());
}

async fn a_tenant_without_any_data_does_not_exist(stores: TestStores) {
    assert!(!stores.tenants.exists(&acme()).await.unwrap());
    assert!(stores.credentials.list(Some(&acme())).await.unwrap().is_empty());
    assert!(!stores.tenants.exists(&acme()).await.unwrap());
}

async fn a_credential_creates_its_tenant(stores: TestStores) {
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert_only_acme_exists(&stores).await;
}

async fn a_conversation_creates_its_tenant(stores: TestStores) {
    stores.create_conversation(&acme(), &conversation(1, "call-1"), from_micros(5)).await;
    assert_only_acme_exists(&stores).await;
}

async fn a_vocabulary_entry_creates_its_tenant(stores: TestStores) {
    let entry = vocabulary_entry(1, "IEEE");
    assert!(stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    assert_only_acme_exists(&stores).await;
}

async fn a_switch_creates_its_tenant(stores: TestStores) {
    let outcome = stores.redaction.set(&acme(), &email_switch()).await.unwrap();
    assert_eq!(outcome, CommitOutcome::Committed);
    assert_only_acme_exists(&stores).await;
}
