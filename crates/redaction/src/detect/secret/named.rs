//! What is secret by the name before it: headers, parameters, and names that end in key, secret or token.

use super::{ceil, made};
use crate::entity::Entity;

/// The byte where a header begins whose value follows: "Authorization: Basic", "Bearer".
pub(super) fn header(head: &str) -> Option<usize> {
    let tail = &head[ceil(head, head.len().saturating_sub(40))..];
    let trimmed = tail.trim_end();
    if trimmed.len() == tail.len() {
        return None;
    }
    let scheme = trimmed.rsplit([' ', ':', '"', '\'']).next()?;
    if !matches!(scheme, "Basic" | "Bearer" | "bearer" | "BEARER" | "basic") {
        return None;
    }
    let before = trimmed[..trimmed.len() - scheme.len()].trim_end();
    let named = before_ending(before.as_bytes(), "authorization:").is_some();
    if !named && scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let length = if named { trimmed.len() - before.len() + "authorization:".len() } else { scheme.len() };
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

/// The byte where a parameter begins whose value follows.
pub(super) fn parameter(head: &str) -> Option<usize> {
    let name = head.strip_suffix('=')?;
    let from = name.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).map_or(0, |n| n + 1);
    let from = from.max(ceil(name, name.len().saturating_sub(40)));
    let name = name.get(from..)?;
    let known = PARAMETERS.iter().any(|parameter| name.eq_ignore_ascii_case(parameter));
    let mark = usize::from(from > 0 && matches!(head.as_bytes()[from - 1], b'?' | b'&'));
    known.then_some(from - mark)
}

/// Bytes before a value in which its name is looked for.
const REACH: usize = 48;
/// Bytes of a value at least that need not look as though made by a machine, where a mark joins it to its name.
const LONG: usize = 20;
/// Words between a name and its value.
const LINKS: [&str; 4] = [" is", " was", " to", " as"];
/// What names end in, and what they name.
const NAMES: [(&str, Entity); 8] = [
    ("key", Entity::API_KEY),
    ("secret", Entity::API_KEY),
    ("token", Entity::ACCESS_TOKEN),
    ("authorization", Entity::ACCESS_TOKEN),
    ("session", Entity::ACCESS_TOKEN),
    ("session id", Entity::ACCESS_TOKEN),
    ("session_id", Entity::ACCESS_TOKEN),
    ("sessionid", Entity::ACCESS_TOKEN),
];
/// What such an ending is written together with.
const JOINED: [&str; 12] = [
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

/// What the name before a piece says that it is: `SECRET_KEY=`, "subscription key: ", "my token is ".
pub(super) fn named(head: &str, piece: &str) -> Option<Entity> {
    let tail = &head[ceil(head, head.len().saturating_sub(REACH))..];
    let bare = tail.trim_end_matches([' ', '\t', '"', '\'', '`', ':', '=', '>', '(', '[']);
    if bare.len() == tail.len() {
        return None;
    }
    let marked = tail[bare.len()..].contains([':', '=']);
    let name = if marked { bare } else { LINKS.iter().find_map(|link| bare.strip_suffix(link)).unwrap_or(bare) };
    let likely = made::is_made(piece) || marked && piece.len() >= LONG && !is_prose(piece);
    let entity = || NAMES.iter().find(|(ending, _)| is_named(name.as_bytes(), ending)).map(|(_, entity)| *entity);
    if likely { entity() } else { None }
}

/// Whether a name ends in a word, or is written together of two as names are: `apiKey`, `APIKEY`.
fn is_named(name: &[u8], ending: &str) -> bool {
    let Some(before) = before_ending(name, ending) else { return false };
    let capital = name[before.len()].is_ascii_uppercase();
    let apart = |b: &u8| !b.is_ascii_alphabetic() || capital && b.is_ascii_lowercase();
    before.last().is_none_or(apart) || JOINED.iter().any(|word| before_ending(before, word).is_some())
}

/// What is before an ending, in whatever case.
fn before_ending<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (before, end) = name.split_at(name.len().checked_sub(ending.len())?);
    end.eq_ignore_ascii_case(ending.as_bytes()).then_some(before)
}

/// Whether a piece lacks the mix of letters and digits of a made key.
fn is_prose(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    digits < 2 || letters < 4 || piece.contains("..")
}
