"""All entities: make(entity, ...) gives a Value; CHECKED names those with a check that can be made wrong."""
import values_ids
import values_money
import values_national
import values_people
import values_places
import values_tech
from checks import aba_ok, iban_ok, luhn_ok

ENTITIES = """CREDIT_CARD_NUMBER CVV PASSWORD PIN SSN PHONE_NUMBER DOB PROFANITY EMAIL CARD_EXPIRATION_DATE PERSON_NAME STREET_ADDRESS ZIP_CODE
UK_POSTCODE CA_POSTAL_CODE AGE DATE USERNAME ONE_TIME_PASSCODE SECURITY_ANSWER API_KEY ACCESS_TOKEN PRIVATE_KEY BANK_ACCOUNT_NUMBER
BANK_ROUTING_NUMBER IBAN SWIFT_BIC UK_SORT_CODE AU_BSB CRYPTO_ADDRESS ACCOUNT_NUMBER US_ITIN US_EIN PASSPORT_NUMBER US_DRIVER_LICENSE
UK_DRIVING_LICENCE US_MEDICARE_ID US_NPI US_DEA_NUMBER MEDICAL_RECORD_NUMBER HEALTH_PLAN_ID CA_SIN UK_NINO UK_NHS_NUMBER AU_TFN AU_MEDICARE
AU_ABN IN_AADHAAR IN_PAN IN_GSTIN IN_VOTER_ID SG_NRIC_FIN EU_NATIONAL_ID LATAM_NATIONAL_ID ASIA_NATIONAL_ID AFRICA_NATIONAL_ID VAT_NUMBER
IP_ADDRESS MAC_ADDRESS URL IMEI VIN LICENSE_PLATE ORDER_NUMBER BOOKING_REFERENCE POLICY_NUMBER GEO_COORDINATES NUMERIC_SEQUENCE""".split()

MODULES = (values_ids, values_money, values_national, values_people, values_places, values_tech)
MAKERS = {name: getattr(m, name) for name in ENTITIES for m in MODULES if hasattr(m, name)}
CHECKS = dict(values_ids.CHECKS, CREDIT_CARD_NUMBER=luhn_ok, IBAN=iban_ok, BANK_ROUTING_NUMBER=aba_ok)
CHECKED = set(CHECKS) | {"VAT_NUMBER", "EU_NATIONAL_ID", "LATAM_NATIONAL_ID"}
# four last digits may stay visible
LAST_FOUR = {"CREDIT_CARD_NUMBER", "SSN", "BANK_ACCOUNT_NUMBER", "IBAN", "US_ITIN", "IN_AADHAAR"}


def make(entity, rng, lang="en", variant=None, wrong=False, person=None):
    """A random value of an entity; person: the name that logins and e-mails follow."""
    if person is not None and entity in ("EMAIL", "USERNAME"):
        value = MAKERS[entity](rng, lang, variant, wrong, person)
    else:
        value = MAKERS[entity](rng, lang, variant, wrong)
    if wrong:
        value.tags.add("wrong_check")
    return value
