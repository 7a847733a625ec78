//! The tasks that a server runs beside its listener, and the order in which they stop.

use std::io;

use actix_web::rt::task::JoinHandle;
use anyhow::anyhow;
use tokio::sync::watch;

use crate::listener::ListenerHandle;

/// The running tasks.
pub(crate) struct BackgroundTasks {
    /// Never ends on its own.
    pub(crate) purge: JoinHandle<()>,
    /// Never ends on its own.
    pub(crate) scrub: Option<JoinHandle<()>>,
    /// Ends after `stop_delivery` has become true.
    pub(crate) delivery: Option<JoinHandle<()>>,
    pub(crate) stop_delivery: watch::Sender<bool>,
    /// The listeners of metrics and health checks.
    pub(crate) side_listeners: Vec<(ListenerHandle, JoinHandle<io::Result<()>>)>,
}

impl BackgroundTasks {
    /// Stops every task, also after a failure, and waits for running deliveries.
    ///
    /// # Errors
    /// The first failure.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        let purged = cancel(self.purge, "the task that deletes idempotency records failed").await;
        let scrubbed = match self.scrub {
            Some(scrub) => cancel(scrub, "the scrub task failed").await,
            None => Ok(()),
        };
        // Without a delivery task, nothing receives the signal.
        let _ = self.stop_delivery.send(true);
        let delivered = match self.delivery {
            Some(delivery) => join(delivery, "the task that delivers vocabularies failed").await,
            None => Ok(()),
        };
        let mut outcome = purged.and(scrubbed).and(delivered);
        for (handle, listener) in self.side_listeners {
            handle.stop(false).await;
            let served = join(listener, "the metrics or health listener failed").await;
            outcome = outcome.and(served.and_then(|served| Ok(served?)));
        }
        outcome
    }
}

/// Ends a task at its next await, and waits until it has ended.
async fn cancel(task: JoinHandle<()>, failure: &'static str) -> anyhow::Result<()> {
    task.abort();
    match task.await {
        Err(error) if error.is_panic() => Err(anyhow!(failure)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Waits for the end of a task. The error leaves out the message of a panic, because it may contain data of a request.
async fn join<T>(task: JoinHandle<T>, failure: &'static str) -> anyhow::Result<T> {
    task.await.map_err(|_| anyhow!(failure))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{
        future::pending,
        net::{TcpListener, TcpStream},
        sync::Arc,
        time::Duration,
    };

    use actix_web::{
        App,
        rt::{spawn, task::yield_now},
    };
    use parlance_adapters_http::{ConnectionLimits, ConnectionRegistry, GuardReplies};
    use tokio::sync::oneshot::{self, error::TryRecvError};

    use super::*;
    use crate::{
        listener::{Listener, ListenerOptions},
        system::{SystemClock, UlidSource},
    };

    /// Limits without timeouts, for one connection.
    pub(crate) fn single_connection_limits() -> ConnectionLimits {
        ConnectionLimits {
            head_timeout: Duration::ZERO,
            idle_timeout: Duration::ZERO,
            body_timeout: Duration::ZERO,
            write_timeout: Duration::ZERO,
            min_write_rate: 0,
            max_connections: 1,
            max_per_address: None,
            max_per_credential: 1,
        }
    }

    fn listener() -> Listener {
        let replies = GuardReplies::new(Arc::new(UlidSource::default()), Arc::new(SystemClock));
        let connections = ConnectionRegistry::new(single_connection_limits(), replies);
        let options = ListenerOptions { connections, workers: 1, shutdown_timeout: Duration::ZERO, tls: None };
        Listener::bind("health_listen", ([127, 0, 0, 1], 0).into(), options, App::new).unwrap()
    }

    /// Tasks that do nothing.
    pub(crate) fn idle_tasks() -> BackgroundTasks {
        BackgroundTasks {
            purge: spawn(pending()),
            scrub: None,
            delivery: None,
            stop_delivery: watch::channel(false).0,
            side_listeners: Vec::new(),
        }
    }

    async fn panicked() -> JoinHandle<()> {
        let task = spawn(async { panic!("not to be repeated") });
        while !task.is_finished() {
            yield_now().await;
        }
        task
    }

    #[actix_web::test]
    async fn every_task_is_stopped_although_others_fail() {
        let mut tasks = idle_tasks();
        tasks.purge = panicked().await;
        let (scrub, mut scrub_end) = oneshot::channel::<()>();
        tasks.scrub = Some(spawn(async move {
            let _scrub = scrub;
            pending::<()>().await;
        }));
        let (mut stop, (delivery, mut delivery_end)) = (tasks.stop_delivery.subscribe(), oneshot::channel());
        tasks.delivery = Some(spawn(async move {
            stop.wait_for(|stop| *stop).await.unwrap();
            delivery.send(()).unwrap();
        }));
        let (failed, running) = (listener(), listener());
        let address = running.address();
        tasks.side_listeners.push((failed.handle(), spawn(async { Err(io::Error::other("broken")) })));
        tasks.side_listeners.push((running.handle(), spawn(running.run())));
        drop(failed);
        assert!(TcpStream::connect(address).is_ok());

        let failure = tasks.stop().await.unwrap_err();
        assert_eq!(format!("{failure:#}"), "the task that deletes idempotency records failed");
        assert_eq!((scrub_end.try_recv(), delivery_end.try_recv()), (Err(TryRecvError::Closed), Ok(())));
        assert!(TcpListener::bind(address).is_ok());
    }

    #[actix_web::test]
    async fn stopping_returns_the_failure_of_any_task_and_succeeds_if_none_failed() {
        assert!(idle_tasks().stop().await.is_ok());
        let scrub = BackgroundTasks { scrub: Some(panicked().await), ..idle_tasks() };
        assert_eq!(scrub.stop().await.unwrap_err().to_string(), "the scrub task failed");
        let delivery = BackgroundTasks { delivery: Some(panicked().await), ..idle_tasks() };
        assert_eq!(delivery.stop().await.unwrap_err().to_string(), "the task that delivers vocabularies failed");
        let mut listeners = idle_tasks();
        listeners.side_listeners.push((listener().handle(), spawn(async { Err(io::Error::other("broken")) })));
        assert_eq!(listeners.stop().await.unwrap_err().to_string(), "broken");
    }
}
