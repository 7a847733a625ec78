//! `parlance health`.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use clap::Args;
use tokio::time::sleep;

use super::print;
use crate::settings::Settings;

/// Timeout for a connection to an address, and for each part of an answer.
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// Time between two questions of `--wait`.
const INTERVAL: Duration = Duration::from_millis(100);

/// Maximum number of bytes that are read of an answer.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only ask whether the process answers, whatever the state of its database
    #[arg(long)]
    live: bool,
    /// Ask until the server is ready, for at most this long
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=3600))]
    wait: u64,
}

/// Asks the server at `health_listen`, or else at `listen`, whether it is ready or live.
///
/// # Errors
/// The server does not answer, or not with 200; or the settings name no address that can be asked.
pub(crate) async fn run(Options { live, wait }: &Options, settings: &Settings) -> anyhow::Result<()> {
    let target = health_address(settings)?;
    let word = if *live { "live" } else { "ready" };
    let deadline = Instant::now() + Duration::from_secs(*wait);
    loop {
        match check(target, word) {
            Ok(()) => return print(&format!("{word}\n")),
            Err(error) if Instant::now() >= deadline => return Err(error),
            Err(_) => sleep(INTERVAL).await,
        }
    }
}

fn check((setting, address): (&str, SocketAddr), word: &str) -> anyhow::Result<()> {
    let answer = request(address, &format!("/health/{word}"));
    let answer = answer.with_context(|| format!("{setting}: no server answers at {address}"))?;
    match answer.split_whitespace().nth(1) {
        Some("200") => Ok(()),
        Some("503") => bail!("{setting}: the server at {address} is not {word}: its log has the cause"),
        _ => bail!("{setting}: the program at {address} is not parlance: correct {setting}"),
    }
}

/// Returns the setting that names the address, and the address at which this machine reaches it.
fn health_address(settings: &Settings) -> anyhow::Result<(&'static str, SocketAddr)> {
    let (setting, address) = match settings.health_listen {
        Some(address) => ("health_listen", address),
        None if settings.tls.is_some() => bail!("health_listen: is not set, and `listen` needs TLS: set health_listen"),
        None => ("listen", settings.listen),
    };
    if address.port() == 0 {
        bail!("{setting}: port 0 is another port at each start: set a port");
    }
    Ok((setting, SocketAddr::new(reachable(address.ip()), address.port())))
}

/// Replaces the address that stands for every address of the machine by the loopback address.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V4(_) | IpAddr::V6(_) => address,
    }
}

/// Sends a GET request without TLS and returns the whole answer, with its head.
///
/// # Errors
/// No connection or no answer within the timeout, or an answer that is not UTF-8.
pub(super) fn request(address: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER_BYTES).read_to_string(&mut answer)?;
    Ok(answer)
}
