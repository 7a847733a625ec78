//! Where anchors are filed, and in which form: JSON Lines, in a file or an object.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use parlance_adapters_objects::SingleObject;
use parlance_domain::{
    access::TenantId,
    audit::{Anchor, Audit, Head},
    signing::{KeyFingerprint, Signature, hex, read_hex},
    time::Timestamp,
};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::tls;

/// Most bytes of a file of anchors.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A file or an object in a bucket.
#[derive(Debug, Clone)]
pub(super) enum Location {
    File(PathBuf),
    Object(SingleObject),
}

impl Location {
    /// What a path or an address names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file://") {
            return Ok(Self::File(path.into()));
        }
        if !text.contains("://") {
            return Ok(Self::File(text.into()));
        }
        tls::install_provider();
        SingleObject::open(text).map(Self::Object).map_err(|error| error.to_string())
    }

    /// Writes the anchors in place of what was there. A file gets its name once it is whole, and is its owner's only.
    pub(super) async fn write(&self, anchors: &[Anchor]) -> anyhow::Result<()> {
        let lines: Vec<_> = anchors.iter().map(|anchor| line(anchor).to_string()).collect();
        let text = format!("{}\n", lines.join("\n"));
        match self {
            Self::File(path) => {
                replace(path, text.as_bytes()).with_context(|| format!("{} cannot be written", path.display()))
            }
            Self::Object(object) => object.write(text.into_bytes()).await.context("the object cannot be written"),
        }
    }

    /// Reads anchors, and refuses any that the master key did not sign.
    pub(super) async fn read(&self, audit: &Audit) -> anyhow::Result<BTreeMap<TenantId, Vec<Head>>> {
        let anchors = parse(&self.content().await?)?;
        if let Some(place) = audit.forged_anchor(&anchors) {
            bail!("line {} is not signed by the key of master_key_file", place + 1);
        }
        if anchors.is_empty() {
            bail!("holds no anchor: it was cut off, or written when there was no record");
        }
        let mut filed: BTreeMap<TenantId, Vec<Head>> = BTreeMap::new();
        for anchor in anchors {
            filed.entry(anchor.tenant).or_default().push(anchor.head);
        }
        Ok(filed)
    }

    async fn content(&self) -> anyhow::Result<String> {
        let bytes = match self {
            Self::File(path) => {
                let size = fs::metadata(path).map(|found| found.len());
                let size = size.with_context(|| format!("{} cannot be read", path.display()))?;
                anyhow::ensure!(size <= MOST_BYTES, "{} has more than 64 MiB", path.display());
                fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?
            }
            Self::Object(object) => object.read().await?.ok_or_else(|| anyhow!("the object is not there"))?,
        };
        String::from_utf8(bytes).context("is not text")
    }
}

fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The mode of a temporary file is 0600.
    let mut unfinished = NamedTempFile::new_in(folder)?;
    unfinished.write_all(content)?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(path).map(|_| ()).map_err(|failed| failed.error)
}

fn line(anchor: &Anchor) -> Value {
    let Anchor { at, tenant, head, key, signature } = anchor;
    json!({
        "time": at.to_string(),
        "tenant": tenant.as_str(),
        "sequence": head.sequence,
        "hash": hex(&head.hash),
        "signature": signature.to_string(),
        "key": key.to_string(),
    })
}

fn parse(text: &str) -> anyhow::Result<Vec<Anchor>> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| anchor(line).ok_or_else(|| anyhow!("line {number} is not an anchor"))).collect()
}

fn anchor(line: &str) -> Option<Anchor> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| value.get(name)?.as_str();
    Some(Anchor {
        at: Timestamp::parse(text("time")?).ok()?,
        tenant: TenantId::parse(text("tenant")?).ok()?,
        head: Head { sequence: value.get("sequence")?.as_u64()?, hash: read_hex(text("hash")?)? },
        key: KeyFingerprint::parse(text("key")?)?,
        signature: Signature::parse(text("signature")?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{MasterKey, Purpose};

    fn sample() -> Anchor {
        let signer = MasterKey::from_bytes([7; 32]).signer(Purpose::AuditHeads).unwrap();
        let (at, tenant) = (Timestamp::from_micros(1_700_000_000_123_456).unwrap(), TenantId::parse("acme").unwrap());
        Anchor::new(at, tenant, Head { sequence: 3, hash: [9; 32] }, &signer)
    }

    #[test]
    fn an_anchor_is_read_as_it_is_written() {
        assert_eq!(parse(&format!("{}\n\n{}\n", line(&sample()), line(&sample()))).unwrap(), [sample(), sample()]);
    }

    #[test]
    fn a_line_that_is_no_anchor_is_named() {
        let error = parse(&format!("{}\n{{}}\n", line(&sample()))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not an anchor");
    }
}
