//! Responses whose JSON is written directly into a body.

use actix_web::{HttpResponse, http::header::ContentType};

/// The response 200 with this JSON body.
pub(crate) fn respond(body: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(body)
}

/// Texts with one special character each, at every offset of the first 64 bytes. Some characters need escaping.
#[cfg(test)]
pub(crate) fn escaping_samples() -> impl Iterator<Item = String> {
    const OFFSETS: usize = 64;
    let characters = ["\"", "\\", "\n", "\t", "\u{1}", "\u{1f}", "\u{7f}", " ", "é", "\u{2028}", "😀", "/"];
    let paddings = (0..=OFFSETS).flat_map(|before| [(before, 1), (before, OFFSETS)]);
    let text = |character, (before, after)| format!("{}{character}{}", "x".repeat(before), "x".repeat(after));
    paddings.flat_map(move |padding| characters.map(|character| text(character, padding)))
}
