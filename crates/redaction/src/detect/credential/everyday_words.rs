//! Everyday verbs, adverbs and chat words of sentences about secrets, in six languages, without accents. None of them is
//! a secret. Nouns that people use as secrets are not here.

use super::word_list::class::{
    ADVERB, AUXILIARY, CHANGE, DETERMINER, ENTER, INTERJECTION, OTHER, PREPOSITION, STATE, TELL, THING, TIME,
};

/// Words of one or more classes, separated by one space.
pub(super) const GROUPS: &[(u32, &str)] = &[
    // English
    (TIME, "yday ystdy yest tmrw tmr tomo tonite wknd fortnight decade decades ages yonks aeons eons"),
    (
        INTERJECTION,
        "crikey blimey heck sheesh oof ooft crumbs strewth yeesh herrje oje ojemine donnerwetter madre caray ostras joder puxa mamma punaise smdh smth sth innit cheerio lolol heh hehehe ahaha uff mkay",
    ),
    (
        STATE,
        "erreur falsche frei offen aktiv aktiviert freigeschaltet entsperrt libre ouvert actif abierto activo livre aberto ativo libero aperto attivo",
    ),
    (
        INTERJECTION,
        "verdad verdade verite ehrlichgesagt imagina imaginate imagine imaginez figurati figuriamoci mica affatto nemmeno neanche nichtmal sicherlich",
    ),
    (THING, "factory settings sticker lock garbage nonsense gibberish missus bloke"),
    // Spanish
    (
        OTHER,
        "llega llegan llevo lleva llevan llevamos sigo siguen seguimos caduco caduca vencio vence ando anda quede falta faltan falla fallo fallan paso pasa pasan pasar pasarme viene vienen vino hace hacen hago hicieron hizo haria haga dejarme dejan dejo aparece aparecen aparecio estoy estas estamos estan estuve estaban estaria estuvo sido haber hubo hubiera tenia tenian tuve tuvo tuvimos podriais podrian podriamos podia pudo pude podemos quisiera quieren queremos querria necesitan necesitamos atienda atienden ayuda ayudan ayudar ayudarme llamar llame llamaron reenviar reenviarlo reenvien enviar enviaron mandar mandaron mande recibir recibo recibi perder olvidar volver vuelvo volvi vuelve vuelva empezar empece intentar intento intente intentado buscar busco encontrar encuentro abrir abro abre cerrar cierra salir salgo conectar conecto conecta cargar carga bloquea bloqueo exige piden pedia permite permiten seguir creia creen pense parece parecen ponen quita quito recuperar recupero entiendo entienden supongo suponer conozco cuesta toca tocaba sabia saben",
    ),
    (
        ADVERB | INTERJECTION,
        "anteayer anoche media rato hora horas minuto minutos mediodia madrugada finde jeje jejeje jaja jajaja jajajaja jajaj jaj uy ay ains buf uf nanai tio tia mijo mija hijo hija menudo menuda vaya hombre mujer cualquiera demas apenas casi quizas quiza acaso encima incluso igual asi todas ambas ambos primero menos tarde temprano enseguida directamente obvio efectivamente",
    ),
    (
        STATE,
        "incorrectos incorrectas invalidos erroneos bloqueados caducada vencida vencido rara raro dificil facil imposible lleno llena vacia vacio lento lenta harto harta cansado cansada segura seguro invalido nervioso equivocada equivocado enlace correos pantalla rollo desastre lio",
    ),
    // French
    (
        OTHER,
        "arrive arrivent arriver arrivee passent veulent peuvent pourrais pourriez pourrait voulais voulait voulez envoyer envoyez envoye envoyait recois recoit recevoir recu recue recupere recuperer comprends comprend comprendre pensais crois croyais croit trouve trouver trouvez cherche chercher essayer essayais tente tenter tentatives connecter connecte deconnecte ouvrir ouvre ferme expirer existe semble parait aide aider aidez appeler appelez rappeler rappelez faire fais fait faites faisait devrait devais devrais aurait aurais avions aller allez viens vient venir revient revenir rester perds perdre oublier bloquer bloquait refuser rejette affiche afficher charger repond repondre attend attendre laisser laisse laissez garde garder explique expliquer prendre prend prends voir vois voit savez savais sait souvenir rajouter ajouter mettait tourne tourner plante planter bosse bosser gere gerer",
    ),
    (
        ADVERB | INTERJECTION,
        "svp stp dsl mdr ptdr bjr bsr slt cdt tkt jsp bref coucou salut zut mince oups hein franchement vraiment matin soir midi demain noel rentree vacances heure heures tantot bientot toute tous toutes peu plutot sinon surtout parfois souvent longtemps enfin ensuite apres-demain avant-hier aussitot derangement aucunement ras marre",
    ),
    (
        STATE,
        "incorrects incorrectes invalides errones erronees coince coincee penible bizarre obligatoire facile difficile lent lente vide plein pleine valide invalide certaine lien liens ecran trimestre souci soucis galere",
    ),
    // German
    (
        OTHER,
        "brauche brauchen braucht gebraucht kriege kriegt kriegen gekriegt bekomme bekommt verschlampt verlegt verlor vergesse vergisst ausgesperrt angemeldet anmelden einloggen eingeloggt abgemeldet ausgeloggt zuschicken zugeschickt schicken schickt geschickt gesendet senden sendet abgelehnt lehnt verandert versuchen probieren ausprobiert klappte klappen gehe gehts ging gings gegangen laufen lauft lief stehe standen liegt liegts lag kamen kam macht mache findet finden gefunden suche suchen gesucht helfen hilft geholfen warten warte wartet gewartet meint gemeint wissen wusste dachte denke denken gedacht horen hore gehort lesen lese liest gelesen aufschreiben aufgeschrieben aufgehangt notiert merken gemerkt erneuern erneuert wiederherstellen freischalten freigeschaltet hangt hangengeblieben ladt geladen bleibe bleiben geblieben fragen fragt gefragt antworten telefoniert angerufen anrufen rufen ruft halten halte lassen lasst gelassen nehmen verlangt verlangen sollen sollten durfen konnt konnten mussten musste wollten wollte mochten hattest",
    ),
    (
        ADVERB | INTERJECTION,
        "grad gerad derzeit neulich letztens seitdem seither plotzlich standig staendig dauernd andauernd irgendwie irgendwas irgendwo irgendwann nirgends uberall ueberall abend abends morgens mittags nachts vorgestern ubermorgen heut tagelang stundenlang wochenlang obwohl bevor sobald solange daher deshalb deswegen jedoch sowieso ueberhaupt uberhaupt ansonsten sonst genauso ebenfalls bisher bislang jedesmal manchmal oft selten einfach bloss blos tja joa jau servus grussgott mfg lg vg hihi puh mist verdammt grusse gruesse lieb liebe lieber ihrer unserer woran wozu wofur wofuer daran davon dazu dabei darauf daraus",
    ),
    (
        STATE,
        "kunde kundin kunden moglich moeglich unmoglich unmoeglich notig noetig gultig gueltig leer voll langsam schnell schlimm nervig armlich peinlich neu alt fehlerhaft postweg",
    ),
    (THING, "grossem anfangsbuchstabe anfangsbuchstaben grossbuchstaben kleinbuchstaben sonderzeichen"),
    // Portuguese
    (
        OTHER,
        "estou estava estavam estao esteja estive fica ficam ficou fiquei ficar tive teve tinham tivemos tivesse terei teria faz fazem faco fazer fiz fez fizeram feito vem vieram veio iria ia iam foram passou passei passam passar parou parei parar trava travou travando trancou cai caiu caem abriu fecha fechou entrou entrar entrei sair saiu sai saia chega chegou chegar chegam venceu vencer expira cansei chamar chamou atende atender atenderam ajuda ajudar ajude resolve resolver resolveu resolvido recebo recebi receber recebeu mandei mandou manda enviaram enviou pedir pediu pedem aceita aceitou aceitar recusa recusou consigo consegue conseguem conseguir consegui conseguiu querem podem pudesse deveria deviam precisa precisam precisar precisei cadastrar cadastro cadastrou carregando carrega carregar apareceu dizer dizendo falando falar falo pensei penso acredito achei achava pareceu entendi entendo sabem soube gostaria voltar voltou voltei tenta tentar tentando tentou espero esperando esperar procuro procurar perdeu esqueceu esquecer lembrar perguntar perguntou pergunta funcionar funcionou funcionando quebrou quebrado mexi mexeu mexer",
    ),
    (
        ADVERB | INTERJECTION,
        "tava kkk kkkk kkkkk rs rsrs rsrsrs eita vixe aff affs blz vlw obg pfv pfvr pf porfa oxe ue uai poxa caramba noite manha anteontem sozinho sozinha tbm tb pq agorinha cedo enquanto inclusive alias enfim praticamente quase talvez demais assim dai qualquer toda",
    ),
    (STATE, "travado travada trancado impossivel possivel vazio vazia cheio cheia branco tela cliente"),
    // Italian
    (
        OTHER,
        "sto stai stiamo stanno stavo stava stavano siamo eravamo ero arriva arrivano arrivato arrivata arrivare vengono venuto venuta accettata accettato accetta accettare rifiuta rifiutata avuta avuto avuti avere avra avrei avrebbe aveva avevamo finire finito finita riavvio riavviare riavviato reimposto reimpostare recuperare rifaccio rifare fare faccio fai fanno fatto fatta fece facevo apro apre aprire aperto chiude chiudo uscire esco esce parte partire carica caricare caricamento blocca bloccare sblocca sbloccare provare prova ripeto ripete riprovo riprovato aspetto aspettare aspettando chiamo chiamare chiamato richiamo richiamare mandare mandato mandata invia inviare inviato inviata ricevo ricevere ricevuto ricevuta pensavo pensare credevo credere sembra sembrava pare capisco capire capito sapevo sapete sanno dimentico dimenticare ricordare ricordavo trovo trovare trovato cerco cercare cercato aiuta aiutare aiutarmi aiuto potete potrebbe possiamo possono dovrei dovrebbe dobbiamo vorrei vogliono vorremmo torna tornare tornato succede successo lascia lasciare smesso smette scade scadere scaduti cambia serve servono servirebbe permette risponde rispondere passare passato scelta scegliere",
    ),
    (
        ADVERB | INTERJECTION,
        "solita solito stasera stamattina stamane stanotte domattina dopodomani altroieri mezzogiorno mezzora ore minuti settimane comunque magari forse quasi appena spesso tutti tutte entrambi entrambe cosi tanto poco meno assai davvero veramente purtroppo ovvio ovviamente invece inoltre intanto ormai uffa ahah ahahah mannaggia pazienza accidenti cavolo mha salve buongiorno buonasera arrivederci cordiali saluti grz",
    ),
    (
        STATE,
        "bloccati scadenza impossibile possibile vuota vuoto piena pieno strana strano stanco stanca sicura sicuro clienti pratica schermata finestra",
    ),
    // Verbs of setting and entering that the list of the grammar lacks
    (
        ENTER,
        "pusiera eintippe puso pusieron escriba escribio escribieron teclea ingresa ingresen introduzca introducir marca usado digita digitaba usabamos usamos saisissais rentrer mettais utilisais tapais tapait entrais tippst eintippe eintippen eingetippt gib geb reingeschrieben hinschreiben genutzt nutzen benutzt colocava digitava escreveu insira insiro usavamos inserisca inserivo digiti digitavo scriva scrivevo metta mettevo usa immetta immettere immetto typin putin",
    ),
    (
        CHANGE,
        "cambiaron cambiara cambiaria mudaram mudada alterou trocaram alterada resetei resetou resetar resetato resetta cambiano cambiava modifico modifica changee modifiee geaendert umgeandert",
    ),
    (
        TELL,
        "dijeron diciendo disaient indique indiquee indiqua affichait sagten erzahlt mitgeteilt disseram falaram informou informaram dissero dicevano comunicato",
    ),
    (
        AUXILIARY,
        "potra potrai potrete dovra dovrai dovrete sara podra podras podran podera poderao pourra pourrez pourrai hubiese habria habrian tendria deberia deberian auraient auront seront saranno sarebbero avrebbero teriam seriam deveriam",
    ),
    // What a secret is said to be, or has to be
    (
        STATE,
        "inconnu inconnue unbekannt desconocido desconhecido inexistente sconosciuto telefonica telefonico telephonique telefonische telefonisches personal confidential individual mandatory compulsory random alphanumeric numeric nontransferable shareable guessable intransferible confidencial obligatoria obligatorio aleatoria aleatorio unica unico numerica numerico alfanumerica alfanumerico sensible reservada reservado intransferivel pessoal sigilosa sigiloso secreta secreto obrigatoria exclusiva exclusivo particular personnel personnelle confidentiel confidentielle secrete aleatoire numerique alphanumerique strictement temporaire personale riservata riservato segreta segreto obbligatoria casuale alfanumerica personlich vertraulich verbindlich geheimzuhalten einmalig zufallig numerisch alphanumerisch zwingend",
    ),
    (
        THING,
        "papel papeles hoja hojita sobre libreta cuaderno tarjetita feuille carnet enveloppe blatt umschlag heft papelzinho folha caderno envelope bilhete foglio foglietto busta quaderno biglietto slip envelope sticker postit diary mistake accident",
    ),
    // Judgements and places
    (
        STATE,
        "bonkers daft absurd pathetic laughable hopeless pointless annoying maddening infuriating mental shambles joke nightmare rubbish awful horrible terrible dreadful confusing absurdo ridiculo ridicula absurda tonteria locura pesado pesada ridicule absurde nul nulle lacherlich doof bloed blod albern chato chata assurdo assurda ridicolo ridicola noioso certinha certinho direitinho direitinha rapidinho igualzinha complicada complicado komplett",
    ),
    (
        ADVERB,
        "li derriere devant dehors dedans detras delante debajo afuera adentro hinten vorne darunter dahinter drinnen draussen drauf dran drin rein raus atras embaixo dentro fora frente dietro davanti sotto sopra fuori vicino",
    ),
    // Parts of the hour, diminutives of time, things of an excuse
    (
        ADVERB,
        "sworn swore erst depende dipende dependen dependia halb viertel dreiviertel media meia meio mezza mezzo demi demie num numa perai",
    ),
    (
        THING,
        "segundinho minutinho momentinho instantinho segundito momentito minutito ratito secondino momentino attimino minutino sekundchen minutchen simbolo simbolos simboli symbole symboles verguenza golpe truffa arnaque betrug estafa affari memoria gedachtnis memoire coeur geladeira nevera frigo kuhlschrank",
    ),
    // Spanish: words of the grammar and forms of everyday verbs
    (
        DETERMINER,
        "tanta tantos tantas mucho mucha muchos muchas pocos pocas varios varias otros otras cierto cierta ciertos ciertas algunos algunas algun mismos mismas cualquier estos esos esas aquellos aquellas nuestros nuestras demasiada demasiados demasiadas tus suyo suya suyos suyas tuyo tuya mios mias vuestro vuestra tercer tercera tercero cuarta quinto dichas dicho dicha",
    ),
    (
        ADVERB | INTERJECTION,
        "ojala tan tal ademas siquiera sino aca adelante arriba abajo lejos cerca recien solamente unicamente realmente perdone perdona disculpa miren venga andale hijole jolin toma",
    ),
    (PREPOSITION, "mediante alrededor conmigo contigo"),
    (
        OTHER,
        "hacer hacerlo tener decir poder estar tienen tienes tenemos tengan fueron fuera fuese haya hayan pueda puedan puedes pudiera somos seran sabes sabria sabriamos supiera supiese supieran tuviera tuviese dijera estuviera hubieran veo vean vio visto viendo verlo verla mirar mirando mirarlo mirarla dejeme dejame dejenme dejar prefiero prefiere preferiria siento lamento acordarme acordaba acordara recordaba pensaba pensar creer crei sabiendo preguntan preguntar preguntaron preguntaba pidio pedi pidieron decian decirla decirle decirlo darselo dar daba doy dimos trae traigo traer tuvieron guardo guarda guardaba guarde guardar lleve llevaba llevar cayo caido caer cae rompio borro borrar encontre busque buscando leia leyendo leerle hablo hablar hable hablaba suena sonando salen salio salia quedan vivimos mudamos naci nacio nacimos murio cambian hirviendo gusta gustaria interesa molesta preocupa importa creemos sirven parecia servia usaban olvidaron quiera quieras convenia hagan hecho hicimos entiende explica explico cuento contar acaba acabo acabe acabamos sacar saco saque saca metieron metio tira tiro tire manejaba maneja encargaba encarga cuida cuidaba llegue comer comio duele duermo",
    ),
    // French: words of the grammar and forms of everyday verbs
    (
        DETERMINER,
        "meme memes autres quelques plusieurs certains certaines telle tels telles leurs tes ton seul seule seuls seules premier premiere premiers troisieme deuxieme quatrieme cinquieme dernier derniere prochaine prochain autant beaucoup tellement enormement tas",
    ),
    (PREPOSITION, "contre selon parmi malgre voici outre lors pres loin dessus dessous autour au-dessus"),
    (
        ADVERB | INTERJECTION,
        "ainsi ailleurs seulement notamment tant cependant pourtant presque vite tard tot mieux surement forcement evidemment heureusement malheureusement finalement exactement simplement lorsque tandis afin puisse ouais ouf tiens ecoutez ecoute regardez regarde dites dis chut allo voyons desolee merde putain",
    ),
    (
        OTHER,
        "avoir ayant soit soient serai serais etais etaient aura font fera ferait vont irait iront parle parler parlez parlait parlais entendu entendre entends entend dire disais lire lis lisez lisait rendre vivre vit vivait jouer joue manger mange sortir sort sorti sortie tomber tombe tombee suivre tenir tient tenez tenait devoir devient devenir connais connu connaitre connaissais revoir trouvais pensez penser croire croyez aimerais aimerait prefererais preferais voudrions sonnait sonner aboie pleure crient crie crier fouiller chercherai cherchait gardait gardais rangeait noter notais demenage nes mort morte occupe occupait installe efface rappelais rappelait rappellerai souvenais souvienne retenir retiens retenu voyez voyait voyais voient bouillir brule cuire bouge bougez attendais attendiez repete repeter repetez excusez arreter arrete arretez raccroche raccrocher paie payer paye revenu reviens passait laissais appelait appellent rentrait dormir mangee casse cassee perdait vieillir vieillis mettrai concerne regardais suffit faudrait fallait saurais saurait sauriez etes",
    ),
    // German: words of the grammar and forms of everyday verbs
    (
        DETERMINER,
        "dieser diesem diesen jene jener jedem jeden denen deren dessen deine deiner deinem deinen seiner seinem seinen unsere unseren unserem eures eines anderen anderer anderem anderes einige einigen mehrere viele vielen viel wenig wenige weniger solche solchen solcher manche gleiche gleichen ersten erster zweite zweiten dritte dritten vierte letzter nachste nachsten selber selbst lauter verschiedene irgendein irgendeine irgendeinen",
    ),
    (PREPOSITION, "durch gegen zwischen wahrend statt neben innerhalb ausserhalb gegenuber oberhalb trotz"),
    (
        ADVERB | INTERJECTION,
        "zuruck weiter wirklich bereits besser einmal gar etwa lange allem zusammen sicher sogar worden allerdings spater besonders daruber hin weit kaum bald sofort danach deutlich damals endlich gleich egal rund leicht zunachst bisschen schliesslich ziemlich vollig ausser vorbei dagegen wobei tatsachlich namlich gleichzeitig hinaus somit dennoch jeweils heraus unten oben druber runter hoch weder zumindest wahrscheinlich vermutlich hoffentlich ungern ehrlich ernsthaft echt krass mensch gute herrgott augenblick sekunde momentchen naja jedenfalls auswendig",
    ),
    (
        OTHER,
        "gibt geben gabe weisst wisst sehen sehe sieht seht sah gesehen kommen komme tun tut tat stehen haltet bringen bringt zeigen zeigt spielen arbeiten arbeitet schreiben nennen reden spricht sprechen sagst verstehe verstehen versteht setz sitze sitzt sass liegen hing hangen klingelt klingelte kocht gekocht brennt schreien schreit bellt weint fehlt fehlen verliere verlieren vergess kramen krame nachschauen nachsehen nachgucken gucken gucke guck schauen schau schaue hole holen wirst werdet musse konne durfe mag mogen wollt beschwere kapiere kapier redet bleib gehoren passt passiert fallt gefallen gefressen gegessen gezogen gekauft verkauft gestorben geboren eroffnet verwischt verwahrt vorlesen vorgelesen ausgesucht umgezogen weggeworfen rausgesucht",
    ),
    // Portuguese: words of the grammar and forms of everyday verbs
    (
        DETERMINER,
        "muitos muitas pouco poucos poucas algum alguns alguma algumas outros outras certos certas seus suas teu teus tuas nossos nossas esses essas estes aqueles aquelas terceira terceiro quaisquer",
    ),
    (
        PREPOSITION,
        "neste nesta nesse nessa nisso nisto naquele naquela naquilo deste desta desse dessa disso disto daquele daquela daqueles daquelas daquilo daqui dali numa nuns numas dum duma pelos pelas aos perto longe conforme segundo comigo conosco",
    ),
    (
        ADVERB | INTERJECTION,
        "tao ali porem entretanto afinal simplesmente provavelmente infelizmente sinceramente honestamente olha olhe veja putz calma serio jura gente opa ufa ixi tomara oxala viu",
    ),
    (THING, "coisa coisas besteira besteiras bobagem negocio negocinho treco vergonha"),
    (
        OTHER,
        "ter sou seja sejam sendo fosse fossem havia houve vejo viram vendo verei olhar olhando olhei ouvir ouvi ouviu fala falava diziam deixa deixe deixei deixar deixou fazia fazendo cair caindo criei criou criar anotei anotou anotar guardei guardava guardou procurei procurando achar achou acha encontrei encontro escolhi escolheu escolher soubesse sabiam saberia sabemos lembrava lembrei esqueco muda mandaram perguntam perguntaram tocaram tocou tocando chegando vim vao indo ir ficando tavam tiver tenham quiser queira queriam podiam precisava gosto gosta preferia sinto sente pensava cuidava entende entender dou deram dava mexe comeu morreu nasci nasceu instalou apagou apagar gritando chorando fervendo latindo sentou sumiu sumir subir abrimos vivo viver alcanco deixava botar botou bota pediram queimou",
    ),
    // Italian: words of the grammar and forms of everyday verbs
    (
        DETERMINER,
        "questi queste quei quegli quelli tanti molti molta molte poca pochi poche altri altre alcuni alcune alcun alcuna qualche certi certe suoi tuoi miei mie nostri nostre vostri vostro vostra stessi stesse tutta primo primi prime secondo terzo terza ultimo ultima ciascuno parecchi parecchie troppa troppi troppe tale tali qualsiasi qualunque",
    ),
    (
        PREPOSITION,
        "dagli dalle dallo nei negli nelle nello sui sugli sulle sullo agli degli coi col contro verso oltre presso attraverso lontano accanto",
    ),
    (
        ADVERB | INTERJECTION,
        "poi meglio mentre infatti soprattutto abbastanza presto tardi subito pure addirittura insieme infine ovvero cioe anzi circa soltanto dappertutto scusami scusate senta senti guardi aspettate cacchio beato beati oddio caspita",
    ),
    (
        OTHER,
        "aver abbia abbiano avesse avessi avessero avevano ebbe siano fossi fossero stare sta stia faccia fa faceva facciamo farlo farla dico dici dirlo dirla dirle dirglielo dare danno darle vedere vedo vede vedi vedono vediamo vedeva vedessi vedeste andare andava andato vanno venire tenere teneva tenevo tenuta parla parlo parlare parlava pensa pensi sapeva sapessi sapesse sappia sappiamo sapra volere vuoi vogliamo volesse vorrebbe potere potrebbero potessi potesse poteva potevo dovrebbero doveva devono preferirei preferirebbe chiedo chiedere chiedono chiesto chiedeva chiedevano lasci lasciami lasciamo cercando cercava trova leggo legge leggere leggi scriveva scrivere scritta mettendo sentito sentita sentire sento sentiva nominare guardare guardato prendo prendere preso presa perdo perdere caduto caduta cadere cade cascato cascata rotto rotta bolliva bollendo urlano urla urlare suonano suona suonare piange abbaia dimentica ricordassi segnata segnato serviva occupa occupava gestisce gestiva intende intendi intendeva abito abita abitiamo nato nata morto morta mangiata mangiato installato traslocato vergogno vergogna scusare spiego spiega spiegare tocca toccava basta bastava crede spero sperare ripetere tirare chiamavo scarica scaricando arrivo bisogna conviene frugare piacerebbe",
    ),
];
