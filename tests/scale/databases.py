"""The databases under test: a file of SQLite, and a cluster of PostgreSQL of its own that can be paused."""

import os
import pathlib
import shutil
import sqlite3
import subprocess

from program import Failure, free_port

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
EXPIRE = "UPDATE leases SET held_until = 1 WHERE held_until > 1"


class Sqlite:
    """A file of SQLite in a folder."""

    name = "sqlite"

    def __init__(self, folder):
        self.folder = folder / "data"
        self.folder.mkdir()
        self.file = self.folder / "parlance.db"
        self.url = f"sqlite://{self.file}"

    def execute(self, *statements):
        """Runs statements while a server may use the file. Deleted bytes are overwritten, as the program does it."""
        connection = sqlite3.connect(self.file, timeout=60, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")
            return [connection.execute(statement).fetchall() for statement in statements]
        finally:
            connection.close()

    def expire_leases(self):
        """Lets the leases of a killed server expire at once. Its log stays as the kill left it: the process that opens
        the file ends without closing it, because a close would empty the log."""
        child = os.fork()
        if child == 0:
            try:
                connection = sqlite3.connect(self.file, timeout=60, isolation_level=None)
                connection.execute("PRAGMA wal_autocheckpoint = 0")
                connection.execute(EXPIRE)
            finally:
                os._exit(0)
        os.waitpid(child, 0)

    def files(self):
        """Every file beside the database: also what a killed restore left."""
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def size(self):
        return self.file.stat().st_size

    def backup(self, program, copy):
        program.run("backup", copy)

    def move_away(self):
        """Removes the database and what a killed restore left, as an operator does before a restore."""
        for path in self.folder.glob(self.file.name + "*"):
            path.unlink()

    def close(self):
        pass


class Postgres:
    """A new cluster of PostgreSQL, which ends with this process."""

    name = "postgres"

    def __init__(self, folder, database="parlance"):
        self.port, self.database = free_port(), database
        environment = {**os.environ, "TMPDIR": "/tmp"}
        self.shell = subprocess.Popen(["sh", str(SUPPORT / "cluster.sh"), str(self.port)], env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        reply = self.shell.stdout.readline().strip()
        if reply != "ready":
            raise Failure(f"PostgreSQL cannot start: {reply}")
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/{database}"
        self.psql("CREATE DATABASE " + database, database="postgres")
        self.directory = pathlib.Path(self.psql("SHOW data_directory"))

    def psql(self, statement, database=None):
        address = f"postgres://postgres@127.0.0.1:{self.port}/{database or self.database}"
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", address, "-c", statement]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{statement[:100]}: {done.stderr[-500:]}")
        return done.stdout.strip()

    def execute(self, *statements):
        return [self.psql(statement) for statement in statements]

    def expire_leases(self):
        """Lets the leases of a killed server expire at once."""
        self.psql(EXPIRE)

    def run(self, command):
        """Runs `stop`, `start`, `pause` or `resume`."""
        self.shell.stdin.write(command + "\n")
        self.shell.stdin.flush()
        if self.shell.stdout.readline().strip() != "done":
            raise Failure(f"the cluster does not {command}")

    def files(self):
        """The files that hold rows: neither the write-ahead log nor the log of the server, which no compaction reaches."""
        self.psql("CHECKPOINT")
        left_out = {self.directory / "pg_wal", self.directory / "log"}
        return [path for path in self.directory.rglob("*") if path.is_file() and not left_out & set(path.parents)]

    def log_files(self):
        """The segments of the write-ahead log."""
        return [path for path in (self.directory / "pg_wal").iterdir() if path.is_file()]

    def size(self):
        return int(self.psql(f"SELECT pg_database_size('{self.database}')"))

    def backup(self, program, copy):
        self.dump("pg_dump", "--format=custom", "--compress=1", "--file", str(copy))

    def dump(self, tool, *arguments):
        done = subprocess.run([tool, "--dbname", self.url, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{tool}: {done.stderr[-500:]}")

    def move_away(self):
        self.psql(f"DROP DATABASE {self.database} WITH (FORCE)", database="postgres")

    def restore(self, copy):
        self.psql("CREATE DATABASE " + self.database, database="postgres")
        self.dump("pg_restore", "--exit-on-error", str(copy))

    def close(self):
        self.shell.stdin.close()
        self.shell.wait()
        shutil.rmtree(self.directory.parent, ignore_errors=True)

