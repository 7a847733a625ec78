//! The wire types of retention rules.

use std::collections::BTreeMap;

use parlance_domain::{
    conversation::MetadataCriteria,
    limits::CONVERSATION_METADATA_CRITERIA_MAX,
    privacy::{RetentionDays, RetentionPreview, RetentionRule, RetentionRules},
};
use serde::{Deserialize, Serialize};
use utoipa::{ToSchema, openapi::schema::Schema};

use crate::{
    errors::api_error::ApiError,
    extract::validation::{Field, Object, StringMap, Validation},
    resources::conversations::dto::pairs_schema,
};

/// A rule: conversations whose metadata contains the pairs are kept for a number of days.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetentionRuleBody {
    #[serde(default)]
    #[schema(schema_with = rule_metadata_schema, required = false)]
    metadata: Field<StringMap>,
    /// The days after the last message or the creation, whichever is later.
    #[serde(default)]
    #[schema(value_type = u32, required = true, format = "retention-days")]
    days: Field<u64>,
}

/// Rules to preview.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetentionPreviewBody {
    /// Without a rule, every conversation is kept.
    #[serde(default)]
    #[schema(value_type = Vec<RetentionRuleBody>, required = true)]
    rules: Field<Vec<Object<RetentionRuleBody>>>,
}

/// Rules that replace those in force.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RetentionBody {
    /// Without a rule, every conversation is kept.
    #[serde(default)]
    #[schema(value_type = Vec<RetentionRuleBody>, required = true)]
    rules: Field<Vec<Object<RetentionRuleBody>>>,
    /// The token of a preview of exactly these rules that is less than an hour old.
    #[serde(default)]
    #[schema(value_type = String, required = false)]
    preview_token: Field<String>,
}

/// A rule.
#[derive(Serialize, ToSchema)]
pub(crate) struct RetentionRuleView {
    /// The pairs of metadata that a conversation must have. Not there if the rule is for every conversation.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    metadata: BTreeMap<String, String>,
    #[schema(format = "retention-days")]
    days: u32,
}

/// The rules in force.
#[derive(Serialize, ToSchema)]
pub(crate) struct RetentionView {
    rules: Vec<RetentionRuleView>,
}

/// What rules would erase.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RetentionPreviewView {
    /// The number of conversations that would be erased.
    conversations: u64,
    /// The number of their messages.
    messages: u64,
    /// The day, in UTC, from which the days of the oldest of them count; null where nothing would be erased.
    #[schema(required = true, format = Date)]
    oldest_day: Option<String>,
    /// The number of conversations that only holds protect.
    #[serde(rename = "held")]
    on_hold: u64,
    /// Proves the preview. It is valid for an hour, for exactly these rules.
    preview_token: String,
    #[schema(format = DateTime)]
    expires_at: String,
}

fn rule_metadata_schema() -> Schema {
    let description = format!(
        "Up to {CONVERSATION_METADATA_CRITERIA_MAX} pairs that the metadata of a conversation must contain, masked as they \
         are stored. Left out, the rule is for every conversation."
    );
    pairs_schema(CONVERSATION_METADATA_CRITERIA_MAX).description(Some(description)).into()
}

impl RetentionRuleBody {
    fn into_domain(self, validation: &mut Validation, pointer: &str) -> Option<RetentionRule> {
        let (metadata_at, days_at) = (format!("{pointer}/metadata"), format!("{pointer}/days"));
        let pairs =
            validation.optional(&metadata_at, self.metadata).map_or_else(BTreeMap::new, |StringMap(pairs)| pairs);
        let metadata = validation.check(&metadata_at, MetadataCriteria::parse(pairs));
        let days = validation.required(&days_at, self.days);
        let days = days.and_then(|days| validation.check(&days_at, RetentionDays::new(days)));
        metadata.zip(days).map(|(metadata, days)| RetentionRule { metadata, days })
    }
}

fn rules_into_domain(
    validation: &mut Validation,
    rules: Field<Vec<Object<RetentionRuleBody>>>,
) -> Option<RetentionRules> {
    let bodies = validation.required("/rules", rules)?.into_iter().enumerate();
    let rules: Vec<_> =
        bodies.map(|(index, Object(rule))| rule.into_domain(validation, &format!("/rules/{index}"))).collect();
    let rules = rules.into_iter().collect::<Option<Vec<_>>>()?;
    validation.check("/rules", RetentionRules::new(rules))
}

impl RetentionPreviewBody {
    pub(crate) fn into_domain(self) -> Result<RetentionRules, ApiError> {
        let mut validation = Validation::default();
        let rules = rules_into_domain(&mut validation, self.rules);
        validation.finish(rules)
    }
}

impl RetentionBody {
    pub(crate) fn into_domain(self) -> Result<(RetentionRules, Option<String>), ApiError> {
        let mut validation = Validation::default();
        let rules = rules_into_domain(&mut validation, self.rules);
        let token = validation.optional("/previewToken", self.preview_token);
        validation.finish(rules.map(|rules| (rules, token)))
    }
}

impl From<&RetentionRules> for RetentionView {
    fn from(rules: &RetentionRules) -> Self {
        let view = |rule: &RetentionRule| RetentionRuleView {
            metadata: rule.metadata.pairs().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            days: rule.days.get(),
        };
        Self { rules: rules.as_slice().iter().map(view).collect() }
    }
}

impl From<RetentionPreview> for RetentionPreviewView {
    fn from(preview: RetentionPreview) -> Self {
        Self {
            conversations: preview.conversations,
            messages: preview.messages,
            oldest_day: preview.oldest_day.map(|day| day.to_string()),
            on_hold: preview.on_hold,
            preview_token: preview.token,
            expires_at: preview.expires_at.to_string(),
        }
    }
}
