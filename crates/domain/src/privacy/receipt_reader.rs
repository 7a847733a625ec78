//! Reads canonical JSON. Every text but the canonical one is refused, so two readers cannot see two contents.

use super::{
    receipt::ErasureReceipt,
    receipt_error::{InvalidReceipt, ReceiptPosition},
};
use crate::{hex, json_text::write_string};

type Read<Value> = Result<Value, InvalidReceipt>;

/// A reader with its position.
pub(super) struct CanonicalReader<'text> {
    text: &'text str,
    at: ReceiptPosition,
}

impl<'text> CanonicalReader<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'text str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads these characters if they are next.
    pub(super) fn skip(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        self.at += if found { expected.len() } else { 0 };
        found
    }

    /// The error that something else is next.
    pub(super) fn expected<Value>(&self, expected: &'static str) -> Read<Value> {
        if self.rest().starts_with([' ', '\t', '\n', '\r']) {
            return Err(InvalidReceipt::WhiteSpace(self.at));
        }
        Err(InvalidReceipt::Expected { at: self.at, expected })
    }

    /// The error that the value before the position breaks this rule.
    pub(super) fn invalid<Value>(&self, field: &'static str, rule: &'static str) -> Read<Value> {
        Err(InvalidReceipt::Value { at: self.at, field, rule })
    }

    /// Reads up to the value of the field with this index, and the bracket or the comma before it.
    pub(super) fn field(&mut self, fields: &'static [&'static str], index: usize) -> Read<()> {
        let name = fields.get(index).copied().unwrap_or_default();
        if index == 0 && !self.skip("{") {
            return self.expected("`{`");
        }
        if index > 0 && !self.skip(",") {
            let is_end = self.rest().starts_with('}');
            return if is_end { Err(InvalidReceipt::MissingField(self.at, name)) } else { self.expected("`,`") };
        }
        if self.skip(&format!("\"{name}\":")) {
            return Ok(());
        }
        self.wrong_field(fields, index, name)
    }

    /// Reads the end of an object.
    pub(super) fn end(&mut self, fields: &'static [&'static str]) -> Read<()> {
        if self.skip("}") {
            return Ok(());
        }
        if self.skip(",") {
            return self.wrong_field(fields, fields.len(), "");
        }
        self.expected("`}`")
    }

    /// The error of a field that stands where the field with this index should.
    fn wrong_field<Value>(&mut self, fields: &'static [&'static str], index: usize, name: &'static str) -> Read<Value> {
        let start = self.at;
        let found = if self.rest().starts_with('"') { self.string()? } else { return self.expected("a field") };
        match fields.iter().enumerate().find(|(_, field)| **field == found) {
            None => Err(InvalidReceipt::UnknownField(start)),
            Some((position, field)) if position < index => Err(InvalidReceipt::RepeatedField(start, field)),
            Some((position, _)) if position == index => self.expected("`:`"),
            Some(_) => Err(InvalidReceipt::MissingField(start, name)),
        }
    }

    /// Reads a text. Only quotation marks and backslashes are escaped: no text of a receipt has control characters.
    pub(super) fn string(&mut self) -> Read<String> {
        let start = self.at;
        if !self.skip("\"") {
            return self.expected("a text");
        }
        let mut text = String::new();
        loop {
            let mut characters = self.rest().chars();
            let Some(character) = characters.next() else { return self.expected("the end of a text") };
            self.at += character.len_utf8();
            match (character, characters.next()) {
                ('"', _) => break,
                ('\\', Some(escaped @ ('"' | '\\'))) => {
                    self.at += 1;
                    text.push(escaped);
                }
                ('\\', _) => return Err(InvalidReceipt::Escape(self.at - 1)),
                _ => text.push(character),
            }
        }
        let mut canonical = Vec::new();
        write_string(&text, &mut canonical);
        let is_canonical = self.text.as_bytes().get(start..self.at) == Some(&canonical[..]);
        if is_canonical { Ok(text) } else { Err(InvalidReceipt::Escape(start)) }
    }

    /// Reads bytes as lower-case hexadecimal digits.
    pub(super) fn hex<const BYTES: usize>(&mut self, field: &'static str) -> Read<[u8; BYTES]> {
        let text = self.string()?;
        let bytes = hex::decode(&text).filter(|_| hex::is_lower_hex(&text));
        let rule = match BYTES {
            64 => "must be 128 lower-case hexadecimal digits",
            _ => "must be 64 lower-case hexadecimal digits",
        };
        bytes.map_or_else(|| self.invalid(field, rule), Ok)
    }

    /// Reads a whole number up to 2^53 - 1 without leading zeros.
    pub(super) fn number(&mut self, field: &'static str) -> Read<u64> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = self.rest().get(..digits).unwrap_or_default();
        if text.is_empty() {
            return self.expected("a whole number without a sign");
        }
        self.at += digits;
        if self.rest().starts_with(['.', 'e', 'E']) {
            return self.invalid(field, "must be a whole number without a fraction and an exponent");
        }
        let is_canonical = text == "0" || !text.starts_with('0');
        let number = text.parse().ok().filter(|number| is_canonical && *number <= ErasureReceipt::MAX_NUMBER);
        number.map_or_else(|| self.invalid(field, "must be from 0 to 9007199254740991, without leading zeros"), Ok)
    }

    /// Reads a list of at most [`MAX_ENTRIES`](ErasureReceipt::MAX_ENTRIES) entries.
    pub(super) fn list<Entry>(
        &mut self,
        field: &'static str,
        read: impl Fn(&mut Self) -> Read<Entry>,
    ) -> Read<Vec<Entry>> {
        let mut entries = Vec::new();
        if !self.skip("[") {
            return self.expected("`[`");
        }
        if self.skip("]") {
            return Ok(entries);
        }
        loop {
            entries.push(read(self)?);
            if entries.len() > ErasureReceipt::MAX_ENTRIES {
                return self.invalid(field, "must have at most 64 entries");
            }
            if self.skip("]") {
                return Ok(entries);
            }
            if !self.skip(",") {
                return self.expected("`,` or `]`");
            }
        }
    }

    /// Reads the end of the file: nothing, or one line feed.
    pub(super) fn end_of_file(&mut self) -> Read<()> {
        self.skip("\n");
        if self.rest().is_empty() { Ok(()) } else { Err(InvalidReceipt::TrailingBytes(self.at)) }
    }
}
