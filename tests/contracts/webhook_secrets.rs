//! Contract of the store of the encrypted secrets of webhooks.

use parlance_adapters_sql::{SqlWebhookSecrets, StoredWebhookSecrets};
use parlance_domain::webhook::{SealedSecret, Webhook, WebhookId};
use support::{
    database::TestDatabase,
    fixtures::{acme, globex},
    stores::TestStores,
    webhooks::{entry, insert, webhook},
};

sql_contract![
    the_secrets_of_all_tenants_are_listed_also_of_inactive_webhooks,
    secrets_are_replaced_only_if_the_stored_one_is_expected,
    a_change_that_was_read_before_the_replacement_does_not_bring_the_secret_back,
];

async fn the_secrets_of_all_tenants_are_listed_also_of_inactive_webhooks(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let inactive = Webhook { active: false, previous_secret: None, ..webhook(2) };
    for (tenant, webhook) in [(globex(), webhook(1)), (acme(), inactive), (acme(), webhook(3))] {
        insert(&stores, &tenant, &webhook).await;
    }
    assert!(stores.webhooks.remove(&acme(), &WebhookId::from_bits(3), entry(&webhook(3))).await.unwrap());
    let expected = |tenant, number, previous: Option<u8>| StoredWebhookSecrets {
        tenant,
        webhook: WebhookId::from_bits(number),
        secret: SealedSecret(vec![1, 2, 3]),
        previous: previous.map(|byte| SealedSecret(vec![byte])),
    };
    let all = SqlWebhookSecrets::new(database).all().await.unwrap();
    assert_eq!(all, [expected(acme(), 2, None), expected(globex(), 1, Some(4))]);
}

async fn secrets_are_replaced_only_if_the_stored_one_is_expected(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    insert(&stores, &acme(), &webhook(1)).await;
    let secrets = SqlWebhookSecrets::new(database);
    let before = secrets.all().await.unwrap().remove(0);
    for (previous, is_expected) in [(Some(SealedSecret(vec![6])), true), (None, false)] {
        assert_eq!(secrets.replace(&before, SealedSecret(vec![5]), previous).await.unwrap(), is_expected);
    }
    let webhook = stores.webhooks.find(&acme(), &WebhookId::from_bits(1)).await.unwrap().unwrap();
    assert_eq!((webhook.secret, webhook.previous_secret.unwrap().0), (SealedSecret(vec![5]), SealedSecret(vec![6])));
}

async fn a_change_that_was_read_before_the_replacement_does_not_bring_the_secret_back(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    insert(&stores, &acme(), &webhook(1)).await;
    let secrets = SqlWebhookSecrets::new(database);
    let first = secrets.all().await.unwrap().remove(0);
    assert!(secrets.replace(&first, SealedSecret(vec![5]), None).await.unwrap());
    let changed = Webhook { revision: 2, ..webhook(1) };
    assert!(!stores.webhooks.update(&acme(), &changed, entry(&changed)).await.unwrap());
}
