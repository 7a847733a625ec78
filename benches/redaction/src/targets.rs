//! The benchmark targets: the engine, other crates for the same task, and a plain copy as the minimum work.

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

/// Table name of the engine with all entities active.
pub(crate) const ENGINE_ALL_ENTITIES: &str = "this engine, all 68 entities";

/// Table name of the engine with the default entities active.
pub(crate) const ENGINE_DEFAULT_ENTITIES: &str = "this engine, the five defaults";

type Call = dyn FnMut(&str) -> Result<usize, Box<dyn Error>>;

/// A redactor that is built once. Each call returns the number of values found and also creates the masked text.
pub(crate) struct BenchTarget {
    pub(crate) name: &'static str,
    call: Box<Call>,
}

impl BenchTarget {
    fn new(name: &'static str, call: impl FnMut(&str) -> Result<usize, Box<dyn Error>> + 'static) -> Self {
        Self { name, call: Box::new(call) }
    }

    pub(crate) fn redact(&mut self, text: &str) -> Result<usize, Box<dyn Error>> {
        (self.call)(text)
    }

    pub(crate) fn engine_with_all_entities() -> Self {
        Self::engine(ENGINE_ALL_ENTITIES, EntitySet::all())
    }

    fn engine(name: &'static str, active: EntitySet) -> Self {
        let redactor = Redactor::new(active);
        Self::new(name, move |text| Ok(black_box(redactor.redact(text, &[])).spans.len()))
    }
}

/// All targets of the message table.
pub(crate) fn all_targets() -> Vec<BenchTarget> {
    vec![
        BenchTarget::new("plain copy into a new string", |text| {
            black_box(String::from(text));
            Ok(0)
        }),
        BenchTarget::engine_with_all_entities(),
        BenchTarget::engine(ENGINE_DEFAULT_ENTITIES, EntitySet::defaults()),
        redact_core(),
        pii(),
    ]
}

/// `redact-core` with all its patterns and generic secrets, and with masking. Names and places need a model from
/// another crate.
fn redact_core() -> BenchTarget {
    let engine = AnalyzerEngine::new();
    let config = AnonymizerConfig { strategy: AnonymizationStrategy::Mask, ..AnonymizerConfig::default() };
    BenchTarget::new("redact-core 0.12.7, all its patterns", move |text| {
        let masked = black_box(engine.anonymize(text, None, &config)?);
        Ok(masked.entities.len())
    })
}

/// `pii` with its recognizers for every entity, sentence detection, context words for some entities, and with masking.
/// Names and places need a model.
fn pii() -> BenchTarget {
    let recognizers = pii::default_recognizers();
    let enhancer = LemmaContextEnhancer::new(pii_context());
    let analyzer = pii::Analyzer::new(
        Box::new(SimpleNlpEngine::new(true)),
        recognizers,
        vec![Box::new(enhancer)],
        PolicyConfig::default(),
    );
    let config = AnonymizeConfig { default: Operator::Mask { ch: '*', from_end: 0 }, per_entity: HashMap::new() };
    let english = Language::from("en");
    BenchTarget::new("pii 0.1.0, all its recognizers", move |text| {
        let found = analyzer.analyze(text, &english)?.entities;
        let masked = black_box(Anonymizer::anonymize(text, &found, &config)?);
        Ok(masked.items.len())
    })
}

/// Context words for some entities. `pii` has no context words of its own.
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
