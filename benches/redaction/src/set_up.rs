//! What is timed: the engine, the crates beside it, and the least that any of them must do.

use parlance_redaction::{EntitySet, Redactor};
use pii::context::LemmaContextEnhancer;
use pii::nlp::SimpleNlpEngine;
use pii::profile::ContextTerms;
use pii::{AnonymizeConfig, Anonymizer, Operator, PolicyConfig};
use pii::{EntityType, types::Language};
use redact_core::{AnalyzerEngine, AnonymizationStrategy, AnonymizerConfig};
use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;

/// How the engine with every entity on is called in the table.
pub(crate) const ALL: &str = "this engine, all 68 entities";

/// How the engine with the default entities on is called in the table.
pub(crate) const DEFAULTS: &str = "this engine, the five defaults";

type Call = dyn FnMut(&str) -> Result<usize, Box<dyn Error>>;

/// One way to redact a text, built once; each call makes the masked text and says how many values were found.
pub(crate) struct SetUp {
    pub(crate) name: &'static str,
    call: Box<Call>,
}

impl SetUp {
    fn new(name: &'static str, call: impl FnMut(&str) -> Result<usize, Box<dyn Error>> + 'static) -> Self {
        Self { name, call: Box::new(call) }
    }

    pub(crate) fn redact(&mut self, text: &str) -> Result<usize, Box<dyn Error>> {
        (self.call)(text)
    }

    pub(crate) fn engine_with_all() -> Self {
        Self::engine(ALL, EntitySet::all())
    }

    fn engine(name: &'static str, active: EntitySet) -> Self {
        let redactor = Redactor::new(active);
        Self::new(name, move |text| Ok(black_box(redactor.redact(text, &[])).spans.len()))
    }
}

/// Every set-up of the first table.
pub(crate) fn every() -> Vec<SetUp> {
    vec![
        SetUp::new("plain copy into a new string", |text| {
            black_box(String::from(text));
            Ok(0)
        }),
        SetUp::engine_with_all(),
        SetUp::engine(DEFAULTS, EntitySet::defaults()),
        redact_core(),
        pii(),
    ]
}

/// All that `redact-core` finds by itself: its patterns and its generic secrets, masked. Names and places need a model
/// from another crate.
fn redact_core() -> SetUp {
    let engine = AnalyzerEngine::new();
    let mask = AnonymizerConfig { strategy: AnonymizationStrategy::Mask, ..AnonymizerConfig::default() };
    SetUp::new("redact-core 0.12.7, all its patterns", move |text| {
        let masked = black_box(engine.anonymize(text, None, &mask)?);
        Ok(masked.entities.len())
    })
}

/// All that `pii` finds by itself: its recognizers for every entity, sentences, and context for some, masked. Names and
/// places need a model.
fn pii() -> SetUp {
    let recognizers = pii::default_recognizers();
    let enhancer = LemmaContextEnhancer::new(pii_context());
    let analyzer = pii::Analyzer::new(
        Box::new(SimpleNlpEngine::new(true)),
        recognizers,
        vec![Box::new(enhancer)],
        PolicyConfig::default(),
    );
    let mask = AnonymizeConfig { default: Operator::Mask { ch: '*', from_end: 0 }, per_entity: HashMap::new() };
    let english = Language::from("en");
    SetUp::new("pii 0.1.0, all its recognizers", move |text| {
        let found = analyzer.analyze(text, &english)?.entities;
        let masked = black_box(Anonymizer::anonymize(text, &found, &mask)?);
        Ok(masked.items.len())
    })
}

/// Words that speak for some entities, for the crate that lets its caller name them; it has none of its own.
fn pii_context() -> HashMap<EntityType, ContextTerms> {
    let terms = |words: &[&str]| ContextTerms {
        window_tokens: 5,
        boost: 0.2,
        terms: words.iter().map(|&word| word.to_owned()).collect(),
    };
    HashMap::from([
        (EntityType::CreditCard, terms(&["card", "visa", "amex"])),
        (EntityType::Ssn, terms(&["ssn", "social"])),
        (EntityType::Phone, terms(&["phone", "call", "text"])),
        (EntityType::Email, terms(&["email", "mail"])),
        (EntityType::BankAccount, terms(&["account", "bank"])),
    ])
}
