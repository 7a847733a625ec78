"""Keys, tokens, network addresses, links and coordinates."""
import base64
import json
import textwrap

from values_core import DIGITS, LOWER, UPPER, Value, digits, pick, weighted

MIXED = UPPER + LOWER + DIGITS
HEX = DIGITS + "abcdef"
B64 = MIXED + "-_"
SITES = ("northwind shopfern brightline harbormutual pinecrest skylark myportal trackparcel evergreenhelp halcyon metrogas lakesideclinic riverside "
         "bluefern orchardnet fixmyrouter oakandash tinyhouse greenleaf acmetel klarpost solvento").split()
TLDS = {"com": 50, "co.uk": 10, "net": 8, "org": 8, "io": 6, "de": 4, "fr": 2, "es": 2, "it": 2, "com.au": 4, "ca": 4, "in": 3, "app": 3, "shop": 2, "com.br": 2}
API_SHAPES = [
    lambda r: "AKIA" + pick(r, UPPER + "234567", 16), lambda r: "ASIA" + pick(r, UPPER + "234567", 16), lambda r: "ghp_" + pick(r, MIXED, 36),
    lambda r: "gho_" + pick(r, MIXED, 36), lambda r: "github_pat_" + pick(r, MIXED, 22) + "_" + pick(r, MIXED, 59),
    lambda r: "sk_live_" + pick(r, MIXED, 24), lambda r: "sk_test_" + pick(r, MIXED, 24), lambda r: "rk_live_" + pick(r, MIXED, 24),
    lambda r: "sk-" + pick(r, MIXED, 48), lambda r: "sk-proj-" + pick(r, B64, 64), lambda r: "sk-ant-api03-" + pick(r, B64, 93) + "AA",
    lambda r: "AIza" + pick(r, B64, 35), lambda r: "xoxb-" + digits(r, 12) + "-" + digits(r, 12) + "-" + pick(r, MIXED, 24),
    lambda r: "glpat-" + pick(r, B64, 20), lambda r: "SG." + pick(r, B64, 22) + "." + pick(r, B64, 43), lambda r: "npm_" + pick(r, MIXED, 36),
    lambda r: pick(r, HEX, 32) + "-us" + r.choice("12") + r.choice("0123456789"), lambda r: "key-" + pick(r, HEX, 32), lambda r: "dop_v1_" + pick(r, HEX, 64),
    lambda r: "hf_" + pick(r, UPPER + LOWER, 34), lambda r: "AC" + pick(r, HEX, 32), lambda r: "shpat_" + pick(r, HEX, 32), lambda r: pick(r, HEX, 32),
    lambda r: pick(r, HEX, 40), lambda r: pick(r, MIXED, 40), lambda r: "pypi-AgEIcHlwaS5vcmc" + pick(r, B64, 70),
]


def API_KEY(rng, lang, variant, wrong):
    return Value("token", rng.choice(API_SHAPES)(rng))


def _b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def ACCESS_TOKEN(rng, lang, variant, wrong):
    kind = weighted(rng, {"jwt": 55, "opaque": 20, "hex": 10, "uuid": 8, "google": 7})
    if kind == "jwt":
        head = {"alg": rng.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
        body = {"sub": digits(rng, 8), "iat": rng.randint(1650000000, 1790000000), "scope": rng.choice(["read", "admin", "orders"])}
        return Value("token", ".".join(_b64(json.dumps(p, separators=(",", ":")).encode()) for p in (head, body)) + "." + pick(rng, B64, 43))
    if kind == "uuid":
        return Value("token", "-".join(pick(rng, HEX, n) for n in (8, 4, 4, 4, 12)))
    if kind == "google":
        return Value("token", "ya29." + pick(rng, B64, 60))
    return Value("token", pick(rng, HEX, 40) if kind == "hex" else pick(rng, MIXED, rng.choice([24, 32, 43])))


def PRIVATE_KEY(rng, lang, variant, wrong):
    label = rng.choice(["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"])
    start = {"RSA PRIVATE KEY": "MIIEpAIBAAKCAQEA", "OPENSSH PRIVATE KEY": "b3BlbnNzaC1rZXktdjEAAAAA"}.get(label, "MIGHAgEAMBMGByqGSM49")
    body = start + pick(rng, MIXED + "+/", rng.choice([120, 240, 400])) + "=" * rng.choice([0, 1, 2])
    return Value("block", f"-----BEGIN {label}-----\n" + "\n".join(textwrap.wrap(body, 64)) + f"\n-----END {label}-----", [], {"body": body})


def IP_ADDRESS(rng, lang, variant, wrong):
    if rng.random() < 0.8:
        first = rng.choice([10, 192, 172, 203, 81, 24, 73, 185, 51, 98, 142, 212])
        second = {192: 168, 172: rng.randint(16, 31)}.get(first, rng.randint(0, 255))
        raw = f"{first}.{second}.{rng.randint(0, 255)}.{rng.randint(1, 254)}"
        return Value("ip", raw + (f"/{rng.choice([8, 16, 24, 28])}" if rng.random() < 0.06 else ""))
    words = [pick(rng, HEX, 4).lstrip("0") or "0" for _ in range(8)]
    if rng.random() < 0.5:
        return Value("ip", "2001:db8:" + words[0] + "::" + rng.choice([words[1], words[1] + ":" + words[2], "1"]))
    if rng.random() < 0.3:
        return Value("ip", "fe80::" + ":".join(words[:4]))
    return Value("ip", ":".join(["2a02"] + words[1:]))


def MAC_ADDRESS(rng, lang, variant, wrong):
    raw = pick(rng, "02468ACE" + DIGITS, 1) + pick(rng, "02468ACE", 1) + pick(rng, DIGITS + "ABCDEF", 10)
    return Value("code", raw, ["##:##:##:##:##:##"] * 4 + ["##-##-##-##-##-##"] * 2 + ["####.####.####", "############"], {"mac": True})


def URL(rng, lang, variant, wrong):
    host = rng.choice(SITES) + "." + weighted(rng, TLDS)
    path = rng.choice(["", "", "/login", "/orders/" + digits(rng, 6), "/help/returns", "/reset?token=" + pick(rng, MIXED, 16), "/p/" + pick(rng, LOWER + DIGITS, 8),
                       "/account/settings", "/track?id=" + pick(rng, UPPER + DIGITS, 10), "/de/hilfe#faq"])
    start = rng.choice(["https://", "https://", "http://", "www.", "https://www.", "", "https://my."])
    return Value("url", start + host + path, [], {"host": host, "www": "www" in start, "path": path})


def GEO_COORDINATES(rng, lang, variant, wrong):
    lat, lon = rng.uniform(-60, 65), rng.uniform(-179, 179)
    return Value("geo", "", [], {"lat": lat, "lon": lon, "places": rng.choice([4, 4, 5, 6, 3])})
