//! Makes tests out of cases: a list of cases, written once, becomes one test of each case on each implementation.

/// Cases of a port: functions that take [`support::stores::Stores`].
macro_rules! contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(support::stores::Stores::in_memory()).await;
                }
            )+
        }

        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let home = support::database::TestDatabase::sqlite();
                    super::$case(support::stores::Stores::in_sql(&home.migrated().await)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(home) = support::database::TestDatabase::postgres() else { return };
                    super::$case(support::stores::Stores::in_sql(&home.migrated().await)).await;
                }
            )+
        }
    };
}

/// Cases of SQL only: functions that take a [`support::database::TestDatabase`] without any schema.
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
                    let Some(home) = support::database::TestDatabase::postgres() else { return };
                    super::$case(&home).await;
                }
            )+
        }
    };
}
