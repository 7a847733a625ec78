//! The words of questions for a secret, in six languages, without accents.

use crate::tables::class_table::TokenClasses;
use crate::tokenize::Tokens;

/// The classes of a word.
pub(super) mod class {
    /// The side of a card with its code: "strip", "verso".
    pub(in super::super) const PLACE: u64 = 1;
    /// The same as a word that also means something else, and so needs an article: "back".
    pub(in super::super) const NOUN_PLACE: u64 = 1 << 1;
    /// "turn", "flip".
    pub(in super::super) const TURN: u64 = 1 << 2;
    /// "front".
    pub(in super::super) const FRONT: u64 = 1 << 3;
    /// "above", "printed": where on a side something stands.
    pub(in super::super) const POSITION: u64 = 1 << 4;
    /// "card", "visa".
    pub(in super::super) const CARD: u64 = 1 << 5;
    /// "code", "digits".
    pub(in super::super) const CODE: u64 = 1 << 6;
    /// "what", "which".
    pub(in super::super) const WHAT: u64 = 1 << 7;
    /// Verbs of giving something to a field or a person: "put", "use".
    pub(in super::super) const ENTER: u64 = 1 << 8;
    /// Verbs of typing or dialling.
    pub(in super::super) const TYPE: u64 = 1 << 9;
    /// Verbs of choosing: "pick", "like".
    pub(in super::super) const CHOOSE: u64 = 1 << 10;
    /// "box", "field".
    pub(in super::super) const FIELD: u64 = 1 << 11;
    /// "login", "portal".
    pub(in super::super) const SIGN_IN: u64 = 1 << 12;
    /// "word".
    pub(in super::super) const WORD: u64 = 1 << 13;
    /// What a word is for if it is a secret: "secret", "account".
    pub(in super::super) const OF_SECRET: u64 = 1 << 14;
    /// "gate", "keypad": what a PIN opens.
    pub(in super::super) const DEVICE: u64 = 1 << 15;
    /// Things with a number on their back that are no card.
    pub(in super::super) const OTHER_THING: u64 = 1 << 16;
    /// "email", "name": what else people enter.
    pub(in super::super) const OTHER_ENTRY: u64 = 1 << 17;
    /// Files that a password opens.
    pub(in super::super) const FILE: u64 = 1 << 18;
    /// "locked", "protected".
    pub(in super::super) const LOCKED: u64 = 1 << 19;
    /// "capital", "characters": how a password is written.
    pub(in super::super) const SPELLING: u64 = 1 << 20;
    /// "scratch": what covers the code of a voucher.
    pub(in super::super) const SCRATCH: u64 = 1 << 21;
    /// "new", "temporary".
    pub(in super::super) const NEW: u64 = 1 << 22;
    /// "how".
    pub(in super::super) const HOW: u64 = 1 << 23;
    /// Auxiliaries and pronouns after a "what" that stands alone: "what did you".
    pub(in super::super) const OPEN: u64 = 1 << 24;
    /// Verbs and words of a request: "give", "need".
    pub(in super::super) const REQUEST: u64 = 1 << 25;
    /// "no", "not".
    pub(in super::super) const NEGATION: u64 = 1 << 26;
    /// "thanks", "perfect": what accepts a value.
    pub(in super::super) const ACCEPT: u64 = 1 << 27;
    /// "much", "many", "long": what a question for an amount or a time has after "how".
    pub(in super::super) const MEASURE: u64 = 1 << 28;
    /// "cuanto", "wann": questions for an amount or a time in one word.
    pub(in super::super) const AMOUNT: u64 = 1 << 29;
    /// "amount", "year": nouns of a question for an amount or a time.
    pub(in super::super) const QUANTITY: u64 = 1 << 30;
    /// "call", "ring": verbs whose object is a telephone number.
    pub(in super::super) const CALL: u64 = 1 << 31;
    /// "code", "combination": what somebody keys in.
    pub(in super::super) const KEYED_CODE: u64 = 1 << 32;
    /// The PIN by its name in Canada, Mexico and Switzerland.
    pub(in super::super) const NIP: u64 = 1 << 33;
    /// "passcode", which can be a number or a word.
    pub(in super::super) const PASSCODE: u64 = 1 << 34;
    /// "changed", "reset".
    pub(in super::super) const CHANGE: u64 = 1 << 35;
    /// "texted", "authenticator": what a one-time code comes by.
    pub(in super::super) const ONE_TIME: u64 = 1 << 36;
    /// "account", "policy": what has a code of its own.
    pub(in super::super) const ACCOUNT: u64 = 1 << 37;
    /// "below": the field after another one.
    pub(in super::super) const BELOW: u64 = 1 << 38;
    /// "phone", "tablet".
    pub(in super::super) const PHONE: u64 = 1 << 39;
    /// "before".
    pub(in super::super) const BEFORE: u64 = 1 << 40;
    /// "little", "short": the size of a code.
    pub(in super::super) const SMALL: u64 = 1 << 41;
    /// Words that begin a statement, or a reply that says only which one is meant.
    pub(in super::super) const SUBJECT: u64 = 1 << 42;
    /// Words that begin a rejection.
    pub(in super::super) const REJECTION: u64 = 1 << 43;
    /// Words before the name of a place.
    pub(in super::super) const BEFORE_PLACE: u64 = 1 << 44;
    /// "four", "seis": how many digits a code has.
    pub(in super::super) const COUNT: u64 = 1 << 45;
    /// "ok", "moment": what neither accepts nor rejects.
    pub(in super::super) const NEUTRAL: u64 = 1 << 46;
    /// "the", "your": before a noun.
    pub(in super::super) const ARTICLE: u64 = 1 << 47;
    /// "sign", "signed": what people do on the back of a card.
    pub(in super::super) const SIGN: u64 = 1 << 48;
    /// "bit", "half", "side": a part of something.
    pub(in super::super) const PART: u64 = 1 << 49;
    /// "other", "flip": which part.
    pub(in super::super) const OTHER_PART: u64 = 1 << 50;
    /// "last", "first": which digits.
    pub(in super::super) const END: u64 = 1 << 51;
    /// "letter", "character": "letter by letter".
    pub(in super::super) const LETTER: u64 = 1 << 52;
    /// "four", as the number of digits of a code that was not sent.
    pub(in super::super) const FOUR: u64 = 1 << 54;
    /// "fee", "payment": what a card pays for.
    pub(in super::super) const PAYMENT: u64 = 1 << 55;
    /// "rotating", "dynamic": the code of a virtual card.
    pub(in super::super) const DYNAMIC: u64 = 1 << 56;
    /// "store", "save": what may not be done with the code of a card.
    pub(in super::super) const STORE: u64 = 1 << 57;
    /// "ask".
    pub(in super::super) const ASK: u64 = 1 << 58;
    /// "your": a message to the other side.
    pub(in super::super) const YOUR: u64 = 1 << 53;
}
use class::{
    ACCEPT, ACCOUNT, AMOUNT, ARTICLE, ASK, BEFORE, BEFORE_PLACE, BELOW, CALL, CARD, CHANGE, CHOOSE, CODE, COUNT,
    DEVICE, DYNAMIC, END, ENTER, FIELD, FILE, FOUR, FRONT, HOW, KEYED_CODE, LETTER, LOCKED, MEASURE, NEGATION, NEUTRAL,
    NEW, NIP, NOUN_PLACE, OF_SECRET, ONE_TIME, OPEN, OTHER_ENTRY, OTHER_PART, OTHER_THING, PART, PASSCODE, PAYMENT,
    PHONE, PLACE, POSITION, QUANTITY, REJECTION, REQUEST, SCRATCH, SIGN, SIGN_IN, SMALL, SPELLING, STORE, SUBJECT,
    TURN, TYPE, WHAT, WORD, YOUR,
};

/// The classes of a token; 0 if it is no word.
pub(super) fn classes_at(tokens: &Tokens<'_>, at: usize) -> u64 {
    TABLE.classes_at(tokens, at)
}

static TABLE: TokenClasses<2048> = TokenClasses::build(GROUPS);

/// Words of one or more classes, separated by one space.
const GROUPS: &[(u64, &str)] = &[
    (
        PLACE,
        "hologram unterschriftsstreifen unterschriftenfeld strip stripe signature flipside underside behind verso retro reverso dorso dietro firma firme assinatura unterschrift unterschriftsfeld ruckseite hinten hintendrauf dos derriere bande detras atras tras tarja magnetstreifen magnetica rovescio",
    ),
    (NOUN_PLACE, "back reverse rear"),
    (
        TURN,
        "turn turning flip flipping retourner retournez retourne drehen dreh umdrehen umgedreht wenden gire gira girar giri girare voltee voltea voltear vire virar vira vuelta",
    ),
    (FRONT, "front vorne vorderseite delante frente devant davanti fronte recto"),
    (
        POSITION,
        "above printed raised embossed right upper encima sobre impreso imprime dessus uber oberhalb rechts aufgedruckt gedruckt acima impresso sopra stampato",
    ),
    (
        CARD,
        "card cards plastic visa mastercard maestro amex express discover diners debit credit carte karte tarjeta cartao carta debito credito kreditkarte girokarte carton bancaire plastico",
    ),
    (
        CODE,
        "code codes digit digits number numbers figure figures group three chiffre chiffres cifra cifras cifre numero numeros numeri numerini numerino numerozinho numerinho codigozinho numerito code codice codici codigo codigos codiguito digitos digito zahl zahlen ziffer ziffern nummer zifferchen groupe gruppo grupo gruppe",
    ),
    (
        WHAT,
        "what whats whatever anything which wat que qu quoi quel quelle quels quelles was welche welchen welches welcher womit qual quais cosa quale quali lequel laquelle lesquels lesquelles cual cuales",
    ),
    (
        ENTER,
        "put puts putting use used using enter entered entering try tried trying write wrote writing mettez mettiez mets utilisez utilisiez entrez entriez usa usaba usas usan usava usate usi pone pones ponia poner entra entraba entras mete metia metes ingresa ingresaba ingreso coloca colocou colocava poe entrava entrou mette metteva mettete inserisce inserito inserite nehmen nutzen nutzt benutzen benutzt verwenden verwendet geben eingegeben gegeben",
    ),
    (
        TYPE,
        "type types typed typing key keyed keying dial dialled dialed dialing punch punched tap tapped press pressed tapez tapiez tape tapes composez saisi saisissez saisissiez tippen tippst tippt getippt eingetippt eintippen eingeben teclea tecleaba teclear escribe escribia escribes marca marcar digita digitou digitava digitar digitato digitate escreve escrevia escreveu scrive scriveva scritto",
    ),
    (
        CHOOSE,
        "pick picks choose chose chosen choosing like likes want wants fancy think set prefer prefers elige elija elegir escoja escoger quiere gustaria choisir choisissez choisi voulez souhaitez aussuchen wahlen wunschen mochten hatten escolha escolher escolhe quer scelga scelgo scegliere scegli vuole vorrebbe",
    ),
    (
        FIELD,
        "field fields box boxes screen line campo casilla casillas champ case cases feld felder kastchen maske caixa caixinha quadradinho casella caselle riquadro",
    ),
    (
        SIGN_IN,
        "into page pagina seite login logon signin webmail portal portail portale log logged sign signed logging signing account accounts admin wifi mailbox inbox messagerie area clientes konto onlinebanking compte espace einloggen anmelden anmeldung einwahlen sesion cuenta sede accede acceder acessar acesso accedere accesso entrare conta conto website site app",
    ),
    (WORD, "word words palabra mot wort parola palavra phrase"),
    (
        OF_SECRET,
        "secret memorable memorised memorized safe verification security account identification log login telephone phone agreed chosen chose ask callers registration registered secreta secreto secrete geheimes geheim sicherheit segreta registro cuenta compte konto conto conta sicura registrierung vereinbart seguranca cadastrou sicurezza securite seguridad acordada convenu concordata",
    ),
    (
        DEVICE,
        "gate gates door doors barrier keypad alarm lock lockbox keybox garage lift elevator atm machine terminal tresor lift lobby padlock handset voicemail puerta porton portero interfono interphone alarma cajero telefonillo cerradura porte portail alarme digicode portier tur tor alarmanlage schloss automat automaten bankautomat geldautomat porta portao cadeado caixa cancello allarme serratura citofono sportello cassaforte",
    ),
    (
        OTHER_THING,
        "router hub modem meter device unit machine letter statement bill invoice licence license passport phone handset box ticket badge insurance membership policy label sticker serial model laptop tv boiler vehicle car plate cheque check book catalogue parcel package door fob bag envelope contrato factura contador facture compteur contrat zahler rechnung ausweis fuhrerschein vertrag medidor contatore fattura bolletta contratto passaporto pasaporte passeport reisepass",
    ),
    (
        OTHER_ENTRY,
        "id email emails mail user username name names nickname address addresses postcode zip birthday amount date dates month plan browser link payment reason reference subject title currency country city street nombre usuario correo direccion nom utilisateur adresse courriel identifiant benutzer benutzername nachname nome utente indirizzo usuario endereco betrag",
    ),
    (
        FILE,
        "zip zipfile file files folder pdf attachment document documents archive spreadsheet archivo adjunto documento fichier dossier piece datei anhang ordner dokument arquivo anexo pasta allegato cartella documento",
    ),
    (
        LOCKED,
        "locked protected encrypted open opens unlock bloqueado bloqueada protegido protegida protege verrouille verrouillee ouvre gesperrt geschutzt verschlusselt offnen aufmachen bloqueado trancado abre abrir ouvrir protetto protetta bloccato aprire apre",
    ),
    (
        SPELLING,
        "capital capitals caps uppercase lowercase upper lower characters character symbol symbols spelled spelling underscore mayuscula mayusculas minuscula minusculas majuscule majuscules caracteres grossbuchstaben grossgeschrieben sonderzeichen maiuscula maiusculas maiuscole caratteri caractere",
    ),
    (SCRATCH, "scratch scratched scratchy foil rascar raspar gratter rubbeln rubbelfeld raschiare grattare raspadinha"),
    (NEW, "new old temporary reset another nueva nuevo nouveau nouvelle neue neues nova novo nuova nuovo"),
    (HOW, "how como comment wie come"),
    (
        OPEN,
        "did do does are is was were have had has been would you u they we he she it i exactly should would will happens ya usted vous tu on tippen geben nehmen haben schreiben benutzen sie ist du hast verwenden nutzen si o voce ha e era usa usaba entraba pone ponia escribe mete hay usava digita digitou coloca escreve entra entrava poe mette scrive inserisce inserito digitato hai",
    ),
    (
        REQUEST,
        "give gimme pop need needs tell read confirm provide enter say please could can may grab send repeat spell let digame diga decirme dar puede podria necesito confirme confirmar repita donnez dites pouvez pourriez faut confirmez repetez veuillez besoin sagen nennen geben bitte brauche brauchen konnen konnten bestatigen wiederholen pode poderia preciso confirme fale passe passa informe dica dirmi darmi puo potrebbe serve confermi ripeta mi",
    ),
    (
        NEGATION,
        "no not nope nah never dont didnt doesnt isnt wasnt cant t nicht kein keine nein leider nao non pas ne ni neither nor unable unfortunately afraid sorry else different twice tampoco nada errado errada falsch faux mal sbagliato error incorrecto incorrecta erro errore erreur fehler fehlgeschlagen refused rejected declined",
    ),
    (
        ACCEPT,
        "thanks thank thx ta perfect great lovely brilliant super wonderful excellent awesome cheers gracias perfecto merci parfait danke perfekt prima obrigado obrigada perfeito otimo grazie perfetto ottimo",
    ),
    (MEASURE, "much many long old often big far late"),
    (
        AMOUNT,
        "cuanto cuanta cuantos cuantas cuando combien quand wieviel wieviele wann quanto quanta quantos quantas quanti quante quando",
    ),
    (
        QUANTITY,
        "amount price year month date total time day sum balance bill size age importe ano precio montant annee prix betrag jahr preis datum uhrzeit valor preco importo anno prezzo saldo fecha",
    ),
    (CALL, "call ring phone dial contact llame llamar appelez appeler anrufen rufen ligue ligar chiami chiamare"),
    (KEYED_CODE, "code codigo codice combination combo kombination combinacion combinaison combinacao combinazione"),
    (NIP, "nip"),
    (PASSCODE, "passcode passcodes"),
    (CHANGE, "change changed reset resetting set"),
    (
        ONE_TIME,
        "authenticator texted sms emailed messaged sent received enviado enviamos envie recibio recibido envoye recu geschickt gesendet erhalten bekommen inviato ricevuto recebeu recebido",
    ),
    (ACCOUNT, "account pension policy profile membership konto cuenta compte conta conto subscription line"),
    (BELOW, "underneath below beneath darunter dessous debajo abajo abaixo embaixo sotto"),
    (PHONE, "phone mobile tablet ipad handset handy movil celular telephone portable cellulare watch"),
    (BEFORE, "before antes avant vorher prima davor"),
    (SMALL, "little small short tiny wee pequeno petit petits kleine kleinen piccolo piccoli pequenos extra"),
    (
        SUBJECT,
        "for from of in on para pour fur per auf it its that thats this you youve ve we they i only el la eso es ce c vous das nur isso e quello lei the",
    ),
    (REJECTION, "no not nope nicht nein pas non nao"),
    (BEFORE_PLACE, "and on the from off at au auf en el no na sul al e y et und sur der die now"),
    (COUNT, "four five six cuatro quatro quattro quatre vier cinco cinq cinque funf seis sei sechs vierstellige"),
    (
        NEUTRAL,
        "ok okay right alright fine good got yes yeah yep sure correct mm mhm hmm uh moment second sec wait hold bear check checking looking gut ja einen augenblick vale si bien momento oui instant attendez certo sim bom bene attimo done noted",
    ),
    (ARTICLE, "the its your on off"),
    (SIGN, "sign signed"),
    (PART, "bit half part box field side"),
    (OTHER_PART, "other flip"),
    (END, "last final first ending other"),
    (LETTER, "letter character"),
    (FOUR, "four cuatro quatro quattro quatre vier vierstellige vierstelligen"),
    (
        PAYMENT,
        "fee fees payment dues deposit cuota pago paiement cotisation gebuhr zahlung beitrag taxa pagamento quota",
    ),
    (
        DYNAMIC,
        "rotating changing dynamic dinamico dynamique dynamisch dynamische dynamischen wechselnde wechselnden changeant tournant rotativo variable cambiante mutevole dinamica",
    ),
    (
        STORE,
        "store stored storing save saved saving keep guardar almacenar enregistrer conserver garder speichern gespeichert guardamos armazenar salvare memorizzare conservare",
    ),
    (
        ASK,
        "ask asking asks pedir pedirselo preguntar demander redemander fragen nachfragen perguntar chiedere chiederlo richiedere",
    ),
    (YOUR, "your ur su tu votre vos ihre ihr ihren ihrer sua suo vostra vostro seu"),
];
