# Starts a PostgreSQL cluster in a new directory, on the port of the first argument. Prints `ready`, or why it failed.
# Then reads commands from standard input, one word per line: `stop`, `start`, `pause`, `resume`. Prints `done` after
# each. Stops and removes the cluster when standard input ends. It ends when the test process ends, even if killed.
# `fsync` is off, because no data needs to survive a crash.

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

unprivileged "$programs/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C -N >"$dir/initdb.log" 2>&1 ||
    { echo "cannot create a cluster: $(tail -n 1 "$dir/initdb.log")"; exit 1; }
cat >>"$dir/data/postgresql.conf" <<END
port = $1
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
max_connections = 500
END
unprivileged "$programs/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w start </dev/null >/dev/null 2>&1 ||
    { echo "cannot start the cluster: $(tail -n 1 "$dir/server.log")"; exit 1; }

# Prints the process ids of the server: the main process and its children.
processes() {
    first=$(head -n 1 "$dir/data/postmaster.pid")
    echo "$first"
    cat "/proc/$first/task/$first/children" 2>/dev/null
}

echo ready
while read -r command; do
    case $command in
        stop) unprivileged "$programs/pg_ctl" -D "$dir/data" -m fast -w stop >/dev/null 2>&1 ;;
        start)
            unprivileged "$programs/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w start </dev/null >/dev/null 2>&1 ;;
        pause) kill -STOP $(processes) ;;
        resume) kill -CONT $(processes) ;;
    esac
    echo done
done
kill -CONT $(processes) 2>/dev/null
unprivileged "$programs/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
