"""Tax, health, licence, customer and reference numbers of the United States, UK, Canada, Australia, India and Singapore."""
from checks import (abn_from, abn_ok, au_medicare_digit, au_medicare_ok, dea_digit, dea_ok, gstin_char, gstin_ok, luhn_digit, luhn_ok,
                    nhs_digit, nhs_ok, npi_digit, npi_ok, nric_letter, tfn_ok, verhoeff_digit, verhoeff_ok, vin_digit, vin_ok)
from values_core import ALNUM, DIGITS, SAFE, UPPER, Value, code, digits, like, number, pick, shaped, spoil, weighted
import values_names

MBI_SHAPE = "CAND-AND-AADD"


def SSN(rng, lang, variant, wrong):
    area = rng.choice([n for n in range(1, 900) if n != 666])
    raw = f"{area:03d}{rng.randint(1, 99):02d}{rng.randint(1, 9999):04d}"
    return number(raw, *["###-##-####"] * 5, "### ## ####", "### ## ####", "#########", "#########", "###.##.####")


def US_ITIN(rng, lang, variant, wrong):
    group = rng.choice([n for n in range(50, 100) if n not in (66, 67, 68, 69, 89, 93)])
    return number(f"9{rng.randint(0, 99):02d}{group}{rng.randint(0, 9999):04d}", *["###-##-####"] * 4, "### ## ####", "#########")


def US_EIN(rng, lang, variant, wrong):
    prefix = rng.choice("01 10 12 20 26 27 30 35 36 41 45 46 47 52 56 61 71 75 81 82 83 84 85 86 87 88 92 93 94 95 98".split())
    return number(prefix + digits(rng, 7), *["##-#######"] * 4, "#########", "## #######")


def PASSPORT_NUMBER(rng, lang, variant, wrong):
    shape = {"de": "C99999999", "es": "AAA999999", "fr": "99AA99999", "it": "AA9999999", "pt": "AA999999"}.get(
        lang, rng.choice(["999999999", "A99999999", "999999999", "A9999999", "AA999999", "99AA99999", "AA9999999"]))
    return code(like(rng, shape))


def US_DRIVER_LICENSE(rng, lang, variant, wrong):
    shape = rng.choice(["A9999999", "99999999", "A999-9999-9999", "A999-999-99-999-9", "999 999 999", "9999999", "A99-99-9999", "AA999999",
                        "A9999 99999 99999", "999999999", "A-999-999-999-999", "A99999999", "99-999-9999"])
    text = like(rng, shape)
    raw = "".join(c for c in text if c.isalnum())
    layout = "".join("#" if c.isalnum() else c for c in text)
    return code(raw, layout, layout, "#" * len(raw))


def UK_DRIVING_LICENCE(rng, lang, variant, wrong):
    last = "".join(c for c in rng.choice(values_names.LAST).upper() if c in UPPER)
    month, year = rng.randint(1, 12) + rng.choice([0, 50]), rng.randint(0, 99)
    raw = (last + "99999")[:5] + f"{year // 10}{month:02d}{rng.randint(1, 28):02d}{year % 10}" + rng.choice(UPPER) + rng.choice(UPPER + "9999")
    raw += "9" + pick(rng, UPPER, 2)
    return code(raw, *["#" * 16] * 3, "##### ###### #####", "##### ###### ## ###")


def US_MEDICARE_ID(rng, lang, variant, wrong):
    letters = "ACDEFGHJKMNPQRTUVWXY"
    raw = "".join(rng.choice({"C": DIGITS[1:], "A": letters, "N": letters + DIGITS, "D": DIGITS}[c]) for c in MBI_SHAPE if c != "-")
    return code(raw, *["####-###-####"] * 3, "###########", "#### ### ####")


def US_NPI(rng, lang, variant, wrong):
    body = digits(rng, 9, "12")
    raw = body + npi_digit(body)
    return number(spoil(rng, raw, npi_ok, 1) if wrong else raw, "##########", "##########", "### ### ####", "###-###-####")


def US_DEA_NUMBER(rng, lang, variant, wrong):
    body = digits(rng, 6)
    raw = rng.choice("ABFGMPR") + rng.choice(UPPER) + body + dea_digit(body)
    return code(spoil(rng, raw, dea_ok, 2) if wrong else raw, "#########", "#########", "## #######", "## ### ####")


def _reference(rng, shapes):
    text = like(rng, rng.choice(shapes))
    return code("".join(c for c in text if c.isalnum()), "".join("#" if c.isalnum() else c for c in text))


def MEDICAL_RECORD_NUMBER(rng, lang, variant, wrong):
    return _reference(rng, ["9999999", "99999999", "999999", "A999999", "MR999999", "99-99-99", "999-99-99", "MRN9999999", "AA9999999"])


def HEALTH_PLAN_ID(rng, lang, variant, wrong):
    return _reference(rng, ["AAA999999999", "A99999999", "9999999999", "AAA99A99999", "999999999", "W999999999", "XA9999999".replace("X", "H"), "A999 99 9999",
                            "999999999-99"])


def ACCOUNT_NUMBER(rng, lang, variant, wrong):
    return _reference(rng, ["99999999", "9999999999", "999999", "9999 9999", "A9999999", "AA-999999", "99-9999-99", "C9999999", "9999-9999-99",
                            "999999999999", "AC9999999", "99999-99999", "9999999"])


def ORDER_NUMBER(rng, lang, variant, wrong):
    return _reference(rng, ["999-9999999-9999999", "9999999", "99999999", "A9999999", "ORD-999999", "AA99999", "99-99999-99999", "W999999999",
                            "INV-9999-999", "99999", "#999999".replace("#", "S"), "9999999999", "XXXX-9999"])


def BOOKING_REFERENCE(rng, lang, variant, wrong):
    if rng.random() < 0.5:
        raw = rng.choice(SAFE) + pick(rng, SAFE + "23456789", 4) + rng.choice("23456789" + SAFE)
        return code(raw)
    return _reference(rng, ["AA9999", "9999999999", "HM99999999", "999999999", "AAA-9999", "A99-AAA9", "99999999", "RES999999"])


def POLICY_NUMBER(rng, lang, variant, wrong):
    return _reference(rng, ["POL-9999999", "AA9999999", "999-999-9999", "A99-9999999-99", "9999999999", "HO 9999999", "AAA/99/999999", "CLM-999999",
                            "99A9999999", "PC99999999", "9999 99 9999", "MOT-99-99999-A"])


def CA_SIN(rng, lang, variant, wrong):
    body = digits(rng, 8, "1234567")
    raw = body + luhn_digit(body)
    return number(spoil(rng, raw, luhn_ok, 1) if wrong else raw, *["### ### ###"] * 3, "###-###-###", "#########")


def UK_NINO(rng, lang, variant, wrong):
    first, second = "ABCEGHJKLMNPRSTWXYZ", "ABCEGHJKLMNPRSTWXYZ"
    prefix = rng.choice(first) + rng.choice(second)
    while prefix in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ"):
        prefix = rng.choice(first) + rng.choice(second)
    if wrong:
        prefix = rng.choice(["BG", "GB", "QD", "NT", "FU", "DA", "ZZ", "VM"])
    return code(prefix + digits(rng, 6) + rng.choice("ABCD"), *["## ## ## ## #"] * 3, "#########", "#########", "##-##-##-##-#", "## ###### #")


def nino_ok(raw):
    return raw[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ") and raw[0] not in "DFIQUV" and raw[1] not in "DFIQUVO"


def UK_NHS_NUMBER(rng, lang, variant, wrong):
    body = digits(rng, 9, "4679")
    while nhs_digit(body) is None:
        body = digits(rng, 9, "4679")
    raw = body + nhs_digit(body)
    return number(spoil(rng, raw, nhs_ok, 1) if wrong else raw, *["### ### ####"] * 3, "##########", "###-###-####")


def AU_TFN(rng, lang, variant, wrong):
    raw = digits(rng, 9, "123456789")
    while not tfn_ok(raw):
        raw = digits(rng, 9, "123456789")
    return number(spoil(rng, raw, tfn_ok, 1) if wrong else raw, *["### ### ###"] * 3, "#########", "###-###-###")


def AU_MEDICARE(rng, lang, variant, wrong):
    body = digits(rng, 8, "23456")
    raw = body + au_medicare_digit(body) + rng.choice("123456789")
    if wrong:
        raw = spoil(rng, raw, lambda n: au_medicare_ok(n), 1)
    if rng.random() < 0.3:
        return number(raw + rng.choice("12345"), "#### ##### # #", "#### ##### #/#", "###########")
    return number(raw, *["#### ##### #"] * 3, "##########", "####-#####-#")


def AU_ABN(rng, lang, variant, wrong):
    raw = None
    while raw is None:
        raw = abn_from(digits(rng, 9))
    return number(spoil(rng, raw, abn_ok, 1) if wrong else raw, *["## ### ### ###"] * 3, "###########")


def IN_AADHAAR(rng, lang, variant, wrong):
    body = digits(rng, 11, "23456789")
    raw = body + verhoeff_digit(body)
    return number(spoil(rng, raw, verhoeff_ok, 1) if wrong else raw, *["#### #### ####"] * 4, "############", "####-####-####")


def _pan(rng):
    return pick(rng, UPPER, 3) + rng.choice("PPPPCHFATBG") + rng.choice(UPPER) + digits(rng, 4) + rng.choice(UPPER)


def IN_PAN(rng, lang, variant, wrong):
    return code(_pan(rng), *["##########"] * 4, "##### #### #")


def IN_GSTIN(rng, lang, variant, wrong):
    body = f"{rng.randint(1, 37):02d}" + _pan(rng) + rng.choice("12") + "Z"
    raw = body + gstin_char(body)
    return code(spoil(rng, raw, gstin_ok, 2) if wrong else raw, *["#" * 15] * 3, "## ########## # # #")


def IN_VOTER_ID(rng, lang, variant, wrong):
    return code(like(rng, "AAA9999999"), "##########", "##########", "### #######")


def SG_NRIC_FIN(rng, lang, variant, wrong):
    prefix = rng.choice("SSSTTFGM")
    body = digits(rng, 7, "0123456789" if prefix in "TGM" else "01234567")
    return code(prefix + body + nric_letter(prefix, body))


def IMEI(rng, lang, variant, wrong):
    if rng.random() < 0.2:
        body = "89" + rng.choice(["01", "44", "49", "33", "61", "91"]) + digits(rng, 14)
        raw, layouts = body + luhn_digit(body), ["#" * 19, "#### #### #### #### ###"]
    else:
        body = rng.choice(["35", "86", "01", "99"]) + digits(rng, 12)
        raw, layouts = body + luhn_digit(body), ["#" * 15, "#" * 15, "## ###### ###### #", "##-######-######-#", "### ### ### ### ###"]
    return number(spoil(rng, raw, luhn_ok, 2) if wrong else raw, *layouts)


def VIN(rng, lang, variant, wrong):
    chars = "ABCDEFGHJKLMNPRSTUVWXYZ"
    raw = rng.choice("1HG 2T1 3VW 4T1 5YJ 1FT JHM WBA WVW KMH SAL ZFF".split()) + pick(rng, chars + DIGITS, 5) + "0"
    raw += rng.choice("FGHJKLMNPRST") + rng.choice(chars) + digits(rng, 6)
    raw = raw[:8] + vin_digit(raw) + raw[9:]
    return code(spoil(rng, raw, vin_ok, 9) if wrong else raw, *["#" * 17] * 4, "### ###### ########")


def LICENSE_PLATE(rng, lang, variant, wrong):
    shapes = {"de": ["B-AA 9999", "M AA 999", "HH-A 999", "K-AA 99"], "fr": ["AA-999-AA"], "es": ["9999 AAA"], "it": ["AA 999 AA"], "pt": ["AA-99-AA", "AAA9A99"]}.get(
        lang, ["9AAA999", "AAA-9999", "AA99 AAA", "AA99 AAA", "AA99AAA", "AAA 999", "MH 99 AA 9999", "AAA-99A", "99 AA 999", "999 AAA"])
    shape = rng.choice(shapes)
    text = "".join(pick(rng, SAFE, 1) if c == "A" else pick(rng, DIGITS, 1) if c == "9" else c for c in shape)
    return code("".join(c for c in text if c.isalnum()), "".join("#" if c.isalnum() else c for c in text))


def NUMERIC_SEQUENCE(rng, lang, variant, wrong):
    size = rng.randint(5, 14)
    raw = digits(rng, size)
    return number(raw, "#" * size, "#" * size, shaped([size // 2, size - size // 2], " "), shaped([3, size - 3], "-"))


CHECKS = {"US_NPI": npi_ok, "US_DEA_NUMBER": dea_ok, "CA_SIN": luhn_ok, "UK_NINO": nino_ok, "UK_NHS_NUMBER": nhs_ok, "AU_TFN": tfn_ok,
          "AU_MEDICARE": au_medicare_ok, "AU_ABN": abn_ok, "IN_AADHAAR": verhoeff_ok, "IN_GSTIN": gstin_ok, "IMEI": luhn_ok, "VIN": vin_ok}
