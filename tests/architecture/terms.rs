//! Tests of the terms in the code: standard terms, each with one meaning (docs/glossary.md).

#![expect(clippy::wildcard_enum_match_arm, reason = "an enum of the parser that may grow")]

use std::collections::{BTreeMap, BTreeSet};

use syn::{Ident, Item, Visibility, visit::Visit};

use crate::workspace::{assert_none, crate_sources, file, sources};

/// Names that standard terms replaced. No source may use them again.
const RETIRED_NAMES: &[&str] = &[
    "Lanes",
    "Lane",
    "Desk",
    "Desks",
    "Clerk",
    "CLERKS",
    "Asked",
    "PATIENCE",
    "BESIDE_OTHERS",
    "ask_all",
    "bind_alone",
    "by_keys",
    "is_at_home",
    "is_beside_its_server",
    "is_cut",
    "answer_on_this_thread_alone",
    "go_on_in",
    "Landing",
    "Others",
    "look_around",
    "bring_over",
    "forget_old_pages",
    "is_in_the_way",
    "Notices",
    "give_way",
    "EndOfTurn",
    "read_aside",
    "CopiedRow",
    "Columns",
    "Unread",
    "untold",
    "presumed",
    "masks_stand",
    "WARY",
    "TakenForGiven",
    "DueUpsert",
    "with_literals",
    "was_right",
    "Remask",
    "falls_short",
    "Around",
    "MessageRun",
    "kept_changing",
    "Repeats",
    "Receipt",
    "HeldBack",
    "TooFast",
    "Pace",
    "Duty",
    "Thrower",
    "Thrown",
    "FeedTable",
    "FeedDay",
    "RowPlace",
    "RecordRun",
    "DayWriting",
    "VocabularyEdition",
    "begin_again",
    "Missed",
    "step_aside",
    "step_back_in",
    "Permitted",
    "Patience",
    "Looker",
    "armed",
    "is_settled",
    "Glance",
    "swallowed",
    "taken_in",
    "said_address",
    "Announcement",
    "starred",
    "misheard",
    "Bookmark",
    "Cutter",
    "Placing",
    "Joint",
    "shy",
    "shown_from",
    "is_made",
    "forget_receipts",
    "while_on_duty",
    "WrongSetting",
    "moment",
    "Own",
    "Threads",
    "Opener",
    "COPYING",
    "Turns",
    "ALONE",
    "portions",
    "Land",
    "Begun",
    "Busy",
    "FRESH",
    "Place",
    "Trust",
    "Parts",
    "outgoing",
    "Addition",
    "apart",
    "give_back",
    "over_at",
    "tidy",
    "Reading",
    "Needs",
    "ROOM",
    "Defect",
    "settle",
    "Way",
    "home",
    "held",
    "land",
    "wants",
    "forth",
    "Whole",
    "Interest",
    "Seen",
    "Proof",
    "Given",
    "Room",
    "Gate",
    "Answer",
    "Attempt",
    "becomes",
    "bring",
    "settled",
    "ask",
    "Processor",
    "Existence",
    "Question",
];

/// Names of public types that several crates define for the same concept.
const SHARED_TYPES: &[&str] = &[];

/// The identifiers of a source, those within macros aside.
#[derive(Default)]
struct Identifiers(BTreeSet<String>);

impl Visit<'_> for Identifiers {
    fn visit_ident(&mut self, identifier: &Ident) {
        self.0.insert(identifier.to_string());
    }
}

#[test]
fn no_source_uses_a_retired_name() {
    let mut found = Vec::new();
    for source in sources() {
        let mut identifiers = Identifiers::default();
        identifiers.visit_file(&syn::parse_file(&source.text).unwrap());
        let retired = identifiers.0.into_iter().filter(|name| RETIRED_NAMES.contains(&name.as_str()));
        found.extend(retired.map(|name| format!("{}: {name}", source.path)));
    }
    assert_none(&found, "replace these with the terms of docs/glossary.md:");
}

#[test]
fn no_two_crates_define_public_types_of_the_same_name() {
    let mut crates_of = BTreeMap::<String, BTreeSet<String>>::new();
    for source in crate_sources() {
        let (package, _) = source.split_at_src().unwrap();
        for name in public_types(&source.text) {
            crates_of.entry(name).or_default().insert(package.to_owned());
        }
    }
    let duplicates =
        crates_of.into_iter().filter(|(name, crates)| crates.len() > 1 && !SHARED_TYPES.contains(&name.as_str()));
    let duplicates: Vec<_> =
        duplicates.map(|(name, crates)| format!("{name}: {}", Vec::from_iter(crates).join(", "))).collect();
    assert_none(&duplicates, "rename these or define them once; list a shared concept in SHARED_TYPES:");
}

fn public_types(text: &str) -> Vec<String> {
    let items = syn::parse_file(text).unwrap().items;
    items.iter().filter_map(public_type).collect()
}

fn public_type(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then(|| name.to_string())
}

#[test]
fn the_glossary_lists_each_term_once_in_alphabetical_order() {
    let glossary = file("docs/glossary.md").text;
    let terms: Vec<_> = glossary
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .filter(|term| *term != "term" && !term.starts_with("---"))
        .map(str::to_lowercase)
        .collect();
    assert!(terms.len() >= 30, "docs/glossary.md lists only {} terms", terms.len());
    assert!(terms.is_sorted_by(|one, next| one < next), "sort the terms of docs/glossary.md and list each once");
}
