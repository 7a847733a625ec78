//! Names of secrets before their value: headers, parameters, and names that end in key, secret or token.

use super::char_boundary::ceil_char_boundary;
use super::randomness;
use crate::entity::Entity;

/// The first byte of a header such as "Authorization: Basic" or "Bearer" at the end of the text before a value.
pub(super) fn header_start(head: &str) -> Option<usize> {
    let tail = &head[ceil_char_boundary(head, head.len().saturating_sub(40))..];
    let trimmed = tail.trim_end();
    if trimmed.len() == tail.len() {
        return None;
    }
    let scheme = trimmed.rsplit([' ', ':', '"', '\'']).next()?;
    if !matches!(scheme, "Basic" | "Bearer" | "bearer" | "BEARER" | "basic") {
        return None;
    }
    let before = trimmed[..trimmed.len() - scheme.len()].trim_end();
    let has_header_name = before_ending(before.as_bytes(), "authorization:").is_some();
    if !has_header_name && scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let length = if has_header_name { trimmed.len() - before.len() + "authorization:".len() } else { scheme.len() };
    Some(head.len() - tail.len() + trimmed.len() - length)
}

/// Names of cookies and parameters whose value gives access.
const PARAMETERS: [&str; 17] = [
    "access_token",
    "refresh_token",
    "auth_token",
    "id_token",
    "session_token",
    "token",
    "api_key",
    "apikey",
    "phpsessid",
    "jsessionid",
    "sessionid",
    "session_id",
    "sig",
    "signature",
    "x-amz-signature",
    "x-amz-security-token",
    "x-goog-signature",
];

/// The first byte of a parameter at the end of the text before a value.
pub(super) fn parameter_start(head: &str) -> Option<usize> {
    let name = head.strip_suffix('=')?;
    let from = name.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).map_or(0, |n| n + 1);
    let from = from.max(ceil_char_boundary(name, name.len().saturating_sub(40)));
    let name = name.get(from..)?;
    let is_parameter = PARAMETERS.iter().any(|parameter| name.eq_ignore_ascii_case(parameter));
    let mark = usize::from(from > 0 && matches!(head.as_bytes()[from - 1], b'?' | b'&'));
    is_parameter.then_some(from - mark)
}

/// Maximum bytes between the start of a name and its value.
const MAX_NAME_DISTANCE: usize = 48;
/// Minimum bytes of a value that need not look random, where a colon or equals sign joins it to its name.
const MIN_ASSIGNED_LENGTH: usize = 20;
/// Words between a name and its value.
const LINK_WORDS: [&str; 4] = [" is", " was", " to", " as"];
/// Endings of names, with the entity that each names.
const NAME_ENDINGS: [(&str, Entity); 8] = [
    ("key", Entity::API_KEY),
    ("secret", Entity::API_KEY),
    ("token", Entity::ACCESS_TOKEN),
    ("authorization", Entity::ACCESS_TOKEN),
    ("session", Entity::ACCESS_TOKEN),
    ("session id", Entity::ACCESS_TOKEN),
    ("session_id", Entity::ACCESS_TOKEN),
    ("sessionid", Entity::ACCESS_TOKEN),
];
/// Words that are written together with such an ending.
const NAME_PREFIXES: [&str; 12] = [
    "api",
    "access",
    "auth",
    "client",
    "secret",
    "session",
    "refresh",
    "bearer",
    "private",
    "signing",
    "encryption",
    "subscription",
];

/// The entity that the name before a segment stands for: `SECRET_KEY=`, "subscription key: ", "my token is ".
pub(super) fn entity_by_name(head: &str, segment: &str) -> Option<Entity> {
    let tail = &head[ceil_char_boundary(head, head.len().saturating_sub(MAX_NAME_DISTANCE))..];
    let bare = tail.trim_end_matches([' ', '\t', '"', '\'', '`', ':', '=', '>', '(', '[']);
    if bare.len() == tail.len() {
        return None;
    }
    let has_assignment = tail[bare.len()..].contains([':', '=']);
    let name =
        if has_assignment { bare } else { LINK_WORDS.iter().find_map(|link| bare.strip_suffix(link)).unwrap_or(bare) };
    let is_likely = randomness::looks_random(segment)
        || has_assignment && segment.len() >= MIN_ASSIGNED_LENGTH && !is_prose(segment);
    let entity = || NAME_ENDINGS.iter().find(|(ending, _)| ends_in(name.as_bytes(), ending)).map(|(_, entity)| *entity);
    if is_likely { entity() } else { None }
}

/// Whether a name ends in a word. The word can be joined to another one as in `apiKey` and `APIKEY`.
fn ends_in(name: &[u8], ending: &str) -> bool {
    let Some(before) = before_ending(name, ending) else { return false };
    let capital = name[before.len()].is_ascii_uppercase();
    let ends_word = |b: &u8| !b.is_ascii_alphabetic() || capital && b.is_ascii_lowercase();
    before.last().is_none_or(ends_word) || NAME_PREFIXES.iter().any(|word| before_ending(before, word).is_some())
}

/// The text before an ending, which can be in any case.
fn before_ending<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (before, end) = name.split_at(name.len().checked_sub(ending.len())?);
    end.eq_ignore_ascii_case(ending.as_bytes()).then_some(before)
}

/// Whether a segment lacks the mix of letters and digits of a random key.
fn is_prose(segment: &str) -> bool {
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let letters = segment.bytes().filter(u8::is_ascii_alphabetic).count();
    digits < 2 || letters < 4 || segment.contains("..")
}
