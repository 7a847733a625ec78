//! `parlance privacy verify`.

use std::{
    fmt::Write,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use parlance_domain::{
    privacy::{ErasureReceipt, InvalidReceipt, MAX_RECEIPT_BYTES, SignedReceipt},
    quoting::{EscapedText, QuotedText},
    signing::KeyFingerprint,
};

use crate::{commands::print, keys::Ed25519Verifier};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The receipt, as the service wrote it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The fingerprint of the key that must have signed the receipt: 64 hexadecimal digits
    #[arg(long, value_name = "FINGERPRINT", value_parser = parse_fingerprint)]
    key: Option<KeyFingerprint>,
    /// The receipt that must precede this one directly
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
}

fn parse_fingerprint(text: &str) -> Result<KeyFingerprint, &'static str> {
    KeyFingerprint::parse(text).ok_or("must be 64 hexadecimal digits")
}

/// Verifies one receipt and prints its content. The output says what is proved and what is not.
pub(super) fn run(Options { file, key, previous }: &Options) -> anyhow::Result<()> {
    let signed = read(file)?;
    if let Some(expected) = key.filter(|expected| *expected != signed.key) {
        let error = InvalidReceipt::OtherKey { found: signed.key, expected };
        return Err(error).with_context(|| file.display().to_string());
    }
    if let Some(path) = previous {
        let previous = read(path).context("--previous")?;
        signed.check_follows(&previous).with_context(|| file.display().to_string())?;
    }
    print(&report(&signed, key.is_some(), previous.is_some()))
}

/// Reads a receipt and verifies its signature with the public key in it.
fn read(path: &Path) -> anyhow::Result<SignedReceipt> {
    let name = || path.display().to_string();
    // One byte more than the maximum tells a file that is too large.
    let limit = MAX_RECEIPT_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("{} cannot be read", name()))?;
    file.take(limit).read_to_end(&mut bytes).with_context(|| format!("{} cannot be read", name()))?;
    let signed = SignedReceipt::parse(&bytes).with_context(name)?;
    signed.verify(&Ed25519Verifier(signed.public_key)).with_context(name)?;
    Ok(signed)
}

fn report(signed: &SignedReceipt, is_key_expected: bool, has_previous: bool) -> String {
    let SignedReceipt { receipt, key, .. } = signed;
    let ErasureReceipt { tenant, request, kind, reference, requested_at, completed_at, audit, .. } = receipt;
    let reference = QuotedText(reference.as_str());
    let mut text = format!(
        "genuine, signed by the key {key}\ntenant {tenant}, request {request}, {}, reference {reference}\nrequested at \
         {requested_at}, completed at {completed_at}\naudit log: {audit}\n",
        kind.as_str()
    );
    // Writing to a String cannot fail.
    for count in &receipt.counts {
        let _ = writeln!(text, "erased in {}: {}", count.place.as_str(), count.count);
    }
    for copy in &receipt.not_covered {
        let _ = writeln!(text, "not covered, {}: {}", copy.code.as_str(), EscapedText(copy.reason.as_str()));
    }
    if has_previous {
        text.push_str("follows the previous receipt directly\n");
    } else if receipt.previous == ErasureReceipt::FIRST {
        text.push_str("the first receipt of the tenant\n");
    } else {
        text.push_str("names a previous receipt, which is not checked without --previous\n");
    }
    if !is_key_expected {
        text.push_str(
            "This proves only that the file was not changed since that key signed it. Check whose key it is with --key\n",
        );
    }
    text
}
