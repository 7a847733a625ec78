//! The entity of letters and digits said aloud: the one that was named nearest before them, or asked for, and whose form they
//! have.

use super::cue_reference::describes;
use super::dictated_part::OF_LETTERS;
use super::{DetectorInput, code, is_connector, is_one_of};
use crate::candidate::{Candidate, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::identifier_outlines::OUTLINES;
use crate::tables::plates::{PLATES, SPOKEN_PLATE_WORDS, VEHICLES};
use crate::tokenize::TokenKind;
use crate::validate;
use std::ops::Range;

/// Entities that a run can be.
pub(crate) const RUN_ENTITIES: EntitySet = OF_LETTERS.or(EntitySet::from_slice(&[Entity::PRIVATE_KEY]));
/// Maximum tokens between a cue and its run.
const MAX_DISTANCE: usize = 12;
/// The same if the letters and digits have exactly the form of what the cue names.
const MAX_FORM_DISTANCE: usize = 40;
/// Cues before a run that are read.
const MAX_CUES: usize = 4;
/// Letters and digits of the shortest run that a cue names beside other words.
const MIN_LENGTH: usize = 6;
/// Letters and digits of the shortest key, and of the shortest address of a wallet.
const MIN_KEY_LENGTH: usize = 12;
const MIN_WALLET_LENGTH: usize = 20;

/// How well letters and digits fit an entity, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fit {
    /// They have the form of this entity, and the first or last letter that only it has.
    Telling,
    /// They have the form of the entity.
    Form,
    /// They have that form but for one character.
    NearForm,
    /// The entity has no form of its own, and they are as long as its values.
    Length,
    /// They are as long as its values, which rarely have letters.
    Rare,
}

/// What names a run.
#[derive(Clone, Copy)]
pub(super) struct Naming {
    pub(super) entity: Entity,
    pub(super) reason: DetectionReason,
    /// The entities that the same words name.
    pub(super) named: EntitySet,
    pub(super) fit: Fit,
    /// Whether only connectors are between the cue and the run.
    pub(super) is_direct: bool,
}

/// The entity of letters and digits from token `first` on that the nearest cue before them names which they fit, or an earlier
/// question.
pub(super) fn naming(input: &DetectorInput<'_, '_>, first: usize, compact: &[u8], active: EntitySet) -> Option<Naming> {
    let by_cue = by_cue(input, first, compact, active);
    by_cue.or_else(|| {
        let (entity, fit) = best_fit(input.expected_entities.and(active), compact)?;
        let (named, reason) = (input.expected_entities, DetectionReason::EarlierCue);
        Some(Naming { entity, reason, named, fit, is_direct: true })
    })
}

fn by_cue(input: &DetectorInput<'_, '_>, first: usize, compact: &[u8], active: EntitySet) -> Option<Naming> {
    let tokens = input.tokens;
    let cues = input.cues_near_before(first);
    let ends_before = |cue: &Cue| cue.end_token as usize <= first;
    for (at, cue) in cues.iter().enumerate().rev().filter(|(_, cue)| ends_before(cue)).take(MAX_CUES) {
        let end = cue.end_token as usize;
        let distance = first - end;
        // "the VAT number for the invoice"
        let is_description = at > 0 && describes(tokens, &cues[at - 1], cue);
        let named = cue.entities;
        let Some((entity, fit)) = best_fit(named.and(active), compact) else { continue };
        if cue.needs_connector || is_description && fit >= Fit::Length {
            continue;
        }
        let is_direct = (end..first).all(|at| is_connector(tokens, at) || tokens.at(at).kind == TokenKind::Mark);
        let is_near = distance <= MAX_DISTANCE && (compact.len() >= MIN_LENGTH || is_direct);
        if is_near || fit <= Fit::Form && distance <= MAX_FORM_DISTANCE {
            return Some(Naming { entity, reason: DetectionReason::Cue, named, fit, is_direct });
        }
    }
    None
}

/// The entity of a set that letters and digits fit best. Of entities that they fit equally, it is the first one.
pub(super) fn best_fit(set: EntitySet, compact: &[u8]) -> Option<(Entity, Fit)> {
    // The identity numbers of Asia contain those of Singapore.
    let set = if set.contains(Entity::ASIA_NATIONAL_ID) { set.or(Entity::SG_NRIC_FIN.bit()) } else { set };
    let fitting = set.and(RUN_ENTITIES).iter().filter_map(|entity| Some((entity, fit(entity, compact)?)));
    fitting.min_by_key(|(_, fit)| *fit)
}

/// How well letters and digits fit an entity; `None` if they do not.
pub(super) fn fit(entity: Entity, compact: &[u8]) -> Option<Fit> {
    let digits = compact.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = compact.len() - digits;
    let has_form = |is_form: bool| is_form.then_some(Fit::Form);
    match entity {
        Entity::LICENSE_PLATE => has_form(is_plate(compact)),
        Entity::UK_POSTCODE => has_form(validate::uk::postcode(compact)),
        Entity::CA_POSTAL_CODE => has_form(validate::canada::postal_code(compact)),
        Entity::CRYPTO_ADDRESS => has_form(compact.len() >= MIN_WALLET_LENGTH),
        Entity::API_KEY | Entity::ACCESS_TOKEN | Entity::PRIVATE_KEY => {
            (compact.len() >= MIN_KEY_LENGTH).then_some(Fit::Length)
        }
        _ if OUTLINES.iter().any(|outline| outline.entity == entity) => outline_fit(entity, compact),
        _ => {
            let length = if entity == Entity::BANK_ACCOUNT_NUMBER { Fit::Rare } else { Fit::Length };
            code::matches_length(entity, letters, digits).then_some(length)
        }
    }
}

/// Whether a candidate that covers letters and digits is rather the entity of a naming.
pub(super) fn is_misnamed(input: &DetectorInput<'_, '_>, found: &Candidate, naming: &Naming, compact: &[u8]) -> bool {
    const SECRETS: EntitySet = EntitySet::from_slice(&[Entity::PASSWORD, Entity::USERNAME, Entity::SECURITY_ANSWER]);
    if found.evidence <= EvidenceRank::Checksum || found.entity == naming.entity {
        return false;
    }
    if naming.named.contains(found.entity) && RUN_ENTITIES.contains(found.entity) {
        return fit(found.entity, compact).is_none_or(|own| naming.fit < own);
    }
    if naming.named.contains(found.entity) {
        return false;
    }
    if SECRETS.contains(found.entity) {
        let is_cued = naming.is_direct && naming.reason == DetectionReason::Cue;
        let is_sure = is_cued || naming.fit <= Fit::Form;
        return is_sure && !input.names_secret && !input.named_entities.intersects(SECRETS);
    }
    true
}

fn outline_fit(entity: Entity, compact: &[u8]) -> Option<Fit> {
    let outlines = || OUTLINES.iter().filter(|outline| outline.entity == entity);
    let (first, last) = (compact.first()?, compact.last()?);
    let is_telling = match entity {
        Entity::SG_NRIC_FIN => b"STFGM".contains(first),
        Entity::EU_NATIONAL_ID => b"XYZ".contains(first) || last.is_ascii_uppercase() && *last != b'K',
        _ => false,
    };
    let has_form = outlines().any(|outline| outline.is_form_of(compact));
    match () {
        () if has_form && is_telling => Some(Fit::Telling),
        () if has_form => Some(Fit::Form),
        () if outlines().any(|outline| outline.fits(compact)) => Some(Fit::NearForm),
        () => None,
    }
}

/// Whether letters and digits begin as the address of a wallet does and are long enough for one.
fn is_wallet(compact: &[u8]) -> bool {
    let is_hexadecimal = |rest: &[u8]| rest.iter().all(u8::is_ascii_hexdigit);
    compact.len() >= MIN_SHOWN_WALLET_LENGTH
        && (compact.strip_prefix(b"0X").is_some_and(is_hexadecimal) || compact.starts_with(b"BC1"))
}

/// Whether letters and digits are the groups of a licence plate.
fn is_plate(compact: &[u8]) -> bool {
    let groups = || compact.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let matches_plate = |plate: &&[i8]| {
        let mut rest = compact;
        let fits = plate.iter().all(|group| {
            let Some((head, tail)) = rest.split_at_checked(usize::from(group.unsigned_abs())) else { return false };
            rest = tail;
            head.iter().all(|byte| byte.is_ascii_digit() == (*group < 0))
        });
        fits && rest.is_empty()
    };
    groups().count() > 1 && PLATES.iter().any(matches_plate)
}

/// Characters of the number of a vehicle, and of the address of a network device.
const VIN_LENGTH: usize = 17;
const MAC_LENGTH: usize = 12;
/// Tokens on either side of a plate said aloud in which the word for a vehicle stands.
const VEHICLE_REACH: usize = 24;
/// The words near a plate said aloud.
const PLATE_WORDS: &[&[&str]] = &[VEHICLES, SPOKEN_PLATE_WORDS];
/// Letters and digits of the shortest address of a wallet whose beginning shows it, as far as a run holds it.
const MIN_SHOWN_WALLET_LENGTH: usize = 26;
/// Tokens before the address of a network device in which a word for one stands.
const NETWORK_REACH: usize = 12;
/// Words for network devices and their addresses.
const NETWORK_WORDS: [&str; 8] = ["address", "mac", "network", "adapter", "ethernet", "router", "printer", "ip"];

impl Naming {
    /// The entity that the form of the letters and digits at some tokens shows, if nothing names one that they fit.
    pub(super) fn by_form(
        input: &DetectorInput<'_, '_>,
        run: &Range<usize>,
        compact: &[u8],
        active: EntitySet,
    ) -> Option<Self> {
        let tokens = input.tokens;
        let is_vin = || compact.len() == VIN_LENGTH && compact.iter().all(|byte| !b"IOQ".contains(byte));
        let is_of_network = || {
            let mut before = run.start.saturating_sub(NETWORK_REACH)..run.start;
            before.any(|at| is_one_of(tokens, tokens.at(at), &NETWORK_WORDS))
        };
        let is_mac = || compact.len() == MAC_LENGTH && compact.iter().all(u8::is_ascii_hexdigit) && is_of_network();
        // "i'm in a n j five seven x m j white van"
        let has_article = is_one_of(tokens, tokens.at(run.start), &["a"]);
        let may_be_plate =
            is_plate(compact) || has_article && compact.split_first().is_some_and(|(_, rest)| is_plate(rest));
        let entity = match () {
            () if validate::uk::postcode(compact) => Entity::UK_POSTCODE,
            () if validate::canada::postal_code(compact) => Entity::CA_POSTAL_CODE,
            () if is_vin() => Entity::VIN,
            () if is_mac() => Entity::MAC_ADDRESS,
            () if is_wallet(compact) => Entity::CRYPTO_ADDRESS,
            () if may_be_plate && code::is_of_vehicle(tokens, run.start..run.end, VEHICLE_REACH, PLATE_WORDS) => {
                Entity::LICENSE_PLATE
            }
            () => return None,
        };
        let (reason, named) = (DetectionReason::Shape, EntitySet::empty());
        active.contains(entity).then_some(Self { entity, reason, named, fit: Fit::Form, is_direct: false })
    }
}
