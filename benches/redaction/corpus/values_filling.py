"""Harmless lower-case slots: amounts, times, cities ... as (kind, data) for the renderers."""
from values_core import DIGITS, digits
import values_names as names

SLOTS = ("amount", "time", "year", "weekday", "month", "count", "city", "company", "product", "number4", "number6", "number10", "number16", "percent", "brand")
WEEKDAYS = {"en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday", "es": "lunes martes miércoles jueves viernes sábado domingo",
            "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche", "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
            "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo", "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica"}
MONTHS = {"en": "January February March April May June July August September October November December",
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
          "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
          "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
          "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
          "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"}
MONTHS = {k: v.split() for k, v in MONTHS.items()}
WEEKDAYS = {k: v.split() for k, v in WEEKDAYS.items()}


def make(slot, rng, lang):
    """What fills a slot: a (kind, data) pair; written.py and spoken.py know the kinds."""
    if slot == "amount":
        whole = rng.choice([rng.randint(2, 99), rng.randint(100, 999), rng.randint(1000, 4999), 10 * rng.randint(1, 60)])
        return "amount", (whole, rng.choice([0, 0, 50, 99, rng.randint(1, 99)]))
    if slot == "time":
        return "time", (rng.randint(1, 12), rng.choice([0, 0, 15, 30, 45, rng.randint(1, 59)]))
    if slot == "year":
        return "year", rng.randint(1985, 2026)
    if slot == "count":
        return "count", rng.randint(1, 30)
    if slot == "percent":
        return "percent", rng.choice([5, 10, 12, 15, 20, 25, 30, 50, 75])
    if slot.startswith("number"):
        raw = digits(rng, int(slot[6:]), "123456789")
        return "number", raw
    words = {"weekday": WEEKDAYS[lang], "month": MONTHS[lang], "city": names.CITIES[lang], "company": names.COMPANIES,
             "product": names.PRODUCTS_BY.get(lang, names.PRODUCTS), "brand": names.BRANDS}[slot]
    return "word", rng.choice(words)
