//! Storage of anchors as JSON Lines, in a file or an object of a bucket.

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
    audit::{Anchor, Audit, ChainHead},
    hex,
    signing::{KeyFingerprint, Signature},
    time::Timestamp,
};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::tls;

/// Maximum size of a file of anchors in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The location of anchors: a file, or an object in a bucket.
#[derive(Debug, Clone)]
pub(super) enum AnchorLocation {
    File(PathBuf),
    Object(SingleObject),
}

impl AnchorLocation {
    /// Parses a path or an address.
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

    /// Writes the anchors and replaces earlier ones. A file gets its name only when it is complete, and only its owner
    /// may access it.
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

    /// Reads anchors. Fails if the master key did not sign one of them.
    pub(super) async fn read(&self, audit: &Audit) -> anyhow::Result<BTreeMap<TenantId, Vec<ChainHead>>> {
        let anchors = parse(&self.content().await?)?;
        if let Some(index) = audit.forged_anchor(&anchors) {
            bail!("line {} is not signed by the key of master_key_file", index + 1);
        }
        if anchors.is_empty() {
            bail!("contains no anchor: the file is truncated, or was written before the first record");
        }
        let mut heads: BTreeMap<TenantId, Vec<ChainHead>> = BTreeMap::new();
        for anchor in anchors {
            heads.entry(anchor.tenant).or_default().push(anchor.head);
        }
        Ok(heads)
    }

    async fn content(&self) -> anyhow::Result<String> {
        let bytes = match self {
            Self::File(path) => {
                let size = fs::metadata(path).map(|metadata| metadata.len());
                let size = size.with_context(|| format!("{} cannot be read", path.display()))?;
                anyhow::ensure!(size <= MAX_BYTES, "{} has more than 64 MiB", path.display());
                fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?
            }
            Self::Object(object) => object.read().await?.ok_or_else(|| anyhow!("the object does not exist"))?,
        };
        String::from_utf8(bytes).context("is not UTF-8 text")
    }
}

fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The mode of a temporary file is 0600.
    let mut temporary_file = NamedTempFile::new_in(directory)?;
    temporary_file.write_all(content)?;
    temporary_file.as_file().sync_all()?;
    temporary_file.persist(path).map(|_| ()).map_err(|error| error.error)
}

fn line(anchor: &Anchor) -> Value {
    let Anchor { at, tenant, head, key, signature } = anchor;
    json!({
        "time": at.to_string(),
        "tenant": tenant.as_str(),
        "sequence": head.sequence,
        "hash": hex::encode(&head.hash),
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
        head: ChainHead { sequence: value.get("sequence")?.as_u64()?, hash: hex::decode(text("hash")?)? },
        key: KeyFingerprint::parse(text("key")?)?,
        signature: Signature::parse(text("signature")?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{KeyPurpose, MasterKey};

    fn sample() -> Anchor {
        let signer = MasterKey::from_bytes([7; 32]).signer(KeyPurpose::AuditHeads).unwrap();
        let (at, tenant) = (Timestamp::from_micros(1_700_000_000_123_456).unwrap(), TenantId::parse("acme").unwrap());
        Anchor::new(at, tenant, ChainHead { sequence: 3, hash: [9; 32] }, &signer)
    }

    #[test]
    fn an_anchor_is_read_as_it_was_written() {
        assert_eq!(parse(&format!("{}\n\n{}\n", line(&sample()), line(&sample()))).unwrap(), [sample(), sample()]);
    }

    #[test]
    fn an_invalid_line_is_reported_by_number() {
        let error = parse(&format!("{}\n{{}}\n", line(&sample()))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not an anchor");
    }
}
