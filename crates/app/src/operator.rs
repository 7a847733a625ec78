//! Which user of the operating system runs a command.

use std::fs;

use parlance_domain::audit::Operator;

/// Where the system lists its own users. Those of a directory service are not in it, and have a number only.
const USERS: &str = "/etc/passwd";

/// The user who runs this process.
pub(crate) fn current() -> Operator {
    let uid = rustix::process::getuid().as_raw();
    Operator { uid, name: fs::read_to_string(USERS).ok().and_then(|users| name_of(uid, &users)) }
}

/// The name of a user in the list: the first field of a line whose third is the number.
fn name_of(uid: u32, users: &str) -> Option<String> {
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
    fn a_user_is_named_by_the_systems_list() {
        let users = "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:1000:Ada,,,:/home/ada:/bin/sh\n";
        assert_eq!(name_of(1000, users).as_deref(), Some("ada"));
        assert_eq!(name_of(0, users).as_deref(), Some("root"));
        assert_eq!(name_of(1, users), None);
    }

    #[test]
    fn this_process_has_a_user() {
        assert_eq!(current().uid, rustix::process::getuid().as_raw());
    }
}
