//! Keys and tokens that are told by their make-up, without a prefix of their own.

/// Three parts in base 64 (RFC 7519), the first two JSON objects; encrypted five (RFC 7516). One without a signature gives no
/// access.
pub(super) fn is_web_token(piece: &str) -> bool {
    let mut parts = piece.split('.');
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

/// Whether a piece is made up as a provider makes its keys up. Each shape is the one that its provider documents.
pub(super) fn is_key(piece: &str) -> bool {
    match piece.len() {
        27..=100 if piece.starts_with("SG.") => is_send_grid(piece),
        36..=40 if is_mailchimp(piece) => true,
        26 => is_early_vault(piece),
        34..=44 if piece.starts_with("A3-") => is_one_password(piece),
        37..=40 => is_entra(piece) || is_max_mind(piece),
        84 if piece.contains("AZDO") => alphanumeric(piece),
        58..=93 => is_airtable(piece) || is_terraform(piece) || is_discord(piece) || is_harness(piece),
        _ => false,
    }
}

fn alphanumeric(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn hexadecimal(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The parts that a mark divides a piece into, where they have these lengths.
fn parts_of<const N: usize>(
    piece: &str,
    mark: char,
    lengths: [std::ops::RangeInclusive<usize>; N],
) -> Option<[&str; N]> {
    let mut parts = piece.split(mark);
    let mut found = [""; N];
    for (place, length) in found.iter_mut().zip(lengths) {
        *place = parts.next().filter(|part| length.contains(&part.len()))?;
    }
    parts.next().is_none().then_some(found)
}

/// `SendGrid`: the name of a key and the key.
fn is_send_grid(piece: &str) -> bool {
    parts_of(piece, '.', [2..=2, 1..=97, 1..=97]).is_some()
}

/// Mailchimp: 32 hexadecimal digits and the data centre.
fn is_mailchimp(piece: &str) -> bool {
    let Some((key, centre)) = piece.split_once("-us") else { return false };
    key.len() == 32 && hexadecimal(key) && matches!(centre.len(), 1..=2) && centre.bytes().all(|b| b.is_ascii_digit())
}

/// Vault before its prefixes.
fn is_early_vault(piece: &str) -> bool {
    piece.strip_prefix("s.").is_some_and(|rest| alphanumeric(rest) && super::made::is_made(rest))
}

/// 1Password: the secret key of an account, in groups.
fn is_one_password(piece: &str) -> bool {
    let upper = |part: &str| part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let earlier = parts_of(piece, '-', [2..=2, 6..=6, 6..=6, 5..=5, 5..=5, 5..=5, 5..=5]);
    let later = parts_of(piece, '-', [2..=2, 6..=6, 11..=11, 5..=5, 5..=5, 5..=5]);
    earlier.is_some_and(|parts| parts.into_iter().all(upper)) || later.is_some_and(|parts| parts.into_iter().all(upper))
}

/// Microsoft Entra: the secret of an application.
fn is_entra(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    bytes[3].is_ascii_digit() && bytes[4..].starts_with(b"Q~")
}

/// `MaxMind`: a licence key.
fn is_max_mind(piece: &str) -> bool {
    let parts = parts_of(piece, '_', [6..=6, 29..=29, 3..=3]);
    parts.is_some_and(|[id, key, end]| alphanumeric(id) && alphanumeric(key) && end == "mmk")
}

/// Airtable: a personal access token.
fn is_airtable(piece: &str) -> bool {
    let parts = parts_of(piece, '.', [17..=17, 64..=64]);
    parts.is_some_and(|[id, secret]| id.starts_with("pat") && alphanumeric(id) && hexadecimal(secret))
}

/// HCP Terraform.
fn is_terraform(piece: &str) -> bool {
    let parts = parts_of(piece, '.', [14..=14, 7..=7, 60..=70]);
    parts.is_some_and(|[id, version, _]| alphanumeric(id) && version == "atlasv1")
}

/// Discord: the number of a bot in base 64, a time, and a signature.
fn is_discord(piece: &str) -> bool {
    let parts = parts_of(piece, '.', [23..=28, 6..=6, 27..=38]);
    parts.is_some_and(|[number, _, sign]| number.starts_with(['M', 'N', 'O']) && super::made::is_made(sign))
}

/// Harness: a token of a person or a service.
fn is_harness(piece: &str) -> bool {
    let parts = parts_of(piece, '.', [3..=3, 22..=22, 24..=24, 20..=20]);
    parts.is_some_and(|[kind, _, secret, _]| matches!(kind, "pat" | "sat") && alphanumeric(secret))
}

/// Telegram: the number of a bot, a colon, and this. Bytes of what is before it, where it is one.
pub(super) fn telegram(head: &str, piece: &str) -> Option<usize> {
    let number = head.strip_suffix(':')?;
    let digits = number.bytes().rev().take_while(u8::is_ascii_digit).count();
    (piece.len() == 35 && piece.starts_with("AA") && matches!(digits, 8..=10)).then_some(digits + 1)
}
