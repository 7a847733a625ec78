//! Tests of the use cases: one method per operation, and one check of the caller's permission.

use std::collections::BTreeSet;

use syn::{
    ImplItem, ItemImpl, Type, Visibility,
    visit::{self, Visit},
};

use crate::workspace::{assert_none, files};

/// Endings of the name of a method that does the same as another, with an idempotency key.
const TWIN_ENDINGS: [&str; 4] = ["_idempotent", "_once", "_with_claim", "_with_key"];

/// Code that checks a permission.
const CHECKS: [&str; 3] = ["permissions.contains(", "Err(PermissionDenied(", "::PERMISSION"];

/// Code that proves a permission.
const PROOFS: [&str; 2] = [".authorize()", ".authorize::<"];

/// The public methods of a crate, each with its type.
#[derive(Default)]
struct Methods(BTreeSet<(String, String)>);

impl Visit<'_> for Methods {
    fn visit_item_impl(&mut self, item: &ItemImpl) {
        if let Type::Path(path) = &*item.self_ty {
            let of = path.path.segments.last().unwrap().ident.to_string();
            for member in &item.items {
                if let ImplItem::Fn(method) = member
                    && matches!(method.vis, Visibility::Public(_))
                {
                    self.0.insert((of.clone(), method.sig.ident.to_string()));
                }
            }
        }
        visit::visit_item_impl(self, item);
    }
}

/// The text before the test module.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

/// The paths of the sources of the crates that contain one of these texts outside of test modules.
fn paths_with(texts: &[&str]) -> Vec<String> {
    let sources = files("crates", "rs").into_iter().filter(|source| source.path.contains("/src/"));
    let found = sources.filter(|source| texts.iter().any(|text| without_tests(&source.text).contains(text)));
    found.map(|source| source.path).collect()
}

#[test]
fn no_use_case_has_a_twin_for_requests_with_a_key() {
    let mut methods = Methods::default();
    for source in files("crates/domain/src", "rs") {
        methods.visit_file(&syn::parse_file(&source.text).unwrap());
    }
    assert!(methods.0.contains(&("Conversations".into(), "upsert".into())), "the search misses methods");
    let is_twin = |of: &str, name: &str| {
        let mut stems = TWIN_ENDINGS.iter().filter_map(|ending| name.strip_suffix(ending));
        stems.any(|stem| methods.0.contains(&(of.to_owned(), stem.to_owned())))
    };
    let twins = methods.0.iter().filter(|(of, name)| is_twin(of, name));
    let twins: Vec<_> = twins.map(|(of, name)| format!("{of}::{name}")).collect();
    assert_none(&twins, "merge these with the method of the same name, which takes an optional claim:");
}

#[test]
fn a_permission_is_checked_in_one_place() {
    assert_eq!(paths_with(&CHECKS), ["crates/domain/src/access/caller.rs"]);
}

#[test]
fn a_permission_is_proved_where_a_request_enters() {
    let mut paths = paths_with(&PROOFS);
    paths.sort();
    assert_eq!(
        paths,
        [
            "crates/adapters-http/src/extract/authorized.rs",
            "crates/app/src/commands/import/mod.rs",
            "crates/app/src/sample.rs",
            "crates/app/src/sample_webhook.rs",
        ]
    );
}

#[test]
fn no_use_case_takes_a_caller_without_a_proof() {
    let domain = files("crates/domain/src", "rs");
    let unproved = domain.iter().filter(|source| without_tests(&source.text).contains(": &Caller"));
    let unproved: Vec<_> = unproved.map(|source| source.path.clone()).collect();
    assert_none(&unproved, "take an `AuthorizedCaller` instead of a `Caller` in:");
}
