//! Redacts standard input line by line. Each line is one message of a conversation: `agent: …` or `customer: …`.
//!
//! ```sh
//! printf 'agent: what is your card number?\ncustomer: 4111 1111 1111 1111\n' | cargo run --example redact_stream
//! ```

use std::io::{self, BufRead, Write};

use parlance_redaction::{EntitySet, MAX_CONTEXT, Redactor, Speaker, Utterance};

fn main() -> io::Result<()> {
    let redactor = Redactor::new(EntitySet::defaults());
    let mut messages: Vec<(String, String)> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (speaker, text) = line.split_once(": ").unwrap_or(("", &line));
        let recent = messages.len().saturating_sub(MAX_CONTEXT);
        let context: Vec<_> = messages.iter().skip(recent).map(|(by, text)| utterance(by, speaker, text)).collect();
        let redaction = redactor.redact(text, &context);
        writeln!(io::stdout(), "{speaker}: {}", redaction.text)?;
        messages.push((speaker.to_owned(), redaction.text.into_owned()));
    }
    Ok(())
}

fn utterance<'text>(by: &str, speaker: &str, text: &'text str) -> Utterance<'text> {
    let speaker = if by == speaker { Speaker::Same } else { Speaker::Other };
    Utterance { text, speaker }
}
