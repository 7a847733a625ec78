# Starts a PostgreSQL cluster in a new folder on the port that is given, and says `ready`, or why it cannot.
# Then does what standard input says, a word a line, and answers `done`: `stop`, `start`, `pause`, `resume`.
# Stops and removes it when standard input ends: that is when the test process ends, however it ends.
# `fsync` is off: nothing in it needs to survive anything.

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

folder=$(mktemp -d "${TMPDIR:-/tmp}/parlance-postgres.XXXXXX") || { echo "no folder can be made"; exit 1; }
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
if [ -n "${user:-}" ]; then chown "$user" "$folder"; fi

unprivileged "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C -N >"$folder/initdb.log" 2>&1 ||
    { echo "a cluster cannot be made: $(tail -n 1 "$folder/initdb.log")"; exit 1; }
cat >>"$folder/data/postgresql.conf" <<END
port = $1
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
max_connections = 500
END
unprivileged "$programs/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w start </dev/null >/dev/null 2>&1 ||
    { echo "a cluster cannot be started: $(tail -n 1 "$folder/server.log")"; exit 1; }

# The processes of the server: its first, and those that this one has started.
processes() {
    first=$(head -n 1 "$folder/data/postmaster.pid")
    echo "$first"
    cat "/proc/$first/task/$first/children" 2>/dev/null
}

echo ready
while read -r order; do
    case $order in
        stop) unprivileged "$programs/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null 2>&1 ;;
        start)
            unprivileged "$programs/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w start </dev/null >/dev/null 2>&1 ;;
        pause) kill -STOP $(processes) ;;
        resume) kill -CONT $(processes) ;;
    esac
    echo done
done
kill -CONT $(processes) 2>/dev/null
unprivileged "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1
