//! Retention rules, and the decision which conversations they no longer keep.

use crate::{
    conversation::{Metadata, MetadataCriteria},
    id::ConversationId,
    idempotency::{CanonicalForm, Canonicalize},
    limits::{RETENTION_DAYS_MAX, RETENTION_RULES_MAX},
    text::{ExternalId, Violation},
    time::{SECONDS_PER_DAY, Timestamp},
};

/// The days for which a rule keeps conversations: 1 to 36,500.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetentionDays(u32);

impl RetentionDays {
    /// This number of days.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 36,500.
    pub fn new(days: u64) -> Result<Self, Violation> {
        let valid = u32::try_from(days).ok().filter(|days| (1..=RETENTION_DAYS_MAX).contains(days));
        valid.map(Self).ok_or(Violation::Range(1, RETENTION_DAYS_MAX.into()))
    }

    /// The number of days.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }

    fn after(self, start: Timestamp) -> Timestamp {
        start.plus_seconds(i64::from(self.0) * SECONDS_PER_DAY)
    }
}

/// A rule: conversations whose metadata contains these pairs are kept for a number of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetentionRule {
    /// The pairs. Without a pair, the rule matches every conversation.
    pub metadata: MetadataCriteria,
    /// The days.
    pub days: RetentionDays,
}

/// Up to 20 rules. Without a rule, every conversation is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RetentionRules(Vec<RetentionRule>);

/// A conversation, as far as retention rules look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetentionCandidate {
    /// The conversation.
    pub conversation: ConversationId,
    /// The caller's identifier of it.
    pub external_id: ExternalId,
    /// Its metadata, as stored.
    pub metadata: Option<Metadata>,
    /// The time at which it was created or imported, by the service's clock.
    pub created_at: Timestamp,
    /// The time of its last message: the greatest of the times of sending, each at most the time of arrival.
    pub last_message: Option<Timestamp>,
    /// The number of its messages.
    pub messages: u64,
    /// Whether a hold protects it.
    pub is_held: bool,
}

impl RetentionCandidate {
    /// The time from which the days count: the last message or the creation, whichever is later.
    #[must_use]
    pub fn kept_since(&self) -> Timestamp {
        self.last_message.map_or(self.created_at, |message| message.max(self.created_at))
    }
}

impl RetentionRules {
    /// These rules.
    ///
    /// # Errors
    /// [`Violation::MaxItems`] with more than 20.
    pub fn new(rules: Vec<RetentionRule>) -> Result<Self, Violation> {
        if rules.len() > RETENTION_RULES_MAX { Err(Violation::MaxItems(RETENTION_RULES_MAX)) } else { Ok(Self(rules)) }
    }

    /// The rules, in the order in which they were given.
    #[must_use]
    pub fn as_slice(&self) -> &[RetentionRule] {
        &self.0
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [RetentionRule] {
        &mut self.0
    }

    /// The rule of a conversation: of the rules that match its metadata, the one with the most pairs, and of these the one
    /// with the most days. `None` if no rule matches; the conversation is kept.
    #[must_use]
    pub fn rule_for(&self, metadata: Option<&Metadata>) -> Option<&RetentionRule> {
        let matching = self.0.iter().filter(|rule| rule.metadata.matches(metadata));
        matching.max_by_key(|rule| (rule.metadata.pairs().count(), rule.days))
    }

    /// Whether the days of a conversation's rule are over. Holds are not looked at.
    #[must_use]
    pub fn are_over(&self, candidate: &RetentionCandidate, now: Timestamp) -> bool {
        let rule = self.rule_for(candidate.metadata.as_ref());
        rule.is_some_and(|rule| rule.days.after(candidate.kept_since()) <= now)
    }

    /// The time of creation after which no conversation can be over; `None` without a rule.
    #[must_use]
    pub fn latest_creation(&self, now: Timestamp) -> Option<Timestamp> {
        let fewest = self.0.iter().map(|rule| rule.days).min()?;
        Some(now.plus_seconds(-i64::from(fewest.get()) * SECONDS_PER_DAY))
    }
}

impl Canonicalize for RetentionRules {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        form.count(self.0.len());
        for rule in &self.0 {
            rule.metadata.write_canonical(form);
            form.count(rule.days.get() as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn rule(metadata: &[(&str, &str)], days: u64) -> RetentionRule {
        RetentionRule {
            metadata: MetadataCriteria::parse(pairs(metadata)).unwrap(),
            days: RetentionDays::new(days).unwrap(),
        }
    }

    fn day(number: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(number * SECONDS_PER_DAY)
    }

    fn candidate(metadata: &[(&str, &str)], created: i64, last_message: Option<i64>) -> RetentionCandidate {
        RetentionCandidate {
            conversation: ConversationId::from_bits(1),
            external_id: ExternalId::parse("call-1").unwrap(),
            metadata: Some(Metadata::parse(pairs(metadata)).unwrap()),
            created_at: day(created),
            last_message: last_message.map(day),
            messages: 1,
            is_held: false,
        }
    }

    fn days_for(rules: &[RetentionRule], metadata: &[(&str, &str)]) -> Option<u32> {
        let rules = RetentionRules::new(rules.to_vec()).unwrap();
        rules.rule_for(candidate(metadata, 0, None).metadata.as_ref()).map(|rule| rule.days.get())
    }

    #[test]
    fn a_rule_has_1_to_36500_days() {
        let accepted = |days| RetentionDays::new(days).is_ok();
        assert_eq!([0, 1, 36_500, 36_501].map(accepted), [false, true, true, false]);
    }

    #[test]
    fn there_are_at_most_twenty_rules() {
        let rules = |count| RetentionRules::new(vec![rule(&[], 1); count]);
        assert!(rules(20).is_ok());
        assert_eq!(rules(21), Err(Violation::MaxItems(20)));
    }

    #[test]
    fn the_rule_with_the_most_pairs_applies() {
        let rules = [rule(&[("a", "1"), ("b", "2")], 5), rule(&[], 90), rule(&[("a", "1")], 30)];
        assert_eq!(days_for(&rules, &[("a", "1"), ("b", "2"), ("c", "3")]), Some(5));
        assert_eq!(days_for(&rules, &[("a", "1"), ("b", "3")]), Some(30));
        assert_eq!(days_for(&rules, &[]), Some(90));
    }

    #[test]
    fn of_rules_with_equally_many_pairs_the_longest_applies() {
        let rules = [rule(&[("a", "1")], 40), rule(&[("b", "2")], 50), rule(&[("a", "1")], 30)];
        assert_eq!(days_for(&rules, &[("a", "1"), ("b", "2")]), Some(50));
    }

    #[test]
    fn a_conversation_without_a_matching_rule_is_kept() {
        let rules = RetentionRules::new(vec![rule(&[("a", "1")], 1)]).unwrap();
        assert!(!rules.are_over(&candidate(&[("a", "2")], 0, None), day(40_000)));
        assert!(!RetentionRules::default().are_over(&candidate(&[], 0, None), day(40_000)));
    }

    #[test]
    fn the_days_count_from_the_later_of_the_creation_and_the_last_message() {
        let rules = RetentionRules::new(vec![rule(&[], 10)]).unwrap();
        for (created, last_message, over) in [(5, None, 15), (5, Some(2), 15), (5, Some(8), 18)] {
            let candidate = candidate(&[], created, last_message);
            let just_before = Timestamp::from_micros(day(over).as_micros() - 1).unwrap();
            assert_eq!((rules.are_over(&candidate, just_before), rules.are_over(&candidate, day(over))), (false, true));
        }
    }

    #[test]
    fn no_conversation_that_was_created_later_than_the_shortest_rule_can_be_over() {
        let rules = RetentionRules::new(vec![rule(&[], 30), rule(&[("a", "1")], 10)]).unwrap();
        assert_eq!(rules.latest_creation(day(100)), Some(day(90)));
        assert_eq!(RetentionRules::default().latest_creation(day(100)), None);
    }

    #[test]
    fn different_rules_have_different_canonical_forms() {
        let form = |rules: Vec<RetentionRule>| {
            CanonicalForm::from_request(&RetentionRules::new(rules).unwrap()).as_bytes().to_vec()
        };
        let forms =
            [vec![], vec![rule(&[], 1)], vec![rule(&[], 2)], vec![rule(&[("a", "1")], 1)], vec![rule(&[], 1); 2]];
        let mut forms: Vec<_> = forms.into_iter().map(form).collect();
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), 5);
    }
}
