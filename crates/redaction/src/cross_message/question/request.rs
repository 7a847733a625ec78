//! What a message asks for, by its cues and by the classes of its words.

use super::access_code::asks_for_access_code;
use super::bag::Bag;
use super::card_code::asks_for_card_code;
use super::outcome::asks_for_outcome;
use super::secret::{
    SecretQuestion, asks_after_login_name, asks_for_keyed_code, asks_for_secret_by_name, secret_question,
};
use super::secret_hint::{asks_for_wifi, demands_characters};
use super::secret_words::class as secret;
use super::sent_code::{self, asks_for_sent_code};
use super::social::asks_for_social;
use super::value::Values;
use super::words::class;
use crate::cues::{Cue, LAST_FOUR, is_bare_code};
use crate::detect::cue_link::{self, SECRET_ENTITIES};
use crate::detect::is_one_of;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::Tokens;

/// What a message asks for.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(super) struct Request {
    /// The entities that it asks for.
    pub(super) entities: EntitySet,
    /// The entities that the cues after its last value ask for.
    pub(super) named: EntitySet,
    /// The entities that all its cues name, except "the code".
    pub(super) all_named: EntitySet,
    /// Whether it asks for the last four digits of a number that it does not name.
    pub(super) is_of_tail: bool,
    /// Whether it speaks of "the code" after its last value.
    pub(super) has_bare_code: bool,
    /// Whether it asks for "the code" without more.
    pub(super) is_of_bare_code: bool,
    /// Whether it asks for what stands on the back of a card.
    pub(super) is_of_back: bool,
    /// Whether the code that it asks for may be a PIN.
    pub(super) is_code_unnamed: bool,
    /// Whether it makes a password likely.
    pub(super) is_hint: bool,
}

impl Request {
    /// What a message with these cues, values and words asks for.
    pub(super) fn of(tokens: &Tokens<'_>, cues: &[Cue], values: &Values, bag: &Bag) -> Self {
        let after = values.after;
        let is_asked =
            tokens.text.contains('?') || tokens.as_slice().iter().any(|t| is_one_of(tokens, *t, &ASKING_WORDS));
        let named = cue_link::requested_entities(tokens, cues, after, is_asked);
        let all_named =
            cues.iter().filter(|cue| !is_bare_code(cue)).fold(EntitySet::empty(), |set, cue| set.or(cue.entities));
        let is_tail = named == LAST_FOUR;
        let named = match () {
            () if is_tail => EntitySet::empty(),
            // "the card number four digits at a time" asks for no PIN.
            () if bag.has_turns && all_named.contains(Entity::CREDIT_CARD_NUMBER) => {
                named.without(Entity::PIN.bit()).or(Entity::CREDIT_CARD_NUMBER.bit())
            }
            () => named,
        };
        // "the cvv is four digits" asks for no PIN.
        let says_pin = || tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &PIN_WORDS));
        let is_cvv = named.contains(Entity::CVV) && named.contains(Entity::PIN) && bag.has_digit_count && !says_pin();
        let named = if is_cvv { named.without(Entity::PIN.bit()) } else { named };
        let is_bare = |cue: &Cue| is_bare_code(cue) && cue.first_token as usize >= after;
        let has_bare_code =
            cues.iter().any(is_bare) || cues.is_empty() && bag.has_small_code && !bag.has(class::OTHER_THING);
        let is_of_back = after == 0 && asks_for_card_code(bag, named, tokens.len() <= MAX_PLACE_TOKENS);
        let is_unnamed = has_bare_code && !all_named.contains(Entity::CVV);
        let mut request = Self {
            entities: by_cues(named, is_of_back, is_unnamed),
            named,
            all_named,
            is_of_tail: is_tail && !is_of_back,
            has_bare_code,
            is_of_bare_code: has_bare_code && !is_of_back && !bag.has(class::ONE_TIME),
            is_of_back,
            is_code_unnamed: false,
            is_hint: false,
        };
        if after == 0 && named.is_subset(LOGIN_NAMES) && asks_after_login_name(bag) {
            request.entities = Entity::PASSWORD.bit();
        } else if after == 0 && named.is_subset(WITH_SECRET) {
            request.add_secret(bag);
        } else if after == 0 && asks_for_secret_by_name(bag) {
            request.entities = request.entities.or(Entity::PASSWORD.bit());
        }
        if after == 0 && named.is_empty() && bag.has_secret(NETWORK) && asks_for_wifi(tokens) {
            request.entities = request.entities.or(Entity::PASSWORD.bit());
        }
        if after == 0 && named.is_empty() && bag.has_secret(secret::LIKELY) && demands_characters(tokens) {
            request.entities = request.entities.or(Entity::PASSWORD.bit());
        }
        request.add_pin(bag);
        if after == 0 && asks_for_sent_code(tokens, bag, all_named) {
            request.is_of_bare_code = false;
            request.is_code_unnamed = false;
            request.entities = request.entities.without(sent_code::BESIDE).or(Entity::ONE_TIME_PASSCODE.bit());
        }
        if values.after_code == 0 {
            request.add_other_words(tokens, bag);
        }
        if after == 0 && request.entities.intersects(SECRET_ENTITIES) && asks_for_outcome(tokens) {
            request.entities = request.entities.without(SECRET_ENTITIES);
        }
        request
    }

    /// Adds the number that opens something, and the number that the government gave, which a message without a value asks
    /// for by its words.
    fn add_other_words(&mut self, tokens: &Tokens<'_>, bag: &Bag) {
        let is_code_known = self.is_of_back || self.all_named.intersects(KNOWN_CODES) && !self.is_of_bare_code;
        if !is_code_known && asks_for_access_code(tokens, bag, self.all_named) {
            self.add_access_code();
        }
        if self.named.is_subset(BESIDE_SOCIAL) && asks_for_social(tokens) {
            self.entities = self.entities.or(Entity::SSN.bit());
        }
    }

    /// Adds the password or PIN that a message without a value asks for by its words.
    fn add_secret(&mut self, bag: &Bag) {
        let SecretQuestion { entities, is_hint, is_of_device } = secret_question(bag, self.named);
        self.is_hint = is_hint;
        self.is_of_bare_code &= entities.is_empty();
        self.entities = self.entities.or(entities);
        // "what do you dial to open the gate" names no telephone number.
        if is_of_device {
            self.entities = self.entities.without(Entity::PHONE_NUMBER.bit());
        }
        let is_nip = bag.has(class::NIP) && !self.named.contains(Entity::PIN);
        if is_nip || asks_for_keyed_code(bag) {
            self.entities = self.entities.or(Entity::PIN.bit());
        }
    }

    /// Adds the number that opens something. It is neither the code of a card nor one that was sent.
    fn add_access_code(&mut self) {
        self.is_of_bare_code = false;
        self.entities = self.entities.without(NO_ACCESS_CODES).or(Entity::PIN.bit());
    }

    /// Adds the PIN to what may be one.
    fn add_pin(&mut self, bag: &Bag) {
        // A passcode and a password of digits are a number or a word.
        let is_passcode = bag.has(class::PASSCODE | class::CODE) && self.entities.contains(Entity::PASSWORD);
        // "the security number on your account"
        self.is_code_unnamed = self.entities.contains(Entity::CVV)
            && !self.is_of_back
            && bag.has(class::ACCOUNT | class::PHONE)
            && !bag.has(class::CARD | class::PLACE)
            && !bag.has_noun_place;
        if is_passcode || self.is_code_unnamed {
            self.entities = self.entities.or(Entity::PIN.bit());
        }
    }
}

/// Names of a PIN.
const PIN_WORDS: [&str; 5] = ["pin", "pins", "nip", "geheimzahl", "passcode"];
/// Entities that a question for a social security number in other words may name.
const BESIDE_SOCIAL: EntitySet = EntitySet::from_slice(&[
    Entity::SSN,
    Entity::PERSON_NAME,
    Entity::DOB,
    Entity::US_EIN,
    Entity::US_ITIN,
    Entity::EU_NATIONAL_ID,
    Entity::VAT_NUMBER,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::AFRICA_NATIONAL_ID,
]);
/// Entities whose names leave no doubt about what a code is.
const KNOWN_CODES: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN]);
/// Entities of codes and numbers that a question for the number that opens something does not ask for.
const NO_ACCESS_CODES: EntitySet = EntitySet::from_slice(&[
    Entity::CVV,
    Entity::ONE_TIME_PASSCODE,
    Entity::PHONE_NUMBER,
    Entity::CREDIT_CARD_NUMBER,
    Entity::IMEI,
    Entity::US_EIN,
    Entity::US_DRIVER_LICENSE,
    Entity::UK_DRIVING_LICENCE,
]);
/// The entities of the cues of a message, which asks for what stands on the back of a card or for a code without a name.
fn by_cues(named: EntitySet, is_of_back: bool, is_code_unnamed: bool) -> EntitySet {
    match () {
        () if is_of_back => named.or(Entity::CVV.bit()).without(NOT_ON_BACK),
        () if is_code_unnamed => named.without(Entity::CVV.bit()),
        () => named,
    }
}

/// Entities that a question for what stands on the back of a card does not ask for.
const NOT_ON_BACK: EntitySet = LAST_FOUR.or(Entity::ONE_TIME_PASSCODE.bit());
/// Entities beside whose names a message can ask for a secret that it does not name.
const WITH_SECRET: EntitySet = EntitySet::from_slice(&[
    Entity::PASSWORD,
    Entity::PIN,
    Entity::USERNAME,
    Entity::SECURITY_ANSWER,
    Entity::CREDIT_CARD_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::PHONE_NUMBER,
    Entity::ONE_TIME_PASSCODE,
]);

/// Entities that a message names if it asks for what is typed after them.
const LOGIN_NAMES: EntitySet = EntitySet::from_slice(&[Entity::EMAIL, Entity::USERNAME, Entity::PASSWORD]);

/// Classes of the words for a wireless network.
const NETWORK: u64 = secret::REMOTE | secret::LIKELY;

/// Tokens of a message that is little more than a place: "and on the back?".
const MAX_PLACE_TOKENS: usize = 7;

/// Words of a question or request.
const ASKING_WORDS: [&str; 17] = [
    "what", "which", "your", "enter", "please", "cual", "cuál", "qué", "su", "tu", "qual", "sua", "quelle", "quel",
    "welche", "welchen", "welches",
];
