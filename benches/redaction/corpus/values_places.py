"""Street addresses, postal codes and telephone numbers of several countries."""
from values_core import DIGITS, SAFE, UPPER, Value, code, digits, number, pick, weighted

STREETS = ("Oak|Maple|Cedar|Washington|Lincoln|Willow Creek|Sunset|Highland|Martin Luther King|Elm|Pine Ridge|Lakeview|Jefferson|Chestnut|2nd|5th|"
           "42nd|11th|Peachtree|Old Mill|Hickory|Magnolia|Rosewood|Fox Hollow|County Line|Wilshire|Bayview|Saddleback|Church|Mulberry|San Pedro|La Cienega").split("|")
US_TYPES = {"Street": 25, "St": 15, "St.": 5, "Avenue": 14, "Ave": 12, "Road": 10, "Rd": 7, "Drive": 10, "Dr": 6, "Lane": 7, "Ln": 3, "Boulevard": 5, "Blvd": 5, "Court": 5,
            "Ct": 3, "Way": 4, "Circle": 3, "Place": 3, "Terrace": 2, "Parkway": 2, "Pkwy": 2, "Highway": 1, "Trail": 2, "Loop": 1}
UK_STREETS = ("High|Station|Church|Victoria|Queen's|Mill|Albert|Chapel|Kingsway|Manor|Windsor|Alexandra|Grosvenor|Park|Bramley|Coldharbour|Tanner's|Harbour|Holly|Abbots").split("|")
UK_TYPES = "Street Road Lane Close Avenue Gardens Crescent Grove Terrace Way Mews Drive Hill Green".split()
UK_HOUSES = "Rose Cottage|The Old Rectory|Orchard House|Ivy Lodge|The Gables|Mill House|Hillcrest|Fernlea".split("|")
IN_AREAS = "MG Road|Linking Road|Sector 14|Anna Nagar|2nd Cross, Indiranagar|Park Street|Lajpat Nagar|Banjara Hills Road No 3|Koregaon Park|Salt Lake".split("|")
EUROPE = {
    "de": ("Hauptstraße|Bahnhofstr.|Goethestraße|Lindenweg|Am Markt|Schillerplatz|Kastanienallee|Berliner Straße|Gartenweg|Rosenstr.|Alte Gasse|Mühlenweg".split("|"), "{s} {n}{u}"),
    "fr": ("rue de la République|avenue Victor Hugo|boulevard Voltaire|rue des Lilas|place du Marché|chemin des Vignes|rue Saint-Jacques|impasse du Moulin|allée des Roses".split("|"), "{n}{u} {s}"),
    "es": ("Calle Mayor|Calle de Alcalá|Avenida de la Constitución|Paseo del Prado|Plaza España|Calle San Juan|Avda. Libertad|Calle Luna|Carrera Séptima".split("|"), "{s} {n}{u}"),
    "pt": ("Rua das Flores|Avenida Paulista|Rua Augusta|Travessa do Carmo|Avenida da Liberdade|Rua Santa Rita|Largo do Rato|Alameda Santos|Rua XV de Novembro".split("|"), "{s} {n}{u}"),
    "it": ("Via Roma|Via Garibaldi|Corso Vittorio Emanuele|Piazza Dante|Viale Europa|Via dei Mille|Largo Augusto|Via San Marco|Vicolo Stretto".split("|"), "{s} {n}{u}"),
}
EUROPE_UNITS = {"de": ["", "", "", "a", "b", ", 3. OG"], "fr": ["", "", " bis", " ter"], "es": ["", ", 3º B", ", piso 2", ", 4º izquierda"], "pt": ["", ", apto 32", ", 2º esq.", ", casa 4"],
                "it": ["", "", "/A", ", interno 5"]}
UK_AREAS = "SW NW SE E N W EC B M L LS S BS CF EH G GU OX CB RG BN PO NE YO NR CV LE NG DE ST WV HP AL SL TW KT CR BR DA ME CT TN RH SO EX PL TQ".split()
UNITS = ["Apt {n}{l}", "Apt {n}", "Apartment {n}", "Unit {n}", "Suite {h}", "#{h}", "Ste {h}", "Lot {n}", "Floor {n}"]


def _street_us(rng):
    house = rng.choice([rng.randint(1, 99), rng.randint(100, 999), rng.randint(1000, 9999), rng.randint(10000, 19999)])
    text = f"{house}{rng.choice([' N', ' S.', ' West', ' East', ' NW']) if rng.random() < 0.15 else ''} {rng.choice(STREETS)} {weighted(rng, US_TYPES)}"
    if rng.random() < 0.3:
        unit = rng.choice(UNITS).format(n=rng.randint(1, 40), l=rng.choice("ABCD"), h=rng.randint(100, 999))
        text += rng.choice([", ", " "]) + unit
    return text


def _street_uk(rng):
    street = f"{rng.choice(UK_STREETS)} {rng.choice(UK_TYPES)}"
    return rng.choice([f"{rng.randint(1, 280)} {street}", f"{rng.randint(1, 280)} {street}", f"Flat {rng.randint(1, 40)}{rng.choice(['', 'A', 'B'])}, {rng.randint(1, 190)} {street}",
                       f"{rng.choice(UK_HOUSES)}, {street}", f"{rng.randint(1, 99)}{rng.choice('ab')} {street}"])


def STREET_ADDRESS(rng, lang, variant, wrong):
    if lang in EUROPE and rng.random() < 0.93:
        streets, form = EUROPE[lang]
        text = form.format(s=rng.choice(streets), n=rng.randint(1, 190), u=rng.choice(EUROPE_UNITS[lang]))
        return Value("address", text)
    place = weighted(rng, {"us": 55, "uk": 18, "au": 8, "ca": 7, "in": 5, "box": 4, "eu": 3})
    if place in ("us", "ca"):
        text = _street_us(rng)
        if place == "ca" and rng.random() < 0.4:
            text = f"{rng.randint(1, 90)}-{text}"
    elif place == "uk":
        text = _street_uk(rng)
    elif place == "au":
        text = rng.choice(["Unit {n}/{h} {s}", "{n}/{h} {s}", "{h} {s}"]).format(n=rng.randint(1, 30), h=rng.randint(1, 300), s=f"{rng.choice(UK_STREETS)} {rng.choice(['Street', 'Road', 'Parade', 'Esplanade', 'St', 'Crescent'])}")
    elif place == "in":
        text = rng.choice(["Flat {n}, {a}", "{n}/{h}, {a}", "House No {n}, {a}", "Plot {n}, {a}"]).format(n=rng.randint(1, 400), h=rng.randint(1, 40), a=rng.choice(IN_AREAS))
    elif place == "box":
        text = rng.choice(["PO Box {n}", "P.O. Box {n}", "GPO Box {n}"]).format(n=rng.randint(10, 9999))
    else:
        streets, form = EUROPE[rng.choice(["de", "fr", "it"])]
        text = form.format(s=rng.choice(streets), n=rng.randint(1, 190), u="")
    return Value("address", text)


def ZIP_CODE(rng, lang, variant, wrong):
    raw = f"{rng.randint(501, 99950):05d}"
    if lang == "en" and rng.random() < 0.12:
        return number(raw + digits(rng, 4), "#####-####")
    return number(raw)


def UK_POSTCODE(rng, lang, variant, wrong):
    area = rng.choice(UK_AREAS)
    raw = area + (str(rng.randint(1, 28)) if area not in ("EC",) else rng.choice(["1A", "2M", "4V"])) + rng.choice(DIGITS) + pick(rng, "ABDEFGHJLNPQRSTUWXYZ", 2)
    if area in ("W", "SW", "SE") and rng.random() < 0.25:
        raw = {"W": "W1A", "SW": "SW1A", "SE": "SE1P"}[area] + raw[-3:]
    return code(raw, *["#" * (len(raw) - 3) + " ###"] * 4, "#" * len(raw))


def CA_POSTAL_CODE(rng, lang, variant, wrong):
    rest = "ABCEGHJKLMNPRSTVWXYZ"
    raw = rng.choice("ABCEGHJKLMNPRSTVXY") + rng.choice(DIGITS) + rng.choice(rest) + rng.choice(DIGITS) + rng.choice(rest) + rng.choice(DIGITS)
    return code(raw, *["### ###"] * 4, "######", "###-###")


PHONES = {  # country: (prefix with #, layouts)
    "uk": [("07" + "?" * 9, ["##### ######", "#### ### ####", "###########", "##### ### ###"]), ("+447" + "?" * 9, ["+## #### ######", "+############"]),
           ("020" + "78?" + "?" * 5, ["### #### ####", "(###) #### ####"])],
    "au": [("04" + "?" * 8, ["#### ### ###", "##########"]), ("+614" + "?" * 8, ["+## ### ### ###"]), ("02" + "9" + "?" * 7, ["(##) #### ####", "## #### ####"])],
    "in": [("9" + "?" * 9, ["##### #####", "##########"]), ("+919" + "?" * 9, ["+## ##### #####", "+##-##########"])],
    "de": [("017" + "?" * 8, ["#### #######", "####/#######", "###########"]), ("+49" + "30" + "?" * 7, ["+## ## #######", "+## (0) ## #######".replace("(0) ", "")]),
           ("0211" + "?" * 6, ["#### ######", "#### - ## ## ##"])],
    "fr": [("06" + "?" * 8, ["## ## ## ## ##", "##.##.##.##.##", "##########"]), ("+336" + "?" * 8, ["+## # ## ## ## ##"]), ("01" + "?" * 8, ["## ## ## ## ##"])],
    "es": [("6" + "?" * 8, ["### ### ###", "### ## ## ##", "#########"]), ("+346" + "?" * 8, ["+## ### ### ###"]), ("91" + "?" * 7, ["## ### ## ##", "#########"])],
    "pt": [("91" + "?" * 7, ["### ### ###", "#########"]), ("+3519" + "?" * 8, ["+### ### ### ###"]), ("119" + "?" * 8, ["(##) #####-####", "## #####-####"])],
    "it": [("33" + "?" * 8, ["### #######", "### ## ## ###", "##########"]), ("+393" + "?" * 9, ["+## ### #######"]), ("02" + "?" * 8, ["## ########", "## #### ####"])],
}


def PHONE_NUMBER(rng, lang, variant, wrong):
    place = lang if lang in PHONES else weighted(rng, {"us": 68, "uk": 16, "au": 8, "in": 8})
    if place != "us":
        mask, layouts = rng.choice(PHONES[place])
        raw = "".join(rng.choice(DIGITS) if c == "?" else c for c in mask if c != "+")
        return Value("digits", raw, layouts, {"plus": mask[0] == "+"})
    area, exchange = rng.choice("23456789") + rng.choice("012345678") + rng.choice(DIGITS), rng.choice("23456789") + rng.choice(DIGITS) + rng.choice(DIGITS)
    raw = area + exchange + digits(rng, 4)
    kind = rng.random()
    if kind < 0.08:
        return number(raw[3:], "###-####", "#######", "### ####")
    if kind < 0.25:
        return Value("digits", "1" + raw, ["+1 (###) ###-####".replace("+1", "+#"), "1-###-###-####".replace("1-", "#-", 1), "+# ### ### ####", "+###########", "#-###-###-####"], {"plus": True})
    return number(raw, "(###) ###-####", "###-###-####", "###-###-####", "### ### ####", "##########", "###.###.####", "(###)###-####", "### ###-####")
