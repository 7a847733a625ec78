//! Contract of the store of the encrypted key of digests.

use parlance_adapters_sql::SqlDigestKey;
use support::database::TestDatabase;

sql_contract![a_key_is_there_after_it_was_stored_and_until_it_is_removed];

async fn a_key_is_there_after_it_was_stored_and_until_it_is_removed(test_db: &TestDatabase) {
    let keys = SqlDigestKey::new(test_db.open_migrated().await);
    assert_eq!(keys.find().await.unwrap(), None);
    for key in [None, Some(vec![1, 2]), Some(vec![0, 255]), None] {
        keys.replace(key.clone()).await.unwrap();
        assert_eq!(keys.find().await.unwrap(), key);
    }
}
