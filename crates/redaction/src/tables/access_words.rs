//! The words of talk about a number that opens something or lets somebody in, in six languages, without accents.

use super::class_table::TokenClasses;
use crate::tokenize::Tokens;

/// The classes of a word.
pub(crate) mod class {
    /// What is guarded by a number: "locker", "alarm", "voicemail".
    pub(crate) const GUARD: u64 = 1;
    /// What takes a number only if it is locked: "phone", "box".
    pub(crate) const WEAK_GUARD: u64 = 1 << 1;
    /// "lock", "unlock", "open".
    pub(crate) const LOCK: u64 = 1 << 2;
    /// "code", "digits", "combination".
    pub(crate) const CODE: u64 = 1 << 3;
    /// "number", which most things have.
    pub(crate) const NUMBER: u64 = 1 << 4;
    /// "digits", "figures": the code by what it is made of.
    pub(crate) const DIGITS: u64 = 1 << 5;
    /// Verbs of keying in: "press", "tap".
    pub(crate) const KEY: u64 = 1 << 6;
    /// Verbs of choosing: "pick".
    pub(crate) const CHOOSE: u64 = 1 << 7;
    /// Verbs of setting: "set", "program".
    pub(crate) const SET: u64 = 1 << 8;
    /// "remember", "memorise".
    pub(crate) const REMEMBER: u64 = 1 << 9;
    /// "memorable", "secret".
    pub(crate) const MEMORABLE: u64 = 1 << 10;
    /// "call", "telephone": how people identify themselves.
    pub(crate) const CALL: u64 = 1 << 11;
    /// "banking", "service".
    pub(crate) const SERVICE: u64 = 1 << 12;
    /// "say", "quote".
    pub(crate) const SAY: u64 = 1 << 13;
    /// "us", "uns": the side that is called.
    pub(crate) const US: u64 = 1 << 14;
    /// The number of a caller in one word: "Kundenkennzahl".
    pub(crate) const CALLER_NUMBER: u64 = 1 << 15;
    /// "collect", "pickup".
    pub(crate) const COLLECT: u64 = 1 << 16;
    /// "give", "use".
    pub(crate) const GIVE: u64 = 1 << 17;
    /// "one", for what is chosen.
    pub(crate) const ONE: u64 = 1 << 18;
    /// "first", "third": which digits.
    pub(crate) const PLACE: u64 = 1 << 19;
    /// "for", "of", "on".
    pub(crate) const FOR: u64 = 1 << 20;
    /// Nouns of another number: "order", "serial".
    pub(crate) const OTHER: u64 = 1 << 21;
    /// "use".
    pub(crate) const USE: u64 = 1 << 22;
    /// "shows", "displays": what a device says by itself.
    pub(crate) const SHOWN: u64 = 1 << 24;
    /// "goes", before "with": the number of a card that people know.
    pub(crate) const GOES: u64 = 1 << 25;
    /// "pump", "till": machines at which people pay.
    pub(crate) const MACHINE: u64 = 1 << 23;
    /// "yard", "building": where a code lets people in.
    pub(crate) const SITE: u64 = 1 << 26;
    /// "driver", "cleaner": who must be let in.
    pub(crate) const VISITOR: u64 = 1 << 27;
    /// "get", "entrar": verbs of getting in.
    pub(crate) const ENTER: u64 = 1 << 28;
    /// "anything", "etwas": what a question has in the place of a code.
    pub(crate) const ANYTHING: u64 = 1 << 29;
    /// "in", "rein": with a verb of moving, that somebody gets in.
    pub(crate) const IN: u64 = 1 << 30;
    /// "access", "entry", before a code.
    pub(crate) const ACCESS: u64 = 1 << 31;
}
use class::{
    ACCESS, ANYTHING, CALL, CALLER_NUMBER, CHOOSE, CODE, COLLECT, DIGITS, ENTER, FOR, GIVE, GOES, GUARD, IN, KEY, LOCK,
    MACHINE, MEMORABLE, NUMBER, ONE, OTHER, PLACE, REMEMBER, SAY, SERVICE, SET, SHOWN, SITE, US, USE, VISITOR,
    WEAK_GUARD,
};

/// The classes of a token; 0 if it is no word.
pub(crate) fn classes_at(tokens: &Tokens<'_>, at: usize) -> u64 {
    TABLE.classes_at(tokens, at)
}

static TABLE: TokenClasses<2048> = TokenClasses::build(GROUPS);

/// Words of one or more classes, separated by one space.
const GROUPS: &[(u64, &str)] = &[
    // English, Spanish, French, German, Portuguese and Italian, one a line.
    (
        GUARD,
        "kiosk locker lockers safe vault gate gates barrier garage alarm intercom entryphone keypad pinpad lockbox keybox padlock deadbolt thermostat voicemail parental turnstile shutter cabinet entrance doorbell door doors lock lockscreen strongbox bikeshed shed sim esim cashpoint atm atms keysafe scooter ebike hatch annexe lobby till tills terminal keypads panel pad meter telly tv machine storeroom cage handset",
    ),
    (
        GUARD,
        "puerta puertas taquilla taquillas verja cancela barrera garaje alarma interfono telefonillo cerradura candado termostato cajero portero porton consigna buzon tecladito patinete",
    ),
    (
        GUARD,
        "porte portes casier casiers coffre portail barriere alarme interphone digicode serrure cadenas verrou distributeur messagerie consigne trottinette antivol",
    ),
    (
        GUARD,
        "schliessfach spind tresor tor hoftor garagentor schranke alarmanlage sprechanlage schloss zahlenschloss vorhangeschloss mailbox kindersicherung jugendschutz geldautomat geldautomaten bankautomat tastenfeld tastatur bildschirmsperre schlusselkasten schlusseltresor haustur eingangstur turschloss tur roller fahrradkeller",
    ),
    (GUARD, "cacifo cofre portao garagem fechadura cadeado multibanco termostato portaria interfone catraca patinete"),
    (
        GUARD,
        "porta porte armadietto cassaforte cancello sbarra allarme citofono serratura lucchetto bancomat segreteria portone monopattino tastierino tastiera antifurto",
    ),
    (
        SITE,
        "shower showers block washroom toilets sauna bathroom kitchen boathouse pontoon hangar locker-room duchas ducha lavanderia gimnasio piscina aseos douches douche laverie piscine sanitaires vestiaire dusche duschen duschraum waschraum waschkuche waschmaschinenraum umkleide schwimmbad chuveiro chuveiros banheiro academia vestiario docce doccia palestra spogliatoio bagni yard yard courtyard backyard building estate complex compound stairwell stairs carpark storage unit depot warehouse office facility premises site driveway stairway basement cellar laundry gym club clubhouse marina dock campus ward clinic plant entry entranceway portal edificio finca urbanizacion comunidad patio recinto garaje parking nave trastero immeuble batiment residence cour parking local hall sas entree copropriete hof innenhof hinterhof hinterhaus vorderhaus treppenhaus gebaude haus tiefgarage keller gelande lager parkplatz predio portaria condominio edificio garagem patio palazzo cortile condominio edificio stabile garage deposito magazzino cantina parcheggio ingresso",
    ),
    (
        VISITOR,
        "driver drivers courier couriers postman engineer engineers technician technicians cleaner cleaners fitter plumber electrician visitor visitors guest guests delivery deliveries carer carers nurse contractor contractors installer gardener repartidor mensajero cartero tecnico visitas visitantes limpiadora livreur livreurs coursier facteur technicien technicienne visiteurs zusteller fahrer bote boten lieferant techniker handwerker besucher gaste entregador entregadores motoboy carteiro tecnico visitante corriere corrieri postino tecnico fattorino ospiti",
    ),
    (
        ENTER,
        "get gets getting enter enters access reach come comes entrar entra entre accede acceder acceda entrer accede entrez acceder rentrer rein reinkommen reinzukommen hineinkommen kommt komme kommen hinein acessar acesso entrare entra accedere",
    ),
    (
        WEAK_GUARD,
        "phone mobile tablet ipad handset watch laptop box tv telly television app screen device bike cupboard chest drawer pump car van movil tableta television dispositivo portable tablette tele telephone ecran boitier handy fernseher gerat bildschirm kasse telemovel celular televisao aparelho tela telefonino cellulare televisore schermo apparecchio",
    ),
    (
        LOCK,
        "lock locks locked unlock unlocks unlocking unlocked open opens opening adult parental kids guard protected bloqueo bloqueado desbloquear desbloquea abrir abre verrouillage verrouille deverrouiller deverrouille debloquer ouvrir gesperrt sperre entsperren entsperrt aufsperren offnen bloqueio desbloquear desbloqueia blocco bloccato sbloccare sblocca aprire apre",
    ),
    (
        CODE,
        "code codes combo combos combination digits figures nrs passcode codigo codigos clave combinacion digitos cifras chiffres combinaison ziffern zahlen zahlenfolge zahlenkombination kombination kennziffer zugangscode turcode segredo combinacao algarismos codice codici combinazione cifre clave claves senha senhas",
    ),
    (NUMBER, "number numbers numero numeros numeri nummer zahl num nums nr"),
    (DIGITS, "digits figures nrs digitos cifras chiffres ziffern algarismos cifre"),
    (
        KEY,
        "goes press presses pressed pressing tap taps tapped punch punches punched dial key keyed keying type types typed typing enter enters entered entering pulsa pulsas pulsar marca marcas marcar teclea teclear introduce introduces tapez tapes taper composez composes composer saisissez saisir appuyez tippen tippst tippt getippt drucken druckst eingeben eingegeben eintippen wahlen digita digitas digitar carrega carregam marca digiti digita digitate digitare preme premi premete marco tecleo pulso introduzco meto tape compose saisis appuie tippe drucke wahle digito teclo aperto insiro compongo premo schiaccio inserisco batto",
    ),
    (
        CHOOSE,
        "think denken denk pick picks picked choose chose chosen choosing invent elige elija elegir escoja escoger inventa choisissez choisir choisi inventez aussuchen suchen wahlen ausdenken uberlegen ausgesucht escolha escolher escolheu invente scelga scegliere scelto inventi inventa",
    ),
    (
        SET,
        "set sets setting program programmed configured pusieron puso pusiste ponga programo programado configuro regle programme configure parametre eingestellt gesetzt programmiert festgelegt hinterlegt definiu definir configurou programou impostato impostare programmato registrou registro",
    ),
    (
        REMEMBER,
        "remember memorise memorize memorised memorized recall forgotten forgot recuerda recuerdas recordar memorizo rappelez souvenez retenu memorise merken gemerkt erinnern lembra lembras memorizou ricorda ricordi memorizzato",
    ),
    (
        MEMORABLE,
        "memorable secret memorised memorized memorable secreto secreta secrete geheime geheimen geheimer segreto secreto memoravel",
    ),
    (
        CALL,
        "call calls calling phone telephone ring llama llamas llamar telefono telefonica telefonico telefonicos telefonica appelez appeler telephone telephonique telephoniques anruf anrufe anrufen telefon telefonisch ligar liga telefone telefonico chiama chiamare telefonici telefonico telefonica telefonate",
    ),
    (
        SERVICE,
        "banking service services banca servicio servicios banque services bankservice service servicos servico banca servizi servizio sportello assistenza",
    ),
    (SAY, "say quote give tell decir decirnos dites dire nennen sagen dizer diz dire dira"),
    (US, "us nos nous uns noi our nosotros ci"),
    (CALLER_NUMBER, "kundenkennzahl kennzahl kennziffer telefonkennzahl kundengeheimzahl sicherheitszahl"),
    (
        COLLECT,
        "collect collects pickup pick collection recoger recogida recoge recuperer retrait abholen abholung levantar recolher retirar retirada ritirare ritiro ritira",
    ),
    (GIVE, "give gave use using used would dar dio diste donne gegeben angegeben deu dado dato"),
    (USE, "use uses using used usa usas usar utilisez utilises utiliser benutzen benutzt nutzen verwenden verwendet"),
    (
        ONE,
        "one ones uno una nueva nuevo alguno eine einen einer neue neuen un outro outra nouveau nouvelle altro nuovo",
    ),
    (
        PLACE,
        "first second third fourth last primero primer segundo tercero tercer cuarto ultimo premier deuxieme troisieme quatrieme dernier erste ersten zweite zweiten dritte dritten vierte vierten letzte letzten primeiro segundo terceiro quarto primo secondo terzo quarto primera segunda tercera",
    ),
    (FOR, "for of on to at with de del para pour du des sur fur furs am ans vom von am do da per dello della dei in"),
    (
        SHOWN,
        "show shows showing shown displays displayed flashing flashes reads printed label sticker muestra affiche zeigt blinkt mostra impreso gedruckt imprime",
    ),
    (ANYTHING, "anything something algo etwas qualcosa alguma alguna"),
    (IN, "in into inside rein hinein reinkommen hineinkommen dentro entrar entrer entrare entra entre"),
    (ACCESS, "access entry acceso acces acesso accesso"),
    (GOES, "goes went belongs gehort va pertenece pertence appartient"),
    (MACHINE, "driver pump terminal cashier fahrer chauffeur conductor motorista autista"),
    (
        OTHER,
        "order ticket withdraw withdrew withdrawn deposit deposited units sold house reference ref serial model tracking invoice meter postcode zip flat apartment licence license plate passport date time hour email price quantity version error pedido serie referencia matricula commande reference serie bestellung bestellnummer seriennummer rechnung hausnummer kennzeichen encomenda ordine riferimento targa seriale name contact callback amount cost costs size kilometres mileage reading imei iccid puk verbal word phrase brand kind many much reach discount descuento desconto sconto rabatt remise promo promotional promotion voucher coupon referral product producto produit prodotto produto artikel article articulo artigo articolo dress postal post zip area promocional promozionale barre barras",
    ),
];
