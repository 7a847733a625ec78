#!/bin/sh
# Runs inside the new Debian of tests/packaging/debian.sh, in its own namespaces: installs /parlance.deb, follows the
# printed instructions, stops the service, and removes the package.
set -eu
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C
fail() { printf 'in Debian: %s\n' "$1" >&2; exit 1; }

# There is no systemd here. This stands for `systemctl enable --now parlance`: it runs the commands of the unit as the
# user of the unit in the folder of the unit.
cat >/usr/local/bin/systemctl <<'END'
#!/bin/sh
set -eu
unit=/usr/lib/systemd/system/parlance.service
of_unit() { sed -n "s/^$1=-\{0,1\}//p" "$unit"; }
[ "$*" = 'enable --now parlance' ] || { echo "unexpected: systemctl $*" >&2; exit 1; }
cd "$(of_unit WorkingDirectory)"
umask "$(of_unit UMask)"
user=$(of_unit User)
# The commands have no quotation marks.
setsid runuser -u "$user" -- $(of_unit ExecStart) >/var/log/parlance.log 2>&1 &
runuser -u "$user" -- $(of_unit ExecStartPost)
END
chmod 0755 /usr/local/bin/systemctl

started=$(date +%s%N)
dpkg -i /parlance.deb >/installation.log 2>&1 || fail "the installation failed: $(cat /installation.log)"
grep -qx 'Parlance is installed. .*' /installation.log || fail 'the installation printed no instructions'
# The commands are the lines that are indented by three spaces, and their continuations.
sed -n '/^Parlance is installed/,$ s/^   //p' /installation.log >/first-message.sh

cd /root
sh -eu /first-message.sh >/first-message.log 2>&1 ||
    fail "the instructions failed: $(cat /first-message.log /var/log/parlance.log)"
[ "$(grep -o '{"id":"[0-9A-Z]\{26\}"}' /first-message.log | wc -l)" = 2 ] || fail "no message: $(cat /first-message.log)"
milliseconds=$((($(date +%s%N) - started) / 1000000))
[ "$milliseconds" -lt 60000 ] || fail "the first message took $milliseconds ms from the installation"
printf 'from the installation to the first message: %s ms\n' "$milliseconds"
transcript=$(curl -sS -K /root/parlance.curl \
    'http://127.0.0.1:8080/conversation/v1/conversation/messages?externalId=call-1&format=txt')
[ "$transcript" = '[2026-01-31T09:30:02.000Z] agent (agent-3): Hello' ] || fail "another transcript: $transcript"

runuser -u parlance -- parlance doctor --config /etc/parlance/parlance.toml >/doctor.log ||
    fail "the doctor found: $(cat /doctor.log)"
! grep -E '^(warn|FAIL)' /doctor.log || fail 'the doctor warns'
[ "$(stat -c '%U:%G %a' /etc/parlance/parlance.toml)" = 'root:parlance 640' ] || fail 'the settings have another mode'
[ "$(stat -c '%U:%G %a' /var/lib/parlance/parlance.db.key)" = 'parlance:parlance 600' ] || fail 'the key has another mode'
! runuser -u nobody -- cat /etc/parlance/parlance.toml 2>/dev/null || fail 'everybody can read the settings'

# The command of the unit of copies, as its user.
runuser -u parlance -- sh -c "$(sed -n "s/^ExecStart=.bin.sh -c '\(.*\)'/\1/p" \
    /usr/lib/systemd/system/parlance-backup.service | sed 's/%%/%/g')" >/backup.log || fail 'the copy failed'
ls /var/backups/parlance/parlance-*.db >/dev/null

pid=$(pidof parlance)
kill -TERM "$pid"
deadline=$(($(date +%s) + 30))
while [ -d "/proc/$pid" ]; do
    [ "$(date +%s)" -lt "$deadline" ] || fail 'the server did not stop within 30 seconds'
    sleep 0.1
done
! grep -qE ' (WARN|ERROR) ' /var/log/parlance.log || fail "the log warns: $(cat /var/log/parlance.log)"

for file in man/man1/parlance.1.gz man/man1/parlance-serve.1.gz bash-completion/completions/parlance \
    zsh/vendor-completions/_parlance fish/vendor_completions.d/parlance.fish; do
    # A minimal Debian leaves manual pages out when it unpacks a package.
    dpkg -L parlance | grep -qx "/usr/share/$file" || fail "the package has no $file"
done

for step in remove purge; do
    dpkg --$step parlance >/removal.log 2>&1 || fail "dpkg --$step failed: $(cat /removal.log)"
    [ -e /var/lib/parlance/parlance.db ] || fail "dpkg --$step removed the data"
    id parlance >/dev/null || fail "dpkg --$step removed the user"
done
grep -q 'The data of Parlance is kept' /removal.log || fail 'dpkg --purge says nothing about the data'
