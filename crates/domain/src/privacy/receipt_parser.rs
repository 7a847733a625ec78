//! Parses a receipt from its canonical JSON.

use std::collections::BTreeSet;

use super::{
    IdentifierDigest,
    receipt::{
        AuditPosition, ErasureKind, ErasureReceipt, ErasureReference, PlaceCount, PrivacyRequestId, ReceiptWord,
        UncoveredCopy, UncoveredReason,
    },
    receipt_error::InvalidReceipt,
    receipt_reader::CanonicalReader,
};
use crate::{access::TenantId, time::Timestamp};

type Read<Value> = Result<Value, InvalidReceipt>;

const AUDIT: &[&str] = &["hash", "sequence"];
const COUNT: &[&str] = &["count", "place"];
const UNCOVERED: &[&str] = &["code", "reason"];

/// Reads a receipt.
pub(super) fn read_receipt(reader: &mut CanonicalReader<'_>) -> Read<ErasureReceipt> {
    let mut fields = Fields { reader, next: 0 };
    let audit = read_audit(fields.next()?)?;
    let completed_at = read_time(fields.next()?, "completed_at")?;
    let counts = read_counts(fields.next()?)?;
    let kind = read_text(fields.next()?, "kind", "must be conversation, customer, retention or tenant", |text| {
        ErasureKind::parse(text)
    })?;
    let not_covered = read_uncovered(fields.next()?)?;
    let previous = fields.next()?.hex("previous")?;
    let reference =
        read_text(fields.next()?, "reference", "must have at most 256 characters, none a control", |text| {
            ErasureReference::parse(text).ok()
        })?;
    let request = read_text(fields.next()?, "request", "must be upper-case letters and digits", |text| {
        PrivacyRequestId::parse(text).ok()
    })?;
    let requested_at = read_time(fields.next()?, "requested_at")?;
    let subject = read_subject(fields.next()?, kind)?;
    let tenant =
        read_text(fields.next()?, "tenant", "must be the name of a tenant", |text| TenantId::parse(text).ok())?;
    let reader = fields.next()?;
    if reader.number("version")? != ErasureReceipt::VERSION {
        return reader.invalid("version", "must be 1: another version needs another verifier");
    }
    reader.end(ErasureReceipt::FIELDS)?;
    Ok(ErasureReceipt {
        tenant,
        request,
        kind,
        subject,
        reference,
        requested_at,
        completed_at,
        counts,
        not_covered,
        audit,
        previous,
    })
}

/// The fields of a receipt in their order.
struct Fields<'reader, 'text> {
    reader: &'reader mut CanonicalReader<'text>,
    next: usize,
}

impl<'text> Fields<'_, 'text> {
    /// Reads up to the value of the next field.
    fn next(&mut self) -> Read<&mut CanonicalReader<'text>> {
        self.reader.field(ErasureReceipt::FIELDS, self.next)?;
        self.next += 1;
        Ok(self.reader)
    }
}

fn read_text<Value>(
    reader: &mut CanonicalReader<'_>,
    field: &'static str,
    rule: &'static str,
    parse: impl Fn(&str) -> Option<Value>,
) -> Read<Value> {
    let text = reader.string()?;
    parse(&text).map_or_else(|| reader.invalid(field, rule), Ok)
}

fn read_time(reader: &mut CanonicalReader<'_>, field: &'static str) -> Read<Timestamp> {
    // Other texts of the same time, such as those of another zone, are not canonical. Common libraries, such as that of the other
    // verifier, know no year 0000.
    read_text(reader, field, "must be a time in UTC, such as 2026-11-21T08:00:00.000Z", |text| {
        Timestamp::parse(text).ok().filter(|time| time.to_string() == text && !text.starts_with("0000-"))
    })
}

fn read_audit(reader: &mut CanonicalReader<'_>) -> Read<AuditPosition> {
    reader.field(AUDIT, 0)?;
    let hash = reader.hex("hash")?;
    reader.field(AUDIT, 1)?;
    let sequence = reader.number("sequence")?;
    reader.end(AUDIT)?;
    Ok(AuditPosition { sequence, hash })
}

fn read_word(reader: &mut CanonicalReader<'_>, field: &'static str) -> Read<ReceiptWord> {
    let rule = "must be 1 to 40 lower-case letters, digits and underscores, a letter first";
    read_text(reader, field, rule, |text| ReceiptWord::parse(text).ok())
}

fn read_counts(reader: &mut CanonicalReader<'_>) -> Read<Vec<PlaceCount>> {
    let counts = reader.list("counts", |reader| {
        reader.field(COUNT, 0)?;
        let count = reader.number("count")?;
        reader.field(COUNT, 1)?;
        let place = read_word(reader, "place")?;
        reader.end(COUNT)?;
        Ok(PlaceCount { place, count })
    })?;
    let places: BTreeSet<_> = counts.iter().map(|entry| &entry.place).collect();
    if places.len() == counts.len() { Ok(counts) } else { reader.invalid("counts", "must name each place once") }
}

fn read_uncovered(reader: &mut CanonicalReader<'_>) -> Read<Vec<UncoveredCopy>> {
    let entries = reader.list("not_covered", |reader| {
        reader.field(UNCOVERED, 0)?;
        let code = read_word(reader, "code")?;
        reader.field(UNCOVERED, 1)?;
        let reason = read_text(reader, "reason", "must have 1 to 400 characters, none a control", |text| {
            UncoveredReason::parse(text).ok()
        })?;
        reader.end(UNCOVERED)?;
        Ok(UncoveredCopy { code, reason })
    })?;
    let codes: BTreeSet<_> = entries.iter().map(|entry| &entry.code).collect();
    if codes.len() == entries.len() { Ok(entries) } else { reader.invalid("not_covered", "must name each code once") }
}

fn read_subject(reader: &mut CanonicalReader<'_>, kind: ErasureKind) -> Read<Option<IdentifierDigest>> {
    let subject = if reader.skip("null") { None } else { Some(IdentifierDigest(reader.hex("subject")?)) };
    match (subject, kind.has_subject()) {
        (None, true) => reader.invalid("subject", "must be a digest in a receipt of a conversation or a customer"),
        (Some(_), false) => reader.invalid("subject", "must be null in a receipt of a retention rule or a tenant"),
        _ => Ok(subject),
    }
}
