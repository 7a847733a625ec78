"""The program under test: its commands, servers that are killed at any moment, and an HTTP caller."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import time
import urllib.parse

START_TIMEOUT = 900
PERMISSIONS = ("conversation:read", "conversation:write", "configuration:read", "feed:read", "webhook:read",
               "webhook:write", "privacy:operate")


class Failure(Exception):
    """A promise that does not hold, or a step of the test that could not be made."""


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """The program with its settings, in a folder of its own."""

    def __init__(self, binary, folder, **settings):
        self.binary, self.folder = str(binary), folder
        self.settings = {"LOG_FORMAT": "json", "RATE_LIMIT_PER_SECOND": "10000000", "RATE_LIMIT_BURST": "10000000",
                         "WORKERS": "2", **settings}
        self.log = folder / "server.log"

    def environment(self, **more):
        own = {f"PARLANCE_{name}": str(value) for name, value in {**self.settings, **more}.items()
               if not name.startswith("AWS_")}
        aws = {name: value for name, value in self.settings.items() if name.startswith("AWS_")}
        return {"PATH": os.environ.get("PATH", ""), **own, **aws}

    def start(self, *arguments, output=None, **more):
        """Starts a command, and returns its process."""
        sink = open(output or self.folder / "commands.log", "ab")
        command = [self.binary, *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment(**more), stdin=subprocess.DEVNULL,
                                stdout=sink, stderr=sink)

    def run(self, *arguments, check=True, **more):
        """Runs a command to its end, and returns its result."""
        result = subprocess.run([self.binary, *map(str, arguments)], cwd=self.folder, env=self.environment(**more),
                                capture_output=True, text=True)
        if check and result.returncode != 0:
            raise Failure(f"parlance {' '.join(map(str, arguments))}: exit code {result.returncode}: "
                          f"{result.stderr[-1500:]}")
        return result

    def create_credential(self, tenant="acme"):
        named = [part for permission in PERMISSIONS for part in ("--permission", permission)]
        issued = json.loads(self.run("credential", "create", "--tenant", tenant, "--name", "soak", "--json",
                                     *named).stdout)
        return issued["apiId"], issued["apiSecret"]


class Server:
    """A running server on a port. It is started at once, and `wait` returns when it listens."""

    def __init__(self, program, port, **more):
        self.program, self.port = program, port
        self.seen = program.log.stat().st_size if program.log.exists() else 0
        self.process = program.start("serve", output=program.log, LISTEN=f"127.0.0.1:{port}", **more)

    def wait(self):
        """Waits until the server listens, and returns the seconds that it took."""
        started = time.monotonic()
        while time.monotonic() - started < START_TIMEOUT:
            if self.process.poll() is not None:
                raise Failure(f"a server ended at its start with {self.process.returncode}: {self.tail()}")
            with open(self.program.log, "rb") as log:
                log.seek(self.seen)
                if f'127.0.0.1:{self.port}'.encode() in b"".join(line for line in log if b'"listening"' in line):
                    return time.monotonic() - started
            time.sleep(0.01)
        raise Failure(f"a server does not listen: {self.tail()}")

    def tail(self):
        return self.program.log.read_bytes()[-1500:].decode(errors="replace")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        if code != 0:
            raise Failure(f"a server stopped with {code}: {self.tail()}")


class Caller:
    """An HTTP client with a credential, on one kept connection that it opens again after a failure."""

    def __init__(self, port, credential, timeout=60):
        self.port, self.timeout, self.connection = port, timeout, None
        self.headers = {"svc-api-id": credential[0], "svc-api-secret": credential[1]}

    def call(self, method, path, body=None, **headers):
        """The status and the bytes of the answer; the status is None without a complete answer."""
        headers = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        data = None
        if body is not None:
            data, headers["content-type"] = json.dumps(body).encode(), "application/json"
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return None, b""

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def json(self, method, path, body=None, **headers):
        """The status and the JSON of the answer."""
        status, data = self.call(method, path, body, **headers)
        try:
            return status, json.loads(data)
        except ValueError:
            return status, None

    def patient(self, method, path, body=None, seconds=60, **headers):
        """As `json`, again and again until the answer is neither missing nor a 503."""
        deadline = time.monotonic() + seconds
        while True:
            status, answer = self.json(method, path, body, **headers)
            if status not in (None, 503, 429):
                return status, answer
            if time.monotonic() > deadline:
                raise Failure(f"{method} {path}: no answer but {status} for {seconds} seconds")
            time.sleep(0.05)


def query(**parameters):
    """The query part of an address."""
    return urllib.parse.urlencode(parameters)


def seeded(seed, *names):
    """A generator of random numbers of its own for each use."""
    return random.Random(f"{seed}:{':'.join(map(str, names))}")
