//! The user of the operating system that runs a command.

use std::fs;

use parlance_domain::audit::Operator;

/// The list of local users. A user of a directory service is not in it and has a number only.
const PASSWD_FILE: &str = "/etc/passwd";

/// Returns the user that runs this process.
pub(crate) fn current() -> Operator {
    let uid = rustix::process::getuid().as_raw();
    Operator { uid, name: fs::read_to_string(PASSWD_FILE).ok().and_then(|users| find_name(uid, &users)) }
}

/// Returns the name of a user: the first field of the line whose third field is the number.
fn find_name(uid: u32, users: &str) -> Option<String> {
    let names = users.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    names.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_user_comes_from_the_list_of_local_users() {
        let users = "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:1000:Ada,,,:/home/ada:/bin/sh\n";
        assert_eq!(find_name(1000, users).as_deref(), Some("ada"));
        assert_eq!(find_name(0, users).as_deref(), Some("root"));
        assert_eq!(find_name(1, users), None);
    }

    #[test]
    fn this_process_has_a_user() {
        assert_eq!(current().uid, rustix::process::getuid().as_raw());
    }
}
