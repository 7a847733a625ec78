//! Everyday verbs, adverbs and chat words of sentences about secrets, in six languages, without accents. None of them is
//! a secret. Nouns that people use as secrets are not here.

use super::word_list::class::{ADVERB, AUXILIARY, CHANGE, ENTER, INTERJECTION, OTHER, STATE, TELL, THING, TIME};

/// Words of one or more classes, separated by one space.
pub(super) const GROUPS: &[(u32, &str)] = &[
    // English
    (TIME, "yday ystdy yest tmrw tmr tomo tonite wknd fortnight decade decades ages yonks aeons eons"),
    (
        INTERJECTION,
        "crikey blimey heck sheesh oof ooft crumbs strewth yeesh herrje oje ojemine donnerwetter madre caray ostras joder pera puxa mamma punaise smdh smth sth innit cheerio lolol heh hehehe ahaha uff mkay",
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
        "estou estava estavam estao esteja estive fico fica ficam ficou fiquei ficar tive teve tinham tivemos tivesse terei teria faz fazem faco fazer fiz fez fizeram feito vem vieram veio iria ia iam foram passou passei passam passar parou parei parar trava travou travando trancou cai caiu caem abriu fecha fechou entrou entrar entrei sair saiu sai saia chega chegou chegar chegam venceu vencer expira cansei chamar chamou atende atender atenderam ajuda ajudar ajude resolve resolver resolveu resolvido recebo recebi receber recebeu mandei mandou manda enviaram enviou pedir pediu pedem aceita aceitou aceitar recusa recusou consigo consegue conseguem conseguir consegui conseguiu querem podem pudesse deveria deviam precisa precisam precisar precisei cadastrar cadastro cadastrou carregando carrega carregar apareceu dizer dizendo falando falar falo pensei penso acredito achei achava pareceu entendi entendo sabem soube gostaria voltar voltou voltei tenta tentar tentando tentou espero esperando esperar procuro procurar perdeu esqueceu esquecer lembrar perguntar perguntou pergunta funcionar funcionou funcionando quebrou quebrado mexi mexeu mexer",
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
];
