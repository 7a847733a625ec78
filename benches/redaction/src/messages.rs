//! The benchmark texts: chat messages and utterances of calls.

use std::error::Error;
use std::path::Path;

/// A small built-in sample, so that the benchmark needs no other data.
const SAMPLE: &str = include_str!("../sample.jsonl");

/// Average bytes of the utterances of a long text. Each utterance ends at a word boundary.
const UTTERANCE_BYTES: usize = 60;

/// Maximum bytes of a message. `--cut` splits longer texts, since people do not type or say more at once.
const MAX_MESSAGE_BYTES: usize = 240;

/// Texts to redact, one call each.
pub(crate) struct Messages(Vec<String>);

impl Messages {
    /// The built-in sample.
    pub(crate) fn sample() -> Result<Self, Box<dyn Error>> {
        let mut all = Vec::new();
        parse_lines(SAMPLE, &mut all)?;
        Ok(Self(all))
    }

    /// The field `text` of every line in the `.jsonl` files of a folder, in the order of the file names.
    pub(crate) fn from_folder(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
        paths.sort();
        let mut all = Vec::new();
        for path in paths {
            parse_lines(&std::fs::read_to_string(path)?, &mut all)?;
        }
        if all.is_empty() {
            return Err(format!("{} contains no texts", folder.display()).into());
        }
        Ok(Self(all))
    }

    /// The same texts, with long ones split at word boundaries.
    pub(crate) fn split_long(self) -> Self {
        let mut pieces = Vec::new();
        for text in self.0 {
            if text.len() > MAX_MESSAGE_BYTES {
                split(&text, &mut pieces);
            } else {
                pieces.push(text);
            }
        }
        Self(pieces)
    }

    pub(crate) fn all(&self) -> &[String] {
        &self.0
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
}

fn parse_lines(lines: &str, texts: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let text = record["text"].as_str().ok_or("a line has no field `text`")?;
        if !text.is_empty() {
            texts.push(text.to_owned());
        }
    }
    Ok(())
}

fn split(text: &str, pieces: &mut Vec<String>) {
    // Half a word less, so that UTTERANCE_BYTES is the average length and not the minimum length.
    const MIN_BYTES: usize = UTTERANCE_BYTES - 3;
    let mut piece = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        piece.push_str(word);
        if piece.len() >= MIN_BYTES {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
}
