//! `parlance doctor`: looks at everything that a server needs, and says what to do about what it lacks.

use std::{
    fmt::Write,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::bail;
use parlance_adapters_redis::{Redis, RedisProbe};
use parlance_adapters_sql::{Database, backup};
use parlance_domain::{readiness::ReadinessProbe, time::Clock};

use super::print;
use crate::{keys::KeyPlace, settings::Settings, system::SystemClock, tls::Certificate};

/// Least room on the disk of the embedded database, in mebibytes, below which the doctor warns.
const LEAST_ROOM: u64 = 512;

/// Most that the clocks of this machine and of the database may differ, in microseconds. What is trusted for a while is
/// trusted for 30 seconds, so a few do not matter.
const MOST_DRIFT: u64 = 5_000_000;

/// What was found of one part.
enum Finding {
    Good(String),
    /// The server works, and should be looked after.
    Doubtful(String),
    /// The server does not work.
    Bad(String),
}

use Finding::{Bad, Doubtful, Good};

pub(crate) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut findings = vec![("settings", Good("each can be read".to_owned()))];
    findings.extend(look_at_database(settings).await);
    findings.push(("redis", look_at_redis(settings).await));
    findings.push(("tls", look_at_tls(settings)));
    findings.push(("master key", look_at_master_key(settings)));
    let mut text = String::new();
    for (part, finding) in &findings {
        let (word, said) = match finding {
            Good(said) => ("ok  ", said),
            Doubtful(said) => ("warn", said),
            Bad(said) => ("FAIL", said),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{word}  {part}: {said}");
    }
    print(&text)?;
    let bad = findings.iter().filter(|(_, finding)| matches!(finding, Bad(_))).count();
    if bad > 0 {
        bail!("{bad} of {} parts would keep a server from working", findings.len());
    }
    Ok(())
}

async fn look_at_database(settings: &Settings) -> Vec<(&'static str, Finding)> {
    let file = backup::database_file(settings.database_url.reveal()).ok();
    if let Some(file) = file.as_ref().filter(|file| !file.exists()) {
        let said = format!("{} is not there yet: `parlance migrate` or `parlance serve` makes it", file.display());
        return vec![("database", Doubtful(said)), ("disk", look_at_disk(file))];
    }
    let database = match Database::open_existing(settings.database_url.reveal()).await {
        Ok(database) => database,
        Err(error) => return vec![("database", Bad(format!("{error}: check database_url, and that it runs")))],
    };
    let mut findings = vec![
        ("database", Good(format!("{} answers", settings.database_url.kind()))),
        ("schema", look_at_schema(&database).await),
        ("permissions", look_at_permissions(&database).await),
        ("clock", look_at_clock(&database).await),
    ];
    if let Some(file) = &file {
        findings.push(("files", look_at_secrecy("the database", file)));
        findings.push(("disk", look_at_disk(file)));
    }
    // Nothing was written, so nothing depends on how it closes.
    let _ = database.close().await;
    findings
}

async fn look_at_schema(database: &Database) -> Finding {
    match database.check_schema().await {
        Ok(()) => Good("is the one that this program needs".to_owned()),
        Err(error) => Bad(error.to_string()),
    }
}

async fn look_at_permissions(database: &Database) -> Finding {
    if let Err(error) = database.try_to_write().await {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        return Bad(format!("it cannot be written to ({cause}): check the rights to the file and its folder"));
    }
    match database.closed_tables().await {
        Ok(closed) if closed.is_empty() => Good("it can be written to".to_owned()),
        Ok(closed) => Bad(format!("the role may not read and add to {}: see docs/operating.md", closed.join(", "))),
        Err(error) => Bad(error.to_string()),
    }
}

async fn look_at_clock(database: &Database) -> Finding {
    let here = SystemClock.now();
    match database.own_time().await {
        Ok(None) => Good(format!("this machine says {here}")),
        Ok(Some(there)) if here.as_micros().abs_diff(there.as_micros()) > MOST_DRIFT => {
            Bad(format!("this machine says {here}, the database {there}: synchronise both, by NTP say"))
        }
        Ok(Some(_)) => Good("this machine and the database agree".to_owned()),
        Err(error) => Bad(error.to_string()),
    }
}

fn look_at_disk(file: &Path) -> Finding {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(disk) = rustix::fs::statvfs(folder) else {
        return Bad(format!(
            "{} is not there or cannot be entered: make it, for the database's file",
            folder.display()
        ));
    };
    let room = disk.f_bavail.saturating_mul(disk.f_frsize) >> 20;
    if room < LEAST_ROOM {
        return Doubtful(format!("{room} MiB are free: make room before it is full, for then writes are refused"));
    }
    Good(format!("{room} MiB are free"))
}

/// Whether everyone on the machine may read a file that is not for everyone.
fn look_at_secrecy(what: &str, file: &Path) -> Finding {
    match fs::metadata(file).map(|found| found.permissions().mode()) {
        Ok(mode) if mode & 0o004 != 0 => {
            Doubtful(format!("everyone on this machine may read {what}: chmod o-rwx {}", file.display()))
        }
        Ok(_) => Good(format!("{what} is not for everyone to read")),
        Err(error) => Bad(format!("{} cannot be read: {error}", file.display())),
    }
}

async fn look_at_redis(settings: &Settings) -> Finding {
    let Some(url) = &settings.redis_url else { return Good("none: each replica counts rates for itself".to_owned()) };
    let Ok(redis) = Redis::at(url.reveal()) else { return Bad("redis_url is not the address of a Redis".to_owned()) };
    match RedisProbe::new(redis).check().await {
        Ok(()) => Good("answers".to_owned()),
        Err(_) => Doubtful("does not answer: until it does, each replica counts rates for itself".to_owned()),
    }
}

fn look_at_tls(settings: &Settings) -> Finding {
    let Some(files) = &settings.tls else {
        return Good("off: a proxy must speak it where callers are elsewhere".to_owned());
    };
    if let Err(error) = Certificate::read(files) {
        return Bad(format!("{error:#}"));
    }
    let key: &PathBuf = &files.key;
    look_at_secrecy("the key", key)
}

fn look_at_master_key(settings: &Settings) -> Finding {
    let place = KeyPlace::of(settings);
    match place.find() {
        Ok(Some(_)) => Good("is there, and for its owner only".to_owned()),
        Ok(None) if place.may_be_made() => Doubtful("there is none yet: `parlance serve` makes it".to_owned()),
        Ok(None) => Doubtful("there is none: without master_key_file the audit log is not signed".to_owned()),
        Err(error) => Bad(format!("{error:#}")),
    }
}
