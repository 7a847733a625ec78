//! What every store of tenants does.

use parlance_domain::{
    redaction::{Activity, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy},
    vocabulary::Capacity,
};
use support::{
    fixtures::{acme, at, conversation, credential, globex, vocabulary},
    stores::Stores,
};

contract![
    a_tenant_of_which_there_is_nothing_is_not_known,
    a_credential_makes_a_tenant,
    a_conversation_makes_a_tenant,
    a_vocabulary_entry_makes_a_tenant,
    a_switch_makes_a_tenant,
];

async fn assert_known(stores: &Stores) {
    assert!(stores.tenants.is_known(&acme()).await.unwrap());
    assert!(!stores.tenants.is_known(&globex()).await.unwrap());
}

async fn a_tenant_of_which_there_is_nothing_is_not_known(stores: Stores) {
    assert!(!stores.tenants.is_known(&acme()).await.unwrap());
    assert!(stores.credentials.list(Some(&acme())).await.unwrap().is_empty());
    assert!(!stores.tenants.is_known(&acme()).await.unwrap());
}

async fn a_credential_makes_a_tenant(stores: Stores) {
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert_known(&stores).await;
}

async fn a_conversation_makes_a_tenant(stores: Stores) {
    stores.create(&acme(), &conversation(1, "call-1"), at(5)).await;
    assert_known(&stores).await;
}

async fn a_vocabulary_entry_makes_a_tenant(stores: Stores) {
    let entry = vocabulary(1, "IEEE");
    assert!(stores.vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    assert_known(&stores).await;
}

async fn a_switch_makes_a_tenant(stores: Stores) {
    let (entity, from, to) = (Entity::EMAIL, Activity::Off, Activity::On);
    let record = SwitchRecord { id: SwitchId::from_bits(1), at: at(5), by: SwitchedBy::Embedder, entity, from, to };
    let thrown = stores.redaction.set(&acme(), &Switch { presumes: None, record }).await.unwrap();
    assert_eq!(thrown, Commit::Committed);
    assert_known(&stores).await;
}
