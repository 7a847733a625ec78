"""Tests of the generator and the scorer: python3 -m unittest (in this folder)."""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import aligning
import checks
import check_templates
import checks_wallets
import generate
import score
import spoken
import spoken_words
import values
import values_filling
import values_names
import values_national
import written

HERE = os.path.dirname(os.path.abspath(__file__))
MASK_DIGITS = """
import sys, json, re
for line in sys.stdin:
    t = json.loads(line)["text"]
    print(json.dumps({"text": re.sub(r"\\d", "*", t), "spans": [{"start": m.start(), "end": m.end(), "label": "PIN"} for m in re.finditer(r"\\d+", t)]}))
"""


class Templates(unittest.TestCase):
    def test_every_template_is_valid_and_says_something_else(self):
        files = [os.path.join(HERE, "templates", name) for name in sorted(os.listdir(os.path.join(HERE, "templates")))]
        lines, good = check_templates.check([name for name in files if name.endswith(".jsonl")])
        self.assertEqual(lines, [])
        self.assertGreaterEqual(len(good), 2000)
        self.assertEqual(check_templates.faults({"s": "chat", "t": ["C: it is {PIN!}"]}), ["PIN has no check digit: {PIN!}"])


class CheckDigits(unittest.TestCase):
    """Against published examples."""

    def test_numbers(self):
        for n in ("4111111111111111", "378282246310005", "5555555555554444", "6011111111111117", "30569309025904", "3530111333300000"):
            self.assertTrue(checks.luhn_ok(n), n)
        for n in ("GB29NWBK60161331926819", "DE89370400440532013000", "FR1420041010050500013M02606", "NO9386011117947", "BE68539007547034", "ES9121000418450200051332"):
            self.assertTrue(checks.iban_ok(n), n)
            self.assertEqual(checks.iban_check(n[:2], n[4:]), n[2:4])
        self.assertTrue(checks.aba_ok("021000021") and checks.aba_ok("011401533"))
        self.assertTrue(checks.npi_ok("1234567893"))
        self.assertTrue(checks.dea_ok("F91234563") and checks.dea_ok("AP5836727"))
        self.assertTrue(checks.luhn_ok("046454286"))
        self.assertTrue(checks.tfn_ok("123456782"))
        self.assertTrue(checks.abn_ok("51824753556"))
        self.assertTrue(checks.au_medicare_ok("2123456701"))
        self.assertTrue(checks.nhs_ok("9434765919") and checks.nhs_ok("4010232137"))
        self.assertTrue(checks.verhoeff_ok("2363"))
        self.assertTrue(checks.luhn_ok("490154203237518"))
        self.assertTrue(checks.vin_ok("1M8GDM9AXKP042788") and checks.vin_ok("11111111111111111"))

    def test_letters(self):
        self.assertTrue(checks.gstin_ok("27AAPFU0939F1ZV"))
        self.assertEqual(checks.nric_letter("S", "1234567"), "D")
        self.assertEqual(checks.nric_letter("F", "1234567"), "N")
        self.assertEqual(checks.NIF_LETTERS[12345678 % 23], "Z")
        self.assertEqual(checks.cf_letter("RSSMRA85T10A562"), "S")
        self.assertEqual(checks.hetu_char("131052308"), "T")
        self.assertEqual(checks.ppsn_letter("1234567"), "T")
        self.assertEqual(checks.curp_digit("HEGG560427MVZRRL0"), "4")
        self.assertEqual(checks.chinese_char("11010519491231002"), "X")
        self.assertEqual(checks.hkid_char("G", "123456"), "A")
        self.assertEqual(checks.rut_digit("30686957"), "4")

    def test_national(self):
        self.assertEqual(checks.mod11_10("8609574271"), "9")
        self.assertEqual(checks.mod11_10("13669597"), "6")
        self.assertEqual(checks.pesel_digit("4405140135"), "9")
        self.assertEqual(checks.luhn_digit("811218987"), "6")
        self.assertTrue(checks.bsn_ok("111222333"))
        self.assertEqual(checks.key97(2550814168025), "38")
        self.assertEqual(checks.key97(850730033), "28")
        self.assertEqual(checks.cpf_digits("111444777"), "35")
        self.assertEqual(checks.cnpj_digits("112223330001"), "81")
        self.assertEqual(checks.cuit_digit("2012345678"), "6")
        self.assertEqual(checks.turkish_digits("100000001"), "46")
        self.assertEqual(checks.luhn_digit("800101500908"), "7")
        self.assertEqual(checks.gb_vat_digits("9807806"), "84")
        self.assertEqual(checks.fr_vat_key("404833048"), "83")
        self.assertEqual(checks.luhn_digit("0074311015"), "7")

    def test_wallets(self):
        self.assertEqual(checks_wallets.base58check(b"\0" + bytes.fromhex("62e907b15cbf27d5425399ebf6f0fb50ebb88f18")), "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
        program = bytes.fromhex("751e76e8199196d454941c45d1b3a323f1433bd6")
        bits = "".join(f"{b:08b}" for b in program)
        five = [int(bits[i:i + 5], 2) for i in range(0, 160, 5)]
        self.assertEqual(checks_wallets.bech32("bc", [0] + five), "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
        self.assertEqual(checks_wallets.eip55("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")


class Values(unittest.TestCase):
    def test_all_entities_styles_languages(self):
        rng = random.Random(7)
        self.assertEqual(len(values.ENTITIES), 68)
        for entity in values.ENTITIES:
            for lang in ("en", "es", "fr", "de", "pt", "it"):
                for _ in range(12):
                    v = values.make(entity, rng, lang)
                    for layout in v.layouts:
                        self.assertEqual(layout.count("#"), len(v.raw), (entity, v))
                    for style in ("chat", "document"):
                        self.assertTrue(written.render(v, rng, lang, style)[0].strip())
                    self.assertTrue(spoken.render(v, rng, lang)[0].strip())

    def test_right_and_wrong_checks(self):
        rng = random.Random(8)
        for entity in sorted(values.CHECKED):
            for _ in range(150):
                good, bad = values.make(entity, rng), values.make(entity, rng, wrong=True)
                self.assertIn("wrong_check", bad.tags)
                if entity in values.CHECKS:
                    if good.kind != "token":
                        self.assertTrue(values.CHECKS[entity](good.raw), (entity, good))
                    if bad.kind != "token":
                        self.assertFalse(values.CHECKS[entity](bad.raw), (entity, bad))

    def test_named_variants(self):
        rng = random.Random(9)
        shapes = {"ES_NIF": r"[XYZ\d]\d{7}[A-Z]", "IT_CF": r"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", "MX_CURP": r"[A-Z]{4}\d{6}[HM][A-Z]{5}\w\d", "BR_CNPJ": r"\d{14}", "FR_NIR": r"\d{15}"}
        for family, makers in values_national.FAMILIES.items():
            for maker in makers:
                raw = values.make(family, rng, "en", maker.__name__).raw
                self.assertRegex(raw, "^" + shapes.get(maker.__name__, ".*") + "$")
        for country in values_national.VAT_LAYOUTS:
            self.assertTrue(values.make("VAT_NUMBER", rng, "en", country).raw.startswith(country))

    def test_many_names(self):
        self.assertGreaterEqual(len(set(values_names.FIRST)), 300)
        self.assertGreaterEqual(len(set(values_names.LAST)), 400)

    def test_tail_of_spoken_digits(self):
        for text, tail in (("four one one one twelve thirty four", "twelve thirty four"), ("4111 1111 1111 1234", "1234"), ("nine double four three two", "double four three two"),
                           ("siete cinco diecinueve cuarenta y tres", "diecinueve cuarenta y tres"), ("trinta e um noventa e seis", "trinta e um noventa e seis"),
                           ("six kilo lima mike two", "kilo lima mike two"), ("nine nine b as in boy h for henry two one", "b as in boy h for henry two one")):
            self.assertEqual(spoken_words.digit_tail(text), sum(c.isalnum() for c in tail), text)


class Generated(unittest.TestCase):
    TEMPLATES = [{"s": s, "l": l, "t": ["A: What's the {%s}, {PERSON_NAME^first}?" % e, "C: it is {%s} not {%s.2} thanks, paid {amount} on {weekday}" % (e, e)]}
                 for e in values.ENTITIES for s in ("chat", "speech", "document") for l in ("en", "de")]
    TEMPLATES += [{"s": s, "l": "en", "t": ["C: my card is {CREDIT_CARD_NUMBER:1/4} {CREDIT_CARD_NUMBER:2/4}", "A: go on", "C: {CREDIT_CARD_NUMBER:3/4} {CREDIT_CARD_NUMBER:4/4} ok"]} for s in ("chat", "speech")]
    TEMPLATES += [{"s": "speech", "l": "en", "t": ["C: " + " ".join("{%s}" % x for x in values_filling.SLOTS)], "k": "negative"},
                  {"s": "chat", "l": "en", "t": ["A: Your PIN?", "C: no way, not before {time}"], "k": "negative"},
                  {"s": "chat", "l": "en", "t": ["C: {CREDIT_CARD_NUMBER!} {SSN~last4} {PASSWORD^phrase} {EMAIL^spelled} {PERSON_NAME^lastfirst} {EU_NATIONAL_ID^ES_NIF}"]}]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "t.jsonl")
        with open(self.path, "w", encoding="utf-8") as out:
            out.write("".join(json.dumps(t) + "\n" for t in self.TEMPLATES))
        self.records = list(generate.generate([self.path], 3, 2))

    def tearDown(self):
        self.folder.cleanup()

    def test_same_seed_same_bytes(self):
        def dump(seed):
            return "".join(json.dumps(r, ensure_ascii=False) for r in generate.generate([self.path], seed, 1))
        self.assertEqual(dump(5), dump(5))
        self.assertNotEqual(dump(5), dump(6))

    def test_spans_and_slots(self):
        for r in self.records:
            self.assertNotRegex(r["text"] + " ".join(r["context"]), r"\{[A-Za-z_]+[0-9]*[}.!^:~]")
            self.assertEqual(len(r["roles"]), len(r["context"]) + 1)
            end = 0
            for s in r["spans"]:
                value = r["text"][s["start"]:s["end"]]
                self.assertGreaterEqual(s["start"], end)
                self.assertTrue(value and value == value.strip(), (r["id"], value))
                end = s["end"]
        chat = [r for r in self.records if r["style"] == "chat" and r["lang"] == "en" and any(s["label"] == "SSN" and "^" not in s["value_id"] for s in r["spans"])]
        self.assertTrue(any(re.fullmatch(r"[\d .-]{9,11}", r["text"][s["start"]:s["end"]]) for r in chat for s in r["spans"] if s["label"] == "SSN"))

    def test_kinds_and_tags(self):
        kinds = collections.Counter(r["kind"] for r in self.records)
        self.assertTrue(all(kinds[k] for k in ("statement", "answer", "split", "negative")), kinds)
        tags = {t for r in self.records for t in r["tags"]}
        self.assertTrue({"wrong_check", "after_question", "asks:PIN", "phrase", "last4", "spelled"} <= tags, tags)
        for r in self.records:
            self.assertEqual(not r["spans"], r["kind"] == "negative")

    def test_brand_and_count_words(self):
        path = os.path.join(self.folder.name, "b.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.write(json.dumps({"s": "document", "l": "en", "t": ["C: Amex {CREDIT_CARD_NUMBER}, the four digit code is {CVV}."]}) + "\n")
        for r in generate.generate([path], 1, 20):
            card, cvv = (r["text"][s["start"]:s["end"]] for s in r["spans"])
            self.assertRegex(re.sub(r"\D", "", card), r"^3[47]\d{13}$")
            self.assertEqual(len(cvv), 4)

    def test_wrong_value_is_the_right_one_misread(self):
        path = os.path.join(self.folder.name, "w.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.write(json.dumps({"s": "document", "l": "en", "t": ["C: {IBAN!}? No, {IBAN}."]}) + "\n")
        for r in generate.generate([path], 1, 20):
            bad, good = (re.sub(r"\W", "", r["text"][s["start"]:s["end"]]).upper() for s in r["spans"])
            self.assertTrue(checks.iban_ok(good) and not checks.iban_ok(bad))
            self.assertEqual(sum(a != b for a, b in zip(good, bad)), 1)

    def test_split_keeps_four_digits(self):
        split = [r for r in self.records if r["kind"] == "split" and r["style"] == "chat"]
        for r in split:
            kept = [s.get("keep", 0) for s in r["spans"]]
            self.assertEqual(any(kept), "4/4" in [s["part"] for s in r["spans"]])

    def test_whole_run_of_the_scorer(self):
        data, out = os.path.join(self.folder.name, "d.jsonl"), os.path.join(self.folder.name, "o.json")
        subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), "--templates", self.path, "--seed", "3", "--out", data], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, os.path.join(HERE, "score.py"), "--data", data, "--json", out, "--", sys.executable, "-c", MASK_DIGITS], check=True, stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as f:
            result = json.load(f)
        pin, name = result["entities"]["PIN"], result["entities"]["PERSON_NAME"]
        self.assertTrue(0 < pin["own"] == pin["hidden"] < pin["n"])
        self.assertTrue(name["n"] and not name["hidden"])


class Scoring(unittest.TestCase):
    def tally(self, record, masked, spans):
        t = score.Tally(values.ENTITIES)
        t.add({"id": "x", "context": [], "style": "chat", "lang": "en", "kind": "statement", "tags": [], **record}, {"text": masked, "spans": spans})
        return t.figures()

    def test_last_four_may_stay(self):
        record = {"text": "card 4111 1111 1111 1234 ok", "spans": [{"start": 5, "end": 24, "label": "CREDIT_CARD_NUMBER", "value_id": "1", "keep": 4}]}
        span = [{"start": 5, "end": 24, "label": "CREDIT_CARD_NUMBER"}]
        self.assertEqual(self.tally(record, "card **** **** **** 1234 ok", span)["entities"]["CREDIT_CARD_NUMBER"]["hidden"], 1)
        self.assertEqual(self.tally(record, "card **** **** ***1 1234 ok", span)["entities"]["CREDIT_CARD_NUMBER"]["hidden"], 0)

    def test_last_four_of_the_number_in_a_track_may_stay(self):
        text = "%B4111111111111234^DOE/JANE^2912101123?"
        record = {"text": text, "spans": [{"start": 0, "end": len(text), "label": "CREDIT_CARD_NUMBER", "value_id": "1", "keep": 4, "tags": ["track"]}]}
        span = [{"start": 0, "end": len(text), "label": "CREDIT_CARD_NUMBER"}]
        self.assertEqual(self.tally(record, "%B************1234^***/****^**********?", span)["entities"]["CREDIT_CARD_NUMBER"]["hidden"], 1)
        self.assertEqual(self.tally(record, "%B***********11234^***/****^**********?", span)["entities"]["CREDIT_CARD_NUMBER"]["hidden"], 0)
        self.assertEqual(self.tally(record, "%*************1234^***/****^******1123?", span)["entities"]["CREDIT_CARD_NUMBER"]["hidden"], 0)

    def test_part_that_a_later_message_masks(self):
        def part(message, text, context):
            span = {"start": 0, "end": 9, "label": "CREDIT_CARD_NUMBER", "value_id": "1", "keep": 0}
            return {"id": f"t:1:0:m{message}", "text": text, "context": context, "spans": [span], "style": "chat", "lang": "en", "kind": "split", "tags": []}
        records = [part(1, "4111 1111", []), part(3, "2222 3333", ["4111 1111", "go on"]), {**part(1, "4111 1111", []), "id": "t:1:1:m1"}]
        answers = [{"text": r["text"], "spans": []} for r in records]
        answers[1] = {"text": "**** ****", "spans": [{"start": 0, "end": 9, "label": "CREDIT_CARD_NUMBER"}],
                      "earlier": [{"message": 0, "start": 0, "end": 9, "label": "CREDIT_CARD_NUMBER"}, {"message": 1, "start": 0, "end": 2, "label": "PIN"}]}
        later = score.masked_later(records, answers)
        self.assertEqual(later, [[(0, 9)], [], []])
        t = score.Tally(values.ENTITIES)
        for record, answer, ranges in zip(records, answers, later):
            t.add(record, answer, ranges)
        row = t.figures()["entities"]["CREDIT_CARD_NUMBER"]
        self.assertEqual((row["n"], row["hidden"], row["finally_hidden"]), (3, 1, 2))

    def test_eight_asterisks(self):
        text, masked = "use abc as password and 1234 then", "use ******** as password and **** then"
        seen = aligning.visible(text, masked, [{"start": 4, "end": 7}, {"start": 24, "end": 28}])
        self.assertEqual("".join(c for c, s in zip(text, seen) if s), "use  as password and  then")

    def test_masking_that_differs_from_the_spans(self):
        seen = aligning.visible("pin 1234 ok", "pin [PIN] ok", [])
        self.assertFalse(any(seen[4:8]))

    def test_wrong_label_and_false_alarm(self):
        record = {"text": "pin 1234 at 5 pm", "spans": [{"start": 4, "end": 8, "label": "PIN", "value_id": "1"}]}
        got = self.tally(record, "pin **** at * pm", [{"start": 4, "end": 8, "label": "CVV"}, {"start": 12, "end": 13, "label": "AGE"}])
        self.assertEqual((got["entities"]["PIN"]["wrong"], got["entities"]["PIN"]["hidden"]), (1, 1))
        self.assertEqual((got["entities"]["CVV"]["wrong_entity"], got["entities"]["AGE"]["false_alarm"]), (1, 1))


if __name__ == "__main__":
    unittest.main()
