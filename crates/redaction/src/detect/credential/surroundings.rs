//! What stands around a value: its quotation marks, the end of its clause, comments on how it is written.

use super::answer;
use super::judgement::ends_with;
use super::link_after::is_judged;
use super::naming::{Link, Naming};
use super::piece::PieceKind;
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::weights;
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;
use crate::tokenize::near::near_before;

impl Search<'_, '_, '_> {
    /// Whether a comment on how to write a value follows it: "all lower case".
    pub(super) fn has_spelling_comment(&self, value: Value) -> bool {
        const LETTERS: [&str; 6] = ["letters", "letras", "lettres", "buchstaben", "lettere", "case"];
        self.pieces.has(class::CASE)
            && (value.after..value.after + 5).take_while(|at| !self.pieces.at(*at).is_edge()).any(|at| {
                let piece = self.pieces.at(at);
                piece.is(class::CASE)
                    && (!piece.is(class::STATE) || piece.is(class::SYMBOL) || self.pieces.is_word(at + 1, &LETTERS))
            })
    }

    /// The weight of what stands around a value.
    pub(super) fn surroundings(&self, value: Value) -> i32 {
        let (pieces, next) = (self.pieces, self.pieces.at(value.after));
        let is_quoted = self.is_quoted(value);
        let is_filler =
            |at: usize| pieces.at(at).is(class::INTERJECTION) || matches!(pieces.at(at).kind, PieceKind::Mark(_));
        let ends = matches!(next.kind, PieceKind::Mark(_))
            || next.gap >= Gap::Line
            || next.is(class::CONJUNCTION | class::CLOSING)
            || (value.after..pieces.len()).all(is_filler);
        let continues = next.is_content()
            || next.is(class::SIGN_IN) && value.shape < Shape::Number
            || next.is(class::STATE | class::THING) && value.shape < Shape::Number
            || matches!(next.kind, PieceKind::Number | PieceKind::Segment | PieceKind::Cue(_) | PieceKind::OtherCue);
        let comment = (value.after..value.after + 5).map(|at| pieces.at(at)).take_while(|piece| !piece.is_edge());
        let spelling = self.has_spelling_comment(value);
        let doubtful = comment.take(3).any(|piece| piece.is(class::DOUBT));
        let weight = |condition: bool, weight: i32| if condition { weight } else { 0 };
        let may_be_judged = value.shape >= Shape::Mixed || self.is_long_number(value);
        weight(may_be_judged && is_judged(pieces, value.after), weights::JUDGED)
            + weight(is_quoted, weights::QUOTED)
            + weight(ends, weights::CLAUSE_ENDS)
            + weight(!ends && continues && value.shape < Shape::Mixed, weights::PHRASE_CONTINUES)
            + weight(spelling, weights::SPELLING_COMMENT)
            + weight(doubtful && !ends, weights::DOUBTFUL_COMMENT)
    }

    /// Whether only marks, closing words and a doubt follow a value.
    fn ends_message(&self, value: Value) -> bool {
        (value.after..self.pieces.len()).all(|at| {
            let piece = self.pieces.at(at);
            matches!(piece.kind, PieceKind::Mark(_))
                || piece.is(class::INTERJECTION | class::CLOSING | class::DOUBT | class::PRONOUN)
        })
    }

    /// Whether a word in small letters ends an answer that denies to know or to tell: "not even my wife knows, picture that".
    fn ends_denial(&self, value: Value, naming: Naming) -> bool {
        let pieces = self.pieces;
        let is_small = pieces.str(value.first).bytes().all(|b| b.is_ascii_lowercase());
        // A condition denies as well: "if i knew it i would not call".
        let opens_denial = |at: usize| pieces.is_word(at, &["nem", "ni", "nor", "if", "se", "si", "wenn"]);
        let denies = |at: usize| {
            pieces.at(at).kind == PieceKind::Word
                && (at > 0 && pieces.at(at).is(class::NEGATION) || opens_denial(at))
                && !matches!(pieces.at(at + 1).kind, PieceKind::Mark(_))
                && !(at + 1..at + 5).any(|at| pieces.is_word(at, &["mistaken", "wrong", "remember", "recall"]))
        };
        let is_guess = pieces.before(value.first).is(class::ADVERB | class::DOUBT | class::INTERJECTION);
        matches!(naming.link, Link::Clause | Link::Entered | Link::Told | Link::Absent)
            && naming.entity.is_none()
            && value.shape < Shape::Number
            && is_small
            && !is_guess
            && self.ends_message(value)
            && near_before(value.first, pieces.len()).any(denies)
    }

    /// Whether a value is a part of a sentence about something else: one of two things to choose from, the weather of a
    /// place, what a sign says besides.
    pub(super) fn is_said_in_passing(&self, value: Value, naming: Naming, is_answer: bool) -> bool {
        let pieces = self.pieces;
        let is_plain = value.shape < Shape::Number && !value.is_spoken;
        // "blue light or the orange one"
        let is_choice =
            || pieces.is_word(value.after, &["or"]) && pieces.is_word(value.after + 1, &["the", "a", "my", "an"]);
        // "sunshine here at last"
        let is_here = || pieces.is_word(value.after, &["here", "there", "outside", "everywhere"]);
        // "moonflower there you go"
        let goes_on = || {
            let next = value.after + 1;
            pieces.at(next).kind == PieceKind::Word && !pieces.is_word(next, &["you", "ya", "u"])
        };
        // "the sign only says washer 2916"
        let is_only = || {
            pieces.is_word(value.first.wrapping_sub(2), &["only", "just", "nur", "solo", "só"])
                && pieces.before(value.first).is(class::TELL)
                && !pieces.at(value.first.wrapping_sub(3)).is(class::PRONOUN)
        };
        // "how would i know"
        let asks_back = || {
            (value.after..pieces.len()).any(|at| {
                pieces.is_word(at, &["how"]) && pieces.is_word(at + 2, &["i"]) && pieces.is_word(at + 3, &["know"])
            })
        };
        let is_told = matches!(naming.link, Link::Told | Link::Entered);
        is_answer
            && is_plain
            && (is_choice() || is_here() && goes_on() || asks_back() || self.is_subject(value, naming))
            || is_told && (is_plain || value.is_spoken && value.shape < Shape::Strong) && is_only()
            || is_plain && (self.is_participle(value, naming) || is_answer && self.is_after_already(value))
    }

    /// Whether a word is the subject of a sentence, or a part of it: "grandma keeps it in her purse".
    fn is_subject(&self, value: Value, naming: Naming) -> bool {
        const AFTER_SECRET: u32 = class::COPULA
            | class::AUXILIARY
            | class::CONJUNCTION
            | class::INTERJECTION
            | class::ADVERB
            | class::CLOSING
            | class::DOUBT
            | class::CASE
            | class::NEGATION
            | class::PREPOSITION
            | class::PRONOUN
            | class::DETERMINER
            | class::SYMBOL
            | class::QUESTION
            | class::TIME
            | class::TO
            | class::SIGN_IN;
        let pieces = self.pieces;
        let (verb, object) = (pieces.at(value.after), pieces.at(value.after + 1));
        let is_verb =
            verb.kind == PieceKind::Word && verb.gap == Gap::Space && !verb.is_content() && !verb.is(AFTER_SECRET);
        let has_object = object.kind == PieceKind::Word
            && object.gap == Gap::Space
            && (object.is(class::PREPOSITION | class::PRONOUN | class::DETERMINER | class::THING)
                || object.is_content());
        naming.link == Link::Clause
            && value.after == value.first + 1
            && is_verb
            && has_object
            && !is_judged(pieces, value.after)
    }

    /// Whether a word is the participle that says where something is: "it's taped under the desk".
    fn is_participle(&self, value: Value, naming: Naming) -> bool {
        let (word, next) = (self.pieces.str(value.first), self.pieces.at(value.after));
        matches!(naming.link, Link::PronounSubject | Link::NamedSubject)
            && value.after == value.first + 1
            && word.ends_with("ed")
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && next.is(class::PREPOSITION)
            && !next.is(class::WITH)
            && next.gap == Gap::Space
            && self.pieces.at(value.after + 1).is(class::DETERMINER)
    }

    /// Whether a word is a participle after "already", as in what a system says of a secret: "it says already used".
    fn is_after_already(&self, value: Value) -> bool {
        const ALREADY: [&str; 9] = ["already", "ya", "déjà", "deja", "schon", "bereits", "já", "già", "gia"];
        const ENDINGS: [&str; 22] = [
            "ed", "ada", "ado", "ida", "ido", "ata", "ato", "ate", "ati", "uta", "uto", "ita", "ito", "esa", "eso",
            "elta", "elto", "ée", "é", "ie", "en", "t",
        ];
        value.after == value.first + 1
            && self.pieces.is_word(value.first.wrapping_sub(1), &ALREADY)
            && ends_with(self.pieces.str(value.first), &ENDINGS)
    }

    /// Whether a word is what somebody typed where the text says that a password is asked for: "it wants my password, i put
    /// winter, and nothing happens".
    pub(super) fn is_typed_word(&self, value: Value, naming: Naming) -> bool {
        const VERBS: [&str; 10] =
            ["give", "gave", "put", "typed", "type", "enter", "entered", "write", "wrote", "input"];
        const WANTING: [&str; 12] = [
            "want", "wants", "wanted", "asks", "asking", "asked", "needs", "needed", "prompts", "requires", "demands",
            "wanting",
        ];
        let pieces = self.pieces;
        let verb = value.first.wrapping_sub(1);
        let is_asked_for = || {
            near_before(verb, pieces.len()).any(|at| pieces.is_word(at, &WANTING))
                && near_before(verb, pieces.len()).any(|at| pieces.at(at).cue() == Some(Entity::PASSWORD))
        };
        naming.link == Link::Entered
            && value.after == value.first + 1
            && matches!(value.shape, Shape::Common | Shape::Rare)
            && pieces.is_word(verb, &VERBS)
            && pieces.is_word(verb.wrapping_sub(1), &["i", "we", "he", "she"])
            && self.ends_clause(value)
            && is_asked_for()
    }

    /// Whether a question about a value begins after it: "moonflower does that work?".
    pub(super) fn asks_on(&self, after: usize) -> bool {
        self.pieces.is_word(after, &["does", "did", "is", "can", "do"])
            && self.pieces.is_word(after + 1, &["that", "it", "this", "you"])
    }

    /// Whether the words before a value ask not to laugh at it: "please don't laugh, moonflower".
    fn is_apology(&self, first: usize) -> bool {
        const WORDS: [&str; 12] = [
            "laugh",
            "laughing",
            "judge",
            "judging",
            "mock",
            "tease",
            "embarrassing",
            "embarrassed",
            "silly",
            "cringe",
            "stupid",
            "ridiculous",
        ];
        near_before(first, self.pieces.len()).any(|at| self.pieces.is_word(at, &WORDS))
    }

    /// The weight of what makes a message an answer or not.
    pub(super) fn answer_weight(&self, value: Value, naming: Naming, entity: Entity) -> i32 {
        let is_alone = value.after == value.first + 1;
        let is_common = value.shape == Shape::Common && is_alone && entity != Entity::SECURITY_ANSWER;
        // "thunder maybe?" is a doubtful answer, "which one?" a counter-question.
        let is_doubted = self.pieces.is_word(value.after, &["maybe", "perhaps", "possibly", "probably"]);
        let is_question = self.pieces.before(self.pieces.len()).is_mark(b'?')
            && value.shape < Shape::Number
            && !is_doubted
            && !self.asks_on(value.after);
        let is_inner = naming.link == Link::Clause
            && value.shape < Shape::Number
            && !is_doubted
            && !self.is_apology(value.first)
            && !answer::is_main_clause(self.pieces, value);
        // "quella lì estate mare neve"
        let is_phrase = value.shape == Shape::Rare && value.after >= value.first + 3 && self.ends_message(value);
        let is_denial = !self.is_apology(value.first)
            && (is_alone && self.ends_denial(value, naming) || self.is_in_prose(value, naming));
        (if is_denial { weights::DENIAL } else { 0 })
            + (if is_common { weights::COMMON_ANSWER } else { 0 })
            + if is_phrase { weights::PHRASE_ANSWER } else { 0 }
            + if is_question { weights::COUNTER_QUESTION } else { 0 }
            + if is_inner { weights::COUNTER_QUESTION } else { 0 }
    }
}
