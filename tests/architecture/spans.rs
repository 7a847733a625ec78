//! Test of spans: each async method of a port in an adapter has a span of its own name, with safe fields only.

use std::collections::BTreeSet;

use syn::{Attribute, ImplItem, ImplItemFn, Item, ItemImpl, Path, Type};

use crate::{
    sources::to_snake_case,
    workspace::{assert_none, files},
};

/// The word of an adapter at the start of its type names. A span's name leaves it out.
const TYPE_PREFIXES: [&str; 3] = ["Sql", "Object", "Redis"];

#[test]
fn every_async_port_method_of_an_adapter_has_a_span_of_its_own_name() {
    let ports = domain_traits();
    let (mut names, mut wrong) = (BTreeSet::new(), Vec::new());
    for source in files("crates", "rs") {
        let adapter = source.path.strip_prefix("crates/adapters-").and_then(|path| path.split_once("/src/"));
        let Some((adapter, _)) = adapter else { continue };
        let parsed = syn::parse_file(&source.text).unwrap();
        for port in parsed.items.iter().filter_map(|item| port_implementation(item, &ports)) {
            for method in port.items.iter().filter_map(async_method) {
                let name = format!("{adapter}.{}.{}", object_name(port), method.sig.ident);
                if !has_span(method, &name) || !names.insert(name.clone()) {
                    wrong.push(format!("{}: {name}", source.path));
                }
            }
        }
    }
    assert!(!names.is_empty(), "the search finds no port method in an adapter: has its form changed?");
    assert_none(
        &wrong,
        "give each method `#[tracing::instrument(level = \"debug\", name = …, skip_all)]` with the name below. A field \
         may be `%tenant` or a length:",
    );
}

/// The names of the traits of the domain: the ports, and what they return.
fn domain_traits() -> BTreeSet<String> {
    let parsed = files("crates/domain/src", "rs").into_iter().map(|source| syn::parse_file(&source.text).unwrap());
    let name = |item| if let Item::Trait(item) = item { Some(item.ident.to_string()) } else { None };
    parsed.flat_map(|file| file.items).filter_map(name).collect()
}

fn port_implementation<'i>(item: &'i Item, ports: &BTreeSet<String>) -> Option<&'i ItemImpl> {
    let Item::Impl(implementation) = item else { return None };
    let (_, port, _) = implementation.trait_.as_ref()?;
    ports.contains(&last_segment(port)).then_some(implementation)
}

fn async_method(item: &ImplItem) -> Option<&ImplItemFn> {
    let ImplItem::Fn(method) = item else { return None };
    method.sig.asyncness.is_some().then_some(method)
}

/// The name of the type, without the word of its adapter: `messages` for `SqlMessages`.
fn object_name(implementation: &ItemImpl) -> String {
    let Type::Path(path) = &*implementation.self_ty else { return String::new() };
    let name = last_segment(&path.path);
    to_snake_case(TYPE_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(&name))
}

fn last_segment(path: &Path) -> String {
    path.segments.last().unwrap().ident.to_string()
}

fn has_span(method: &ImplItemFn, name: &str) -> bool {
    let expected = format!("level=\"debug\",name=\"{name}\",skip_all");
    let arguments = method.attrs.iter().find_map(span_arguments).unwrap_or_default();
    let Some(rest) = arguments.strip_prefix(&expected) else { return false };
    let fields = rest.strip_prefix(",fields(").and_then(|fields| fields.strip_suffix(')'));
    rest.is_empty() || fields.is_some_and(|fields| fields.split(',').all(is_safe_field))
}

/// The arguments of `#[tracing::instrument]`, without spaces.
fn span_arguments(attribute: &Attribute) -> Option<String> {
    let segments: Vec<_> = attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    (segments == ["tracing", "instrument"])
        .then(|| attribute.meta.require_list().unwrap().tokens.to_string().replace(char::is_whitespace, ""))
}

fn is_safe_field(field: &str) -> bool {
    field == "%tenant" || field.ends_with(".len()")
}
