//! The task that removes the bytes of what was deleted from the files of the database.

use std::{sync::Arc, time::Duration};

use parlance_domain::privacy::DeletedByteStore;
use tokio::time::{MissedTickBehavior, interval};

/// Time between two removals. Each reads the whole file, so the deletions of a minute share one.
const INTERVAL: Duration = Duration::from_mins(1);

/// Removes the bytes of what `DELETE` and retention have deleted. A privacy request removes those of its deletions itself. Never
/// returns.
pub(crate) async fn keep_removing(store: Arc<dyn DeletedByteStore>) {
    remove_every(INTERVAL, store).await;
}

async fn remove_every(time: Duration, store: Arc<dyn DeletedByteStore>) {
    let mut ticks = interval(time);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick is immediate.
    ticks.tick().await;
    loop {
        ticks.tick().await;
        if let Err(error) = store.remove_deleted_bytes().await {
            let cause = error.cause_chain();
            tracing::warn!(cause, "bytes of deleted content are still in the database; retrying every minute");
        }
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        error::{StoreError, StoreErrorKind},
        ports::MockDeletedByteStore,
    };
    use tokio::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn bytes_are_removed_again_and_again_also_after_a_failure() {
        let (sender, mut removals) = mpsc::unbounded_channel();
        let mut store = MockDeletedByteStore::new();
        store.expect_remove_deleted_bytes().returning(move || {
            sender.send(()).unwrap();
            Err(StoreError::new(StoreErrorKind::Unavailable, "away"))
        });
        let removed_twice = async {
            removals.recv().await.unwrap();
            removals.recv().await.unwrap();
        };
        tokio::select! {
            () = remove_every(Duration::from_millis(1), Arc::new(store)) => unreachable!("it never ends"),
            () = removed_twice => {}
        }
    }
}
