//! The words of the grammar around a secret, in six languages, without accents.
//!
//! A word in no class is a content word, which can be a secret. A word can be in several classes.

/// The classes of a word.
pub(super) mod class {
    /// "it", "mine", "something".
    pub(in super::super) const PRONOUN: u32 = 1;
    /// "the", "my", "every".
    pub(in super::super) const DETERMINER: u32 = 1 << 1;
    /// "with", "until".
    pub(in super::super) const PREPOSITION: u32 = 1 << 2;
    /// "and", "because".
    pub(in super::super) const CONJUNCTION: u32 = 1 << 3;
    /// "have", "can't".
    pub(in super::super) const AUXILIARY: u32 = 1 << 4;
    /// "is", "was", "be", "reads".
    pub(in super::super) const COPULA: u32 = 1 << 5;
    /// "what", "how".
    pub(in super::super) const QUESTION: u32 = 1 << 6;
    /// Greetings, hesitations, chat shorthand.
    pub(in super::super) const INTERJECTION: u32 = 1 << 7;
    /// "still", "probably".
    pub(in super::super) const ADVERB: u32 = 1 << 8;
    /// "no", "not", "never".
    pub(in super::super) const NEGATION: u32 = 1 << 9;
    /// Verbs that give something a new value: "set", "change".
    pub(in super::super) const CHANGE: u32 = 1 << 10;
    /// Verbs whose object is what a person types: "use", "enter".
    pub(in super::super) const ENTER: u32 = 1 << 11;
    /// Verbs whose object is what a person says: "told", "gave".
    pub(in super::super) const TELL: u32 = 1 << 12;
    /// States of a secret or of a person: "forgotten", "wrong", "ready".
    pub(in super::super) const STATE: u32 = 1 << 13;
    /// Things of a conversation that are never its secret: devices, brands, parts of a page.
    pub(in super::super) const THING: u32 = 1 << 14;
    /// "yesterday", weekdays, months.
    pub(in super::super) const TIME: u32 = 1 << 15;
    /// "to", "as", "into": what follows a verb of change before the new value.
    pub(in super::super) const TO: u32 = 1 << 16;
    /// "from", "with", "by".
    pub(in super::super) const WITH: u32 = 1 << 17;
    /// "old", "new", "temporary".
    pub(in super::super) const VERSION: u32 = 1 << 18;
    /// Names of a secret that also mean something else: "key", "pass", "code".
    pub(in super::super) const WEAK_CUE: u32 = 1 << 19;
    /// Words of signing in: "login", "locked".
    pub(in super::super) const SIGN_IN: u32 = 1 << 20;
    /// Number words outside English.
    pub(in super::super) const NUMBER: u32 = 1 << 21;
    /// Spoken names of marks.
    pub(in super::super) const SYMBOL: u32 = 1 << 22;
    /// Words that follow the name of a mark: the "mark" of "question mark".
    pub(in super::super) const SYMBOL_TAIL: u32 = 1 << 23;
    /// "capital", "lower", "case".
    pub(in super::super) const CASE: u32 = 1 << 24;
    /// Other common verbs and adjectives, which are no secret but leave the sentence going on.
    pub(in super::super) const OTHER: u32 = 1 << 25;
    /// Systems and devices whose name a version number follows: "windows".
    pub(in super::super) const PRODUCT: u32 = 1 << 26;
    /// Thanks and requests that close a message.
    pub(in super::super) const CLOSING: u32 = 1 << 27;
    /// "think", "believe", "guess": verbs of a doubtful comment.
    pub(in super::super) const DOUBT: u32 = 1 << 28;
}
use class::{
    ADVERB, AUXILIARY, CASE, CHANGE, CLOSING, CONJUNCTION, COPULA, DETERMINER, DOUBT, ENTER, INTERJECTION, NEGATION,
    NUMBER, OTHER, PREPOSITION, PRODUCT, PRONOUN, QUESTION, SIGN_IN, STATE, SYMBOL, SYMBOL_TAIL, TELL, THING, TIME, TO,
    VERSION, WEAK_CUE, WITH,
};

/// Words that name a user name in a list of credentials.
pub(super) const USER_WORDS: &[&str] =
    &["user", "usr", "uname", "utente", "usuario", "usuário", "benutzer", "benutzername", "identifiant"];

/// Two words that are one interjection, whose second word alone may be a secret.
pub(super) const SET_PHRASES: [(&str, &str); 9] = [
    ("of", "course"),
    ("por", "supuesto"),
    ("desde", "luego"),
    ("bien", "sûr"),
    ("bien", "sur"),
    ("na", "klar"),
    ("com", "certeza"),
    ("va", "bene"),
    ("no", "problem"),
];

/// Words of one or more classes, separated by one space.
pub(super) const GROUPS: &[(u32, &str)] = &[
    // English
    (
        PRONOUN,
        "i you he she we they me him us them it u ya yall y'all myself yourself itself himself herself themselves mine yours hers ours theirs one ones something anything nothing everything someone anyone everyone somebody anybody nobody everybody none self others im ive ill id youre theyre hes shes weve theyve",
    ),
    (PRONOUN | DETERMINER, "this that these those her its ur"),
    (
        DETERMINER,
        "the a an my your his our their some any every each all another other such same whatever which many much few several usual normal whole own certain lots plenty",
    ),
    (
        PREPOSITION,
        "like both either neither of at on about over under off up down out between through during until till since after before behind above below near beside around across along against within without upon like except per via despite towards toward past inside outside onto due underneath beneath next",
    ),
    (PREPOSITION | WITH, "from with w by using via frm wit"),
    (PREPOSITION, "in for"),
    (PREPOSITION | TO, "to into as"),
    (
        CONJUNCTION,
        "and or but so because cause cuz coz bc cos if when while than though although whereas unless whether nor n yet once wherever whenever",
    ),
    (
        AUXILIARY,
        "do does did have has had having can could will would should may might must shall dont doesnt didnt havent hasnt hadnt cant cannot couldnt wont wouldnt shouldnt aint gonna wanna gotta hafta need needs needed want wants wanted let lets gimme lemme dunno ought better",
    ),
    (COPULA, "is are was were be been being s am equals equal reads isnt arent wasnt werent becomes became remains"),
    (PRONOUN | COPULA, "its thats heres theres whats"),
    (QUESTION, "what who whom whose when where why how whats wheres hows whos whys wut wat wot wdym huh"),
    (
        INTERJECTION | ADVERB,
        "uh um er ah erm hmm hm uhm umm uhh mm mmm mhm eh oh ohh ohhh okay ok okey k kk alright alrighty right well so then yes yeah yep yup yea ya yah aye sure absolutely definitely certainly indeed correct exactly anyway anyways actually basically honestly literally",
    ),
    (
        INTERJECTION,
        "lol lmao rofl haha hahaha hehe lolz idk idc tbh imo imho fyi btw omg omfg wtf wth ffs smh ikr ngl nvm brb bbl gtg ttyl afk asap omw irl jk tmi thx ty tysm np yw pls plz pleas plss gg ugh argh aargh ouch oops whoops wow whoa damn dang darn gosh jeez jesus god lord heavens geez meh bah pfft phew sigh sighs yikes yay hooray cheers nah naa nope nopes hi hello hey heya hiya howdy yo bro bruh dude mate buddy pal man guys folks sir maam madam mam sweetheart dear miss mister lady ladies gentlemen sec secs rip sup welp fr rn imma hang hold wait listen look see well fine great cool nice perfect awesome brilliant lovely wonderful fantastic super bless boy bye goodbye farewell dammit crap sorry apologies pardon excuse oops",
    ),
    (NEGATION, "no not never nor neither nothing none nowhere hardly barely scarcely cannot nt dont cant wont"),
    (
        ADVERB,
        "just now still only also too again already always ever even maybe perhaps probably possibly apparently really very quite rather pretty almost nearly simply kinda sorta somehow somewhat sometimes often usually normally once twice soon later early earlier lately recently currently here there everywhere somewhere anywhere elsewhere abroad overseas upstairs downstairs indoors outdoors online offline away back forward together apart instead otherwise else thus hence therefore however meanwhile enough less more most least far much though alot ago yet exactly either today tonight indeed underneath altogether afterwards forever twice thrice anymore alone ahead aside solo",
    ),
    (
        CHANGE,
        "set sets setting reset resets resetting change changes changed changing update updates updated updating switch switches switched switching make makes made making turn turned turning rename renamed replace replaced replacing swap swapped modify modified amend amended alter altered correct corrected convert converted chng chg chged changd revert reverted restore restored create created creating assign assigned generate generated rotate rotated configure configured get got",
    ),
    (
        ENTER,
        "use uses used using try tries tried trying enter enters entered entering type types typed typing put puts putting input inputs inputted write writes wrote written writing choose chooses chose chosen choosing pick picks picked picking go goes went going goin submit submitted key keyed keying send sends sent sending copy pasted paste copied punch punched insert inserted add adds added adding select selected selecting hit tap tapped autofilled autofills fill filled fills spell spells spelled spelt press pressed give gives gave given",
    ),
    (
        TELL,
        "tell tells told telling give gives gave given giving say says said saying show shows showed shown showing mention mentioned reveal revealed read reads reading hear heard got provide provides provided call calls called named leave left want took takes accept accepts accepted reject rejects rejected disclosed shared shares texted emailed messaged handed accepted printed",
    ),
    (
        DOUBT,
        "think thought believe believed guess guessed guessing suppose reckon assume assumed remember recall know knew hope swear bet imagine imho figure",
    ),
    (
        VERSION,
        "old new previous former current original latest temp temporary initial default other last first second newer older actual real existing final provisional",
    ),
    (
        WEAK_CUE,
        "pass key keys code codes codeword login logins creds credentials credential secret secrets access psk keyphrase keyword hint phrase safeword watchword mdp cred logon pincode combination combo",
    ),
    (
        SIGN_IN,
        "login logins logon log logs logged logging signin sign signed signing locked lockout unlock authenticate authenticated authentication credentials creds denied incorrect invalid rejected accepted typed typing type entered tried characters caps uppercase lowercase symbols capitals wifi router modem wpa hotspot ssid network account portal admin user username profile app website portal locked",
    ),
    (
        STATE,
        "wrong forgotten forgot forget forgets expired incorrect invalid valid required lost missing stolen blocked locked unlocked hacked compromised weak strong secure accepted rejected broken gone dead done blank empty unknown unavailable hidden masked encrypted temporary default different sensitive ready fine okay available simple complex easy hard private confidential pending optional declined active inactive linked safe disabled enabled banned frozen suspended smudged faded illegible unreadable scratched torn ripped worn rubbed binned shredded destroyed deleted buried cut written stored saved printed typed known weird strange odd bad good worse worst best busy stuck tired sick broke cold warm hot wet dry dark bright loud quiet late early fast slow big small little long short tiny huge high low full open closed shut right left true false sure unsure certain clear unclear able unable afraid happy unhappy glad sad mad angry upset annoyed confused lost scared nervous worried impossible possible necessary important identical similar standard custom random automatic manual visible invisible readable protected personal public alive asleep awake home useless ridiculous crazy stupid silly dumb insane nuts illegal legal allowed permitted free paid new old same null void nil nada zilch zip naught blocked working useful handy simple tricky obvious generic normal usual strict alphanumeric numeric numerical lowercase uppercase hashed secret wireless fishy scammy sketchy suspicious risky dodgy legit legitimate nosy rude embarrassing boring unlisted anonymous offline online overdrawn rich poor married divorced single retired disabled blind deaf alone damaged unsafe insecure unsecure kidding joking driving",
    ),
    (
        THING,
        "password passwords passcode passcodes passphrase username usernames user users name names account accounts acct card cards phone mobile cell cellphone telephone laptop computer desktop tablet device devices pc mac browser app apps site website web page pages screen screens field fields box form forms button link links email emails mail mails inbox spam text texts sms message messages letter letters paper papers sheet note notes notebook book wallet purse bag pocket drawer desk office car house kitchen fridge bank branch store shop counter atm machine kiosk number numbers digit digits letter character characters symbol symbols word words question questions answer answers reason reasons issue issues problem problems error errors link policy policies rule rules requirement requirements manager generator protection recovery reset attempt attempts time times thing things stuff way idea ideas clue clues place point fact case cases subject subjects topic topics example agent agents representative operator supervisor manager human person people robot bot machine customer customers support service services help assistance team staff friend husband wife mom mum mother dad father son daughter brother sister kid kids child children family boss colleague neighbor neighbour roommate partner ex gf bf wifey hubby boyfriend girlfriend information info detail details data record records file files document documents statement statements bill bills invoice receipt contract ticket order orders payment payments refund money cash check cheque deposit transfer fee fees charge charges amount balance price cost credit debit visa mastercard amex discover maestro paypal venmo zelle google facebook instagram twitter whatsapp amazon netflix spotify apple microsoft samsung android iphone ipad ios windows chrome firefox safari edge outlook gmail yahoo hotmail icloud zoom teams slack discord tiktok youtube linkedin snapchat lastpass bitwarden keychain dashlane authenticator touchid faceid face finger fingerprint biometric biometrics yubikey token scam scams fraud scammer phishing privacy security verification confirmation identity id ids address date birthday birth year years month months week weeks day days hour hours minute minutes second moment morning afternoon evening night noon midnight weekend holiday vacation weather rain sun glasses pen pencil memory brain head mind eyes eye hand hands door key keyboard caps battery signal network internet connection server system systems update upgrade version model serial brand logo menu option options settings setting tab window dashboard profile home work job school hospital train bus plane airport meeting appointment call calls voicemail line queue expiry expiration policy claim claims loan mortgage insurance coverage premium plan plans subscription trial license passport social ssn cvv cvc pin pins pan otp puk sim imei iban zip postcode address street city town country state county area region clerk guy girl woman women men lady lads stars dots asterisks bullets clipboard whiteboard sticker label dongle backup caller lid envelope wall noticeboard leaflet",
    ),
    (
        TIME,
        "today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec morning afternoon evening night noon midnight week month year years days weeks months hours minutes ago am pm oclock",
    ),
    (
        OTHER,
        "ask asks asked asking answer answered check checks checked checking find finds found finding help helps helped keep keeps kept wonder wondering work works worked working stop stops stopped start starts started starting fail fails failed come comes came coming happen happens happened happening mean means meant matter matters care cares understand understood remind reminds explain lie lies seem seems seemed feel feels felt sound sounds sounded look looks looked stay stays stayed move moved live lives lived pay pays paid paying buy bought sell sold order ordered receive received wait waits waited waiting hold holds held call ring rang ringing run runs ran break breaks broke lose loses loses lost win won begin began bring brought bought thank cost costs end ends ended open opens opened close closes closed download downloaded install installed restart restarted reboot rebooted refresh refreshed click clicked scroll scrolled scan scanned sync synced match matches matched require requires expire expires cancel cancelled canceled verify verified confirm confirmed receive approve approved decline declined refuse refused allow allows skip pass passed surprise guess handle handles deal deals die died dies kill killed ate eat stand stood drive driving sit sat sleep slept talk talking talks speak speaking spoke play played fix fixed doing being having fast great exist exists existed block blocks report reported contact contacted transfer transferred visit visited notice noticed realize realised realized",
    ),
    (OTHER | CHANGE, "ending containing"),
    (
        TIME,
        "lunes martes miercoles jueves viernes sabado domingo lundi mardi mercredi jeudi vendredi samedi dimanche montag dienstag mittwoch donnerstag freitag samstag sonntag lunedi martedi mercoledi giovedi venerdi sabato domenica segunda terca quarta quinta sexta",
    ),
    (OTHER, "follow follows followed attached below"),
    (CLOSING, "please thanks thank cheers ty thx regards sincerely bye pls plz appreciated"),
    (
        SYMBOL,
        "dash hyphen dot point period underscore slash backslash hash hashtag asterisk star exclamation bang ampersand percent dollar question plus equals equal colon semicolon comma at tilde pipe apostrophe quote bracket parenthesis caret pound apostrophe minus space",
    ),
    (SYMBOL_TAIL, "mark sign point symbol key tag score stop"),
    (
        CASE,
        "capital capitals cap caps uppercase lowercase upper lower case small big little spaces space spaced zero capitalized capitalised",
    ),
    (
        PRODUCT,
        "outlook windows win iphone ipad ios android galaxy pixel macbook macos mac ps xbox office word excel chrome firefox safari edge ipv wpa mp usb hdmi covid wifi router model version ver rev build step page item line chapter route gate flight room unit apt suite floor windows server python java php node sql oracle http tls ssl sha md web series rtx gtx core hp dell canon epson nokia huawei gen cat rj err error code ticket case",
    ),
    // Spanish
    (
        PRONOUN,
        "yo tu usted ustedes ella ellos nosotros lo me te se nos les le esto eso aquello mia mio nada algo alguien nadie todo todos mismo misma ese esa esta este aquel aquella",
    ),
    (DETERMINER, "el la los las un una unos unas mi su sus mis nuestro nuestra cada ningun ninguna otra otro"),
    (PREPOSITION, "de del al sobre hasta desde sin entre para ante tras segun durante hacia contra"),
    (PREPOSITION | WITH, "con desde"),
    (PREPOSITION | TO, "a por como para"),
    (CONJUNCTION, "y e o u pero porque pues que si cuando aunque mientras ni entonces"),
    (
        AUXILIARY,
        "he ha han has hemos habia puedo puede pueden podria quiero quiere necesito tengo tiene debo debe voy va vamos hay",
    ),
    (COPULA, "es era eran fue sera seria son ser soy esta estaba dice pone decia sigue siendo"),
    (QUESTION, "cual cuales quien como donde cuando cuanto porque"),
    (
        INTERJECTION | ADVERB,
        "vale ver bueno claro hola gracias oiga oye mire mira pues ya ah si perdon disculpe espere espera ok listo ahora ayer hoy manana siempre nunca tambien todavia aun antes despues luego aqui ahi alli creo solo mas muy bien mal",
    ),
    (NEGATION, "no nunca jamas tampoco"),
    (
        CHANGE,
        "cambie cambio cambiar cambiarla cambiarlo cambien cambiado puse poner pongo puesto ponga pongan restablecer restablecio restablezca modifique modificar actualice actualizar deje quiero reinicie",
    ),
    (
        ENTER,
        "uso usar use usaba meto meti meter escribo escribi escribir tecleo teclee marque marco marcar probe pruebo pruebe introduzco introduje ingreso ingrese ingresar pongo puse elegi elijo digite digito entro deletreo deletrear apunte apunta apunto anote anota anoto",
    ),
    (TELL, "dije dijo dio dieron dicen digo llama llamaba queda quedo"),
    (VERSION, "nueva nuevo vieja viejo antigua antiguo actual anterior temporal provisional"),
    (WEAK_CUE, "clave claves palabra acceso credenciales"),
    (
        STATE,
        "olvidado olvidada olvide bloqueado bloqueada caducado incorrecta incorrecto correcta correcto perdida perdido borrada",
    ),
    (
        THING,
        "vida caracter caracteres contrasena usuario cuenta tarjeta telefono movil correo banco codigo numero cajero pagina aplicacion nombre persona idea",
    ),
    (OTHER, "funciona sirve recuerdo recuerda acuerdo acuerda escribo sale deja entra pide llego tengo sabe saber"),
    (CLOSING, "favor gracias"),
    (
        NUMBER,
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil ciento veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos doble",
    ),
    (
        SYMBOL,
        "guion punto arroba barra almohadilla asterisco exclamacion interrogacion mas dolar numeral coma porcentaje signo",
    ),
    (SYMBOL_TAIL, "bajo medio dolar exclamacion interrogacion mas porcentaje numero"),
    (CASE, "mayuscula mayusculas minuscula minusculas"),
    // French
    (
        PRONOUN,
        "je tu il elle on nous vous ils elles moi toi lui leur ca cela ceci celui celle rien quelque tout mien mienne c j l d n qu t m ce",
    ),
    (
        DETERMINER,
        "le la les un une des du mon ma mes votre vos notre nos son sa ses leur cet cette ces aucun aucune chaque autre",
    ),
    (PREPOSITION, "de du au aux sur sous chez sans pour dans depuis vers entre jusque apres avant pendant"),
    (PREPOSITION | WITH, "avec par depuis"),
    (PREPOSITION | TO, "a en comme par pour"),
    (CONJUNCTION, "et ou mais parce puisque donc car que si quand puis ni alors"),
    (AUXILIARY, "ai as a avons avez ont avais avait peux peut pouvez veux voudrais veut dois doit faut vais va allons"),
    (COPULA, "cest est etait sera serait sont suis etre reste dit disait ete"),
    (QUESTION, "quel quelle quels quelles qui quoi comment pourquoi combien"),
    (
        INTERJECTION | ADVERB,
        "oui bonjour merci bah ben euh voila alors bon bien ok pardon desole attendez attends maintenant hier toujours encore aussi jamais deja ici la tres plus moins peut-etre",
    ),
    (NEGATION, "non pas jamais ni ne plus aucun aucune"),
    (
        CHANGE,
        "change changer changez modifie modifier modifiez mis mettre mets mettez remplace remplacer reinitialise reinitialiser choisi passe passer",
    ),
    (
        ENTER,
        "utilise utiliser tape taper tapez entre entrer entrez saisi saisis saisir saisissez essaye essaie ecrit ecris note rentre mets mis pris choisi epelle epeler notez",
    ),
    (TELL, "dit donne donnez appelle"),
    (VERSION, "nouveau nouvelle ancien ancienne actuel actuelle provisoire vieux"),
    (WEAK_CUE, "mdp cle clef identifiants acces"),
    (STATE, "oublie oubliee perdu perdue bloque bloquee expire errone erronee faux fausse incorrect incorrecte change"),
    (THING, "caractere mot passe compte carte telephone portable courriel banque numero identifiant personne idee nom"),
    (OTHER, "marche fonctionne souviens rappelle sais savoir prefere veut demande"),
    (
        NUMBER,
        "deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante cinquante soixante cent mille",
    ),
    (SYMBOL, "tiret arobase diese etoile exclamation interrogation soulignement esperluette dollar virgule"),
    (SYMBOL_TAIL, "bas exclamation interrogation"),
    (CASE, "majuscule majuscules minuscule minuscules"),
    // German
    (
        PRONOUN,
        "ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen das dies dieses nichts etwas alles keiner niemand jemand beide beides meins jetzt man selbe",
    ),
    (
        DETERMINER,
        "der die das den dem des ein eine einen einem einer mein meine meinen meinem ihr ihre ihren ihrem sein seine unser kein keine keinen jeder jedes alle dieselbe dasselbe",
    ),
    (PREPOSITION, "fur von vom zum zur bei beim aus nach seit uber unter vor hinter ohne bis wegen am im ans ins"),
    (PREPOSITION | WITH, "mit von"),
    (PREPOSITION | TO, "auf zu als"),
    (CONJUNCTION, "und oder aber zwar trotzdem weil wenn denn dass ob sondern damit bzw"),
    (
        AUXILIARY,
        "habe hab hat haben hast hatte hatten kann konnen konnte will wollen mochte muss mussen soll sollte darf werde wird werden wurde wurden",
    ),
    (COPULA, "ist war waren sind bin sein lautet lautete heisst hiess ware bleibt blieb"),
    (QUESTION, "wie was wer wo warum wieso weshalb welches welche welcher wann woher"),
    (
        INTERJECTION | ADVERB,
        "ja jo ah also na doch halt mal eben hallo danke bitte moment moin tschuss genau okay gut sorry entschuldigung schon noch nur auch immer wieder gestern heute morgen jetzt dann hier da dort leider vielleicht wohl eigentlich sehr mehr ganz gerade naturlich gern gerne fruher vorher vorhin glaub glaube angeblich",
    ),
    (ADVERB, "mindestens hochstens"),
    (NEGATION, "nein nicht nie niemals kein keine net nee ne nix"),
    (
        CHANGE,
        "geandert andern andere gestellt stellen gesetzt setzen setze umgestellt zuruckgesetzt zurucksetzen gewechselt wechseln gemacht machen aktualisiert andert festgelegt vergeben",
    ),
    (
        ENTER,
        "nutze benutze verwende nehme nimm probiert probiere versucht versuche eingegeben eingeben gebe tippe getippt schreibe geschrieben gewahlt genommen verwendet buchstabiere",
    ),
    (TELL, "sagt sagte gesagt steht gegeben gab nennt heisst"),
    (VERSION, "neue neues neuer neuen alte altes alter alten aktuelle aktuelles vorherige letzte"),
    (WEAK_CUE, "schlussel zugang zugangsdaten code codewort losung kw"),
    (
        STATE,
        "vergessen falsch gesperrt abgelaufen verloren ungultig richtig korrekt weg kaputt bekannt geheim geloscht gross klein",
    ),
    (
        THING,
        "zeichen passwort passworter kennwort benutzer benutzername konto karte handy telefon rechner bank nummer brief zettel name frage ahnung geldautomat",
    ),
    (OTHER, "geht funktioniert klappt stimmt weiss sag sage sagen bekommen gehen kommt komm steht erinnere erinnern"),
    (
        NUMBER,
        "null eins zwei zwo drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend doppel",
    ),
    (
        SYMBOL,
        "bindestrich punkt klammeraffe unterstrich raute stern ausrufezeichen fragezeichen dollarzeichen komma prozent prozentzeichen pluszeichen schragstrich minus undzeichen at sternchen",
    ),
    (
        CASE,
        "gross klein grossbuchstabe kleinbuchstabe grossgeschrieben kleingeschrieben grosses kleines grossem leerzeichen",
    ),
    // Portuguese
    (
        PRONOUN,
        "eu voce ele ela nos vocês eles elas isso isto aquilo minha meu nada algo tudo alguem ninguem mesma mesmo essa esse esta este aquela",
    ),
    (DETERMINER, "o a os as um uma uns umas minha meu minhas meus sua seu nossa nosso nenhum nenhuma outra outro cada"),
    (PREPOSITION, "de do da dos das no na nos nas ao pelo pela sem sobre ate desde entre apos"),
    (PREPOSITION | WITH, "com desde"),
    (PREPOSITION | TO, "para pra pro por como"),
    (CONJUNCTION, "e ou mas porque pois que se quando embora entao nem"),
    (AUXILIARY, "tenho tem temos tinha posso pode poderia quero quer queria preciso devo vou vai vamos ha"),
    (COPULA, "e era eram foi sera seria sao ser ta diz dizia continua"),
    (QUESTION, "qual quais quem onde quanto"),
    (
        INTERJECTION | ADVERB,
        "sim oi ola obrigado obrigada entao ai ne tipo bom claro certo desculpa espera aguarde peraí agora ontem hoje amanha sempre nunca tambem ainda ja antes depois aqui la acho so mais muito bem",
    ),
    (NEGATION, "nao nunca nem jamais"),
    (
        CHANGE,
        "mudei mudar mudou troquei trocar trocou alterei alterar coloquei colocar colocou redefini redefinir atualizei botei pus mudo troco",
    ),
    (
        ENTER,
        "uso usar usei usava pus botei coloquei digito digitei digitar ponho coloco escrevo escrevi tento tentei cadastrei entro inseri inserir soletro soletrar anote anota",
    ),
    (TELL, "disse deu falou falei chama"),
    (VERSION, "nova novo velha velho antiga antigo atual anterior provisoria provisorio temporaria"),
    (WEAK_CUE, "acesso chave palavra credenciais"),
    (
        STATE,
        "erro primeiro primeira esqueci esquecida bloqueada bloqueado errada errado certa expirou expirada perdi perdida invalida",
    ),
    (THING, "senha usuario conta cartao celular telefone banco codigo numero email nome pessoa ideia boleto pin"),
    (OTHER, "funciona lembro lembra sei saber passa entra pede prefiro"),
    (
        NUMBER,
        "um dois tres quatro cinco seis meia sete oito nove dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    ),
    (
        SYMBOL,
        "hifen traco ponto arroba sublinhado underline cerquilha asterisco exclamacao interrogacao mais cifrao barra jogo",
    ),
    (SYMBOL_TAIL, "baixo exclamacao interrogacao velha"),
    (CASE, "maiuscula maiusculas minuscula minusculas maiusculo minusculo"),
    // Italian
    (
        PRONOUN,
        "io tu lui lei noi voi loro mi ti si ci vi lo la questo questa quello quella niente nulla qualcosa tutto nessuno mia mio stesso stessa",
    ),
    (DETERMINER, "il lo la i gli le un uno una mio mia suo sua nostro nostra ogni nessun nessuna altra altro"),
    (
        PREPOSITION,
        "di del dello della dei delle dal dalla al alla sul sulla nel nella senza per tra fra su da fino dopo prima",
    ),
    (PREPOSITION | WITH, "con da"),
    (PREPOSITION | TO, "a come"),
    (CONJUNCTION, "e o ma perche che se quando pero anche quindi allora ne oppure"),
    (AUXILIARY, "ho hai ha abbiamo avete hanno avevo posso puo potrei voglio vuole devo deve vado va"),
    (COPULA, "e era erano fu sara sarebbe sono essere sia dice diceva resta rimane stata stato"),
    (QUESTION, "quale quali chi cosa come dove quanto perche"),
    (
        INTERJECTION | ADVERB,
        "si ciao grazie prego allora ecco beh boh mah certo scusi scusa aspetti aspetta pronto dunque insomma ora adesso ieri oggi domani sempre mai anche ancora gia prima dopo qui qua credo solo piu molto bene",
    ),
    (NEGATION, "no non mai neanche nemmeno"),
    (
        CHANGE,
        "cambiato cambiata cambiare cambio messo messa mettere impostato impostata impostare modificato modificata reimpostato reimpostata sostituito",
    ),
    (
        ENTER,
        "uso usare usato usavo scrivo scritto digito digitato digitare provo provato inserisco inserito inserire metto messo scelto compito sillabo segni scriva annoti",
    ),
    (TELL, "detto dato diede chiama"),
    (VERSION, "nuova nuovo vecchia vecchio attuale precedente provvisoria temporanea"),
    (WEAK_CUE, "chiave parola accesso credenziali codice"),
    (
        STATE,
        "dimenticata dimenticato scaduta scaduto bloccata bloccato sbagliata sbagliato errata errato errate errati giusta giusto persa perso",
    ),
    (ADVERB, "almeno minimo massimo"),
    (THING, "carattere caratteri utente conto carta telefono cellulare banca numero pagina nome persona idea bancomat"),
    (OTHER, "riesco riesce accedere entrare funziona ricordo ricorda so sapere prende entra chiede preferisco collega"),
    (
        NUMBER,
        "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille",
    ),
    (SYMBOL, "trattino punto chiocciola cancelletto asterisco esclamativo interrogativo piu virgola dollaro"),
    (SYMBOL_TAIL, "basso esclamativo interrogativo"),
    (CASE, "maiuscola maiuscole minuscola minuscole maiuscolo minuscolo"),
    // Judgements, forms of address, parts of a text and units of time in the five other languages
    (ADVERB, "trop demasiado zu troppo muito bastante assez"),
    (
        STATE,
        "retabli retablie rétabli reactive reactivee activee restablecido restablecida reactivado activado activada wiederhergestellt freigeschaltet eingerichtet aktiviert restabelecido ativado ativada ripristinato ripristinata attivato attivata faible forte forts courte court longue simple complique debil fuerte corta larga corto largo schwach stark kurz lang komisch ahnlich seltsam fraca fraco forte curta longa debole corta lunga corto lungo semplice",
    ),
    (
        INTERJECTION,
        "moca moco senhor senhora senora senor senorita joven signora signore signorina madame monsieur mademoiselle frau herr filho filha",
    ),
    (
        THING,
        "netbook chromebook notebook letra letras lettre lettres buchstabe buchstaben lettera lettere linha linhas linea lineas ligne lignes zeile zeilen riga righe wort worter palabras palavras mots parole poster halves half",
    ),
    (
        TIME,
        "anno anni mese mesi giorno giorni settimana volta volte ano anos mes meses dia dias semana semanas vez vezes veces ans annee annees mois jour jours semaine fois jahr jahre jahren monat monate tag tage woche wochen oggi quest'anno",
    ),
    (PRONOUN, "vcs vc mesmos mesmas quest dela dele delas deles"),
    (TELL, "dizem falam dicono dicen sagen disent"),
];
