//! Macros that turn a list of cases into one test for each case on each implementation.

/// Defines the tests of a port. Each case is a function that takes [`support::stores::TestStores`].
macro_rules! contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(support::stores::TestStores::in_memory()).await;
                }
            )+
        }

        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let test_db = support::database::TestDatabase::sqlite();
                    super::$case(support::stores::TestStores::in_sql(&test_db.open_migrated().await)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(test_db) = support::database::TestDatabase::postgres() else { return };
                    super::$case(support::stores::TestStores::in_sql(&test_db.open_migrated().await)).await;
                }
            )+
        }
    };
}

/// Defines tests of the SQL databases. Each case is a function that takes a [`support::database::TestDatabase`] without
/// a schema.
macro_rules! sql_contract {
    ($($case:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(&support::database::TestDatabase::sqlite()).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(test_db) = support::database::TestDatabase::postgres() else { return };
                    super::$case(&test_db).await;
                }
            )+
        }
    };
}
