"""Which entity an agent's message asks for, by its words (for the kinds `answer` and the tags `asks:`)."""
import re

CUES = {
    "CARD_EXPIRATION_DATE": r"expir|exp date|valid (thru|until|till)|caduc|vencim|valid(ez|ade|ità)|scaden|ablauf|gültig|validade",
    "CVV": r"\bcv[vc]2?\b|c v v|security code|three[- ]digit|three numbers|on the back|\bcsc\b|\bcid\b|código de seguridad|codice di sicurezza|prüfziffer|cryptogramme|código de segurança|tres (números|cifras|dígitos)|trois (chiffres|derniers)|tre (cifre|numeri)|três (números|dígitos)",
    "ONE_TIME_PASSCODE": r"one[- ]time|\botp\b|verification code|code (we|i)( just|'ve)? (sent|texted)|code from|six digit code|texted you|authenticator|sms[- ]?code",
    "SECURITY_ANSWER": r"maiden|first pet|security (question|answer|word)|favou?rite|memorable|mother's|pregunta de seguridad|sicherheitsfrage|question secrète|domanda di sicurezza",
    "PASSWORD": r"pass ?word|pass ?code|pass ?phrase|\bpwd?\b|contraseñ|mot de passe|passwor|kennwort|senha|palavra-passe|clave",
    "PIN": r"\bpin\b|\bnip\b|código pin",
    "SSN": r"\bssn\b|social( security)?|s s n|seguro social|last four of your soc",
    "US_ITIN": r"\bitin\b|i t i n", "US_EIN": r"\bf?ein\b|\be i n\b|employer id", "PASSPORT_NUMBER": r"passport|pasaporte|passeport|reisepass|passaporto",
    "UK_DRIVING_LICENCE": r"driving licence", "US_DRIVER_LICENSE": r"driver'?s? licen|\bdl\b|license number", "US_NPI": r"\bnpi\b|n p i", "US_DEA_NUMBER": r"\bdea\b|d e a",
    "UK_NHS_NUMBER": r"\bnhs\b|n h s", "UK_NINO": r"national insurance|\bnino?\b|insurance number", "AU_TFN": r"\btfn\b|t f n|tax file", "AU_ABN": r"\ba[bc]n\b|\ba [bc] n\b", "AU_BSB": r"\bbsb\b|b s b",
    "US_MEDICARE_ID": r"medicare|\bmbi\b|m b i", "IN_AADHAAR": r"aadh?a+r", "IN_PAN": r"\bpan (card|number)|\bpan\b", "IN_GSTIN": r"\bgst(in)?\b|g s t", "IN_VOTER_ID": r"voter|epic",
    "SG_NRIC_FIN": r"\bnric\b|\bfin\b", "CA_SIN": r"\bsin\b|s i n|social insurance", "IBAN": r"\biban\b|i b a n", "SWIFT_BIC": r"\bswift\b|\bbic\b", "UK_SORT_CODE": r"sort code",
    "BANK_ROUTING_NUMBER": r"routing|\baba\b", "IMEI": r"\bimei\b|iccid", "VIN": r"\bvin\b|v i n|chassis", "LICENSE_PLATE": r"plate|\breg(istration)?\b|kennzeichen|matrícula|plaque|targa",
    "BOOKING_REFERENCE": r"booking|confirmation (number|code)|reservation|\bpnr\b", "POLICY_NUMBER": r"policy|claim (number|ref)", "ORDER_NUMBER": r"order|invoice|pedido|commande|bestell|ordine",
    "MEDICAL_RECORD_NUMBER": r"\bmrn\b|medical record|patient (id|number)", "HEALTH_PLAN_ID": r"member i ?d|subscriber|health plan|insurance id",
    "CREDIT_CARD_NUMBER": r"card|tarjeta|carte|karte|cartão|carta|long number|sixteen digit",
    "BANK_ACCOUNT_NUMBER": r"(bank|checking|savings).{0,20}account|account number", "ACCOUNT_NUMBER": r"account|customer (number|id)|kundennummer|member number",
    "EMAIL": r"e-?mail|correo|courriel", "PHONE_NUMBER": r"phone|mobile|callback|reach you|best number|contact number|teléfono|téléphone|telefon|rufnummer|telemóvel|cellulare",
    "DOB": r"birth|\bborn\b|\bdob\b|nacimiento|naissance|geburt|nascita|nascimento", "UK_POSTCODE": r"post ?code|postal", "ZIP_CODE": r"\bzip\b",
    "STREET_ADDRESS": r"address|direcci|adresse|anschrift|endereço|morada|indirizzo|where do you live", "USERNAME": r"user ?name|user id|log-?in|usuario|benutzername|identifiant",
    "AGE": r"how old|\bage\b|edad|âge|wie alt|idade|età", "PERSON_NAME": r"\bname\b|nombre|\bnom\b|wie heißen|\bnome\b|who am i speaking",
    "VAT_NUMBER": r"\bvat\b|ust-?id|umsatzsteuer|\btva\b|partita iva", "API_KEY": r"api key|secret key", "ACCESS_TOKEN": r"token", "IP_ADDRESS": r"\bip\b", "MAC_ADDRESS": r"\bmac\b",
    "URL": r"\burl\b|\blink\b|web(site| address)", "DATE": r"\bdate\b|what day|fecha|datum|\bdata\b",
    "EU_NATIONAL_ID": r"\bnif\b|\bdni\b|codice fiscale|steuer-?id|pesel|personnummer|\bbsn\b|\bppsn?\b|sécurité sociale", "LATAM_NATIONAL_ID": r"\bcpf\b|\bcnpj\b|\bcurp\b|\brfc\b|\brut\b|\bcuit\b",
}
CUES = {k: re.compile(v, re.I) for k, v in CUES.items()}
ASKING = re.compile(r"\?\s*\S?\s*$|\b(please|por favor|s'il vous plaît|bitte|per favore)\W*$|\bi(?:'ll| just)?(?: also| only)? need\b|is that (?:correct|right)|\b(?:can|could) (?:you|i)\b|wants the|^\W*any |once more|"
                    r"^\W*(can|could|may|might|would|will|what|which|who|where|when|how|do|does|is|are|please|and (the|your)|give|tell|read|confirm|go ahead|qué|cuál|me |"
                    r"puede|podría|dígame|quel|quelle|pouvez|welche|wie|nennen|können|qual|pode|può|mi )\b", re.I)


def asks(text):
    """Labels that the words of a message name, most telling first."""
    return [label for label, cue in CUES.items() if cue.search(text)]


def is_question(text):
    """True where a message asks: a final question mark (any style) or the opening words of a question (speech)."""
    return bool(ASKING.search(text.strip()))
