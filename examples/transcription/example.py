"""Delivers a vocabulary into a directory, and recognises spoken sentences without and with that vocabulary.

run.sh calls this program: example.py PARLANCE PHRASES FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import numpy
import soxr
from pocketsphinx import Decoder, NGramModel, get_model_path

VOICE, WORDS_A_MINUTE = "en-us+f2", "120"
SPOKEN_RATE, HEARD_RATE = 22050, 16000

# How many times more likely an entry of the vocabulary is than any other word.
LIKELIHOOD = 50_000.0


class Server:
    """A server with its own database, which delivers vocabularies into a directory."""

    def __init__(self, program, folder):
        self.vocabularies = folder / "vocabularies"
        self.vocabularies.mkdir()
        environment = {
            "PARLANCE_LISTEN": "127.0.0.1:0",
            "PARLANCE_DATABASE_URL": f"sqlite://{folder}/parlance.db",
            "PARLANCE_VOCABULARY_DELIVERY_URL": f"file://{self.vocabularies}",
            "PARLANCE_LOG_FORMAT": "json",
        }
        subprocess.check_call([program, "migrate"], env=environment, stdout=subprocess.DEVNULL)
        command = [program, "credential", "create", "--tenant", "acme", "--name", "example", "--json"]
        self.credential = json.loads(subprocess.check_output(command, env=environment))
        self.log = open(folder / "log", "wb+")
        self.process = subprocess.Popen([program, "serve"], env=environment, stderr=self.log)
        self.base = f"http://{self.wait_for_address(folder / 'log')}/configuration/v1/custom-vocabularies"

    def wait_for_address(self, log):
        while True:
            for line in log.read_text().splitlines():
                event = json.loads(line)
                if event["message"] == "listening":
                    return event["address"]
            if self.process.poll() is not None:
                sys.exit(log.read_text())
            time.sleep(0.05)

    def call(self, path="", body=None):
        headers = {"svc-api-id": self.credential["apiId"], "svc-api-secret": self.credential["apiSecret"]}
        headers["content-type"] = "application/json"
        data = json.dumps(body).encode() if body else None
        with urllib.request.urlopen(urllib.request.Request(self.base + path, data, headers)) as answer:
            return json.load(answer)

    def deliver(self, entries):
        """Creates the entries, waits for their delivery, and returns the content of the delivered file."""
        for entry in entries:
            self.call(body={"phrase": entry["phrase"], "soundsLike": entry["soundsLike"]})
        while (status := self.call("/status"))["state"] != "delivered":
            time.sleep(0.1)
        print(f"version {status['deliveredVersion']} was delivered at {status['since']}\n")
        return json.loads((self.vocabularies / "acme.json").read_text())


def recogniser(vocabulary):
    """Returns PocketSphinx with its own English model and one additional word for each alternative of a vocabulary, and
    the phrase of each additional word. Such a word sounds like the words of its alternative, in sequence."""
    decoder = Decoder(loglevel="FATAL")
    model = NGramModel(decoder.config, decoder.logmath, get_model_path("en-us/en-us.lm.bin"))
    phrases = {}
    for entry in vocabulary:
        for alternative in entry["soundsLike"]:
            sounds = [decoder.lookup_word(word) for word in alternative.lower().split()]
            if None in sounds:
                print(f"{alternative!r} has a word that the recogniser cannot pronounce, and is left out")
                continue
            word = f"vocabulary_{len(phrases)}"
            decoder.add_word(word, " ".join(sounds), update=False)
            model.add_word(word, LIKELIHOOD)
            phrases[word] = entry["phrase"]
    decoder.add_lm("with_vocabulary", model)
    decoder.activate_search("with_vocabulary")
    return decoder, phrases


def speak(sentence):
    command = ["espeak-ng", "-v", VOICE, "-s", WORDS_A_MINUTE, "--stdout", sentence]
    sound = subprocess.check_output(command)[44:]
    sound = numpy.frombuffer(sound[: len(sound) // 2 * 2], dtype=numpy.int16).astype(numpy.float32)
    sound = soxr.resample(sound, SPOKEN_RATE, HEARD_RATE)
    # The recogniser expects recordings from rooms and telephones, and treats perfect silence as a fault. A little noise
    # with a fixed seed prevents that.
    sound = numpy.pad(sound, HEARD_RATE * 3 // 10)
    sound += numpy.random.default_rng(1).normal(0, 20, len(sound))
    return sound.clip(-32768, 32767).astype(numpy.int16).tobytes()


def hear(recogniser, sound):
    decoder, phrases = recogniser
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()
    heard = decoder.hyp()
    return " ".join(phrases.get(word, word) for word in heard.hypstr.split()) if heard else ""


def main():
    program, phrases, folder = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text()), pathlib.Path(sys.argv[3])
    server = Server(os.path.abspath(program), folder)
    try:
        vocabulary = server.deliver(phrases)["custom-vocabularies"]
    finally:
        server.process.terminate()
        server.process.wait()
    without, with_vocabulary = recogniser([]), recogniser(vocabulary)
    recognised = {"without": 0, "with": 0}
    for entry in phrases:
        sentence = entry["sentence"].format(entry["phrase"])
        sound = speak(sentence)
        print(f"said     {sentence}")
        for name, ears in [("without", without), ("with", with_vocabulary)]:
            heard = hear(ears, sound)
            recognised[name] += entry["phrase"].lower() in heard.lower()
            print(f"{name:8} {heard}")
        print(flush=True)
    for name, count in recognised.items():
        print(f"phrases recognised {name} the vocabulary: {count} of {len(phrases)}, {count / len(phrases):.0%}")


main()
