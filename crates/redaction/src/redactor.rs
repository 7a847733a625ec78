//! The engine's front: a text in, its masked form and what was found out.

use crate::candidate::Candidates;
use crate::cross_message::context::{self, Utterance};
use crate::cross_message::split_number;
use crate::entity::EntitySet;
use crate::masking::fixpoint::settle;
use crate::masking::mask::mask_spans;
use crate::masking::overlap::resolve;
use crate::pipeline::Looker;
use crate::span::{EarlierSpan, Found, Span};
use crate::tokenize::{Scan, Store};
use std::borrow::Cow;

/// Finds and masks values of a set of entities.
#[derive(Clone, Copy, Debug)]
pub struct Redactor(Looker);

/// A text masked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redaction<'t> {
    /// The masked text; borrowed where nothing was found.
    pub text: Cow<'t, str>,
    /// What was found, in order, without overlap.
    pub spans: Vec<Span>,
    /// What must be masked in earlier messages as well.
    pub earlier: Vec<EarlierSpan>,
}

impl Redactor {
    /// A redactor for these entities. Costs nothing: all tables are constants.
    #[must_use]
    pub fn new(active: EntitySet) -> Self {
        Self(Looker::of(active))
    }

    /// Masks a text, given the messages before it, oldest first.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, context: &[Utterance<'_>]) -> Redaction<'t> {
        self.redact_with(text, context, &[])
    }

    /// Whether the messages before a text could change what is found in it, judged from the text alone. Where it is false
    /// they need not be fetched.
    #[must_use]
    pub fn wants_context(&self, text: &str) -> bool {
        let mut store = Store::new();
        let scan = Scan::of(text, &mut store);
        let Some(found) = self.0.found_alone(&scan).map(Candidates::into_found) else { return true };
        if found.is_empty() {
            return false;
        }
        // What is left once the text is masked is looked at again, and may be a short answer.
        let mut wanted = false;
        settle(text, resolve(text, found), &mut store, &mut |scan| {
            let found = if wanted { None } else { self.0.found_alone(scan) };
            wanted |= found.is_none();
            found.map(Candidates::into_found).unwrap_or_default()
        });
        wanted
    }

    /// Masks a text, given the messages before it and what outside detectors found in it.
    #[must_use]
    pub fn redact_with<'t>(&self, text: &'t str, context: &[Utterance<'_>], external: &[Found]) -> Redaction<'t> {
        let mut store = Store::new();
        let scan = Scan::of(text, &mut store);
        let (mut out, earlier) = self.look(&scan, context);
        for found in external {
            context::push_external(text, *found, &mut out);
        }
        if out.found().is_empty() {
            return Redaction { text: Cow::Borrowed(text), spans: Vec::new(), earlier };
        }
        let named = out.named();
        let spans = resolve(text, out.into_found());
        if context.is_empty() && self.0.is_settled(&scan, &spans, named) {
            return Redaction { text: Cow::Owned(mask_spans(text, &spans)), spans, earlier };
        }
        let masked = context::masked(context, &earlier);
        let context = context::stored(context, &masked);
        let mut again = |scan: &Scan<'_>| self.look(scan, &context).0.into_found();
        let (masked, spans) = settle(text, spans, &mut store, &mut again);
        Redaction { text: Cow::Owned(masked), spans, earlier }
    }

    /// What is found in a text, and in the messages before it.
    fn look(&self, scan: &Scan<'_>, context: &[Utterance<'_>]) -> (Candidates, Vec<EarlierSpan>) {
        let alone = if context.is_empty() { Some(self.0.candidates(scan, &[])) } else { self.0.found_alone(scan) };
        if let Some(alone) = alone {
            return (alone, Vec::new());
        }
        let mut out = self.0.candidates(scan, context);
        let earlier = split_number::detect(scan, context, &mut out);
        (out, earlier)
    }
}
