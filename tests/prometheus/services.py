"""The parts that a recorded hour needs: PostgreSQL, Redis, a transcription component and servers of Parlance."""

import contextlib
import http.server
import json
import pathlib
import socket
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECRET = "a secret of at least 16 characters"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(expectation, condition, seconds=30):
    """Returns the first true value of the condition. Fails if there is none within this time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if value := condition():
                return value
        time.sleep(0.05)
    raise SystemExit(f"within {seconds} seconds it is not true that {expectation}")


def accepts_connections(port):
    with socket.create_connection(("127.0.0.1", port), timeout=1):
        return True


@contextlib.contextmanager
def process(*command, **options):
    """Runs a program until the end of the block."""
    running = subprocess.Popen([str(word) for word in command], **options)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(timeout=30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextlib.contextmanager
def postgres():
    """Starts a new cluster of PostgreSQL, and yields the address of its database."""
    port = free_port()
    command = ["bash", str(ROOT / "tests/support/cluster.sh"), str(port)]
    cluster = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        answer = cluster.stdout.readline().strip()
        if answer != "ready":
            raise SystemExit(f"PostgreSQL is needed and does not start: {answer}")
        yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    finally:
        cluster.stdin.close()
        cluster.wait(timeout=30)


@contextlib.contextmanager
def redis():
    """Starts a Redis that stores nothing, and yields its address."""
    port = free_port()
    command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with process(*command, stdout=subprocess.DEVNULL):
        wait_until("Redis accepts connections", lambda: accepts_connections(port))
        yield f"redis://127.0.0.1:{port}"


class Component(http.server.BaseHTTPRequestHandler):
    """A transcription component that accepts every vocabulary."""

    def do_PUT(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def component():
    """Starts a transcription component, and yields its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Component)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/vocabularies/{{tenant}}"
    finally:
        server.shutdown()


class Server:
    """A running server of Parlance: its addresses, a credential and its log."""

    def __init__(self, log, credential):
        self.log, self.credential = log, credential
        self.address = self.logged("listening")["address"]
        self.metrics = self.logged("serving metrics")["address"]

    def lines(self):
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.endswith("}")]

    def has_logged(self, message):
        return next((line for line in self.lines() if line["message"] == message), None)

    def logged(self, message, seconds=30):
        return wait_until(f"{self.log} has the line {message!r}", lambda: self.has_logged(message), seconds)


@contextlib.contextmanager
def parlance(program, folder, *settings):
    """Starts a server with these settings in a new folder."""
    folder.mkdir()
    database = [word for word in settings if str(word).startswith("--database-url=")]
    run = {"cwd": folder, "check": True, "stdout": subprocess.PIPE, "text": True}
    subprocess.run([program, "migrate", *database], **run)
    create = [program, "credential", "create", "--tenant", "acme", "--name", "dashboard", "--json", *database]
    credential = json.loads(subprocess.run(create, **run).stdout)
    log = folder / "log.jsonl"
    command = [program, "serve", "--listen=127.0.0.1:0", "--metrics-listen=127.0.0.1:0", "--log-format=json", *settings]
    with log.open("w") as lines, process(*command, cwd=folder, stderr=lines, stdout=subprocess.DEVNULL):
        yield Server(log, credential)
