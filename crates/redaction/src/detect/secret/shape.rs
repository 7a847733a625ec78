//! Keys and tokens with the structure of a provider and without a prefix.

/// Whether a segment is a JSON web token: three base64 parts (RFC 7519), the first two JSON objects, or five parts if
/// encrypted (RFC 7516). A token without a signature gives no access.
pub(super) fn is_web_token(segment: &str) -> bool {
    let mut parts = segment.split('.');
    let (Some(head), Some(body)) = (parts.next(), parts.next()) else { return false };
    let is_object = |part: &str| part.starts_with("ey");
    if head.len() < 16 || !is_object(head) {
        return false;
    }
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(sign), None, ..) => is_object(body) && body.len() >= 10 && sign.len() >= 10,
        (Some(vector), Some(text), Some(tag), None) => vector.len() >= 10 && !text.is_empty() && tag.len() >= 10,
        _ => false,
    }
}

/// Whether a segment has the structure of a provider's keys. Each structure is the one that the provider documents.
pub(super) fn is_key(segment: &str) -> bool {
    match segment.len() {
        27..=100 if segment.starts_with("SG.") => is_send_grid(segment),
        36..=40 if is_mailchimp(segment) => true,
        26 => is_early_vault(segment),
        34..=44 if segment.starts_with("A3-") => is_one_password(segment),
        37..=40 => is_entra(segment) || is_max_mind(segment),
        84 if segment.contains("AZDO") => is_alphanumeric(segment),
        58..=93 => is_airtable(segment) || is_terraform(segment) || is_discord(segment) || is_harness(segment),
        _ => false,
    }
}

fn is_alphanumeric(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn is_hexadecimal(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The parts between the marks of a segment, if they have these lengths.
fn parts_of<const N: usize>(
    segment: &str,
    mark: char,
    lengths: [std::ops::RangeInclusive<usize>; N],
) -> Option<[&str; N]> {
    let mut parts = segment.split(mark);
    let mut found = [""; N];
    for (place, length) in found.iter_mut().zip(lengths) {
        *place = parts.next().filter(|part| length.contains(&part.len()))?;
    }
    parts.next().is_none().then_some(found)
}

/// `SendGrid`: the name of a key and the key.
fn is_send_grid(segment: &str) -> bool {
    parts_of(segment, '.', [2..=2, 1..=97, 1..=97]).is_some()
}

/// Mailchimp: 32 hexadecimal digits and the data centre.
fn is_mailchimp(segment: &str) -> bool {
    let Some((key, centre)) = segment.split_once("-us") else { return false };
    key.len() == 32
        && is_hexadecimal(key)
        && matches!(centre.len(), 1..=2)
        && centre.bytes().all(|b| b.is_ascii_digit())
}

/// Vault tokens from before Vault had key prefixes.
fn is_early_vault(segment: &str) -> bool {
    segment.strip_prefix("s.").is_some_and(|rest| is_alphanumeric(rest) && super::randomness::looks_random(rest))
}

/// 1Password: the secret key of an account, in groups.
fn is_one_password(segment: &str) -> bool {
    let upper = |part: &str| part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let earlier = parts_of(segment, '-', [2..=2, 6..=6, 6..=6, 5..=5, 5..=5, 5..=5, 5..=5]);
    let later = parts_of(segment, '-', [2..=2, 6..=6, 11..=11, 5..=5, 5..=5, 5..=5]);
    earlier.is_some_and(|parts| parts.into_iter().all(upper)) || later.is_some_and(|parts| parts.into_iter().all(upper))
}

/// Microsoft Entra: the secret of an application.
fn is_entra(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    bytes[3].is_ascii_digit() && bytes[4..].starts_with(b"Q~")
}

/// `MaxMind`: a licence key.
fn is_max_mind(segment: &str) -> bool {
    let parts = parts_of(segment, '_', [6..=6, 29..=29, 3..=3]);
    parts.is_some_and(|[id, key, end]| is_alphanumeric(id) && is_alphanumeric(key) && end == "mmk")
}

/// Airtable: a personal access token.
fn is_airtable(segment: &str) -> bool {
    let parts = parts_of(segment, '.', [17..=17, 64..=64]);
    parts.is_some_and(|[id, secret]| id.starts_with("pat") && is_alphanumeric(id) && is_hexadecimal(secret))
}

/// HCP Terraform.
fn is_terraform(segment: &str) -> bool {
    let parts = parts_of(segment, '.', [14..=14, 7..=7, 60..=70]);
    parts.is_some_and(|[id, version, _]| is_alphanumeric(id) && version == "atlasv1")
}

/// Discord: the number of a bot in base64, a time, and a signature.
fn is_discord(segment: &str) -> bool {
    let parts = parts_of(segment, '.', [23..=28, 6..=6, 27..=38]);
    parts.is_some_and(|[number, _, sign]| number.starts_with(['M', 'N', 'O']) && super::randomness::looks_random(sign))
}

/// Harness: a token of a person or a service.
fn is_harness(segment: &str) -> bool {
    let parts = parts_of(segment, '.', [3..=3, 22..=22, 24..=24, 20..=20]);
    parts.is_some_and(|[kind, _, secret, _]| matches!(kind, "pat" | "sat") && is_alphanumeric(secret))
}

/// The bytes of the bot number and colon before the segment, if both are a Telegram token: a number, a colon, and the
/// segment.
pub(super) fn telegram_prefix_length(head: &str, segment: &str) -> Option<usize> {
    let number = head.strip_suffix(':')?;
    let digits = number.bytes().rev().take_while(u8::is_ascii_digit).count();
    (segment.len() == 35 && segment.starts_with("AA") && matches!(digits, 8..=10)).then_some(digits + 1)
}
