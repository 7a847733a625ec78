//! The words of questions for a password that do not name it, in six languages, without accents: what it opens, how
//! people enter, choose and agree it.

use crate::tables::class_table::TokenClasses;
use crate::tokenize::Tokens;

/// The classes of a word.
pub(super) mod class {
    /// "portal", "wifi", "box": what a password opens or where it is typed.
    pub(in super::super) const OPENED: u64 = 1;
    /// Verbs of typing or writing.
    pub(in super::super) const TYPED: u64 = 1 << 1;
    /// Verbs of choosing or making up: "pick", "set".
    pub(in super::super) const SET: u64 = 1 << 2;
    /// "word", "phrase".
    pub(in super::super) const WORD: u64 = 1 << 3;
    /// What is done with a word that two sides keep: "agreed", "lodged", or what it is for: "calls", "account".
    pub(in super::super) const AGREED: u64 = 1 << 4;
    /// "codeword", "kennwort": nouns that are always a secret.
    pub(in super::super) const CODE_WORD: u64 = 1 << 5;
    /// "verbal", "spoken": a check on the telephone.
    pub(in super::super) const VERBAL: u64 = 1 << 6;
    /// "check", "verification".
    pub(in super::super) const CHECK: u64 = 1 << 7;
    /// "after", "next", "underneath".
    pub(in super::super) const AFTER: u64 = 1 << 8;
    /// "email", "username": what is typed before the password.
    pub(in super::super) const LOGIN_NAME: u64 = 1 << 9;
    /// "anything", "something".
    pub(in super::super) const ANY: u64 = 1 << 10;
    /// "second", "bottom": the field of the password.
    pub(in super::super) const SECOND: u64 = 1 << 11;
    /// "box", "field".
    pub(in super::super) const FIELD: u64 = 1 << 12;
    /// "tariff", "date", "feedback": what else people choose or write.
    pub(in super::super) const OTHER: u64 = 1 << 13;
    /// "login", "logon": what people give to sign in.
    pub(in super::super) const LOGIN: u64 = 1 << 14;
    /// "comes", "goes": what stands in a field.
    pub(in super::super) const GOES: u64 = 1 << 15;
    /// "asking", "wants": what a locked file does.
    pub(in super::super) const WANTS: u64 = 1 << 17;
    /// "vpn", "wifi", "login": what nobody uses without signing in.
    pub(in super::super) const REMOTE: u64 = 1 << 18;
    /// What a message has that makes a password likely without asking for one: "share", "temporary", "pen".
    pub(in super::super) const LIKELY: u64 = 1 << 19;
    /// "site", "app": where people also choose what they buy.
    pub(in super::super) const SHOP: u64 = 1 << 16;
}
use class::{
    AFTER, AGREED, ANY, CHECK, CODE_WORD, FIELD, GOES, LIKELY, LOGIN, LOGIN_NAME, OPENED, OTHER, REMOTE, SECOND, SET,
    SHOP, TYPED, VERBAL, WANTS, WORD,
};

/// The classes of a token; 0 if it is no word.
pub(super) fn classes_at(tokens: &Tokens<'_>, at: usize) -> u64 {
    TABLE.classes_at(tokens, at)
}

static TABLE: TokenClasses<1024> = TokenClasses::build(GROUPS);

/// Words of one or more classes, separated by one space.
const GROUPS: &[(u64, &str)] = &[
    (
        OPENED,
        "portal site website webpage page pages app network wifi wlan hotspot router hub modem account file zip archive document pdf folder spreadsheet console dashboard server pc laptop computer desktop mailbox inbox webmail intranet vault workspace streaming profile modem extension",
    ),
    (
        OPENED,
        "pagina sitio red cuenta archivo fichero carpeta oficina aplicacion perfil consola buzon servidor ordenador portail reseau compte dossier espace appli application profil messagerie serveur ordinateur seite webseite netz netzwerk gastnetz konto datei archiv ordner konsole postfach rechner bereich rede conta arquivo pasta aplicativo servidor computador roteador portale sito rete conto archivio cartella applicazione profilo area",
    ),
    (
        SHOP,
        "site website webpage page pages app tv box pagina sitio aplicacion appli application seite webseite aplicativo sito applicazione",
    ),
    (OPENED | FIELD, "box field casilla recuadro campo case champ feld kastchen caixa casella riquadro"),
    (
        TYPED,
        "pop pops popping stick doing bung type types typed typing put puts putting write writes wrote writing enter entered entering input key keyed keying spell use uses used using entra entraba entran escribe escribio escribia pone ponia puso pusiste teclea tecleo mete usa usaba ingresa tapez tapiez tape mettez mettiez mets entrez entriez connectez saisissez ecrivez rentrez rentriez utilisez geben tragen tragt gebt gibst tippen tippst tippt schreiben schreibst schreibt nehmen nutzen benutzen verwenden eingegeben coloca colocava entrava digita digitou digitava escreve escreveu poe bota usava accede scrive scriveva digita inserisce inserito mette metteva metti usate",
    ),
    (
        SET,
        "choose chose chosen choosing pick picked set agree agreed lodge lodged register registered create created invent think elija elige elegir eligio escoja crear cree invente puso choisissez choisir choisi creez inventez mis wahlen wahlten gewahlt hinterlegt uberlegen ausdenken festgelegt aussuchen escolha escolher escolheu crie definiu scelga scegliere scelto crei impostato",
    ),
    (WORD, "word words phrase palabra frase mot mots wort worter satz palavra parola"),
    (
        AGREED,
        "magic secret memorable agree agreed left leave lodged deposited registered recorded noted calls caller callers phone telephone call account file set chose gave acordamos acordaron eligio elegiste dejo acordo acordado registro registrada llamadas telefono cuenta convenu convenus choisi choisie choisis laisse donne enregistre appels compte vereinbart hinterlegt gewahlt festgelegt abgesprochen ausgemacht telefonanrufe anrufe konto combinamos cadastrou cadastrada escolheu deixou ligacoes combinado registrou chamadas conta concordato registrato registrata scelto scelta lasciato concordata registrata chiamate conto",
    ),
    (
        CODE_WORD,
        "codeword codewords safeword watchword passphrase codewort kennwort losungswort sicherheitswort merksatz merkspruch sicherheitssatz geheimsatz merkwort kundenkennwort stichwort losung contrasena",
    ),
    (VERBAL, "verbal spoken voice telephone phone verbale telefonica telefonische mundliche muendliche vocale"),
    (
        CHECK,
        "check verification identification authentication prufung verifizierung verificacion verificacao verifica controllo",
    ),
    (
        AFTER,
        "after next then under underneath below following despues luego debajo siguiente apres ensuite dessous nach danach darunter nachste depois abaixo embaixo dopo sotto successivo",
    ),
    (
        LOGIN_NAME,
        "email mail username user login usuario correo mel courriel identifiant utilisateur benutzername benutzernamen nutzername mailadresse usuario utente",
    ),
    (
        ANY,
        "anything something whatever algo cualquier etwas irgendwas irgendetwas quelque importe qualquer qualcosa qualsiasi",
    ),
    (
        SECOND,
        "second bottom lower other last next segunda segundo otra otro deuxieme seconde zweite zweiten unteren untere seconda secondo",
    ),
    (
        OTHER,
        "tariff bundle package day slot time seat colour color size language theme reading meter delivery feedback comment comments review search complaint amount quantity menu dish gift picture photo avatar question code codes number numbers digits digit pin card date birthday tarifa fecha tarif date datum tag farbe grosse betrag data valor tariffa colore codigo codice numero nummer ziffern pregunta frage",
    ),
    (WANTS, "asking asks wants prompting prompts demands pide demande verlangt pede chiede fragt"),
    (REMOTE | OPENED, "vpn citrix remotedesktop"),
    (REMOTE, "wifi wlan portal intranet webmail router portail portale"),
    (
        LIKELY,
        "share post send type paste put write comparta envie escriba partagez envoyez ecrivez schicken teilen schreiben compartilhe condivida scriva temporary temp starter provisional initial replacement temporal provisorio provisoria provisoire temporaire vorlaufigen vorlaufiger temporaren temporario provvisorio provvisoria temporaneo new fresh pen pencil boligrafo boli stylo stift caneta penna notez apunte anote down test try womit before fi least",
    ),
    (LOGIN, "login logon signin"),
    (GOES, "comes goes belongs stands follows va vient steht kommt folgt vem viene"),
];
