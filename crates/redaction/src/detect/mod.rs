//! The detectors, one module per family of entities. Each detector reads the tokens and reports candidates.

pub(crate) mod age;
mod age_apposition;
mod analyzed_text;
pub(crate) mod bic;
pub(crate) mod card;
pub(crate) mod code;
pub(crate) mod correction;
pub(crate) mod credential;
pub(crate) mod cue_link;
pub(crate) mod cue_reference;
pub(crate) mod cue_scope;
pub(crate) mod cued_identifier;
pub(crate) mod date;
pub(crate) mod date_report;
pub(crate) mod date_words;
mod date_year;
pub(crate) mod dictated_part;
mod dictated_words;
pub(crate) mod digit_format;
pub(crate) mod disguised_email;
pub(crate) mod email_answer;
pub(crate) mod folded_code;
pub(crate) mod foreign_date;
pub(crate) mod identifier;
mod input;
pub(crate) mod internet;
pub(crate) mod location;
pub(crate) mod name;
pub(crate) mod name_lead;
mod name_list;
mod name_words;
pub(crate) mod number;
mod person;
pub(crate) mod phone;
pub(crate) mod profanity;
mod rejection;
mod run_entity;
mod said_symbol;
pub(crate) mod secret;
pub(crate) mod spelled_code;
pub(crate) mod spelled_email;
pub(crate) mod spelled_name;
pub(crate) mod spelled_run;
pub(crate) mod spoken_address;
pub(crate) mod spoken_ip;
mod spoken_local_part;
mod spoken_path;
mod token_words;
pub(crate) mod track;
pub(crate) mod word_value;
mod word_value_extent;

pub(crate) use analyzed_text::AnalyzedText;
pub(crate) use input::{DetectorInput, Expectation};
pub(crate) use token_words::{
    WordList, clause_end, flags, is_among, is_connector, is_contraction, is_digit_count, is_one_of, joined,
    list_marker_end,
};
