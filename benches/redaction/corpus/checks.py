"""Check digits: how the last (or some) digit of a number follows from the others."""

ALNUM = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def weighted(digits, weights):
    """Sum of digit times weight."""
    return sum(int(d) * w for d, w in zip(digits, weights))


def luhn_digit(body):
    """The digit that makes body + digit pass the Luhn check."""
    total = 0
    for i, d in enumerate(reversed(body)):
        n = int(d) * (2 if i % 2 == 0 else 1)
        total += n - 9 if n > 9 else n
    return str(-total % 10)


def luhn_ok(number):
    return number.isdigit() and luhn_digit(number[:-1]) == number[-1]


def _as_number(text):
    return int("".join(str(ALNUM.index(c)) for c in text.upper()))


def iban_check(country, bban):
    return "%02d" % (98 - _as_number(bban + country + "00") % 97)


def iban_ok(iban):
    return _as_number(iban[4:] + iban[:4]) % 97 == 1


def aba_digit(body):
    return str(-weighted(body, (3, 7, 1) * 3) % 10)


def aba_ok(number):
    return weighted(number, (3, 7, 1) * 3) % 10 == 0


def npi_digit(body):
    return luhn_digit("80840" + body)


def npi_ok(number):
    return luhn_ok("80840" + number)


def dea_digit(six):
    return str((weighted(six, (1, 2, 1, 2, 1, 2))) % 10)


def dea_ok(number):
    return dea_digit(number[2:8]) == number[8]


def tfn_ok(number):
    return weighted(number, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def abn_ok(number):
    digits = str(int(number[0]) - 1) + number[1:] if number[0] != "0" else None
    return digits is not None and weighted(digits, (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)) % 89 == 0


def abn_from(nine):
    """An ABN out of nine digits: two leading check digits."""
    return next((str(n) + nine for n in range(10, 100) if abn_ok(str(n) + nine)))


def au_medicare_digit(eight):
    return str(weighted(eight, (1, 3, 7, 9, 1, 3, 7, 9)) % 10)


def au_medicare_ok(number):
    return au_medicare_digit(number[:8]) == number[8]


def nhs_digit(nine):
    """The NHS check digit, or None where the nine digits cannot be used."""
    n = 11 - weighted(nine, range(10, 1, -1)) % 11
    return {11: "0", 10: None}.get(n, str(n))


def nhs_ok(number):
    return nhs_digit(number[:9]) == number[9]


_D = [[(i + j) % 5 if i < 5 and j < 5 else (i - 5 - j) % 5 if i >= 5 and j >= 5 else
       (i + j) % 5 + 5 if i < 5 else (i - 5 - j) % 5 + 5 for j in range(10)] for i in range(10)]
_P = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
while len(_P) < 8:
    _P.append([_P[1][x] for x in _P[-1]])


def verhoeff_ok(number):
    c = 0
    for i, d in enumerate(reversed(number)):
        c = _D[c][_P[i % 8][int(d)]]
    return c == 0


def verhoeff_digit(body):
    return next(d for d in "0123456789" if verhoeff_ok(body + d))


def gstin_char(body):
    total = 0
    for i, c in enumerate(reversed(body)):
        n = ALNUM.index(c) * (2 if i % 2 == 0 else 1)
        total += n // 36 + n % 36
    return ALNUM[-total % 36]


def gstin_ok(number):
    return gstin_char(number[:14]) == number[14]


def nric_letter(prefix, seven):
    total = weighted(seven, (2, 7, 6, 5, 4, 3, 2)) + {"S": 0, "F": 0, "T": 4, "G": 4, "M": 3}[prefix]
    table = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "XWUTRQPNJLK"}.get(prefix, "XWUTRQPNMLK")
    return table[total % 11]


def vin_digit(vin):
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9)))
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    total = sum((int(c) if c.isdigit() else values[c]) * w for c, w in zip(vin, weights)) % 11
    return "X" if total == 10 else str(total)


def vin_ok(vin):
    return vin_digit(vin) == vin[8]


def mod11_10(body):
    """ISO 7064 MOD 11,10: German tax id and VAT number."""
    p = 10
    for d in body:
        s = (int(d) + p) % 10 or 10
        p = s * 2 % 11
    return str((11 - p) % 10)


def cf_letter(fifteen):
    odd = dict(zip(ALNUM, (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6,
                           8, 12, 14, 16, 10, 22, 25, 24, 23)))
    total = sum(odd[c] if i % 2 == 0 else (int(c) if c.isdigit() else ord(c) - 65) for i, c in enumerate(fifteen))
    return chr(65 + total % 26)


def pesel_digit(ten):
    return str(-weighted(ten, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def hetu_char(nine):
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(nine) % 31]


def bsn_ok(nine):
    return weighted(nine, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def key97(number):
    """FR NIR and BE national number: 97 less the remainder."""
    return "%02d" % (97 - number % 97)


def pt_nif_digit(eight):
    n = 11 - weighted(eight, range(9, 1, -1)) % 11
    return "0" if n >= 10 else str(n)


def ppsn_letter(seven, second="W"):
    extra = 9 * (0 if second == "W" else ord(second) - 64)
    return "WABCDEFGHIJKLMNOPQRSTUV"[(weighted(seven, range(8, 1, -1)) + extra) % 23]


def _mod11_cut(body, weights):
    n = weighted(body, weights) % 11
    return "0" if n < 2 else str(11 - n)


def cpf_digits(nine):
    one = _mod11_cut(nine, range(10, 1, -1))
    return one + _mod11_cut(nine + one, range(11, 1, -1))


def cnpj_digits(twelve):
    w = (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    one = _mod11_cut(twelve, w)
    return one + _mod11_cut(twelve + one, (6,) + w)


def curp_digit(seventeen):
    table = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    return str(-sum(table.index(c) * (18 - i) for i, c in enumerate(seventeen)) % 10)


def rfc_digit(body):
    """RFC check of a person (12 characters) or company (11, padded)."""
    table = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ"
    n = 11 - sum(table.index(c) * (13 - i) for i, c in enumerate(body.rjust(12))) % 11
    return {11: "0", 10: "A"}.get(n, str(n))


def rut_digit(body):
    n = 11 - sum(int(d) * (2 + i % 6) for i, d in enumerate(reversed(body))) % 11
    return {11: "0", 10: "K"}.get(n, str(n))


def cuit_digit(ten):
    """The check digit, or None where the ten digits cannot be used."""
    n = 11 - weighted(ten, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return {11: "0", 10: None}.get(n, str(n))


def rrn_digit(twelve):
    return str((11 - weighted(twelve, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10)


def my_number_digit(eleven):
    n = weighted(eleven, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return "0" if n <= 1 else str(11 - n)


def thai_digit(twelve):
    return str((11 - weighted(twelve, range(13, 1, -1)) % 11) % 10)


def turkish_digits(nine):
    d = [int(c) for c in nine]
    ten = (7 * sum(d[0::2]) - sum(d[1::2])) % 10
    return "%d%d" % (ten, (sum(d) + ten) % 10)


def chinese_char(seventeen):
    return "10X98765432"[weighted(seventeen, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11]


def hkid_char(letter, six):
    total = 36 * 9 + (ord(letter) - 55) * 8 + weighted(six, (7, 6, 5, 4, 3, 2))
    return "0123456789A"[-total % 11]


def gb_vat_digits(seven):
    return "%02d" % (97 - weighted(seven, range(8, 1, -1)) % 97)


def fr_vat_key(siren):
    return "%02d" % ((12 + 3 * (int(siren) % 97)) % 97)


def es_company_digit(seven):
    odd = sum(sum(map(int, str(2 * int(d)))) for d in seven[0::2])
    return str(-(odd + sum(map(int, seven[1::2]))) % 10)
