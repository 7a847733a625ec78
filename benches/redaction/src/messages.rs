//! The texts that are timed: messages of chats and utterances of calls.

use std::error::Error;
use std::path::Path;

/// A little conversation of our own, so that the bench runs anywhere.
const SAMPLE: &str = include_str!("../sample.jsonl");

/// Bytes of an utterance that a long text is cut into, on average; the cut moves on to the next border of a word.
const UTTERANCE: usize = 60;

/// Texts of more bytes are cut; nobody types or says more at once.
const LONGEST: usize = 240;

/// Texts to redact, one call each.
pub(crate) struct Messages(Vec<String>);

impl Messages {
    /// The sample that comes with the bench.
    pub(crate) fn sample() -> Result<Self, Box<dyn Error>> {
        let mut all = Vec::new();
        read(SAMPLE, &mut all)?;
        Ok(Self(all))
    }

    /// The field `text` of every JSON line in a folder's `.jsonl` files, in the order of their names.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
        paths.sort();
        let mut all = Vec::new();
        for path in paths {
            read(&std::fs::read_to_string(path)?, &mut all)?;
        }
        if all.is_empty() {
            return Err(format!("no texts in {}", folder.display()).into());
        }
        Ok(Self(all))
    }

    /// The same texts, long ones cut at borders of words.
    pub(crate) fn cut(self) -> Self {
        let mut pieces = Vec::new();
        for text in self.0 {
            if text.len() > LONGEST {
                cut(&text, &mut pieces);
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

fn read(lines: &str, texts: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let text = record["text"].as_str().ok_or("a line without text")?;
        if !text.is_empty() {
            texts.push(text.to_owned());
        }
    }
    Ok(())
}

fn cut(text: &str, pieces: &mut Vec<String>) {
    // Half a word, so that utterances have the wanted length on average and not at least.
    const BORDER: usize = UTTERANCE - 3;
    let mut piece = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        piece.push_str(word);
        if piece.len() >= BORDER {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
}
