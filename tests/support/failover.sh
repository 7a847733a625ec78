# Starts a PostgreSQL primary and its synchronous standby in a new directory, on the ports of the two arguments. Prints
# `ready`, or why it failed. Then reads commands from standard input, one word per line, and prints `done` after each:
#
#   kill      kills all processes of the primary by SIGKILL
#   freeze    stops all processes of the primary by SIGSTOP: its connections stay open, and nothing answers
#   demote    makes the primary read-only without ending a connection
#   promote   promotes the standby, which becomes the primary
#   rebuild   makes the former primary the synchronous standby, from a new base backup
#
# Kills and removes both servers when standard input ends. It ends when the test process ends, even if killed. Every
# commit is flushed by both servers, as in operation.

. "$(dirname "$0")/postgres_programs.sh"

primary=one standby=two
port_one=$1 port_two=$2
: >"$dir/one.log" && : >"$dir/two.log" && : >"$dir/backup.log"
[ -z "${user:-}" ] || chown "$user" "$dir"/*.log

port_of() { eval "echo \$port_$1"; }

start() { unprivileged "$programs/pg_ctl" -D "$dir/$1" -l "$dir/$1.log" -w start </dev/null >/dev/null 2>&1; }

# The file of process ids is removed, so that no later process with such an id is killed.
kill_server() {
    [ -e "$dir/$1/postmaster.pid" ] || return 0
    kill -KILL $(processes "$dir/$1")
    rm -f "$dir/$1/postmaster.pid"
}

fail() { echo "$1: $(tail -n 1 "$2")"; exit 1; }

ask_primary() { unprivileged "$programs/psql" -h 127.0.0.1 -p "$(port_of $primary)" -U postgres -XAtc "$1" 2>/dev/null; }

# Makes the standby from a base backup of the primary, and waits until commits wait for it.
add_standby() {
    source="host=127.0.0.1 port=$(port_of $primary) user=postgres application_name=standby"
    kill_server "$standby"
    rm -rf "$dir/$standby"
    unprivileged "$programs/pg_basebackup" -d "$source" -D "$dir/$standby" -R -X stream -c fast --no-sync \
        >>"$dir/backup.log" 2>&1 || fail "cannot copy the primary" "$dir/backup.log"
    # Once promoted, it has no standby to wait for.
    printf "port = %s\nsynchronous_standby_names = ''\n" "$(port_of $standby)" >>"$dir/$standby/postgresql.conf"
    start $standby || fail "cannot start the standby" "$dir/$standby.log"
    echo "synchronous_standby_names = 'standby'" >>"$dir/$primary/postgresql.conf"
    unprivileged "$programs/pg_ctl" -D "$dir/$primary" reload >/dev/null
    waits=0
    while [ "$(ask_primary "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" != 1 ]; do
        waits=$((waits + 1))
        [ $waits -lt 300 ] || fail "the standby is not synchronous" "$dir/$standby.log"
        sleep 0.1
    done
}

unprivileged "$programs/initdb" -D "$dir/one" -U postgres -A trust -E UTF8 --locale=C -N >"$dir/initdb.log" 2>&1 ||
    fail "cannot create a cluster" "$dir/initdb.log"
cat >>"$dir/one/postgresql.conf" <<END
port = $port_one
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
synchronous_commit = on
max_connections = 200
END
start one || fail "cannot start the primary" "$dir/one.log"
add_standby

echo ready
while read -r command; do
    case $command in
        kill) kill_server $primary ;;
        freeze) kill -STOP $(processes "$dir/$primary") ;;
        demote)
            echo "default_transaction_read_only = on" >>"$dir/$primary/postgresql.conf"
            unprivileged "$programs/pg_ctl" -D "$dir/$primary" reload >/dev/null ;;
        promote)
            unprivileged "$programs/pg_ctl" -D "$dir/$standby" -w promote >/dev/null ||
                fail "cannot promote the standby" "$dir/$standby.log"
            former=$primary primary=$standby standby=$former ;;
        rebuild) add_standby ;;
    esac
    echo done
done
kill_server one
kill_server two
