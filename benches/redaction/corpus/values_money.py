"""Cards, bank numbers, IBANs and wallets."""
from checks import aba_digit, aba_ok, iban_check, iban_ok, key97, luhn_digit, luhn_ok, weighted as wsum
from checks_wallets import base58check, bech32, eip55
from values_core import ALNUM, DIGITS, UPPER, Value, code, digits, like, number, pick, shaped, spoil, weighted

# issuer: (weight, prefixes, length)
ISSUERS = {
    "visa": (40, ["4"], 16), "mastercard": (22, ["51", "52", "53", "54", "55"], 16), "mastercard2": (8, ["2221", "2345", "2512", "2699", "2720"], 16),
    "amex": (12, ["34", "37"], 15), "discover": (7, ["6011", "644", "649", "65"], 16), "diners": (3, ["300", "305", "36", "38"], 14),
    "jcb": (3, ["3528", "3566", "3589"], 16), "unionpay": (2, ["6221", "6250", "6288"], 16), "maestro": (2, ["5018", "5020", "6304", "6759"], 18),
    "unionpay19": (1, ["6212"], 19),
}
ODD_GROUPS = [(4, 6, 6), (5, 5, 6), (6, 6, 4), (4, 4, 2, 2, 4), (3, 3, 3, 3, 4), (8, 8), (2,) * 8, (4, 12), (12, 4)]
CARD_SEPARATORS = {" ": 45, "": 30, "-": 15, ".": 4, "  ": 2, " - ": 2, "/": 1, ", ": 1}
# country: shape of the part after the check digits
IBAN_SHAPES = {
    "DE": "9" * 18, "FR": "9" * 10 + "X" * 11 + "99", "GB": "AAAA" + "9" * 14, "ES": "9" * 20, "IT": "A" + "9" * 10 + "9" * 12,
    "NL": "AAAA" + "9" * 10, "BE": "9" * 12, "AT": "9" * 16, "CH": "9" * 17, "PT": "9" * 21, "IE": "AAAA" + "9" * 14, "PL": "9" * 24,
    "SE": "9" * 20, "NO": "9" * 11, "DK": "9" * 14, "FI": "9" * 14, "LU": "999" + "X" * 13, "GR": "9" * 23, "CZ": "9" * 20, "TR": "9" * 5 + "0" + "9" * 16,
}
IBAN_OF = {"de": ["DE", "DE", "AT", "CH"], "fr": ["FR", "FR", "BE", "LU"], "es": ["ES"], "pt": ["PT"], "it": ["IT"]}
BANKS = "BARC LOYD NWBK DEUT COBA BNPA SOGE ABNA INGB CITI BOFA CHAS HSBC BSCH UBSW CRES NDEA DABA".split()
BIC_COUNTRY = "GB DE FR US NL ES IT CH SE DK BE AT IE PT AU CA IN SG".split()


def CREDIT_CARD_NUMBER(rng, lang, variant, wrong):
    """variant: an issuer's name, or `16` for the issuers with sixteen digits."""
    names = {k: v[0] for k, v in ISSUERS.items() if not variant or (v[2] == 16 if variant == "16" else k.startswith(variant))}
    name = weighted(rng, names)
    _, prefixes, size = ISSUERS[name]
    body = rng.choice(prefixes)
    body += digits(rng, size - 1 - len(body))
    raw = body + luhn_digit(body)
    if wrong:
        raw = spoil(rng, raw, luhn_ok, 2)
    sizes = {15: (4, 6, 5), 14: (4, 6, 4), 16: (4, 4, 4, 4), 18: (4, 4, 4, 4, 2), 19: (4, 4, 4, 4, 3)}[size]
    sep, tags = weighted(rng, CARD_SEPARATORS), set()
    if rng.random() < 0.08 and size == 16:
        sizes, tags = rng.choice(ODD_GROUPS), {"odd_groups"}
        sep = rng.choice([" ", "-", ".", " "])
    elif not variant and rng.random() < 0.02:
        return Value("token", f"%B{raw}^DOE/JANE^{rng.randint(27, 33)}{rng.randint(1, 12):02d}101{digits(rng, 10)}?", [], {}, {"track"})
    value = Value("digits", raw, [shaped(sizes, sep)], {"sizes": sizes}, tags)
    return value


def CVV(rng, lang, variant, wrong):
    return number(digits(rng, 3 if rng.random() < 0.87 else 4))


def CARD_EXPIRATION_DATE(rng, lang, variant, wrong):
    return Value("expiry", "", [], {"month": rng.randint(1, 12), "year": rng.randint(2023, 2034)})


def PIN(rng, lang, variant, wrong):
    size = weighted(rng, {4: 75, 6: 15, 5: 6, 8: 4})
    common = rng.choice(["1234", "0000", "1990", "2580", "7777", "1212"])
    return number(common if size == 4 and rng.random() < 0.06 else digits(rng, size))


def BANK_ACCOUNT_NUMBER(rng, lang, variant, wrong):
    size = weighted(rng, {8: 25, 10: 25, 12: 20, 9: 12, 7: 6, 11: 4, 13: 3, 16: 2, 6: 3})
    raw = digits(rng, size, "0123456789")
    layouts = ["#" * size] * 4
    if size >= 8:
        layouts += [shaped([4] * (size // 4) + ([size % 4] if size % 4 else []), " "), shaped([size - 4, 4], "-"), shaped([3, size - 3], " ")]
    return number(raw, *layouts)


def BANK_ROUTING_NUMBER(rng, lang, variant, wrong):
    body = rng.choice("01 02 03 05 06 07 08 09 10 11 12 21 22 25 26 27 28 31 32".split()) + digits(rng, 6)
    raw = body + aba_digit(body)
    return number(spoil(rng, raw, aba_ok, 2) if wrong else raw, *["#########"] * 5, "### ### ###", "####-#####", "#### #### #")


def _fix_bban(country, bban):
    """National check inside a few IBANs (BE, NO, FR key), so that they pass strict checks as well."""
    if country == "BE":
        return bban[:10] + "%02d" % (int(bban[:10]) % 97 or 97)
    if country == "NO":
        n = -wsum(bban[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
        return bban[:10] + str(n if n < 10 else 0)
    if country == "FR":
        table = dict(zip(UPPER, "12345678912345678923456789"))
        body = "".join(table.get(c, c) for c in bban[:21])
        return bban[:21] + key97(int(body) * 100 % 97)
    return bban


def IBAN(rng, lang, variant, wrong):
    country = rng.choice(IBAN_OF.get(lang) or sorted(IBAN_SHAPES))
    if variant in IBAN_SHAPES:
        country = variant
    bban = _fix_bban(country, like(rng, IBAN_SHAPES[country]))
    raw = country + iban_check(country, bban) + bban
    if wrong:
        raw = spoil(rng, raw, iban_ok, 2)
    n = len(raw)
    four = shaped([4] * (n // 4) + ([n % 4] if n % 4 else []), " ")
    return code(raw, four, four, four, "#" * n, "#" * n, four.replace(" ", "-"))


def SWIFT_BIC(rng, lang, variant, wrong):
    raw = rng.choice(BANKS) + rng.choice(BIC_COUNTRY) + pick(rng, ALNUM.replace("0", ""), 2)
    if rng.random() < 0.4:
        return code(raw + rng.choice(["XXX", pick(rng, DIGITS, 3), pick(rng, UPPER, 3)]), "###########", "########### ".strip(), "######## ###")
    return code(raw, "########", "########", "#### ## ##")


def UK_SORT_CODE(rng, lang, variant, wrong):
    return number(rng.choice(["20", "30", "40", "60", "04", "09", "11", "23", "77", "83"]) + digits(rng, 4), *["##-##-##"] * 4, "######", "## ## ##")


def AU_BSB(rng, lang, variant, wrong):
    return number(rng.choice(["01", "03", "06", "08", "11", "48", "63", "73", "76", "92"]) + digits(rng, 4), "###-###", "###-###", "######", "### ###")


def CRYPTO_ADDRESS(rng, lang, variant, wrong):
    kind = rng.choice(["p2pkh", "p2sh", "bech32", "taproot", "eth", "eth", "ethlow"])
    data = bytes(rng.randrange(256) for _ in range(20))
    if kind == "eth":
        return Value("token", eip55(data.hex()))
    if kind == "ethlow":
        return Value("token", "0x" + data.hex())
    if kind == "bech32":
        return Value("token", bech32("bc", [0] + [rng.randrange(32) for _ in range(31)] + [rng.randrange(32)]))
    if kind == "taproot":
        return Value("token", bech32("bc", [1] + [rng.randrange(32) for _ in range(51)] + [16 * rng.randrange(2)], 0x2BC830A3))
    return Value("token", base58check((b"\0" if kind == "p2pkh" else b"\5") + data))
