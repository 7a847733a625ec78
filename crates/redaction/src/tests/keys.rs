//! Keys and tokens: by their provider's prefix or structure, by the name before them, and in answer to a question.

use super::masked;
use crate::tables::issued_keys::{Alphabet, ISSUED_KEYS};
use crate::{Entity, EntitySet, Redactor, Speaker, Utterance};

/// The given number of characters of an alphabet, mixed as in a key.
fn characters(alphabet: Alphabet, count: usize) -> String {
    let all: Vec<char> = match alphabet {
        Alphabet::Hex => "7f3a9c0e5b2d8146".chars().collect(),
        Alphabet::UpperAlnum => "K7QX2MZ9PL4WTR8B".chars().collect(),
        Alphabet::Alnum | Alphabet::Base64Url | Alphabet::Base64UrlDot | Alphabet::Base64 => {
            "q7XkZ2pLm9RtB4vW".chars().collect()
        }
    };
    all.into_iter().cycle().take(count).collect()
}

#[test]
fn the_keys_of_each_provider_are_found_at_their_minimum_and_maximum_length() {
    for key in ISSUED_KEYS {
        for count in [key.min_length, key.max_length] {
            let value = format!("{}{}", key.prefix, characters(key.alphabet, count));
            assert_eq!(masked(Entity::API_KEY, &format!("use {value}, please")), "use ********, please", "{value}");
        }
    }
}

#[test]
fn the_keys_of_popular_providers_are_found() {
    for key in [
        "glrt-q7XkZ2pLm9RtB4vWq7Xk",
        "gsk_q7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vW",
        "hvs.q7XkZ2pLm9RtB4vWq7XkZ2pL",
        "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",
        "dapi7f3a9c0e5b2d81467f3a9c0e5b2d8146",
        "sq0atp-q7XkZ2pLm9RtB4vWq7XkZ2",
        "lin_api_q7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2pL",
    ] {
        assert_eq!(masked(Entity::API_KEY, key), "********", "{key}");
    }
}

#[test]
fn a_prefix_without_a_key_behind_it_is_left() {
    for key in ISSUED_KEYS {
        let text = format!("it begins with {} then", key.prefix);
        assert_eq!(masked(Entity::API_KEY, &text), text);
    }
}

#[test]
fn keys_without_a_prefix_are_found_by_their_structure() {
    for key in [
        "9f8e7d6c5b4a39281706f5e4d3c2b1a0-us12",
        "aB18Q~xY2zW3vU4tS5rQ6pO7nM8lK9jI0hG1fE2d",
        "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",
        "patQ7xKz2pLm9RtB4.9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0",
        "A3-K7QX2M-Z9PL4WTR8BC-QX2MZ-9PL4W-TR8BK",
        "SG.q7XkZ2pLm9RtB4vWq7XkZ2.q7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2pLm9R",
        "SG.q7XkZ2pLm9RtB4vW.q7XkZ2pLm9RtB4vWq7Xk",
        "MTIzNDU2Nzg5MDEyMzQ1Njc.G1a2b3.q7XkZ2pLm9RtB4vWq7XkZ2pLm9R",
        "q7XkZ2pLm9RtB4.atlasv1.q7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7XkZ2",
        "712345678:AAHq7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4v1",
    ] {
        assert_eq!(masked(Entity::API_KEY, &format!("it is {key} ok")), "it is ******** ok", "{key}");
    }
}

#[test]
fn a_random_value_is_a_key_after_a_name_for_a_key() {
    for name in [
        "the api key is",
        "my secret key:",
        "X-Api-Key:",
        "\"clientSecret\": \"",
        "aws_secret_access_key =",
        "license key",
    ] {
        let text = format!("{name} wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        assert_eq!(masked(Entity::API_KEY, &text), format!("{name} ********"));
    }
}

#[test]
fn a_random_value_is_a_token_after_a_name_for_a_token() {
    for name in
        ["my access token is", "token:", "X-Auth-Token:", "Authorization: Token", "the session id was", "SNYK_TOKEN ="]
    {
        let text = format!("{name} 123e4567-e89b-12d3-a456-426614174000");
        assert_eq!(masked(Entity::ACCESS_TOKEN, &text), format!("{name} ********"));
    }
}

#[test]
fn words_after_a_name_for_a_key_are_left() {
    for text in [
        "the key is international-collaboration",
        "the monkey 9f8e7d6c5b4a39281706",
        "the key is reallyimportantforall",
    ] {
        assert_eq!(masked(Entity::API_KEY, text), text);
    }
}

#[test]
fn a_token_without_a_name_answers_the_question_for_it() {
    let mut entities = EntitySet::empty();
    entities.insert(Entity::ACCESS_TOKEN);
    let redactor = Redactor::new(entities);
    let asked = [Utterance { text: "could you give me the access token?", speaker: Speaker::Other }];
    let token = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
    assert!(redactor.needs_context(token));
    assert_eq!(redactor.redact(token, &asked).text, "********");
    assert_eq!(redactor.redact(token, &[]).text, token);
}

#[test]
fn a_value_is_masked_with_the_mark_of_base_64_that_it_begins_with() {
    let value = "/q7XkZ2pLm9RtB4vWq7XkZ2";
    assert_eq!(masked(Entity::ACCESS_TOKEN, &format!("x?sig={value}&y")), "x********&y");
    assert_eq!(masked(Entity::API_KEY, &format!("secret key: {value}")), "secret key: ********");
    assert_eq!(
        masked(Entity::API_KEY, "git+https://npm_q7XkZ2pLm9RtB4vWq7XkZ2pLm9RtB4vWq7Xk@host"),
        "git+https://********@host"
    );
}
