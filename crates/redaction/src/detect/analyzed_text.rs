//! What the passes over one text share: its cues, its analysis for secrets with its cues and without any, whether it has letters and
//! digits said aloud, and what the tagger finds. Each is made on first use, and kept.

use super::credential::Analysis;
use super::spelled_run;
use crate::cues::{Cue, Cues};
use crate::tagger::TaggedText;
use crate::tokenize::{TokenizedText, Tokens};
use std::cell::OnceCell;

/// A text that several passes read, each with another expectation.
pub(crate) struct AnalyzedText<'r, 't> {
    pub(crate) text: &'r TokenizedText<'t>,
    pub(crate) tokens: &'r Tokens<'t>,
    cues: &'r OnceCell<Cues>,
    /// What the text says of secrets, with its cues and without any.
    analyses: [OnceCell<Analysis<'r, 't>>; 2],
    has_spelled_run: OnceCell<bool>,
    pub(crate) tagged: TaggedText<'r, 't>,
}

impl<'r, 't> AnalyzedText<'r, 't> {
    /// Calls a function with a text that nothing has read yet.
    pub(crate) fn with<R>(text: &TokenizedText<'t>, pass: impl FnOnce(&AnalyzedText<'_, 't>) -> R) -> R {
        let (tokens, cues) = (text.tokens(), OnceCell::new());
        let (analyses, tagged) = ([OnceCell::new(), OnceCell::new()], TaggedText::new(&tokens));
        let has_spelled_run = OnceCell::new();
        pass(&AnalyzedText { text, tokens: &tokens, cues: &cues, analyses, has_spelled_run, tagged })
    }

    /// All cues of the text.
    pub(crate) fn cues(&self) -> &'r [Cue] {
        self.cues.get_or_init(|| Cues::find_all(self.tokens)).as_slice()
    }

    /// Whether the text has a run of letters and digits said aloud.
    pub(crate) fn has_spelled_run(&self) -> bool {
        *self.has_spelled_run.get_or_init(|| spelled_run::has_run(self.text))
    }

    /// The analysis of the text for secrets. `cues` are all cues of the text, or none if the pass needs none.
    pub(crate) fn secrets(&self, cues: &'r [Cue]) -> &Analysis<'r, 't> {
        let [with_cues, without_cues] = &self.analyses;
        let analysis = if cues.is_empty() { without_cues } else { with_cues };
        analysis.get_or_init(|| Analysis::new(self.tokens, cues))
    }
}
