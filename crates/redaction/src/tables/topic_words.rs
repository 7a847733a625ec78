//! The words of talk about a code that is not named: what a PIN opens, where the code of a card is printed, and what
//! stands beside a number that is a noun phrase by itself. In six languages, without accents.

use super::class_table::TokenClasses;
use crate::tokenize::Tokens;

/// The classes of a word.
pub(crate) mod class {
    /// What a PIN opens or arms, as a word that hardly means anything else: "locker", "alarm".
    pub(crate) const OPENED: u64 = 1;
    /// Such a thing by a word that also means others: "box", "door".
    pub(crate) const MAYBE_OPENED: u64 = 1 << 1;
    /// "open", "locked", "silence": what happens to such a thing.
    pub(crate) const LOCK: u64 = 1 << 2;
    /// "card", "visa".
    pub(crate) const CARD: u64 = 1 << 3;
    /// What is printed on a card beside its code, and how one reads it: "hologram", "faint".
    pub(crate) const PRINT: u64 = 1 << 4;
    /// "digits", "numbers", after the count of them.
    pub(crate) const DIGITS: u64 = 1 << 5;
    /// "three".
    pub(crate) const THREE: u64 = 1 << 6;
    /// "machine", "till": where a card is put and a PIN is typed.
    pub(crate) const MACHINE: u64 = 1 << 7;
    /// Verbs of knowing, choosing and keeping a number that one has: "learn", "keep".
    pub(crate) const KEPT: u64 = 1 << 8;
    /// Verbs whose object can be a code, and nouns that a code follows: "put", "gave", "combination".
    pub(crate) const TAKES: u64 = 1 << 9;
    /// Words of grammar that can stand before a code: "so", "or", "not".
    pub(crate) const BEFORE: u64 = 1 << 10;
    /// Adverbs between such a word and the code: "just", "still".
    pub(crate) const SKIPPED: u64 = 1 << 11;
    /// Words that can follow a code: "for", "isn't", "now".
    pub(crate) const AFTER: u64 = 1 << 12;
    /// "fraud", "scammer": to whom codes are given away.
    pub(crate) const FRAUD: u64 = 1 << 14;
    /// Verbs of giving a code away: "gave", "told".
    pub(crate) const GIVEN: u64 = 1 << 15;
    /// Sides of a card, after an article: "the back".
    pub(crate) const SIDE: u64 = 1 << 16;
    /// Words before such a side.
    pub(crate) const ON: u64 = 1 << 17;
    /// "pound", "hash": what is pressed after a code.
    pub(crate) const CONFIRM: u64 = 1 << 18;
    /// Verbs of keying in.
    pub(crate) const KEY: u64 = 1 << 19;
    /// "telephone", before "banking".
    pub(crate) const PHONE: u64 = 1 << 20;
    /// "banking".
    pub(crate) const BANKING: u64 = 1 << 21;
    /// "model", "error": nouns of other numbers.
    pub(crate) const OTHER: u64 = 1 << 23;
    /// "benefits", "taxpayer": on whose papers a social security number stands.
    pub(crate) const GOVERNMENT: u64 = 1 << 29;
    /// "nine".
    pub(crate) const NINE: u64 = 1 << 30;
    /// "account", "ending": beside a number, that it is another one or the end of one.
    pub(crate) const BESIDE: u64 = 1 << 28;
    /// "customer", "caller": who tells an agent a code.
    pub(crate) const CALLER: u64 = 1 << 24;
    /// "ssn", "last": that a number beside a card is its own or that of a person.
    pub(crate) const NUMBERED: u64 = 1 << 27;
    /// "typo": what was wrong with a number that was given before.
    pub(crate) const TYPO: u64 = 1 << 25;
    /// "changed", before "it to".
    pub(crate) const CHANGED: u64 = 1 << 26;
    /// "again", "repeat": words that ask to say a number once more.
    pub(crate) const REPEAT: u64 = 1 << 22;
    /// Verbs after which a number is an amount or a measure: "paid", "charged".
    pub(crate) const AMOUNT: u64 = 1 << 13;
}
use class::{
    AFTER, AMOUNT, BANKING, BEFORE, BESIDE, CALLER, CARD, CHANGED, CONFIRM, DIGITS, FRAUD, GIVEN, GOVERNMENT, KEPT,
    KEY, LOCK, MACHINE, MAYBE_OPENED, NINE, NUMBERED, ON, OPENED, OTHER, PHONE, PRINT, REPEAT, SIDE, SKIPPED, TAKES,
    THREE, TYPO,
};

/// The classes of a token; 0 if it is no word.
pub(crate) fn classes_at(tokens: &Tokens<'_>, at: usize) -> u64 {
    TABLE.classes_at(tokens, at)
}

static TABLE: TokenClasses<2048> = TokenClasses::build(GROUPS);

/// Words of one or more classes, separated by one space.
const GROUPS: &[(u64, &str)] = &[
    (
        OPENED,
        "locker lockers vault keypad keypads pinpad lockbox lockboxes keybox keysafe padlock deadbolt turnstile strongbox doorbell intercom entryphone alarm alarms disarm disarms disarming arming duress keyholder keyholders voicemail lockscreen bikeshed handset dials cashbox letterbox mailbox safebox thermostat parental scooter ebike storeroom burglar siren antitheft",
    ),
    (
        OPENED,
        "taquilla taquillas telefonillo cerradura candado teclado tecladito consigna casier casiers digicode interphone cadenas alarme alarmes serrure schliessfach spind tresor alarmanlage zahlenschloss vorhangeschloss schlusselkasten schlusseltresor turschloss hoftor garagentor cacifo cofre fechadura cadeado interfone armadietto cassaforte lucchetto citofono serratura tastierino allarme cassetta antifurto coffre boitier portone cancello alarma",
    ),
    (
        MAYBE_OPENED,
        "gate gates barrier garage door doors shutter cabinet entrance safe box boxes lock locks hatch cage sim esim panel shed store cupboard plant puerta puertas porton portal porte portes portail portillon tur haustur tor schranke kasten kastchen porta portao garagem cles key keys",
    ),
    (
        LOCK,
        "unlock unlocks unlocked locked open opens opened opening buzz buzzed beep beeps beeped beeping flashes silence silenced silences arm armed arms panel swipe keypad contractor cleaner porter tenant combination combo abre abrir abierta ouvrir ouvre offnen offnet gesperrt apre aprire apri desbloquear blocked lever pull unlatch latch jammed stuck rings ringing code installer caretaker janitor guest guests driver courier neighbour neighbor",
    ),
    (
        CARD,
        "card cards visa amex mastercard maestro debit expiry exp expires expiration tarjeta tarjetas carte cartes karte karten kreditkarte cartao cartoes carta scadenza caducidad validade",
    ),
    (
        PRINT,
        "hologram signature strip stripe underneath printed faint worn smudge smudged smeared rubbed scratched scratchy scratch scribble scribbled italics italic backside embossed magnetic verso reverso dorso ruckseite retro trasera hinten dietro firma unterschrift glasses flip flipped flipping faded fading illegible blurry blurred squint squinting rear magstripe ink signed engraved desgastado borroso efface verblasst apagado sbiadito",
    ),
    (
        DIGITS,
        "digits digit numbers figures nums cifras digitos chiffres ziffern zahlen algarismos cifre numeros numeri",
    ),
    (THREE, "three 3 tres trois drei tre"),
    (
        MACHINE,
        "machine machines cashpoint atm atms till pump terminal reader cajero distributeur automat automaten geldautomat bancomat multibanco caixa cashier checkout petrol withdraw withdrawal swallowed swallows eats ate retained contactless chip tarjetero guichet kasse",
    ),
    (
        KEPT,
        "keep kept keeping learn learned memorise memorize memorised forget swap swapped married birthday anniversary always seen watched noticed wedding years forever ages remembered uni childhood lucky grandma mum dad shoulder",
    ),
    (
        TAKES,
        "take takes taking accept accepts require requires required avez vejo ver combinacao put puts putting security sec input tried try trying enter enters entered entering type types typed typing key keyed keying press pressed set sets dial dialled dialed punch punched tap tapped tapping use used using uses have has had having got get gave give gives given giving say says said saying told show shows showed shown read reads need needs needed want wants wanted keep keeps kept keeping pick picked picks choose chose see saw seen noted supplied quoted disclosed mentioned provided know knew remember think believe reckon guess code combination number digits digit bit thing one nr stays make makes out swap change changed did do",
    ),
    (
        TAKES,
        "puse pongo meto tecleo marco doy di tengo uso quiere pide dice numero codigo mets tape compose ai donne dit vois met veut demande utilise numero nannte genannt gebe gab tippe tipp hab habe sagt sehe steht nummer zahl verwende pus coloquei digitei digito tenho dei digo messo metto digito ho dato vedo combinazione combinaison kombination combinacion",
    ),
    (
        BEFORE,
        "and or then so the not no nope yes yeah yep ok okay right well to with that from mine ours his hers theirs dann also und oder nicht ya y o pues alors donc et ou pas ben entao e ou allora quindi oppure auf su a though like but",
    ),
    (
        SKIPPED,
        "in as just still now only mostly always it me him her them you us my our maybe probably currently definitely def clearly actually twice again already um uh er erm oh hmm like about on jetzt noch immer nur euh aun ainda ancora sempre",
    ),
    (
        AFTER,
        "don can cant shouldn couldn followed going going by whichever ever mostly shall there comme que was is isnt isn wasn does doesnt doesn did didnt didn do dont wont won will works worked never now still again for on off and or then so but if as when where with to at in instead not no thats that its it he she they we i you mostly every each since because cause cos like there here either which twice today yesterday please pls thanks over the your my is wants ist oder und auf am fur an aus geht y es no para en por ou pour est et sur dans mais c per il la ma non via too appears seems right correct ok okay stopped beeps said says number verbally isso comme first",
    ),
    (
        AMOUNT,
        "score paid pay pays charged charge cost costs spent spend refund refunded bill billed purchase purchased bought balance total amount fee price worth owe transfer transferred limit deposit deposited statement rent budget quote estimate damage euro euros dollar dollars pounds quid width height wide tall weighs weight points bus flight room flat street avenue suite unit apt road order ref ticket cents centimes centavos centesimi monthly yearly annually mensual mensuel monatlich mensal mensile discount mah mv kwh",
    ),
    (
        FRAUD,
        "fraud fraudster scam scammer scammers scammed phishing pretending pretended impersonating impersonator unknown stranger skimmed crook conman thief thieves spoofed spoof hacker hackers hacked impostor imposter suspicious dodgy estafador arnaqueur betruger golpista truffatore",
    ),
    (
        GIVEN | TAKES,
        "nannte genannt supplied stated quoted gave give given giving told disclosed read shared texted supplied passed revealed",
    ),
    (SIDE, "back front dos tras reverse plastic sides"),
    (ON, "the on au de its both"),
    (CONFIRM, "pound hash raute"),
    (KEY | TAKES, "key press dial type enter punch tap keyed pressed dialled dialed typed entered punched tapped in"),
    (PHONE, "telephone phone"),
    (BANKING, "banking"),
    (
        REPEAT,
        "again repeat slowly slower catch broke wrong match matching mismatch declined rejected attempt attempts tries goes failed locked nochmal repita repete repeter ripeta repetir",
    ),
    (BESIDE, "contact callback po account ending ends ended finishing kilometres miles"),
    (
        OTHER,
        "router modem model serial version error fault meter reading articolo articulo artigo artikel article item product invoice reference tracking extension postcode postal prefix",
    ),
    (CALLER, "customer cust caller client member kunde kundin anrufer anruferin cliente clienta cliente appelant"),
    (TYPO, "typo typod typos mistyped mistype misdialled misdialed misread thumbs fingers"),
    (CHANGED, "changed switched reset updated"),
    (NUMBERED, "ssn social account acct ac last ending ends number no digits digit numbers contact"),
    (
        GOVERNMENT,
        "government federal benefit benefits unemployment pension w2 w9 irs tax taxes taxpayer refund eligibility medicaid welfare disability payroll withholding dependent dependents spouse social background maiden census",
    ),
    (NINE, "nine 9"),
];
