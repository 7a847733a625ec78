//! A hundred ways to change a receipt, each of which a verifier must refuse.

use parlance_domain::{
    access::TenantId,
    hex,
    privacy::SignedReceipt,
    signing::{Signature, Signer, Verifier},
};

use crate::receipt_sample::{PURPOSE, Receipts};

/// A changed receipt, to be verified with the key of [`Receipts`] and as the successor of `previous`.
pub(crate) struct Mutant {
    pub(crate) name: &'static str,
    pub(crate) receipt: Vec<u8>,
    pub(crate) previous: Vec<u8>,
}

/// Replaces the only occurrence of a text.
fn replaced(file: &str, from: &str, to: &str) -> String {
    assert_eq!(file.matches(from).count(), 1, "{from}");
    file.replace(from, to)
}

/// Changes of the content, as replacements of one text by another.
const CONTENT: [(&str, &str, &str); 25] = [
    ("tenant", "\"acme\"", "\"acmf\""),
    ("request", "01JZX8", "01JZX9"),
    ("kind", "\"customer\"", "\"conversation\""),
    ("kind without a subject", "\"customer\"", "\"tenant\""),
    ("kind in upper case", "\"customer\"", "\"Customer\""),
    ("reference", "CHG-7/2", "CHG-8/2"),
    ("reference in lower case", "CHG-7", "chg-7"),
    ("reference with a letter that looks alike", "CHG-7", "\u{421}HG-7"),
    ("reference in decomposed form", "Zoé", "Zoe\u{301}"),
    ("reference with a line feed", "Zoé", "Zo\n"),
    ("requested_at", "08:00:00.250Z", "08:00:00.251Z"),
    ("completed_at", "08:01:30.000Z", "08:00:30.000Z"),
    ("completed_at with microseconds", "08:01:30.000Z", "08:01:30.000001Z"),
    ("count", "\"count\":127", "\"count\":128"),
    ("count with one more digit", "\"count\":9,", "\"count\":90,"),
    ("count of zero", "\"count\":35", "\"count\":0"),
    ("place", "\"messages\"", "\"messagez\""),
    ("place removed", "{\"count\":127,\"place\":\"messages\"},", ""),
    ("place added", "\"counts\":[", "\"counts\":[{\"count\":1,\"place\":\"ledger\"},"),
    ("place twice", "\"feed_files\"", "\"messages\""),
    ("code", "\"server_logs\"", "\"server_log\""),
    ("reason", "outside the service", "inside the service"),
    ("audit sequence", "\"sequence\":41", "\"sequence\":410"),
    ("audit hash", "cdcdcdcd\"", "cdcdcdce\""),
    ("version", "\"version\":1}", "\"version\":2}"),
];

/// Changes of the order of parts.
const ORDER: [(&str, &str, &str); 5] = [
    (
        "counts reordered",
        "{\"count\":35,\"place\":\"conversations\"},{\"count\":127,\"place\":\"messages\"}",
        "{\"count\":127,\"place\":\"messages\"},{\"count\":35,\"place\":\"conversations\"}",
    ),
    (
        "numbers of two places swapped",
        "35,\"place\":\"conversations\"},{\"count\":127",
        "127,\"place\":\"conversations\"},{\"count\":35",
    ),
    (
        "fields of a count swapped",
        "\"count\":35,\"place\":\"conversations\"",
        "\"place\":\"conversations\",\"count\":35",
    ),
    ("time of the request for that of the end", "08:01:30.000Z", "08:00:00.250Z"),
    ("fields of the receipt swapped", "\"tenant\":\"acme\",\"version\":1", "\"version\":1,\"tenant\":\"acme\""),
];

/// Changes of the JSON text.
const JSON: [(&str, &str, &str); 38] = [
    ("field twice", "\"tenant\":\"acme\"", "\"tenant\":\"acme\",\"tenant\":\"acme\""),
    ("field twice, another value first", "\"tenant\":\"acme\"", "\"tenant\":\"globex\",\"tenant\":\"acme\""),
    ("field twice, another value last", "\"tenant\":\"acme\"", "\"tenant\":\"acme\",\"tenant\":\"globex\""),
    ("field of a count twice", "\"count\":35", "\"count\":3,\"count\":35"),
    ("receipt twice", "\"receipt\":", "\"receipt\":{},\"receipt\":"),
    ("signature twice", "\"signature\":", "\"signature\":\"\",\"signature\":"),
    ("unknown field of the receipt", "\"version\":1}", "\"version\":1,\"x\":1}"),
    ("unknown field of the file", "{\"key\":", "{\"a\":1,\"key\":"),
    ("unknown field of a count", "\"count\":35,", "\"count\":35,\"note\":\"\","),
    ("unknown field of the position", "\"sequence\":41", "\"sequence\":41,\"tenant\":\"acme\""),
    ("reference missing", "\"reference\":\"CHG-7/2 Zoé 🦀\",", ""),
    ("version missing", ",\"version\":1}", "}"),
    ("null for a text", "\"acme\"", "null"),
    ("text for a number", "\"count\":35", "\"count\":\"35\""),
    ("true for a number", "\"version\":1}", "\"version\":true}"),
    ("fraction", "\"count\":35", "\"count\":35.0"),
    ("exponent", "\"count\":35", "\"count\":35e0"),
    ("leading zero", "\"count\":35", "\"count\":035"),
    ("negative number", "\"count\":35", "\"count\":-35"),
    ("number beyond 2^53", "\"count\":35", "\"count\":9007199254740992"),
    ("number of 30 digits", "\"count\":35", "\"count\":350000000000000000000000000000"),
    ("not a number", "\"count\":35", "\"count\":NaN"),
    ("time in another zone", "08:01:30.000Z", "09:01:30.000+01:00"),
    ("time without a fraction", "08:01:30.000Z", "08:01:30Z"),
    ("time with six digits of zeros", "08:01:30.000Z", "08:01:30.000000Z"),
    ("second that does not exist", "08:01:30.000Z", "08:01:60.000Z"),
    ("escaped letter", "acme", "\\u0061cme"),
    ("escaped letter in upper-case digits", "Zoé", "Zo\\u00E9"),
    ("escaped letter outside ASCII", "Zoé", "Zo\\u00e9"),
    ("escaped pair of surrogates", "🦀", "\\ud83e\\udd80"),
    ("escaped half of a pair of surrogates", "🦀", "\\ud83e"),
    ("escaped solidus", "CHG-7/2", "CHG-7\\/2"),
    ("escaped field name", "\"tenant\":", "\"\\u0074enant\":"),
    ("white space between fields", "\"tenant\":", " \"tenant\":"),
    ("comment", "\"tenant\":", "/* */\"tenant\":"),
    ("trailing comma", "\"version\":1}", "\"version\":1,}"),
    ("list for an object", "\"audit\":{", "\"audit\":[{"),
    ("single quotes", "\"acme\"", "'acme'"),
];

/// All mutants.
pub(crate) fn mutants(receipts: &Receipts) -> Vec<Mutant> {
    let (file, previous) = (receipts.second.to_file(), receipts.first.to_file());
    let replacements = CONTENT.iter().chain(&ORDER).chain(&JSON);
    let replacements = replacements.map(|(name, from, to)| (*name, replaced(&file, from, to).into_bytes()));
    let changed = replacements.chain(frames(&file)).chain(signatures(receipts)).chain(signed(receipts));
    let changed = changed.map(|(name, receipt)| Mutant { name, receipt, previous: previous.clone().into() });
    changed.chain(chains(receipts)).collect()
}

/// Changes around the JSON text.
fn frames(file: &str) -> Vec<(&'static str, Vec<u8>)> {
    let line = file.trim_end();
    let inner = line.split_once("\"receipt\":").unwrap().1.split_once(",\"signature\"").unwrap().0;
    vec![
        ("cut in the middle", line[..line.len() / 2].into()),
        ("cut by one byte", line[..line.len() - 1].into()),
        ("empty file", Vec::new()),
        ("receipt alone", inner.into()),
        ("trailing text", format!("{line}x").into()),
        ("two documents", format!("{line}\n{line}\n").into()),
        ("trailing NUL", format!("{line}\0").into()),
        ("byte order mark", format!("\u{feff}{file}").into()),
        ("UTF-16", file.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("byte that is not UTF-8", file.bytes().map(|byte| if byte == b'Z' { 0xff } else { byte }).collect()),
    ]
}

/// Changes of the signature and of the key.
fn signatures(receipts: &Receipts) -> Vec<(&'static str, Vec<u8>)> {
    let Receipts { key, other_key, first, second, .. } = receipts;
    let file = second.to_file();
    let with_signature = |text: &str| replaced(&file, &second.signature.to_string(), text).into_bytes();
    let with_bytes = |bytes: [u8; 64]| with_signature(&Signature(bytes).to_string());
    let (key_text, public_text) = (second.key.to_string(), second.public_key.to_string());
    let (other_text, other_public) = (other_key.fingerprint().to_string(), other_key.public_key().to_string());
    let json = second.receipt.canonical_json();
    let pair = |key: &str, public_key: &str| format!("\"{key}\",\"public_key\":\"{public_key}\"");
    let own_pair = pair(&key_text, &public_text);
    let other_file = |key: &str, public_key: &str| replaced(&file, &own_pair, &pair(key, public_key)).into_bytes();
    vec![
        ("signature changed", with_bytes(second.signature.0.map(|byte| byte ^ 1))),
        ("signature of zeros", with_bytes([0; 64])),
        ("signature empty", with_signature("")),
        ("signature cut", with_signature(&second.signature.to_string()[..126])),
        ("signature in upper case", with_signature(&second.signature.to_string().to_uppercase())),
        ("signature removed", replaced(&file, &format!(",\"signature\":\"{}\"", second.signature), "").into()),
        ("signature of another receipt", with_bytes(first.signature.0)),
        ("signature by another key", with_bytes(SignedReceipt::new(second.receipt.clone(), other_key).signature.0)),
        ("signature without the purpose", with_bytes(key.sign(json.as_bytes()).0)),
        ("signature with the order of the group added", with_bytes(plus_group_order(second.signature.0))),
        ("key of another", other_file(&other_text, &public_text)),
        ("public key of another", other_file(&key_text, &other_public)),
        ("both keys of another", other_file(&other_text, &other_public)),
        ("both keys swapped", other_file(&public_text, &key_text)),
        ("signed anew by another key", SignedReceipt::new(second.receipt.clone(), other_key).to_file().into()),
        ("key in upper case", replaced(&file, &key_text, &key_text.to_uppercase()).into()),
    ]
}

/// Adds the order of the group (RFC 8032, section 5.1) to the second half of a signature. A verifier that does not
/// check its range accepts two signatures of one content.
fn plus_group_order(mut signature: [u8; 64]) -> [u8; 64] {
    const ORDER: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
    let order: [u8; 32] = hex::decode(ORDER).unwrap();
    let mut carry = 0;
    for (byte, added) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(added) + carry;
        *byte = u8::try_from(sum & 0xff).unwrap();
        carry = sum >> 8;
    }
    signature
}

/// Receipts that the key itself has signed, but that have no valid form.
fn signed(receipts: &Receipts) -> Vec<(&'static str, Vec<u8>)> {
    let json = receipts.second.receipt.canonical_json();
    assert!(receipts.signed(&json) == receipts.second.to_file() && PURPOSE.ends_with(':'));
    let signed = |from: &str, to: &str| receipts.signed(&replaced(&json, from, to)).into_bytes();
    vec![
        ("signed with an unknown field", signed("\"version\":1}", "\"version\":1,\"x\":1}")),
        ("signed with another version", signed("\"version\":1}", "\"version\":2}")),
    ]
}

/// Genuine receipts in a wrong order.
fn chains(receipts: &Receipts) -> Vec<Mutant> {
    let Receipts { key, first, second, third, .. } = receipts;
    let mut of_another_tenant = first.receipt.clone();
    of_another_tenant.tenant = TenantId::parse("globex").unwrap();
    let of_another_tenant = SignedReceipt::new(of_another_tenant, key);
    let forged = replaced(&first.to_file(), "\"count\":35", "\"count\":36");
    let mutant = |name, receipt: &SignedReceipt, previous: String| Mutant {
        name,
        receipt: receipt.to_file().into(),
        previous: previous.into(),
    };
    vec![
        mutant("replayed", first, second.to_file()),
        mutant("one left out", third, first.to_file()),
        mutant("previous of another tenant", second, of_another_tenant.to_file()),
        mutant("previous forged", second, forged),
    ]
}
