#!/usr/bin/env python3
"""Times the delivery of vocabularies from outside: from the answer to a change until a transcription component that
listens here has a version with it.

    benches/vocabulary-delivery/measure.py target/release/parlance [DATABASE_URL]

1. healthy: changes of several tenants, spread evenly over a while.
2. burst: one change of each of many tenants at once.
3. outage: the component is gone while changes are made, the server is killed (SIGKILL) and started again, and then the
   component comes back. Timed from its return.

Prints one line for each. Needs nothing but Python's own library.
"""

import concurrent.futures
import http.client
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

KEY = "a key of sixteen bytes or more"
PATH = "/configuration/v1/custom-vocabularies"


class Component:
    """Takes vocabularies, and notes when each phrase arrived first."""

    def __init__(self):
        self.arrived = {}
        self.versions = {}
        self.older_after_newer = 0
        self.lock = threading.Lock()
        self.port = 0
        self.server = None

    def start(self):
        component = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_PUT(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                now = time.monotonic()
                document = json.loads(body)
                with component.lock:
                    before = component.versions.get(document["tenant"], 0)
                    component.older_after_newer += document["version"] < before
                    component.versions[document["tenant"]] = document["version"]
                    for entry in document["custom-vocabularies"]:
                        component.arrived.setdefault(entry["phrase"], now)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def wait_for(self, phrases, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.lock:
                if all(phrase in self.arrived for phrase in phrases):
                    return
            time.sleep(0.01)
        sys.exit("not every change arrived")


class Parlance:
    def __init__(self, program, folder, database, component):
        self.program, self.folder = program, folder
        self.environment = {
            "PARLANCE_DATABASE_URL": database,
            "PARLANCE_LISTEN": "127.0.0.1:0",
            "PARLANCE_LOG_FORMAT": "json",
            "PARLANCE_VOCABULARY_DELIVERY_URL": f"http://127.0.0.1:{component.port}/{{tenant}}",
            "PARLANCE_VOCABULARY_DELIVERY_SECRET": KEY,
            "PARLANCE_RATE_LIMIT_BURST": "100000",
        }
        self.process, self.address = None, None

    def credential(self, tenant):
        subprocess.run([self.program, "migrate"], cwd=self.folder, env=self.environment, check=True, capture_output=True)
        command = [self.program, "credential", "create", "--tenant", tenant, "--name", "measure", "--json"]
        out = subprocess.run(command, cwd=self.folder, env=self.environment, check=True, capture_output=True).stdout
        return json.loads(out)

    def start(self):
        command = [self.program, "serve"]
        self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stderr=subprocess.PIPE)
        for line in self.process.stderr:
            event = json.loads(line)
            if event["message"] == "listening":
                self.address = event["address"]
                break
        threading.Thread(target=lambda stream: stream.read(), args=(self.process.stderr,), daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def add(self, credential, phrase):
        connection = http.client.HTTPConnection(self.address, timeout=10)
        headers = {"svc-api-id": credential["apiId"], "svc-api-secret": credential["apiSecret"],
                   "content-type": "application/json"}
        connection.request("POST", PATH, json.dumps({"phrase": phrase, "soundsLike": []}), headers)
        answer = connection.getresponse()
        if answer.status != 201:
            sys.exit(f"{answer.status} {answer.read()}")
        connection.close()
        return time.monotonic()


def report(name, seconds):
    seconds = sorted(seconds)
    at = lambda share: seconds[min(len(seconds) - 1, int(len(seconds) * share))]
    print(f"{name}: {len(seconds)} changes, p50 {at(.5):.2f} s, p99 {at(.99):.2f} s, most {seconds[-1]:.2f} s")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp()
    database = sys.argv[2] if len(sys.argv) > 2 else "sqlite://parlance.db"
    component = Component()
    component.start()
    parlance = Parlance(program, folder, database, component)
    credentials = [parlance.credential(f"tenant-{number}") for number in range(50)]
    parlance.start()

    changed = {}
    for number in range(300):
        phrase = f"healthy {number}"
        changed[phrase] = parlance.add(credentials[number % 10], phrase)
        time.sleep(0.05)
    component.wait_for(changed, 60)
    report("healthy", [component.arrived[phrase] - at for phrase, at in changed.items()])

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        phrases = [f"burst {number}" for number in range(len(credentials))]
        changed = dict(zip(phrases, pool.map(parlance.add, credentials, phrases)))
    component.wait_for(changed, 60)
    report("burst", [component.arrived[phrase] - at for phrase, at in changed.items()])

    component.stop()
    changed = {f"outage {number}" for number in range(len(credentials))}
    for credential, phrase in zip(credentials, sorted(changed)):
        parlance.add(credential, phrase)
    time.sleep(40)
    parlance.kill()
    parlance.start()
    back = time.monotonic()
    component.start()
    component.wait_for(changed, 60)
    report("outage, killed meanwhile", [component.arrived[phrase] - back for phrase in changed])
    print(f"older versions that arrived after newer ones: {component.older_after_newer}")
    parlance.process.terminate()
    parlance.process.wait()


main()
