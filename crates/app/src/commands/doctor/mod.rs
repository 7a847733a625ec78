//! `parlance doctor`: looks at everything that a server needs, and says what to do about what it lacks.

mod database;
mod files;
mod parts;

use std::fmt::Write;

use anyhow::bail;
use clap::Args;

use super::print;
use crate::settings::Settings;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also check the structure of every table and index, the references between rows, and decode rows of every table
    #[arg(long)]
    deep: bool,
}

/// What was found of one part.
enum Finding {
    Good(String),
    /// The server works, and should be looked after.
    Doubtful(String),
    /// The server does not work.
    Bad(String),
}

use Finding::{Bad, Doubtful, Good};

pub(crate) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let mut findings = vec![("settings", Good("each can be read".to_owned()))];
    findings.extend(database::look_at(settings, options.deep).await);
    findings.push(("redis", parts::look_at_redis(settings).await));
    findings.push(("feeds", parts::look_at_feeds(settings).await));
    findings.push(("delivery", parts::look_at_delivery(settings).await));
    findings.push(("listen", parts::look_at_address(Some(settings.listen))));
    findings.push(("metrics", parts::look_at_address(settings.metrics_listen)));
    findings.push(("tls", parts::look_at_tls(settings)));
    findings.push(("master key", parts::look_at_master_key(settings).await));
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
