"""A Presidio Analyzer on a free port, which it prints. Rules for a few words take the place of a model.

The wheel of presidio-analyzer has no server, and models are not on PyPI. The pipeline of spaCy is blank but for an
entity ruler, so texts go through the real AnalyzerEngine with its recognizers of spaCy and of patterns.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

PATTERNS = [
    {"label": "PERSON", "pattern": "Grace Hopper"},
    {"label": "GPE", "pattern": "Paris"},
    {"label": "LOC", "pattern": "12 Rue de Rivoli"},
]


class BlankEngine(SpacyNlpEngine):
    def __init__(self):
        super().__init__(ner_model_configuration=NerModelConfiguration(labels_to_ignore=[]))
        pipeline = spacy.blank("en")
        pipeline.add_pipe("entity_ruler").add_patterns(PATTERNS)
        self.nlp = {"en": pipeline}


engine = AnalyzerEngine(nlp_engine=BlankEngine())


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.path == "/health" else 404, "Presidio Analyzer service is up")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            found = engine.analyze(**body)
        except ValueError as error:
            return self.answer(500, {"error": str(error)})
        self.answer(200, [one.to_dict() for one in found])

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
