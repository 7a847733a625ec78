"""Number words, letters and small words of speech in six languages."""
import re

UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
    "es": ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "
           "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve").split(),
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(),
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(),
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove".split(),
    "it": ("zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto "
           "diciannove").split(),
}
TENS = {
    "en": "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(), "es": "_ _ veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(),
    "fr": "_ _ vingt trente quarante cinquante soixante".split(), "de": "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(),
    "pt": "_ _ vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split(),
    "it": "_ _ venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split(),
}
HUNDREDS = {"es": "_ ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split(),
            "pt": "_ cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split()}


def _below_hundred(n, lang):
    units, tens = UNITS[lang], TENS[lang]
    if n < len(units):
        return units[n]
    t, u = divmod(n, 10)
    if lang == "fr":
        if t in (7, 9):
            base = "soixante" if t == 7 else "quatre-vingt"
            return base + (" et onze" if n == 71 else "-" + units[10 + u])
        if t == 8:
            return "quatre-vingts" if u == 0 else "quatre-vingt-" + units[u]
        return tens[t] + ("" if u == 0 else " et un" if u == 1 else "-" + units[u])
    if u == 0:
        return tens[t]
    if lang == "de":
        return ("ein" if u == 1 else units[u]) + "und" + tens[t]
    if lang == "it":
        return (tens[t][:-1] if u in (1, 8) else tens[t]) + ("tré" if u == 3 else units[u])
    return tens[t] + {"en": " ", "es": " y ", "pt": " e "}[lang] + units[u]


def cardinal(n, lang):
    """0 to 9999 (and more in groups of thousands) in words."""
    if n < 100:
        return _below_hundred(n, lang)
    if n >= 1000:
        t, rest = divmod(n, 1000)
        word = {"en": "thousand", "es": "mil", "fr": "mille", "de": "tausend", "pt": "mil", "it": "mille" if t == 1 else "mila"}[lang]
        head = cardinal(t, lang) if t > 1 or lang == "en" else ""
        if lang in ("de", "it"):
            return ("ein" if t == 1 and lang == "de" else head) + word + (cardinal(rest, lang) if rest else "")
        link = " e " if lang == "pt" and rest and (rest < 100 or rest % 100 == 0) else " "
        return (head + " " + word).strip() + (link + cardinal(rest, lang) if rest else "")
    h, rest = divmod(n, 100)
    if lang in HUNDREDS:
        if n == 100:
            return "cien" if lang == "es" else "cem"
        return HUNDREDS[lang][h] + ((" e " if lang == "pt" else " ") + _below_hundred(rest, lang) if rest else "")
    if lang == "de":
        return ("ein" if h == 1 else UNITS["de"][h]) + "hundert" + (_below_hundred(rest, lang) if rest else "")
    if lang == "it":
        return ("" if h == 1 else UNITS["it"][h]) + "cento" + (_below_hundred(rest, lang) if rest else "")
    if lang == "fr":
        return ("" if h == 1 else UNITS["fr"][h] + " ") + "cent" + (" " + _below_hundred(rest, lang) if rest else "")
    return UNITS["en"][h] + " hundred" + (" " + _below_hundred(rest, lang) if rest else "")


def year_words(y, lang, rng):
    """A year as said aloud."""
    if lang == "en":
        h, r = divmod(y, 100)
        if 2000 <= y < 2010:
            return "two thousand" + (rng.choice([" ", " and "]) + UNITS["en"][r] if r else "")
        if y >= 2010 and rng.random() < 0.25:
            return "two thousand " + rng.choice(["", "and "]) + cardinal(r, "en")
        return cardinal(h, "en") + " " + ("hundred" if r == 0 else "oh " + UNITS["en"][r] if r < 10 else cardinal(r, "en"))
    if lang == "de" and 1100 <= y < 2000:
        h, r = divmod(y, 100)
        return cardinal(h, "de") + "hundert" + (cardinal(r, "de") if r else "")
    if lang == "pt" and y % 1000 >= 100 and y < 2000:
        h, r = divmod(y - 1000, 100)
        return "mil " + HUNDREDS["pt"][h] + (" e " + cardinal(r, "pt") if r else "")
    if lang == "pt" and y >= 2000:
        return "dois mil" + (" e " + cardinal(y - 2000, "pt") if y > 2000 else "")
    return cardinal(y, lang)


ORDINAL_SPECIAL = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth", 20: "twentieth", 30: "thirtieth"}


def ordinal(n, lang):
    """The ordinal of a day or street (English and German; elsewhere the cardinal, `first` apart)."""
    if lang == "en":
        if n in ORDINAL_SPECIAL:
            return ORDINAL_SPECIAL[n]
        if n > 20 and n % 10 and n < 100:
            return TENS["en"][n // 10] + " " + ordinal(n % 10, "en")
        word = cardinal(n, "en")
        return word[:-1] + "ieth" if word.endswith("y") else word + "th"
    if lang == "de":
        return {1: "erste", 3: "dritte", 7: "siebte", 8: "achte"}.get(n) or cardinal(n, "de") + ("te" if n < 20 else "ste")
    return {1: {"es": "primero", "fr": "premier", "pt": "primeiro", "it": "primo"}[lang]}.get(n) or cardinal(n, lang)


NATO = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu".split()
ALPHABETS = {
    "en": "apple boy cat dog edward frank george henry ida john king larry mary nancy olive peter queen robert sam tom uncle victor william xylophone yellow zebra".split(),
    "es": "antonio barcelona carmen domingo enrique francia gerona historia italia josé kilo lorenzo madrid navarra oviedo parís queso ramón sábado toledo ulises valencia washington xilófono yegua zaragoza".split(),
    "fr": "anatole berthe célestin désiré eugène françois gaston henri irma joseph kléber louis marcel nicolas oscar pierre quintal raoul suzanne thérèse ursule victor william xavier yvonne zoé".split(),
    "de": "anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula quelle richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias".split(),
    "pt": "amor bola casa dado elefante faca gato hotel igreja joão kilo lua maria navio ovo pato queijo rato sapo tatu uva vaca wilson xícara yolanda zebra".split(),
    "it": "ancona bologna como domodossola empoli firenze genova hotel imola jolly kappa livorno milano napoli otranto padova quarto roma savona torino udine venezia washington xilofono york zara".split(),
}
AS_IN = {"en": ["as in", "as in", "for", "like"], "es": ["de"], "fr": ["comme"], "de": ["wie"], "pt": ["de"], "it": ["come"]}
MARK_WORDS = {  # at dot dash underscore slash plus hash dollar percent and star exclamation question colon space
    "en": {"@": ["at", "at sign"], ".": ["dot"], "-": ["dash", "hyphen"], "_": ["underscore"], "/": ["slash", "forward slash"], "+": ["plus"], "#": ["hash", "pound", "hashtag"],
           "$": ["dollar sign"], "%": ["percent"], "&": ["ampersand", "and"], "*": ["star", "asterisk"], "!": ["exclamation mark", "exclamation point", "bang"],
           "?": ["question mark"], ":": ["colon"], "=": ["equals"]},
    "es": {"@": ["arroba"], ".": ["punto"], "-": ["guión"], "_": ["guión bajo"], "/": ["barra"], "+": ["más"], "#": ["almohadilla"], "$": ["dólar"], "%": ["por ciento"],
           "&": ["ampersand"], "*": ["asterisco"], "!": ["signo de exclamación"], "?": ["interrogación"], ":": ["dos puntos"], "=": ["igual"]},
    "fr": {"@": ["arobase", "at"], ".": ["point"], "-": ["tiret"], "_": ["underscore", "tiret bas"], "/": ["slash"], "+": ["plus"], "#": ["dièse"], "$": ["dollar"], "%": ["pour cent"],
           "&": ["esperluette"], "*": ["étoile"], "!": ["point d'exclamation"], "?": ["point d'interrogation"], ":": ["deux points"], "=": ["égal"]},
    "de": {"@": ["at", "klammeraffe"], ".": ["punkt"], "-": ["bindestrich", "minus"], "_": ["unterstrich"], "/": ["schrägstrich"], "+": ["plus"], "#": ["raute"], "$": ["dollar"],
           "%": ["prozent"], "&": ["und"], "*": ["sternchen"], "!": ["ausrufezeichen"], "?": ["fragezeichen"], ":": ["doppelpunkt"], "=": ["gleich"]},
    "pt": {"@": ["arroba"], ".": ["ponto"], "-": ["traço", "hífen"], "_": ["underline"], "/": ["barra"], "+": ["mais"], "#": ["cerquilha"], "$": ["cifrão"], "%": ["por cento"],
           "&": ["e comercial"], "*": ["asterisco"], "!": ["exclamação"], "?": ["interrogação"], ":": ["dois pontos"], "=": ["igual"]},
    "it": {"@": ["chiocciola", "at"], ".": ["punto"], "-": ["trattino"], "_": ["underscore"], "/": ["barra"], "+": ["più"], "#": ["cancelletto"], "$": ["dollaro"], "%": ["per cento"],
           "&": ["e commerciale"], "*": ["asterisco"], "!": ["punto esclamativo"], "?": ["punto interrogativo"], ":": ["due punti"], "=": ["uguale"]},
}
FILLERS = {"en": ["uh", "um", "uh", "er"], "es": ["eh", "este"], "fr": ["euh"], "de": ["äh", "ähm"], "pt": ["ãh", "é"], "it": ["ehm", "eh"]}
SORRY = {"en": ["no sorry", "sorry", "no wait", "i mean", "correction", "no"], "es": ["no perdón", "perdón"], "fr": ["non pardon", "pardon"],
         "de": ["nein entschuldigung", "äh nein"], "pt": ["não desculpa", "desculpe"], "it": ["no scusi", "anzi no"]}
CAPITAL = {"en": ["capital", "uppercase", "big"], "es": ["mayúscula"], "fr": ["majuscule"], "de": ["groß"], "pt": ["maiúsculo"], "it": ["maiuscola"]}
HOMOPHONES = {"four": ["for", "fore"], "two": ["to", "too"], "eight": ["ate"], "one": ["won"]}


def _digit_counts():
    """word -> how many digits it stands for, over all languages (tens before a unit are counted in `digit_tail`)."""
    out = {}
    for lang in UNITS:
        for n in range(99, -1, -1):
            for word in (cardinal(n, lang).replace(" ", "-"), cardinal(n, lang)):
                if " " not in word:
                    out[word] = len(str(n))
    out.update({"oh": 1, "o": 1, "double": 1, "triple": 2, "hundred": 2, "for": 1, "fore": 1, "to": 1, "too": 1, "ate": 1, "won": 1, "zwo": 1})
    return out


COUNTS = _digit_counts()
TENS_WORDS = {w for lang in TENS for w in TENS[lang] if w != "_"}
UNIT_WORDS = {w for lang in UNITS for w in UNITS[lang][1:10]} | {"for", "to", "ate", "won"}


JOINTS = {"y", "e", "et"}  # between tens and a unit
CODE_WORDS = set(NATO).union(*ALPHABETS.values())
BEFORE_CODE_WORD = {"in", "for", "like", "de", "comme", "wie", "come"}


def word_digits(words, i):
    """How many letters and digits of the value the i-th word stands for: fillers and the words of `b as in bravo` none."""
    word = words[i].lower()
    after = words[i + 1].lower() if i + 1 < len(words) else ""
    if any(c.isdigit() for c in word):
        return len(word)
    if word in BEFORE_CODE_WORD and after in CODE_WORDS:
        return 0
    if word in TENS_WORDS and (after in UNIT_WORDS or after in JOINTS and i + 2 < len(words) and words[i + 2].lower() in UNIT_WORDS):
        return 1
    if word in JOINTS and i and words[i - 1].lower() in TENS_WORDS:
        return 0
    if word in COUNTS:
        return COUNTS[word]
    if word in CODE_WORDS:
        return int(i == 0 or words[i - 1].lower() not in BEFORE_CODE_WORD)
    return int(len(word) == 1)


def digit_tail(text, most=4):
    """How many letters and digits at the end of a spoken or written number hold at most its last `most` digits."""
    words = re.findall(r"[^\W_]+(?:-[^\W\d_]+)*", text)
    kept = seen = 0
    for i in range(len(words) - 1, -1, -1):
        count = word_digits(words, i)
        if seen + count > most:
            return kept + (most - seen if any(c.isdigit() for c in words[i]) else 0)
        seen += count
        kept += sum(c.isalnum() for c in words[i])
    return kept
