//! Inlines parameters into the text of a PostgreSQL statement, because `COPY` accepts no bound parameters.

use crate::{data_plane::feed_reads::param::Param, error::DbError};

/// Replaces `$1` and so on with the literals of the parameters. A parameter's text is never parsed as part of the
/// statement.
pub(super) fn inline_params(statement: &str, params: &[Param]) -> Result<String, DbError> {
    let mut parts = statement.split('$');
    let mut sql = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_at(part.bytes().take_while(u8::is_ascii_digit).count());
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let param = index.and_then(|index| params.get(index));
        sql.push_str(&literal(param.ok_or_else(|| DbError::unexpected("a statement refers to a missing parameter"))?)?);
        sql.push_str(rest);
    }
    Ok(sql)
}

/// A literal of the parameter's type. The meaning of `E'…'` does not depend on `standard_conforming_strings`.
fn literal(param: &Param) -> Result<String, DbError> {
    match param {
        Param::Number(number) => Ok(format!("'{number}'::bigint")),
        Param::Text(text) if text.contains('\0') => Err(DbError::unexpected("a PostgreSQL text cannot contain NUL")),
        Param::Text(text) => Ok(format!("E'{}'::text", text.replace('\\', r"\\").replace('\'', "''"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Param {
        Param::Text(text.to_owned())
    }

    #[test]
    fn each_placeholder_becomes_the_literal_of_its_parameter() {
        let sql = inline_params("SELECT a FROM t WHERE b = $2 AND c > $1", &[Param::Number(-5), text("x")]).unwrap();
        assert_eq!(sql, "SELECT a FROM t WHERE b = E'x'::text AND c > '-5'::bigint");
    }

    #[test]
    fn quotes_and_backslashes_are_doubled() {
        for (param, literal) in [
            ("", "E''::text"),
            ("'; DROP TABLE messages; --", "E'''; DROP TABLE messages; --'::text"),
            (r"\", r"E'\\'::text"),
            (r"\'", r"E'\\'''::text"),
            ("é🦀\n", "E'é🦀\n'::text"),
        ] {
            assert_eq!(inline_params("$1", &[text(param)]).unwrap(), literal);
        }
    }

    #[test]
    fn a_placeholder_within_a_parameter_is_not_replaced() {
        assert_eq!(inline_params("$1, $2", &[text("$2"), text("x")]).unwrap(), "E'$2'::text, E'x'::text");
    }

    #[test]
    fn a_nul_and_a_missing_parameter_are_errors() {
        assert!(inline_params("$1", &[text("a\0b")]).is_err());
        assert!(inline_params("$2", &[text("a")]).is_err());
        assert!(inline_params("$0", &[text("a")]).is_err());
    }
}
