//! Tests of imports between files: the files of a crate form no cycle, and shared errors name no feature.
//!
//! An import depends on the file that defines the imported name, not on a file that re-exports it. Test modules are
//! ignored.

#![expect(clippy::wildcard_enum_match_arm, reason = "an enum of the parser that may grow")]

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Attribute, Item, ItemUse, UseTree, Visibility,
    visit::{self, Visit},
};

use crate::workspace::{Source, assert_none, crate_sources, file, files};

/// The segments of a path.
type Segments = Vec<String>;

/// A module of a crate.
#[derive(Default)]
struct Module {
    file: String,
    /// The names that the module defines, except child modules.
    items: BTreeSet<String>,
    /// The imports and re-exports: each local name with the imported path.
    imports: BTreeMap<String, Segments>,
    /// The paths that the code names, except re-exports.
    paths: Vec<Segments>,
}

/// The modules of one crate, keyed by their path from the crate root.
type Modules = BTreeMap<Segments, Module>;

#[test]
fn imports_between_files_form_no_cycle() {
    let mut cycles = Vec::new();
    let mut crates = BTreeMap::<_, Vec<_>>::new();
    for source in crate_sources() {
        let (package, _) = source.split_at_src().unwrap();
        crates.entry(package.to_owned()).or_default().push(source);
    }
    for sources in crates.values() {
        let modules = read_modules(sources);
        cycles.extend(cycles_of(&graph_of(&modules)));
    }
    assert_none(
        &cycles,
        "move the shared items of these files to a separate file, so that no file imports itself indirectly:",
    );
}

#[test]
fn the_shared_error_of_the_domain_imports_no_feature() {
    let modules = read_modules(&files("crates/domain/src", "rs"));
    let shared = &modules[&vec!["error".to_owned()]];
    let features = shared.imported().filter(|path| ["crate", "super"].contains(&path[0].as_str()));
    let features: Vec<_> = features.map(|path| path.join("::")).collect();
    assert_none(&features, "an error belongs to its use case: move what names these to `error.rs` of their feature:");
}

#[test]
fn the_shared_errors_of_the_interface_name_no_resource_and_no_pointer() {
    const POINTERS: [&str; 5] = ["\"/", "\"path:", "\"query:", "\"header:", "\"part:"];
    let modules = read_modules(&files("crates/adapters-http/src", "rs"));
    let shared: Vec<_> = modules.values().filter(|module| module.file.contains("/src/errors/")).collect();
    assert!(shared.len() > 1, "the search finds no errors in adapters-http: has the folder moved?");
    let mut wrong = Vec::new();
    for module in shared {
        let is_shared = |path: &Segments| match path[0].as_str() {
            "parlance_domain" => path[1] == "error",
            "crate" => path[1] == "errors",
            _ => true,
        };
        let (path, text) = (&module.file, file(&module.file).text);
        wrong.extend(
            module.imported().filter(|name| !is_shared(name)).map(|name| format!("{path}: {}", name.join("::"))),
        );
        wrong.extend(POINTERS.iter().filter(|start| text.contains(*start)).map(|start| format!("{path}: {start}…\"")));
    }
    assert_none(
        &wrong,
        "a resource converts its errors and names its pointers in its own `errors.rs`: move these there:",
    );
}

/// The modules of one crate.
fn read_modules(sources: &[Source]) -> Modules {
    let mut modules = Modules::new();
    for source in sources {
        let (_, path_in_src) = source.split_at_src().unwrap();
        let mut segments: Segments = path_in_src.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        segments.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        let parsed = syn::parse_file(&source.text).unwrap();
        if parsed.items.iter().all(|item| is_test_only(attributes(item))) {
            continue;
        }
        let mut module = Module { file: source.path.clone(), ..Module::default() };
        parsed.items.iter().filter(|item| !is_test_only(attributes(item))).for_each(|item| module.read(item));
        modules.insert(segments, module);
    }
    modules
}

impl Module {
    fn read(&mut self, item: &Item) {
        match item {
            Item::Use(import) => self.import(import),
            Item::Mod(_) => {}
            _ => {
                self.items.extend(name_of(item));
                self.visit_item(item);
            }
        }
    }

    /// The paths that the module imports, re-exports or names.
    fn imported(&self) -> impl Iterator<Item = &Segments> {
        self.paths.iter().chain(self.imports.values())
    }

    fn import(&mut self, import: &ItemUse) {
        let is_reexport = !matches!(import.vis, Visibility::Inherited);
        for (name, path) in leaves(&import.tree, &[]) {
            if !is_reexport {
                self.paths.push(path.clone());
            }
            self.imports.insert(name, path);
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.paths.extend(leaves(&import.tree, &[]).into_iter().map(|(_, path)| path));
    }
}

/// The local name and the path of each import of a tree.
fn leaves(tree: &UseTree, before: &[String]) -> Vec<(String, Segments)> {
    let append = |name: String| [before, &[name]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &append(path.ident.to_string())),
        UseTree::Name(name) if name.ident == "self" => {
            vec![(before.last().cloned().unwrap_or_default(), before.to_vec())]
        }
        UseTree::Name(name) => vec![(name.ident.to_string(), append(name.ident.to_string()))],
        UseTree::Rename(rename) => vec![(rename.rename.to_string(), append(rename.ident.to_string()))],
        UseTree::Group(group) => group.items.iter().flat_map(|tree| leaves(tree, before)).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// For each file, the files that define the names that it imports.
fn graph_of(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut graph = BTreeMap::<_, BTreeSet<_>>::new();
    for (at, module) in modules {
        let used = module.paths.iter().filter_map(|path| resolve(modules, at, path, 0));
        graph.entry(module.file.as_str()).or_default().extend(used.filter(|file| *file != module.file));
    }
    graph
}

/// The file that defines the item at `path`, as seen from module `at`. `None` if the item is not in this crate.
fn resolve<'m>(modules: &'m Modules, at: &[String], path: &[String], depth: usize) -> Option<&'m str> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => resolve_in(modules, &[], rest, depth),
        "self" => resolve_in(modules, at, rest, depth),
        "super" => resolve(modules, at.split_last()?.1, &[&["self".to_owned()], rest].concat(), depth),
        _ => resolve_in(modules, at, path, depth),
    }
}

fn resolve_in<'m>(modules: &'m Modules, at: &[String], path: &[String], depth: usize) -> Option<&'m str> {
    const MAX_REEXPORTS: usize = 16;
    let module = modules.get(at)?;
    let Some((first, rest)) = path.split_first() else { return Some(&module.file) };
    if first == "super" {
        return resolve(modules, at, path, depth);
    }
    let child = [at, std::slice::from_ref(first)].concat();
    if modules.contains_key(&child) && !(rest.is_empty() && module.items.contains(first)) {
        return resolve_in(modules, &child, rest, depth);
    }
    if module.items.contains(first) {
        return Some(&module.file);
    }
    let target = module.imports.get(first).filter(|_| depth < MAX_REEXPORTS)?;
    resolve(modules, at, &[target.as_slice(), rest].concat(), depth + 1)
}

/// Groups of files that reach each other through imports. The files of each group are sorted.
fn cycles_of(graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let reached: BTreeMap<_, _> = graph.keys().map(|file| (*file, reached_from(graph, file))).collect();
    let cycle_of = |file: &str| {
        let both_ways = reached[file].iter().filter(|other| reached[**other].contains(file));
        both_ways.copied().collect::<Vec<_>>()
    };
    let cycles: BTreeSet<_> = graph.keys().map(|file| cycle_of(file)).filter(|files| !files.is_empty()).collect();
    cycles.into_iter().map(|files| files.join(", ")).collect()
}

fn reached_from<'g>(graph: &BTreeMap<&'g str, BTreeSet<&'g str>>, file: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<_> = graph[file].iter().copied().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(&graph[file]);
        }
    }
    reached
}

fn is_test_only(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().starts_with("test"))
    };
    attributes.iter().any(is_test)
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        _ => return None,
    })
}
