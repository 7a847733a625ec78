//! Writes the features of labelled messages, with which `train.py` trains the token classifier: `features OUT FILE...`.
//!
//! Each file has the records of `benches/redaction/corpus/generate.py`, or of `third_party.py`, which name the entities
//! that they cover. Each message is written twice: as it is, and with its earlier messages and some of its own values
//! masked, as the engine sees a text after a pass.

mod record;

use parlance_redaction::classifier_training::{PieceFeatures, piece_features};
use parlance_redaction::{Speaker, Utterance};
use record::{Dice, Record};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("usage: features OUT FILE...")?;
    let mut writer = Writer {
        rows: BufWriter::new(File::create(format!("{out}.rows"))?),
        index: BufWriter::new(File::create(format!("{out}.index"))?),
        words: BTreeMap::new(),
        dice: Dice::new(1),
    };
    for file in arguments {
        let records = record::read(&file)?;
        for record in &records {
            writer.write(record, false)?;
            if record.covered.is_none() {
                writer.write(record, true)?;
            }
        }
        eprintln!("{file}: {} records", records.len());
    }
    let mut words = BufWriter::new(File::create(format!("{out}.words"))?);
    for (hash, (word, count)) in &writer.words {
        writeln!(words, "{hash}\t{word}\t{count}")?;
    }
    Ok(())
}

struct Writer {
    rows: BufWriter<File>,
    index: BufWriter<File>,
    words: BTreeMap<u32, (String, u32)>,
    dice: Dice,
}

impl Writer {
    /// Writes the features and labels of a message, with masked values if `is_masked`.
    fn write(&mut self, record: &Record, is_masked: bool) -> std::io::Result<()> {
        let knows_speakers = self.dice.is_below(0.5);
        let (text, values) = record.masked(is_masked.then_some(0.4), &mut self.dice);
        let context = if is_masked { &record.masked_context } else { &record.context };
        let utterances: Vec<_> = context
            .iter()
            .zip(&record.speakers)
            .map(|(text, speaker)| Utterance {
                text,
                speaker: if knows_speakers { *speaker } else { Speaker::Unknown },
            })
            .collect();
        let pieces = piece_features(&text, &utterances);
        for piece in &pieces {
            let label = if !piece.is_current || piece.start == piece.end {
                -1
            } else {
                let overlaps =
                    |value: &&record::Value| value.start < piece.end as usize && value.end > piece.start as usize;
                values.iter().find(overlaps).map_or(0, |value| value.label)
            };
            self.row(piece, label)?;
            if piece.word != 0 && piece.is_current {
                let word = &text[piece.start as usize..piece.end as usize];
                self.words.entry(piece.word).or_insert_with(|| (word.to_lowercase(), 0)).1 += 1;
            }
        }
        let (pieces, negative) = (pieces.len(), record.is_negative);
        let entry = serde_json::json!({"pieces": pieces, "negative": negative, "covered": record.covered});
        writeln!(self.index, "{entry}")
    }

    fn row(&mut self, piece: &PieceFeatures, label: i16) -> std::io::Result<()> {
        self.rows.write_all(&piece.word.to_le_bytes())?;
        for gram in piece.grams {
            self.rows.write_all(&gram.to_le_bytes())?;
        }
        self.rows.write_all(&[piece.kind, piece.digits, piece.case, u8::from(piece.is_current)])?;
        self.rows.write_all(&label.to_le_bytes())?;
        self.rows.write_all(&[0, 0])
    }
}
