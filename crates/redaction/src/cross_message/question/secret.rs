//! Questions for a password or a PIN that name neither: by the word that is agreed, by the verb of typing, by the place
//! where people sign in, by how many digits they pick, or by the device that opens.

use super::bag::Bag;
use super::secret_words::class as secret;
use super::words::class;
use crate::entity::{Entity, EntitySet};

/// What a message without a cue asks for.
#[derive(Clone, Copy, Default)]
pub(super) struct SecretQuestion {
    /// The entities that it asks for.
    pub(super) entities: EntitySet,
    /// Whether it only makes a password likely, so that the shape of the value must be that of one.
    pub(super) is_hint: bool,
    /// Whether it asks for what opens a device.
    pub(super) is_of_device: bool,
}

/// What a message without a value, whose cues name these entities, asks for.
pub(super) fn secret_question(bag: &Bag, named: EntitySet) -> SecretQuestion {
    let mut entities = EntitySet::empty();
    let is_answer = named.contains(Entity::SECURITY_ANSWER);
    let is_word = asks_for_word(bag) || asks_for_agreed_word(bag);
    if is_word && !is_answer || asks_to_open_file(bag) || asks_for_new(bag) || asks_for_entry(bag) {
        entities = entities.or(Entity::PASSWORD.bit());
    }
    let is_of_device = asks_for_device_code(bag);
    if asks_for_digits(bag)
        || is_of_device
        || bag.has(class::SCRATCH) && bag.has(class::REQUEST | class::WHAT | class::CODE)
    {
        entities = entities.or(Entity::PIN.bit());
    }
    SecretQuestion { entities, is_hint: is_answer && bag.has(class::WORD) || hints_at_password(bag), is_of_device }
}

/// "which secret word are callers supposed to use", "think of a word we can ask you".
fn asks_for_word(bag: &Bag) -> bool {
    bag.has_all(&[class::WORD, class::OF_SECRET]) && !bag.has(class::OTHER_ENTRY)
}

/// "what's the phrase you lodged with us", "welches codewort hatten wir", "what you chose as your verbal check".
fn asks_for_agreed_word(bag: &Bag) -> bool {
    let is_asked = bag.has(class::WHAT | class::REQUEST) || bag.has(class::CHOOSE);
    let is_word = bag.has_secret(secret::CODE_WORD)
        || bag.has_secret(secret::WORD) && bag.has_secret(secret::AGREED) && !bag.has(class::OTHER_ENTRY);
    let is_check = bag.has_secret(secret::VERBAL) && bag.has_secret(secret::CHECK) && bag.has_secret(secret::SET);
    is_asked && (is_word || is_check)
}

/// "what do you type to get into the portal", "pick anything you like for the guest network", "what goes in the second
/// box", "we need the sign-in for that computer".
fn asks_for_entry(bag: &Bag) -> bool {
    let is_other = bag.has(class::CARD | class::DEVICE | class::OTHER_ENTRY);
    let is_number = bag.has(class::CODE | class::KEYED_CODE) || bag.has_secret(secret::OTHER);
    let is_typed = is_typed(bag);
    let is_chosen = bag.has_secret(secret::SET) && bag.has_open_what && !is_number && !bag.has_secret(secret::SHOP);
    let is_free = bag.has_secret(secret::SET) && bag.has_secret(secret::ANY);
    let opens = (is_typed && !is_number || is_chosen || is_free) && bag.has_secret(secret::OPENED);
    let is_second = goes_into(bag) && bag.has_secret(secret::SECOND) && bag.has_secret(secret::FIELD) && !is_number;
    !is_other && (opens || is_second || needs_login(bag))
}

/// Whether a message asks for a secret by a name for it, whatever else it speaks of: "to release the SIM swap i need what
/// you chose as your verbal check".
pub(super) fn asks_for_secret_by_name(bag: &Bag) -> bool {
    let is_typed = is_typed(bag) && bag.has_secret(secret::OPENED);
    let is_number = bag.has(class::CARD | class::CODE | class::KEYED_CODE | class::DEVICE | class::OTHER_ENTRY)
        || bag.has_secret(secret::OTHER | secret::FIELD);
    asks_for_word(bag) || asks_for_agreed_word(bag) || needs_login(bag) || is_typed && !is_number
}

/// "the session needs the sign-in, would you type it here".
fn needs_login(bag: &Bag) -> bool {
    let is_other = bag.has(class::CODE | class::KEYED_CODE | class::OTHER_ENTRY) || bag.has_secret(secret::OTHER);
    let has_login = bag.has_sign_in || bag.has_secret(secret::LOGIN);
    let is_given = bag.has_secret(secret::TYPED) && bag.has(class::REQUEST);
    let is_of_thing = bag.has(class::WHAT) && bag.has_secret(secret::OPENED) && !bag.has_secret(secret::SHOP);
    has_login && (is_given || is_of_thing) && !is_other
}

/// "what do you type", "vous mettez quoi".
fn is_typed(bag: &Bag) -> bool {
    (bag.has_open_what || bag.has_typed_what) && bag.has_secret(secret::TYPED)
}

/// "what do you type", "what goes in".
fn goes_into(bag: &Bag) -> bool {
    is_typed(bag) || bag.has(class::WHAT) && bag.has_secret(secret::GOES)
}

/// Whether a message asks for what is typed after the name of a login: "what comes after your email".
pub(super) fn asks_after_login_name(bag: &Bag) -> bool {
    let is_number = bag.has(class::CARD | class::CODE | class::KEYED_CODE) || bag.has_secret(secret::OTHER);
    goes_into(bag) && bag.has_secret(secret::AFTER) && bag.has_secret(secret::LOGIN_NAME) && !is_number
}

/// "the file is locked on my end", "the archive is asking for something, what is it".
fn asks_to_open_file(bag: &Bag) -> bool {
    let is_locked = bag.has(class::LOCKED) && bag.has(class::NEGATION | class::WHAT);
    bag.has(class::FILE) && (is_locked || bag.has_secret(secret::WANTS) && bag.has(class::WHAT))
}

/// "what would you like it reset to", "what shall the new one be, it needs a symbol".
fn asks_for_new(bag: &Bag) -> bool {
    let is_written = bag.has(class::SPELLING) || bag.has(class::CHANGE);
    is_written && bag.has(class::NEW) && bag.has_open_what && bag.has(class::CHOOSE) && !bag.has(class::OTHER_ENTRY)
}

/// "pick me four numbers", "what six digits would you like", "votre code à quatre chiffres".
fn asks_for_digits(bag: &Bag) -> bool {
    let is_place = bag.has(class::PLACE) && !bag.has(class::CHOOSE);
    let is_card = is_place || bag.has(class::CARD | class::FRONT) || bag.has_noun_place;
    let is_keyed = bag.has_all(&[class::KEYED_CODE, class::FOUR]) && !bag.has(class::ONE_TIME | class::PHONE);
    bag.has_digit_count && (bag.has(class::CHOOSE | class::NEW) || is_keyed) && !is_card
}

/// "what do you dial in to get the gate to open", "the code for the alarm please", "how do they open the key safe".
fn asks_for_device_code(bag: &Bag) -> bool {
    let is_entered = bag.has_open_what && bag.has(class::ENTER) || bag.has(class::WHAT) && bag.has(class::TYPE);
    let is_code = bag.has(class::KEYED_CODE) && bag.has(class::WHAT | class::REQUEST) && !bag.has(class::NEGATION);
    let is_opened = bag.has(class::HOW) && bag.has(class::LOCKED);
    let is_other = bag.has(class::OTHER_ENTRY | class::FIELD) && !is_opened;
    // "what do you use to unlock the phone"
    let unlocks =
        bag.has_open_what && bag.has(class::ENTER | class::TYPE) && bag.has(class::LOCKED) && bag.has(class::PHONE);
    bag.has(class::DEVICE) && (is_entered || is_code || is_opened) && !is_other || unlocks && !is_other
}

/// "what did you type", "was tippen Sie in das zweite Feld", "how do you get into the portal", "which letters are capital".
fn hints_at_password(bag: &Bag) -> bool {
    let is_entered = bag.has_open_what && bag.has(class::TYPE | class::ENTER);
    let is_new = bag.has(class::CHANGE) && (bag.has_open_what || bag.has(class::NEW) || bag.has(class::BEFORE));
    let is_chosen = bag.has(class::NEW) && bag.has_open_what && bag.has(class::CHOOSE);
    let signs_in = bag.has(class::SIGN_IN) && (bag.has(class::HOW | class::ENTER) || bag.has_open_what);
    !bag.has(class::OTHER_ENTRY | class::CARD) && (is_entered || is_new || is_chosen || signs_in)
        || bag.has(class::SPELLING)
        || bag.is_spelled_out
        || is_word_typed(bag)
        || uses_for_account(bag)
}

/// "you're going to type the word i give you"
fn is_word_typed(bag: &Bag) -> bool {
    bag.has_secret(secret::WORD) && bag.has_secret(secret::TYPED) && bag.has(class::TYPE | class::ENTER)
}

/// "which one do you use for the vpn"
fn uses_for_account(bag: &Bag) -> bool {
    let is_other = bag.has(class::CARD | class::CODE) || bag.has_secret(secret::OTHER);
    bag.has(class::WHAT) && bag.has_secret(secret::TYPED) && bag.has_secret(secret::REMOTE) && !is_other
}

/// Whether a message asks for a code that somebody keys in: "which code did you type".
pub(super) fn asks_for_keyed_code(bag: &Bag) -> bool {
    let is_entered = bag.has_open_what && bag.has(class::ENTER) || bag.has(class::WHAT) && bag.has(class::TYPE);
    let opens_device = bag.has(class::ENTER | class::TYPE) && bag.has_all(&[class::DEVICE, class::WHAT]);
    bag.has(class::KEYED_CODE) && (is_entered || opens_device) && !bag.has(class::CARD)
}
