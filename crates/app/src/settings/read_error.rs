//! The description of an error of reading a file.

use std::io::ErrorKind;

/// Describes why a file cannot be read and how to correct that.
pub(crate) fn describe_read_error(kind: ErrorKind) -> String {
    const KNOWN: [(ErrorKind, &str); 4] = [
        (ErrorKind::NotFound, "there is no such file: correct its path"),
        (ErrorKind::PermissionDenied, "this user may not read the file: change its permissions"),
        (ErrorKind::IsADirectory, "is a directory: name a file in it"),
        (ErrorKind::InvalidData, "is not text in UTF-8: save it as UTF-8"),
    ];
    let advice = KNOWN.iter().find(|(known, _)| *known == kind);
    advice.map_or_else(|| format!("cannot be read: {kind}"), |(_, advice)| (*advice).to_owned())
}
