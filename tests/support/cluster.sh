# Starts a PostgreSQL cluster in a new directory, on the port of the first argument. Appends the file of the second
# argument, if there is one, to the configuration of the server. Prints `ready`, or why it failed.
# Then reads commands from standard input, one word per line: `stop`, `start`, `pause`, `resume`. Prints `done` after
# each. Stops and removes the cluster when standard input ends. It ends when the test process ends, even if killed.
# `fsync` and `full_page_writes` are off, because no data needs to survive a crash.

. "$(dirname "$0")/postgres_programs.sh"

unprivileged "$programs/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C -N >"$dir/initdb.log" 2>&1 ||
    { echo "cannot create a cluster: $(tail -n 1 "$dir/initdb.log")"; exit 1; }
cat >>"$dir/data/postgresql.conf" <<END
port = $1
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
full_page_writes = off
max_connections = 500
END
if [ -n "${2:-}" ]; then
    cat "$2" >>"$dir/data/postgresql.conf" || { echo "cannot read the configuration $2"; exit 1; }
fi
unprivileged "$programs/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w start </dev/null >/dev/null 2>&1 ||
    { echo "cannot start the cluster: $(tail -n 1 "$dir/server.log")"; exit 1; }

echo ready
while read -r command; do
    case $command in
        stop) unprivileged "$programs/pg_ctl" -D "$dir/data" -m fast -w stop >/dev/null 2>&1 ;;
        start)
            unprivileged "$programs/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w start </dev/null >/dev/null 2>&1 ;;
        pause) kill -STOP $(processes "$dir/data") ;;
        resume) kill -CONT $(processes "$dir/data") ;;
    esac
    echo done
done
kill -CONT $(processes "$dir/data") 2>/dev/null
unprivileged "$programs/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
