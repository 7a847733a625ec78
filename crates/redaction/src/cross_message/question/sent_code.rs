//! Questions for a code that was just sent or is shown by a device, in everyday words: "did something come through on your
//! phone", "what does the authenticator show".

use super::bag::Bag;
use super::words;
use crate::entity::{Entity, EntitySet};
use crate::tables::class_table::TokenClasses;
use crate::tokenize::Tokens;

/// The classes of a word.
mod class {
    /// Verbs of arriving and receiving: "came", "recibió".
    pub(super) const ARRIVE: u64 = 1;
    /// What arrives: "message", "text".
    pub(super) const MESSAGE: u64 = 1 << 1;
    /// "code", "digits".
    pub(super) const CODE: u64 = 1 << 2;
    /// Programs and devices that show such codes: "authenticator".
    pub(super) const GENERATOR: u64 = 1 << 3;
    /// "now", "just": the code is new.
    pub(super) const NOW: u64 = 1 << 4;
    /// "something", "anything".
    pub(super) const SOMETHING: u64 = 1 << 5;
    /// "phone", "screen": where the code arrives.
    pub(super) const PHONE: u64 = 1 << 6;
    /// "read", "say": what people do with the message.
    pub(super) const READ: u64 = 1 << 7;
    /// Things that arrive and are no code: "parcel", "invoice".
    pub(super) const OTHER: u64 = 1 << 8;
}
use class::{ARRIVE, CODE, GENERATOR, MESSAGE, NOW, OTHER, PHONE, READ, SOMETHING};

static TABLE: TokenClasses<512> = TokenClasses::build(&[
    (
        ARRIVE,
        "come comes came coming arrive arrived arriving pop popped appeared buzz buzzed ping pinged receive received get got sent send llegar llega llego llegado recibir recibio recibido enviado enviamos mandado arriver arrive recu recevoir recevez envoye envoyer angekommen bekommen erhalten geschickt gekommen gesendet chegar chegou chega recebeu receber recebido enviei mandei arrivato arrivata arriva ricevuto ricevere inviato mandato",
    ),
    (MESSAGE, "text texts sms message messages mensaje mensajes nachricht mensagem messaggio messaggino messagio"),
    (CODE, "code codes digits codigo codice codici codigos ziffern zahlen cifras"),
    (GENERATOR, "authenticator authentificateur autenticador autenticatore authentificator"),
    (
        NOW,
        "now just ahora acaba maintenant venez vient instant jetzt gerade eben agora acabou adesso appena ora second moment",
    ),
    (SOMETHING, "something anything algo quelque etwas qualcosa"),
    (PHONE, "phone mobile cell movil celular portable telephone handy telemovel telefono telefonino cellulare screen"),
    (
        READ,
        "read reads say says show shows pone lee leer dice lire lisez dit vorlesen lesen steht ler diz legge leggere leggermi",
    ),
    (
        OTHER,
        "parcel package order delivery invoice bill letter statement email mail refund payment transfer error product voucher discount promo coupon postal post zip area pin door gate paquete factura colis facture paket rechnung pacote fatura pacco fattura errore fehler erreur",
    ),
]);

/// Entities that the words of such a question can name too. The German "ein" is the name of a tax number.
pub(super) const BESIDE: EntitySet = EntitySet::from_slice(&[Entity::PHONE_NUMBER, Entity::CVV, Entity::US_EIN]);
/// Tokens of the longest question that is only a noun: "code from the text".
const MAX_ELLIPTIC_TOKENS: usize = 5;

/// Whether a message without a value, whose cues name these entities, asks for a code that was sent or is shown.
pub(super) fn asks_for_sent_code(tokens: &Tokens<'_>, bag: &Bag, named: EntitySet) -> bool {
    if !named.is_subset(BESIDE.or(Entity::ONE_TIME_PASSCODE.bit())) || bag.asks_for_amount {
        return false;
    }
    let classes = (0..tokens.len()).fold(0, |classes, at| classes | TABLE.classes_at(tokens, at));
    let has = |each: &[u64]| each.iter().all(|class| classes & class != 0);
    let asks = tokens.text.contains('?')
        || bag.has(words::class::WHAT | words::class::REQUEST | words::class::YOUR | words::class::HOW)
        || has(&[READ])
        || has(&[NOW])
        || tokens.len() <= MAX_ELLIPTIC_TOKENS;
    let is_of_message = has(&[ARRIVE, MESSAGE]) && (has(&[READ]) || has(&[CODE]) || has(&[NOW]));
    let is_on_phone = has(&[ARRIVE, PHONE]) && (has(&[CODE]) || has(&[SOMETHING]));
    let is_of_code = has(&[CODE]) && has(&[ARRIVE, NOW]);
    let is_shown = has(&[GENERATOR]) && (has(&[READ]) || has(&[CODE]));
    let is_text = has(&[CODE, MESSAGE]);
    asks && !has(&[OTHER]) && (is_of_message || is_on_phone || is_of_code || is_shown || is_text)
}
