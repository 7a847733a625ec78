"""A mixed workload of a server: writes with sensitive data, reads, wrong credentials, vocabularies and feeds."""

import itertools
import json
import threading
import urllib.error
import urllib.request

CONVERSATIONS = "/conversation/v1/conversations"
VOCABULARIES = "/configuration/v1/custom-vocabularies"
FEEDS = "/fileexporter/v1/static/"
TEXTS = [
    "My card is 4111 1111 1111 1111 and my ssn is 212-34-5678.",
    "Please write to ada@example.com, or call me at 415-555-0132.",
    "Hello, how can I help?",
]
PAUSE_SECONDS = 0.1


class Workload:
    """Sends requests until it is stopped, and remembers each status that it did not expect."""

    def __init__(self, server):
        self.server, self.unexpected = server, []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()

    def request(self, method, path, body=None, secret=None, expected=200):
        headers = {"svc-api-id": self.server.credential["apiId"], "content-type": "application/json"}
        headers["svc-api-secret"] = secret or self.server.credential["apiSecret"]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.server.address}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        if status != expected:
            self.unexpected.append(f"{method} {path}: {status} {text[:200]}")
            return {}
        return json.loads(text or b"{}")

    def run(self):
        for number in itertools.count():
            if self.stopped.wait(PAUSE_SECONDS):
                return
            try:
                self.step(number)
            except OSError as error:
                self.unexpected.append(f"step {number}: {error}")

    def step(self, number):
        customer = {"externalId": "customer-7", "name": "Ada"}
        conversation = {"externalId": f"call-{number}", "timestamp": "2026-01-31T09:30:00Z", "customer": customer}
        path = f"{CONVERSATIONS}/{self.request('POST', CONVERSATIONS, conversation).get('id')}"
        sender = {"role": "customer", "externalId": "customer-7"}
        messages = [{"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:02Z"} for text in TEXTS]
        self.request("POST", f"{path}/messages", messages[number % len(messages)])
        self.request("POST", f"{path}/messages/batch", {"messages": messages})
        self.request("GET", f"{path}/messages")
        self.request("GET", f"{CONVERSATIONS}?externalId=call-{number}")
        self.request("GET", "/health/ready")
        if number % 10 == 0:
            self.request("GET", f"{CONVERSATIONS}/NONE", expected=404)
            self.request("GET", path, secret="wrong", expected=401)
            phrase = {"phrase": f"Contoso Pay {number}", "soundsLike": ["contour so pay"]}
            self.request("POST", VOCABULARIES, phrase, expected=201)
            self.request("POST", f"{FEEDS}listfeeds", {})
