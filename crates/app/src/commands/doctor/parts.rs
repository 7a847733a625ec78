//! What the doctor finds of the parts beside the database, and of the addresses to listen on.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    path::Path,
    time::Duration,
};

use parlance_adapters_objects::ObjectFeeds;
use parlance_adapters_redis::{Redis, RedisProbe};
use parlance_domain::readiness::ReadinessProbe;
use rustix::fs::{Access, access};

use super::{
    Finding,
    Finding::{Bad, Doubtful, Good},
    files::look_at_secrecy,
};
use crate::{
    keys::{KeyPlace, check_key},
    service::Stores,
    settings::{DeliveryTarget, PrivateUrl, Settings},
    tls::{self, Certificate},
};

/// How long whoever listens at an address may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of its answer that are read.
const MOST_OF_AN_ANSWER: u64 = 64 * 1024;

pub(super) async fn look_at_redis(settings: &Settings) -> Finding {
    let Some(url) = &settings.redis_url else { return Good("none: each replica counts rates for itself".to_owned()) };
    let Ok(redis) = Redis::at(url.reveal()) else { return Bad("redis_url is not the address of a Redis".to_owned()) };
    match RedisProbe::new(redis).check().await {
        Ok(()) => Good("answers".to_owned()),
        Err(_) => Doubtful("does not answer: until it does, each replica counts rates for itself".to_owned()),
    }
}

/// The store of feeds, which the server can do without for a while.
pub(super) async fn look_at_feeds(settings: &Settings) -> Finding {
    look_at_store(&settings.feeds.url, "feeds_url").await
}

async fn look_at_store(address: &PrivateUrl, setting: &str) -> Finding {
    tls::install_provider();
    let store = match ObjectFeeds::open(address.reveal()) {
        Ok(store) => store,
        Err(error) => return Bad(format!("{setting} {error}")),
    };
    match store.check().await {
        Ok(()) => Good(format!("the store answers ({})", address.kind())),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            Doubtful(format!("the store does not answer ({cause}): check {setting} and the rights to it"))
        }
    }
}

/// Where vocabularies are delivered. They wait while it is out of reach.
pub(super) async fn look_at_delivery(settings: &Settings) -> Finding {
    match &settings.vocabulary_delivery {
        None => Good("none: vocabularies are not delivered".to_owned()),
        Some(DeliveryTarget::Bucket(address)) => look_at_store(address, "vocabulary_delivery_url").await,
        Some(DeliveryTarget::Directory(directory)) => look_at_directory(directory),
        Some(DeliveryTarget::Http { address, .. }) => match address.authority() {
            Some((host, port)) if connects((host.as_str(), port)) => Good(format!("{host}:{port} accepts connections")),
            Some((host, port)) => Doubtful(format!(
                "{host}:{port} accepts no connection: check vocabulary_delivery_url, and that its program runs"
            )),
            None => Bad("vocabulary_delivery_url names no host".to_owned()),
        },
    }
}

fn look_at_directory(directory: &Path) -> Finding {
    match access(directory, Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) if directory.is_dir() => Good(format!("{} can be written to", directory.display())),
        Ok(()) => Bad(format!("{} is no directory: make it, or change vocabulary_delivery_url", directory.display())),
        Err(error) => Bad(format!("{} cannot be written to: {error}: make it, or give the right", directory.display())),
    }
}

fn connects(address: impl ToSocketAddrs) -> bool {
    let mut addresses = address.to_socket_addrs().into_iter().flatten();
    addresses.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}

/// An address that a server is to listen on: free, or in use by a running one.
pub(super) fn look_at_address(address: Option<SocketAddr>) -> Finding {
    let Some(address) = address else { return Good("none".to_owned()) };
    match TcpListener::bind(address) {
        Ok(_) => Good(format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_parlance(address) => {
            Good(format!("{address} is in use by a running parlance"))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => Doubtful(format!(
            "{address} is in use, and no parlance answers there in the clear: stop that program, or choose another address"
        )),
        Err(error) => Bad(format!("{address} cannot be listened on: {error}: choose an address of this machine")),
    }
}

/// Whether whoever listens there answers as the interface or the listener of metrics does.
fn is_parlance(address: SocketAddr) -> bool {
    let ask = |path: &str| {
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.take(MOST_OF_AN_ANSWER).read_to_string(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    };
    let answers = |path, mark: &str| ask(path).is_ok_and(|answer| answer.contains(mark));
    answers("/health/live", r#"{"status":"live"}"#) || answers("/metrics", "parlance_build_info")
}

pub(super) fn look_at_tls(settings: &Settings) -> Finding {
    let Some(files) = &settings.tls else {
        return Good("off: a proxy must speak it where callers are elsewhere".to_owned());
    };
    if let Err(error) = Certificate::read(files) {
        return Bad(format!("{error:#}"));
    }
    look_at_secrecy("the key", &files.key)
}

pub(super) async fn look_at_master_key(settings: &Settings) -> Finding {
    let place = KeyPlace::of(settings);
    if let Ok(stores) = Stores::open(settings, false).await {
        let checked = check_key(&stores.audit, &place).await;
        // Nothing was written, so nothing depends on how it closes.
        let _ = stores.database.close().await;
        if let Err(error) = checked {
            return Bad(format!("{error:#}"));
        }
    }
    match place.find() {
        Ok(Some(_)) => Good("is there, and for its owner only".to_owned()),
        Ok(None) if place.may_be_made() => Doubtful("there is none yet: `parlance serve` makes it".to_owned()),
        Ok(None) => Doubtful("there is none: without master_key_file the audit log is not signed".to_owned()),
        Err(error) => Bad(format!("{error:#}")),
    }
}
