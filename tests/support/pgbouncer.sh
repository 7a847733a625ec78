# Starts PgBouncer on the port of the first argument, in front of the PostgreSQL server on the port of the second one,
# with the pool mode of the third one. Prints `ready`, or why it failed. Stops when standard input ends. It ends when the
# test process ends, even if killed. All other parameters that could matter have their defaults.

pooler=$(command -v pgbouncer || ls /usr/sbin/pgbouncer 2>/dev/null)
[ -n "$pooler" ] || { echo "no PgBouncer is installed"; exit 1; }

. "$(dirname "$0")/postgres_programs.sh"

cat >"$dir/pgbouncer.ini" <<END
[databases]
* = host=127.0.0.1 port=$2 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $1
unix_socket_dir =
logfile = $dir/pgbouncer.log
pidfile = $dir/pgbouncer.pid
auth_type = any
pool_mode = $3
default_pool_size = 60
max_client_conn = 200
END
unprivileged "$pooler" --daemon --quiet "$dir/pgbouncer.ini" </dev/null >"$dir/start.log" 2>&1 ||
    { echo "cannot start PgBouncer: $(tail -n 1 "$dir/start.log")"; exit 1; }

stop() { kill "$(cat "$dir/pgbouncer.pid")"; }

waits=0
until [ -s "$dir/pgbouncer.pid" ] && "$programs/pg_isready" -q -h 127.0.0.1 -p "$1" -U postgres; do
    waits=$((waits + 1))
    [ $waits -lt 100 ] || { echo "PgBouncer does not answer: $(tail -n 1 "$dir/pgbouncer.log")"; stop; exit 1; }
    sleep 0.1
done

echo ready
cat >/dev/null
stop
