"""National numbers of Europe, Latin America, Asia and Africa, and VAT numbers, with their check digits."""
from checks import (bsn_ok, cf_letter, chinese_char, cnpj_digits, cpf_digits, cuit_digit, curp_digit, es_company_digit, fr_vat_key, gb_vat_digits,
                    hetu_char, hkid_char, key97, luhn_digit, mod11_10, my_number_digit, NIF_LETTERS, pesel_digit, ppsn_letter, pt_nif_digit,
                    rfc_digit, rrn_digit, rut_digit, thai_digit, turkish_digits, verhoeff_digit)
from values_core import DIGITS, UPPER, code, digits, number, pick, spoil

CONSONANTS = "BCDFGLMNPRSTV"


def _birth(rng):
    """Year (four digits), month, day as numbers."""
    return rng.randint(1938, 2004), rng.randint(1, 12), rng.randint(1, 28)


def ES_NIF(rng):
    if rng.random() < 0.25:
        lead, body = rng.choice("XYZ"), digits(rng, 7)
        return code(lead + body + NIF_LETTERS[int(str("XYZ".index(lead)) + body) % 23], "#########", "#-#######-#")
    body = digits(rng, 8)
    return code(body + NIF_LETTERS[int(body) % 23], "#########", "#########", "########-#", "##.###.###-#", "######## #")


def IT_CF(rng):
    y, m, d = _birth(rng)
    body = pick(rng, CONSONANTS, 6) + f"{y % 100:02d}" + "ABCDEHLMPRST"[m - 1] + f"{d + rng.choice([0, 40]):02d}" + rng.choice("AFHL") + digits(rng, 3)
    return code(body + cf_letter(body), *["#" * 16] * 3, "### ### ##### #####")


def DE_TAX(rng):
    """Ten digits where exactly one digit occurs twice, then the check digit."""
    seq = rng.sample(DIGITS, 9)
    seq.insert(rng.randint(1, 9), rng.choice(seq))
    if seq[0] == "0":
        return DE_TAX(rng)
    body = "".join(seq)
    return number(body + mod11_10(body), "###########", "## ### ### ###", "## ### ### ###")


def PL_PESEL(rng):
    y, m, d = _birth(rng)
    body = f"{y % 100:02d}{m + (20 if y >= 2000 else 0):02d}{d:02d}" + digits(rng, 4)
    return number(body + pesel_digit(body))


def SE_PNR(rng):
    y, m, d = _birth(rng)
    body = f"{y % 100:02d}{m:02d}{d:02d}" + digits(rng, 3)
    if rng.random() < 0.5:
        return number(str(y // 100) + body + luhn_digit(body), "########-####", "############")
    return number(body + luhn_digit(body), "######-####", "######-####", "##########")


def FI_HETU(rng):
    y, m, d = _birth(rng)
    date, serial = f"{d:02d}{m:02d}{y % 100:02d}", f"{rng.randint(2, 899):03d}"
    mark = "A" if y >= 2000 else "-"
    raw = date + ("A" if y >= 2000 else "") + serial + hetu_char(date + serial)
    return code(raw, "###########" if mark == "A" else "######-####")


def NL_BSN(rng):
    raw = digits(rng, 9, "123456789")
    while not bsn_ok(raw):
        raw = digits(rng, 9, "123456789")
    return number(raw, "#########", "#########", "#### ## ###", "###.###.###")


def FR_NIR(rng):
    y, m, _ = _birth(rng)
    body = rng.choice("12") + f"{y % 100:02d}{m:02d}{rng.randint(1, 95):02d}{rng.randint(1, 990):03d}{rng.randint(1, 999):03d}"
    return number(body + key97(int(body)), "# ## ## ## ### ### ##", "# ## ## ## ### ### ##", "###############", "############# ##")


def BE_NRN(rng):
    y, m, d = _birth(rng)
    body = f"{y % 100:02d}{m:02d}{d:02d}{rng.randint(1, 997):03d}"
    return number(body + key97(int(("2" if y >= 2000 else "") + body)), "##.##.##-###.##", "##.##.##-###.##", "###########", "###### ### ##")


def PT_NIF(rng):
    body = digits(rng, 8, "12")
    return number(body + pt_nif_digit(body), "#########", "### ### ###")


def IE_PPSN(rng):
    body = digits(rng, 7)
    if rng.random() < 0.4:
        second = rng.choice("ABH")
        return code(body + ppsn_letter(body, second) + second)
    return code(body + ppsn_letter(body), "########", "####### #")


def BR_CPF(rng):
    body = digits(rng, 9)
    return number(body + cpf_digits(body), "###.###.###-##", "###.###.###-##", "###########", "### ### ### ##")


def BR_CNPJ(rng):
    body = digits(rng, 8) + "0001"
    return number(body + cnpj_digits(body), "##.###.###/####-##", "##.###.###/####-##", "##############")


def MX_CURP(rng):
    y, m, d = _birth(rng)
    state = rng.choice("AS BC CH DF GT JC MC NL OC PL QT SR VZ YN".split())
    body = rng.choice(CONSONANTS) + rng.choice("AEIOU") + pick(rng, CONSONANTS, 2) + f"{y % 100:02d}{m:02d}{d:02d}" + rng.choice("HM") + state
    body += pick(rng, CONSONANTS, 3) + (rng.choice("AB") if y >= 2000 else "0")
    return code(body + curp_digit(body))


def MX_RFC(rng):
    y, m, d = _birth(rng)
    body = rng.choice(CONSONANTS) + rng.choice("AEIOU") + pick(rng, CONSONANTS, 2) + f"{y % 100:02d}{m:02d}{d:02d}" + pick(rng, UPPER + DIGITS[1:], 2)
    return code(body + rfc_digit(body), "#############", "#############", "####-######-###")


def CL_RUT(rng):
    body = str(rng.randint(4000000, 26000000))
    raw = body + rut_digit(body)
    dotted = "##.###.###-#" if len(body) == 8 else "#.###.###-#"
    return code(raw, dotted, dotted, "#" * len(body) + "-#", "#" * len(raw))


def AR_DNI(rng):
    return number(str(rng.randint(5000000, 48000000)).zfill(8).replace("0", "1", 1) if rng.random() < 0.01 else str(rng.randint(10000000, 48000000)),
                  "##.###.###", "########")


def AR_CUIT(rng):
    body = rng.choice(["20", "27", "23", "30"]) + digits(rng, 8, "1234")
    if cuit_digit(body) is None:
        return AR_CUIT(rng)
    return number(body + cuit_digit(body), "##-########-#", "##-########-#", "###########")


def KR_RRN(rng):
    y, m, d = _birth(rng)
    body = f"{y % 100:02d}{m:02d}{d:02d}" + rng.choice("34" if y >= 2000 else "12") + digits(rng, 5)
    return number(body + rrn_digit(body), "######-#######", "######-#######", "#############")


def JP_MYNUMBER(rng):
    body = digits(rng, 11)
    return number(body + my_number_digit(body), "############", "#### #### ####")


def TH_TNIN(rng):
    body = digits(rng, 12, "12345678")
    return number(body + thai_digit(body), "#-####-#####-##-#", "#############", "# #### ##### ## #")


def TR_ID(rng):
    body = digits(rng, 9, "123456789")
    return number(body + turkish_digits(body))


def CN_ID(rng):
    y, m, d = _birth(rng)
    body = rng.choice("110105 310104 440305 510107 330106 420106".split()) + f"{y}{m:02d}{d:02d}" + digits(rng, 3)
    return code(body + chinese_char(body))


def HK_ID(rng):
    letter, body = rng.choice(UPPER), digits(rng, 6)
    return code(letter + body + hkid_char(letter, body), "#######(#)", "#######(#)", "########", "####### #")


def ZA_ID(rng):
    y, m, d = _birth(rng)
    body = f"{y % 100:02d}{m:02d}{d:02d}" + digits(rng, 4) + rng.choice("001") + "8"
    return number(body + luhn_digit(body), "#############", "###### #### ## #")


def NG_NIN(rng):
    body = digits(rng, 10)
    return number(body + verhoeff_digit(body), "###########", "#### ### ####")


def _vat(rng, country):
    if country == "DE":
        body = digits(rng, 8, "123456789")
        return "DE" + body + mod11_10(body)
    if country == "FR":
        siren = digits(rng, 8)
        siren += luhn_digit(siren)
        return "FR" + fr_vat_key(siren) + siren
    if country == "GB":
        body = digits(rng, 7, "123456789")
        return "GB" + body + gb_vat_digits(body)
    if country == "IT":
        body = digits(rng, 7) + f"{rng.randint(1, 100):03d}"
        return "IT" + body + luhn_digit(body)
    if country == "ES":
        body = digits(rng, 7)
        return "ES" + rng.choice("AB") + body + es_company_digit(body)
    return "NL" + NL_BSN(rng).raw + "B" + f"{rng.randint(1, 9):02d}"


VAT_LAYOUTS = {"DE": ["## ### ### ###"], "FR": ["## ## ### ### ###"], "GB": ["## ### #### ##", "##-#########"], "IT": ["## ###########"],
               "ES": ["##-#########", "## #-########"], "NL": ["## ######### ###"]}
FAMILIES = {
    "EU_NATIONAL_ID": [ES_NIF, IT_CF, DE_TAX, PL_PESEL, SE_PNR, FI_HETU, NL_BSN, FR_NIR, BE_NRN, PT_NIF, IE_PPSN],
    "LATAM_NATIONAL_ID": [BR_CPF, BR_CNPJ, MX_CURP, MX_RFC, CL_RUT, AR_DNI, AR_CUIT],
    "ASIA_NATIONAL_ID": [KR_RRN, JP_MYNUMBER, TH_TNIN, TR_ID, CN_ID, HK_ID],
    "AFRICA_NATIONAL_ID": [ZA_ID, NG_NIN],
}
HOME = {("EU_NATIONAL_ID", "es"): ES_NIF, ("EU_NATIONAL_ID", "it"): IT_CF, ("EU_NATIONAL_ID", "de"): DE_TAX, ("EU_NATIONAL_ID", "fr"): FR_NIR,
        ("EU_NATIONAL_ID", "pt"): PT_NIF, ("LATAM_NATIONAL_ID", "pt"): BR_CPF}


def _family(entity):
    def make(rng, lang, variant, wrong):
        named = next((f for f in FAMILIES[entity] if f.__name__ == variant), None)
        choices = FAMILIES[entity]
        if wrong:  # not AR_DNI: it has no check
            choices = [f for f in choices if f is not AR_DNI]
        value = (named or HOME.get((entity, lang)) or rng.choice(choices))(rng)
        if wrong:
            value.raw = _spoil_last(rng, value.raw)
        return value
    make.__name__ = entity
    return make


def _spoil_last(rng, raw):
    """One wrong character at the end, where these numbers keep their check."""
    last = raw[-1]
    if last.isdigit():
        return raw[:-1] + rng.choice(DIGITS.replace(last, ""))
    return raw[:-1] + rng.choice(NIF_LETTERS.replace(last, ""))


EU_NATIONAL_ID, LATAM_NATIONAL_ID = _family("EU_NATIONAL_ID"), _family("LATAM_NATIONAL_ID")
ASIA_NATIONAL_ID, AFRICA_NATIONAL_ID = _family("ASIA_NATIONAL_ID"), _family("AFRICA_NATIONAL_ID")


def VAT_NUMBER(rng, lang, variant, wrong):
    home = lang.upper() if lang.upper() in VAT_LAYOUTS else rng.choice(sorted(VAT_LAYOUTS))
    country = variant if variant in VAT_LAYOUTS else home
    raw = _vat(rng, country)
    if wrong:
        raw = raw[:-4] + str((int(raw[-4]) + rng.randint(1, 9)) % 10) + raw[-3:] if country == "NL" else _spoil_last(rng, raw)
    return code(raw, *["#" * len(raw)] * 3, *VAT_LAYOUTS[country])
