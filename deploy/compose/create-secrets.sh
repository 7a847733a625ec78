#!/bin/sh
# Creates the passwords and keys of compose.yaml in a folder. Does nothing if the set is complete. The argument is the
# folder. Each file is readable by one user only. Services with different images have different users, so that none
# reads a secret of another.
set -eu
folder=$1
umask 077

# Prints a random text of 64 hexadecimal digits.
random_text() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Creates the file $1 of the user $2 with the standard input as its content.
create() {
    cat >"$folder/$1.new"
    chmod 0400 "$folder/$1.new"
    chown "$2" "$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
}

parlance=65532:65532 postgres=999:999 redis=998:998 grafana=472:0

chmod 0755 "$folder"
# The last file marks a complete set. An interrupted run starts again, before any service has read a file.
if [ -e "$folder/complete" ]; then
    exit 0
fi
rm -f "$folder"/*.new
postgres_password=$(random_text) redis_password=$(random_text)
printf '%s' "$postgres_password" | create postgres_password "$postgres"
printf 'postgres://parlance:%s@postgres:5432/parlance' "$postgres_password" | create database_url "$parlance"
printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 64mb\nmaxmemory-policy volatile-ttl\n' "$redis_password" |
    create redis.conf "$redis"
printf 'redis://:%s@redis:6379' "$redis_password" | create redis_url "$parlance"
head -c 32 /dev/urandom | create master.key "$parlance"
random_text | create feed_signing_key "$parlance"
random_text | create grafana_password "$grafana"
: | create complete "$parlance"
