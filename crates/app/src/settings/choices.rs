//! The words that a setting accepts, according to its documented bounds.

use super::table::{Setting, setting};
use crate::suggestion::did_you_mean;

/// The words in the bounds of a setting, such as `never`. Empty if it accepts no words.
pub(super) fn words(setting: &Setting) -> Vec<&'static str> {
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    setting.bounds.split('`').skip(1).step_by(2).filter(is_word).collect()
}

/// The words that a setting accepts, if it accepts nothing else.
pub(super) fn choices(setting: &Setting) -> Option<Vec<&'static str>> {
    let words = words(setting);
    let is_list = setting.bounds.starts_with('`') && words.len() > 1 && !setting.bounds.contains(" to ");
    is_list.then_some(words)
}

/// The end of an error about a value: the word that was probably meant, or nothing. The value does not appear in it.
pub(super) fn suggestion(name: &str, value: &str) -> String {
    let words = setting(name).map(words).unwrap_or_default();
    let parts = value.split(',').map(str::trim);
    let wrong = parts.into_iter().find(|part| !words.contains(part));
    wrong.map(|part| did_you_mean(part, words)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_of_a_list_has_a_suggestion() {
        assert_eq!(suggestion("log_level", "inof"), "; did you mean info?");
        assert_eq!(suggestion("feed_formats", "jsonl, parqet"), "; did you mean parquet?");
        assert_eq!(suggestion("scrub_interval_hours", "nevr"), "; did you mean never?");
    }

    #[test]
    fn a_value_without_a_similar_word_has_no_suggestion() {
        assert_eq!(suggestion("log_level", "9"), "");
        assert_eq!(suggestion("listen", "nowhere"), "");
    }

    #[test]
    fn only_a_setting_that_accepts_nothing_but_words_has_choices() {
        let choices = |name| setting(name).and_then(choices);
        assert_eq!(choices("log_format"), Some(vec!["text", "json"]));
        assert_eq!(choices("output_mode"), Some(vec!["0600", "0640", "0660"]));
        assert_eq!((choices("listen"), choices("scrub_interval_hours"), choices("database_url")), (None, None, None));
    }
}
