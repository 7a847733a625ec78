//! Hints between replicas that the change log has new entries, on PostgreSQL.

use std::time::Duration;

use parlance_adapters_http::ChangeHints;
use parlance_adapters_sql::ChangeNotifications;
use tokio::time::{sleep, timeout};

/// Shortest time between two hints to the other replicas. Writes that come meanwhile become one.
const MIN_INTERVAL: Duration = Duration::from_millis(20);

/// Time between two looks whether other replicas listen.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Time until a lost connection is opened again. Without hints, the hub reads the log four times a second.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// Tells the other replicas of writes of this process, and wakes the hub for theirs. Never returns.
pub(crate) async fn exchange_hints(notifications: ChangeNotifications, hints: ChangeHints) {
    tokio::join!(send(&notifications, &hints), listen(&notifications, &hints));
}

async fn send(notifications: &ChangeNotifications, hints: &ChangeHints) {
    loop {
        match notifications.has_other_listeners().await {
            Ok(true) => send_until_checked_again(notifications, hints).await,
            // A single replica spares itself the statements.
            Ok(false) => sleep(CHECK_INTERVAL).await,
            Err(error) => {
                tracing::debug!(cause = error.to_string(), "failed to look for other replicas");
                sleep(CHECK_INTERVAL).await;
            }
        }
    }
}

async fn send_until_checked_again(notifications: &ChangeNotifications, hints: &ChangeHints) {
    let sending = async {
        loop {
            hints.own_write().await;
            if let Err(error) = notifications.send().await {
                tracing::debug!(cause = error.to_string(), "failed to tell other replicas of a change");
            }
            sleep(MIN_INTERVAL).await;
        }
    };
    // The end of the interval may cut a hint off, which then costs the readers of other replicas 250 ms.
    let _ = timeout(CHECK_INTERVAL, sending).await;
}

async fn listen(notifications: &ChangeNotifications, hints: &ChangeHints) {
    loop {
        if let Err(error) = notifications.listen(|| hints.notify()).await {
            tracing::debug!(cause = error.to_string(), "failed to listen for changes of other replicas");
        }
        sleep(RECONNECT_AFTER).await;
    }
}
