//! The checks of Redis, the feed store, the delivery target, addresses, TLS and the master key.

use std::{
    io::ErrorKind,
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    path::Path,
};

use parlance_adapters_objects::ObjectFeeds;
use parlance_adapters_redis::{Redis, RedisProbe};
use parlance_domain::readiness::ReadinessProbe;
use rustix::fs::{Access, access};

use super::{
    check_result::{
        CheckResult,
        CheckResult::{Failed, Passed, Warning},
    },
    files::check_secrecy,
};
use crate::{
    commands::health::{self, request},
    keys::{KeyLocation, check_keys},
    settings::{DeliveryTarget, PrivateUrl, Settings},
    tls::{self, Certificate},
    wiring::Stores,
};

pub(super) async fn check_redis(settings: &Settings) -> CheckResult {
    let Some(url) = &settings.redis_url else { return Passed("none: each replica counts rates for itself".to_owned()) };
    let Ok(redis) = Redis::new(url.reveal()) else {
        return Failed("redis_url is not the address of a Redis".to_owned());
    };
    match RedisProbe::new(redis).check().await {
        Ok(()) => Passed("answers".to_owned()),
        Err(_) => Warning("does not answer: until it does, each replica counts rates for itself".to_owned()),
    }
}

/// Checks the feed store. The server works without it for a while.
pub(super) async fn check_feeds(settings: &Settings) -> CheckResult {
    check_store(&settings.feeds.url, "feeds_url").await
}

async fn check_store(address: &PrivateUrl, setting: &str) -> CheckResult {
    tls::install_provider();
    let store = match ObjectFeeds::open(address.reveal()) {
        Ok(store) => store,
        Err(error) => return Failed(format!("{setting} {error}")),
    };
    match store.check().await {
        Ok(()) => Passed(format!("the store answers ({})", address.scheme())),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            Warning(format!("the store does not answer ({cause}): check {setting} and the permissions"))
        }
    }
}

/// Checks the delivery target of vocabularies. While it is out of reach, vocabularies stay queued.
pub(super) async fn check_delivery(settings: &Settings) -> CheckResult {
    match &settings.vocabulary_delivery {
        None => Passed("none: vocabularies are not delivered".to_owned()),
        Some(DeliveryTarget::Bucket(address)) => check_store(address, "vocabulary_delivery_url").await,
        Some(DeliveryTarget::Directory(directory)) => check_directory(directory),
        Some(DeliveryTarget::Http { address, .. }) => match address.authority() {
            Some((host, port)) if accepts_connections((host.as_str(), port)) => {
                Passed(format!("{host}:{port} accepts connections"))
            }
            Some((host, port)) => Warning(format!(
                "{host}:{port} accepts no connection: check vocabulary_delivery_url and the program at that address"
            )),
            None => Failed("vocabulary_delivery_url names no host".to_owned()),
        },
    }
}

fn check_directory(directory: &Path) -> CheckResult {
    match access(directory, Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) if directory.is_dir() => Passed(format!("{} can be written to", directory.display())),
        Ok(()) => {
            Failed(format!("{} is not a directory: create it, or change vocabulary_delivery_url", directory.display()))
        }
        Err(error) => Failed(format!(
            "{} cannot be written to: {error}: create it, or correct its permissions",
            directory.display()
        )),
    }
}

fn accepts_connections(address: impl ToSocketAddrs) -> bool {
    let mut addresses = address.to_socket_addrs().into_iter().flatten();
    addresses.any(|address| TcpStream::connect_timeout(&address, health::TIMEOUT).is_ok())
}

/// Checks that an address to listen on is free, or in use by a running server.
pub(super) fn check_address(address: Option<SocketAddr>) -> CheckResult {
    let Some(address) = address else { return Passed("none".to_owned()) };
    match TcpListener::bind(address) {
        Ok(_) => Passed(format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_parlance(address) => {
            Passed(format!("{address} is in use by a running parlance"))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => Warning(format!(
            "{address} is in use, but no parlance answers without TLS: stop that program, or choose another address"
        )),
        Err(error) => Failed(format!("{address} cannot be listened on: {error}: choose an address of this machine")),
    }
}

/// Whether the program at this address answers like the interface or the metrics listener of Parlance.
fn is_parlance(address: SocketAddr) -> bool {
    let answers = |path, mark: &str| request(address, path).is_ok_and(|answer| answer.contains(mark));
    answers("/health/live", r#"{"status":"live"}"#) || answers("/metrics", "parlance_build_info")
}

pub(super) fn check_tls(settings: &Settings) -> CheckResult {
    let Some(files) = &settings.tls else {
        return Passed("off: callers on other machines need a proxy with TLS".to_owned());
    };
    if let Err(error) = Certificate::read(files) {
        return Failed(format!("{error:#}"));
    }
    check_secrecy("the key", &files.key)
}

pub(super) async fn check_master_key(settings: &Settings) -> CheckResult {
    let location = KeyLocation::from_settings(settings);
    if let Ok(stores) = Stores::open(settings, false).await {
        let result = check_keys(&stores.audit, &stores.database, &location).await;
        // Nothing was written, so a failure to close does not matter.
        let _ = stores.database.close().await;
        if let Err(error) = result {
            return Failed(format!("{error:#}"));
        }
    }
    match location.load() {
        Ok(Some(_)) => Passed("exists, with correct permissions".to_owned()),
        Ok(None) if location.can_create() => Warning("does not exist yet: `parlance serve` creates it".to_owned()),
        Ok(None) => Warning("none: without master_key_file the audit log is not signed".to_owned()),
        Err(error) => Failed(format!("{error:#}")),
    }
}
