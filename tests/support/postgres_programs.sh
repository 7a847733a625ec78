# The common part of the scripts that start PostgreSQL for a test: finds the programs, and enters a new directory, which
# is removed at the end.
#
# $programs   the directory of the programs of the server
# $dir        the new directory
# unprivileged COMMAND…   runs a command as a user that the server accepts
# processes DATA          prints the process ids of a server

installed=$(command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
[ -n "$installed" ] || { echo "no PostgreSQL server is installed"; exit 1; }
programs=$(dirname "$(readlink -f "$installed")")

# The server refuses to run as root.
if [ "$(id -u)" != 0 ]; then
    unprivileged() { "$@"; }
else
    user=$(id -un postgres 2>/dev/null || echo nobody)
    if command -v setpriv >/dev/null; then
        unprivileged() { setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"; }
    elif command -v runuser >/dev/null; then
        unprivileged() { runuser -u "$user" -- "$@"; }
    else
        unprivileged() { su -s /bin/sh -c 'exec "$0" "$@"' "$user" -- "$@"; }
    fi
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/parlance-postgres.XXXXXX") || { echo "cannot create a directory"; exit 1; }
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
if [ -n "${user:-}" ]; then chown "$user" "$dir"; fi

# Prints the process ids of the server of a data directory: the main process and its children.
processes() {
    first=$(head -n 1 "$1/postmaster.pid")
    echo "$first"
    cat "/proc/$first/task/$first/children" 2>/dev/null
}
