//! Values as PostgreSQL reads them in a statement's own text, for `COPY`, which takes no bound ones.

use crate::error::Failure;

use super::reading::Value;

/// The statement with its values in the places of `$1` and so on. What stands in a value is never read as a part of
/// the statement.
pub(super) fn with_literals(statement: &str, values: &[Value]) -> Result<String, Failure> {
    let mut parts = statement.split('$');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_at(part.bytes().take_while(u8::is_ascii_digit).count());
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let value = place.and_then(|place| values.get(place));
        written.push_str(&literal(value.ok_or_else(|| Failure::unexpected("a statement names a value too many"))?)?);
        written.push_str(rest);
    }
    Ok(written)
}

/// A constant of the value's type. The form `E'…'` means the same whatever `standard_conforming_strings` says.
fn literal(value: &Value) -> Result<String, Failure> {
    match value {
        Value::Number(number) => Ok(format!("'{number}'::bigint")),
        Value::Text(text) if text.contains('\0') => Err(Failure::unexpected("no text of PostgreSQL holds a NUL")),
        Value::Text(text) => Ok(format!("E'{}'::text", text.replace('\\', r"\\").replace('\'', "''"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn values_stand_in_their_places() {
        let written =
            with_literals("SELECT a FROM t WHERE b = $2 AND c > $1", &[Value::Number(-5), text("x")]).unwrap();
        assert_eq!(written, "SELECT a FROM t WHERE b = E'x'::text AND c > '-5'::bigint");
    }

    #[test]
    fn what_would_end_a_text_is_doubled() {
        for (given, literal) in [
            ("", "E''::text"),
            ("'; DROP TABLE messages; --", "E'''; DROP TABLE messages; --'::text"),
            (r"\", r"E'\\'::text"),
            (r"\'", r"E'\\'''::text"),
            ("é🦀\n", "E'é🦀\n'::text"),
        ] {
            assert_eq!(with_literals("$1", &[text(given)]).unwrap(), literal);
        }
    }

    #[test]
    fn a_place_that_stands_in_a_value_is_none() {
        assert_eq!(with_literals("$1, $2", &[text("$2"), text("x")]).unwrap(), "E'$2'::text, E'x'::text");
    }

    #[test]
    fn a_nul_and_a_missing_value_are_refused() {
        assert!(with_literals("$1", &[text("a\0b")]).is_err());
        assert!(with_literals("$2", &[text("a")]).is_err());
        assert!(with_literals("$0", &[text("a")]).is_err());
    }
}
