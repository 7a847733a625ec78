"""Names, logins, passwords, security answers, ages, dates and mild profanity."""
from datetime import date
import unicodedata

from values_core import DIGITS, LOWER, UPPER, Value, digits, number, code, pick, weighted
import values_names as names
from values_tech import SITES, TLDS

WORDS = {
    "en": ("sunshine dragon monkey purple banana tiger coffee winter summer shadow hunter ranger cookie pepper ginger maple rocket silver orange "
           "guitar soccer hockey pirate wizard falcon thunder pickle muffin bubbles sparky captain diamond eagle flower garden honey island "
           "jungle kitten lemon mango needle ocean panda quilt river saturn turtle umbrella velvet walnut yellow zebra anchor bridge candle "
           "desert engine forest goblin harbor igloo jasper kettle lantern meadow nugget oyster pebble quartz raven saddle teapot violin "
           "willow arsenal chelsea lakers broncos steelers liverpool letmein welcome trustno princess iloveyou qwerty blink pumpkin").split(),
    "es": "luna estrella verano gato perro mariposa barcelona futbol corazon manzana cielo fuego toro rosa playa invierno".split(),
    "fr": "soleil chocolat fromage papillon lapin ete neige marseille fleur etoile voiture nuage citron hiver bonjour".split(),
    "de": "sonne hund katze schatz sommer winter fussball apfel berg wolke stern kaffee garten regen schloss bayern".split(),
    "pt": "sol flamengo gato cachorro verao praia estrela amor saudade abacaxi lua futebol benfica bola cafe".split(),
    "it": "sole gatto cane estate juventus amore stella mare luna pizza fiore cuore vespa neve gelato".split(),
}
LEET = str.maketrans("aeiost", "431057")
WALKS = "1qaz2wsx qwerty123 zxcvbn asdfgh12 qazwsx qwertyuiop 123qweasd 1q2w3e4r".split()
MARKS = "!!!!@#$%&*?_-.+"
PETS = "rex fluffy bella biscuit mittens charlie luna duke patches sir barksalot|mister whiskers|tobi|cookie|oreo|shadow|princess|max"
ANSWERS = {
    "en": ["Fluffy", "Biscuit", "Mr Whiskers", "Rex", "Patches", "blue", "burgundy", "forest green", "Lincoln High", "St Mary's Primary", "Oakwood Elementary",
           "Ford Fiesta", "a red Honda Civic", "Toyota Corolla", "pizza", "lasagna", "Mrs Hargreaves", "Mister Patel", "The Shawshank Redemption", "Jaws",
           "Cedar Rapids", "Aberdeen", "Saint Luke's Hospital", "Manchester United", "Green Bay Packers", "strawberry cheesecake", "Maple Street",
           "my uncle's farm", "Lake Tahoe", "Dolly", "Smokey the cat", "the little prince", "Jurassic Park"],
    "es": ["Firulais", "Luna", "azul", "Colegio San José", "Seat Ibiza", "paella", "Toledo", "Doña Carmen"],
    "fr": ["Médor", "Minou", "bleu", "École Jules Ferry", "Peugeot 205", "la raclette", "Annecy", "Madame Perrin"],
    "de": ["Bello", "Minka", "blau", "Goethe-Gymnasium", "Opel Corsa", "Käsespätzle", "Kassel", "Frau Lehmann"],
    "pt": ["Rex", "Mel", "azul", "Colégio Santa Clara", "Fiat Uno", "feijoada", "Campinas", "Dona Rosa"],
    "it": ["Fido", "Briciola", "azzurro", "Liceo Galilei", "Fiat Panda", "lasagne", "Bergamo", "la maestra Bianchi"],
}
PROFANITIES = {"en": "shit bullshit damn crap bastard asshole bitch ass fucking fuck piss dumbass arsehole bloody wanker bollocks".split(),
               "es": "mierda joder coño gilipollas cabrón".split(), "fr": "merde putain connard bordel".split(), "de": "scheiße arschloch verdammt mist".split(),
               "pt": "merda porra caralho".split(), "it": "merda cazzo stronzo".split()}
HOSTS = {"gmail.com": 30, "yahoo.com": 8, "hotmail.com": 8, "outlook.com": 8, "icloud.com": 5, "aol.com": 2, "proton.me": 2, "btinternet.com": 2}
HOSTS_BY = {"de": ["gmx.de", "web.de", "t-online.de"], "fr": ["orange.fr", "free.fr", "laposte.net"], "es": ["hotmail.es", "telefonica.net"], "pt": ["uol.com.br", "sapo.pt"],
            "it": ["libero.it", "virgilio.it"]}


def plain(text):
    """Lower case without accents, spaces and marks: as in logins."""
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("ı", "i").replace("đ", "d"))
    return "".join(c for c in folded.lower() if c in LOWER + DIGITS)


def PERSON_NAME(rng, lang, variant, wrong):
    first, last = rng.choice(names.FIRST), rng.choice(names.LAST)
    if lang in names.BY_LANGUAGE and rng.random() < 0.75:
        first, last = rng.choice(names.BY_LANGUAGE[lang][0]), rng.choice(names.BY_LANGUAGE[lang][1])
    middle = ""
    if rng.random() < 0.08:
        middle = rng.choice(UPPER) + rng.choice([".", ""])
    elif rng.random() < 0.04:
        middle = rng.choice(names.FIRST)
    return Value("name", f"{first} {last}", [], {"first": first, "middle": middle, "last": last})


def _login(rng, person):
    first, last = plain(person.pieces["first"]), plain(person.pieces["last"])
    year = str(rng.randint(1955, 2006))
    return rng.choice([f"{first}.{last}", f"{first[0]}{last}", f"{first}{last}", f"{first}_{last}", f"{last}.{first}", f"{first}{year[2:]}", f"{first}.{last}{rng.randint(1, 99)}",
                       f"{last}{year}", f"{first}-{last}", f"{rng.choice(WORDS['en'])}.{rng.choice(WORDS['en'])}{rng.randint(1, 999)}", f"{rng.choice(WORDS['en'])}{year[2:]}",
                       f"{first[0]}.{last}", f"info", f"{first}{pick(rng, DIGITS, 3)}"])


def EMAIL(rng, lang, variant, wrong, person=None):
    local = _login(rng, person or PERSON_NAME(rng, lang, None, False))
    host = weighted(rng, HOSTS)
    if lang in HOSTS_BY and rng.random() < 0.5:
        host = rng.choice(HOSTS_BY[lang])
    if rng.random() < 0.3 or local == "info":
        host = rng.choice(SITES) + "." + weighted(rng, TLDS)
    if rng.random() < 0.04:
        local += "+" + rng.choice(["shop", "bills", "spam", "news"])
    return Value("email", f"{local}@{host}", [], {"local": local, "host": host})


def USERNAME(rng, lang, variant, wrong, person=None):
    name = _login(rng, person or PERSON_NAME(rng, lang, None, False))
    a, b = rng.choice(WORDS["en"]), rng.choice(WORDS.get(lang, WORDS["en"]))
    raw = rng.choice([name, name, name, f"{a}_{b}", f"{a}{b.capitalize()}{rng.randint(1, 99)}", f"x{a}x{rng.randint(1, 999)}", f"{a}lover{rng.randint(50, 99)}",
                      pick(rng, LOWER, 3) + pick(rng, DIGITS, 5), f"the_real_{b}", f"{a}-{b}"])
    return Value("secret", raw if raw != "info" else f"{a}info", [], {"parts": split_secret(raw if raw != "info" else f"{a}info")})


def split_secret(text, random=False):
    """(kind, text) pieces of a password: word, digits, mark; each letter its own where random."""
    out = []
    for c in text:
        kind = "digits" if c.isdigit() else "word" if c.isalpha() else "mark"
        if out and out[-1][0] == kind and kind != "mark" and not (random and kind == "word"):
            out[-1] = (kind, out[-1][1] + c)
        else:
            out.append((kind, c))
    return out


def PASSWORD(rng, lang, variant, wrong):
    pool = WORDS.get(lang, WORDS["en"]) if rng.random() < 0.8 else WORDS["en"]
    a, b = rng.choice(pool), rng.choice(pool)
    name, year, n = plain(rng.choice(names.FIRST)), rng.randint(1960, 2025), rng.choice([str(rng.randint(0, 9)), str(rng.randint(10, 99)), str(rng.randint(100, 9999)), "123"])
    mark, scramble = rng.choice(MARKS), False
    if variant == "phrase":
        words = [rng.choice(pool) for _ in range(rng.randint(3, 5))]
        sep = rng.choice([" ", " ", " ", "-", "."])
        return Value("secret", sep.join(words), [], {"parts": [p for w in words for p in (("word", w), ("mark", sep))][:-1], "phrase": True}, {"phrase"})
    kind = weighted(rng, {"word+digits": 22, "marked": 16, "random": 14, "leet": 8, "name+year": 10, "lower": 8, "two": 8, "walk": 3, "plain": 4, "short": 3, "digits": 3, "mixed": 5})
    if kind == "word+digits":
        raw = a.capitalize() + n
    elif kind == "marked":
        raw = rng.choice([a.capitalize() + n + mark, a.capitalize() + mark + n, mark + a + n, a.capitalize() + "_" + n, a.upper() + mark + n + mark])
    elif kind == "random":
        raw, scramble = pick(rng, UPPER + LOWER + DIGITS + rng.choice(["", "!@#$%&*", "-_"]), rng.randint(8, 16)), True
    elif kind == "leet":
        raw = a.capitalize().translate(LEET) + rng.choice(["", n, mark, n + mark])
        scramble = True
    elif kind == "name+year":
        raw = rng.choice([name.capitalize() + str(year), name + str(year)[2:], name.capitalize() + mark + str(year), name + str(year)])
    elif kind == "lower":
        raw = a + n
    elif kind == "two":
        raw = rng.choice([a + b + n, a.capitalize() + b.capitalize() + n, f"{a}-{b}-{n}", f"{a.capitalize()}.{b}", a + b])
    elif kind == "walk":
        raw, scramble = rng.choice(WALKS), True
    elif kind == "plain":
        raw = rng.choice([a, a.capitalize(), name])
    elif kind == "short":
        raw, scramble = pick(rng, LOWER, 3) + pick(rng, DIGITS, 2), True
    elif kind == "digits":
        raw = digits(rng, rng.choice([6, 8]))
    else:
        raw = n + a.capitalize() + mark
    return Value("secret", raw, [], {"parts": split_secret(raw, scramble)})


def ONE_TIME_PASSCODE(rng, lang, variant, wrong):
    kind = weighted(rng, {6: 70, 4: 8, 5: 4, 8: 8, 0: 10})
    if kind == 0:
        return code(rng.choice([pick(rng, UPPER + DIGITS[1:], 5), pick(rng, UPPER, 2) + digits(rng, 4)]) + rng.choice(DIGITS))
    return number(digits(rng, kind), *["#" * kind] * 3, "#" * (kind // 2) + rng.choice(" -") + "#" * (kind - kind // 2))


def SECURITY_ANSWER(rng, lang, variant, wrong):
    kind = rng.random()
    if kind < 0.25:
        return Value("words", rng.choice(names.BY_LANGUAGE.get(lang, (0, names.LAST))[1]))
    return Value("words", rng.choice(ANSWERS[lang]))


def PROFANITY(rng, lang, variant, wrong):
    word = rng.choice(PROFANITIES[lang])
    return Value("words", word, [], {"profanity": True})


def AGE(rng, lang, variant, wrong):
    n = rng.randint(18, 94) if rng.random() < 0.85 else rng.randint(1, 17)
    return Value("age", str(n), [], {"n": n})


def _day(rng, first, last):
    return date.fromordinal(rng.randint(date(first, 1, 1).toordinal(), date(last, 12, 31).toordinal()))


def DOB(rng, lang, variant, wrong):
    d = _day(rng, 1932, 2008)
    return Value("date", d.isoformat(), [], {"y": d.year, "m": d.month, "d": d.day, "birth": True})


def DATE(rng, lang, variant, wrong):
    d = _day(rng, 2015, 2027)
    return Value("date", d.isoformat(), [], {"y": d.year if rng.random() < 0.65 else None, "m": d.month, "d": d.day})
