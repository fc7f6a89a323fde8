//! Dependency cycles between the top-level modules of a crate, which are not allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

use crate::layers;

/// Crate name to the cycles among its top-level modules.
type Cycles = Vec<(String, BTreeSet<String>)>;

/// The cycles of every crate, as problems.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let found = match cycles(root) {
        Ok(found) => found,
        Err(problem) => return vec![problem],
    };
    let problem = |(name, cycle): (String, BTreeSet<String>)| {
        let modules: Vec<&str> = cycle.iter().map(String::as_str).collect();
        format!(
            "modules: {} of {name} depend on each other in a cycle",
            modules.join(", ")
        )
    };
    found.into_iter().map(problem).collect()
}

fn cycles(root: &Path) -> Result<Cycles, String> {
    let mut cycles = Vec::new();
    for (name, package) in layers::packages(root)? {
        let edges = edges(&root.join(package.directory).join("src"))?;
        let found = components(&edges).into_iter();
        cycles.extend(found.map(|cycle| (name.clone(), cycle)));
    }
    Ok(cycles)
}

/// The top-level modules that each top-level module uses.
type Edges = BTreeMap<String, BTreeSet<String>>;

fn edges(source: &Path) -> Result<Edges, String> {
    let mut files = Vec::new();
    collect(source, &mut Vec::new(), &mut files)?;
    let names: BTreeSet<String> = files
        .iter()
        .filter_map(|file| file.path.first().cloned())
        .collect();
    let roots = files.iter().filter(|file| file.path.is_empty());
    let exports: BTreeMap<String, String> = roots
        .flat_map(|file| exports(&file.syntax, &names))
        .collect();
    let mut edges = Edges::new();
    for file in &files {
        let Some(module) = file.path.first() else {
            continue;
        };
        let mut references = References {
            path: file.path.clone(),
            found: BTreeSet::new(),
        };
        references.visit_file(&file.syntax);
        let targets = references.found.into_iter().filter_map(|name| {
            let module = exports.get(&name).cloned();
            if names.contains(&name) {
                Some(name)
            } else {
                module
            }
        });
        let targets: Vec<String> = targets.filter(|target| target != module).collect();
        edges.entry(module.clone()).or_default().extend(targets);
    }
    Ok(edges)
}

/// A source file and the path of its module.
struct Source {
    path: Vec<String>,
    syntax: syn::File,
}

fn collect(
    directory: &Path,
    path: &mut Vec<String>,
    files: &mut Vec<Source>,
) -> Result<(), String> {
    let entries = std::fs::read_dir(directory)
        .map_err(|error| format!("modules: {}: {error}", directory.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("modules: {}: {error}", directory.display()))?;
        let (file, name) = (
            entry.path(),
            entry.file_name().to_string_lossy().into_owned(),
        );
        if file.is_dir() {
            path.push(name);
            collect(&file, path, files)?;
            path.pop();
        } else if let Some(stem) = name.strip_suffix(".rs") {
            // Tests may use anything.
            if stem == "tests" || path.iter().any(|part| part == "tests" || part == "bin") {
                continue;
            }
            let text = std::fs::read_to_string(&file)
                .map_err(|error| format!("modules: {}: {error}", file.display()))?;
            let syntax = syn::parse_file(&text)
                .map_err(|error| format!("modules: {}: {error}", file.display()))?;
            let mut path = path.clone();
            if !["mod", "lib", "main"].contains(&stem) {
                path.push(stem.to_owned());
            }
            files.push(Source { path, syntax });
        }
    }
    Ok(())
}

/// Names that the root of a crate imports from its modules, with the module of each.
fn exports(root: &syn::File, modules: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut exports = Vec::new();
    for item in &root.items {
        let Item::Use(import) = item else { continue };
        let mut tree = &import.tree;
        if let UseTree::Path(path) = tree
            && (path.ident == "crate" || path.ident == "self")
        {
            tree = &path.tree;
        }
        let UseTree::Path(path) = tree else { continue };
        let module = path.ident.to_string();
        if modules.contains(&module) {
            let mut names = Vec::new();
            leaves(&path.tree, &mut names);
            exports.extend(names.into_iter().map(|name| (name, module.clone())));
        }
    }
    exports
}

/// The names that a `use` brings into scope.
fn leaves(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Glob(_) => {}
    }
}

/// Collects the names directly below the crate root that a file mentions, outside its tests.
struct References {
    path: Vec<String>,
    found: BTreeSet<String>,
}

impl References {
    /// Records the top-level module at the start of a path such as `crate::a::b` or `super::super::a`.
    fn note(&mut self, segments: &[String]) {
        let supers = segments.iter().take_while(|part| *part == "super").count();
        let at_root = segments.first().is_some_and(|first| first == "crate")
            || (supers > 0 && supers >= self.path.len());
        let skipped = supers.max(1);
        if at_root && let Some(name) = segments.get(skipped) {
            self.found.insert(name.clone());
        }
    }

    fn note_tree(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.note_tree(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(tree, before);
                }
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.note(before);
                before.pop();
            }
            UseTree::Rename(rename) => {
                before.push(rename.ident.to_string());
                self.note(before);
                before.pop();
            }
            UseTree::Glob(_) => self.note(before),
        }
    }

    /// Records the paths in the tokens of a macro, which have no syntax tree.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut segments: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.note(&std::mem::take(&mut segments));
                    }
                    segments.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.note(&std::mem::take(&mut segments));
                    colons = 0;
                    self.note_tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.note(&std::mem::take(&mut segments));
                    colons = 0;
                }
            }
        }
        self.note(&segments);
    }
}

impl<'ast> Visit<'ast> for References {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.path.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.path.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.note_tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.note(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.note_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}

/// Whether an attribute is `#[cfg(test)]`.
fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute
            .parse_args::<syn::Path>()
            .is_ok_and(|path| path.is_ident("test"))
}

/// The strongly connected components of more than one module.
fn components(edges: &Edges) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|start| (start.as_str(), reachable(start, edges)))
        .collect();
    let mut components: Vec<BTreeSet<String>> = Vec::new();
    for start in edges.keys() {
        if components.iter().any(|component| component.contains(start)) {
            continue;
        }
        let cycle: BTreeSet<String> = reach[start.as_str()]
            .iter()
            .filter(|other| {
                reach
                    .get(**other)
                    .is_some_and(|back| back.contains(start.as_str()))
            })
            .map(|other| (*other).to_owned())
            .collect();
        if cycle.len() > 1 {
            components.push(cycle);
        }
    }
    components
}

/// The modules that are reachable from one; itself only if it is on a cycle.
fn reachable<'a>(start: &str, edges: &'a Edges) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> = edges
        .get(start)
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    while let Some(module) = open.pop() {
        if seen.insert(module) {
            open.extend(edges.get(module).into_iter().flatten().map(String::as_str));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(path: &[&str], text: &str) -> BTreeSet<String> {
        let mut references = References {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            found: BTreeSet::new(),
        };
        references.visit_file(&syn::parse_file(text).expect("valid source"));
        references.found
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn references_are_found_in_imports_paths_and_macros() {
        let text = "use crate::a::{B, C}; use crate::{d, e::F}; fn f() -> crate::g::H { vec![crate::i::j()] }";
        assert_eq!(references(&["m"], text), set(&["a", "d", "e", "g", "i"]));
    }

    #[test]
    fn super_counts_from_the_module_of_the_file() {
        let text = "use super::a::B; mod inner { use super::super::c; }";
        assert_eq!(references(&["m"], text), set(&["a", "c"]));
        assert_eq!(references(&["m", "n"], text), set(&[]));
    }

    #[test]
    fn tests_may_use_anything() {
        let text = "#[cfg(test)] mod tests { use crate::a::B; }";
        assert_eq!(references(&["m"], text), set(&[]));
    }

    #[test]
    fn cycles_are_strongly_connected_components() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")];
        let mut graph = Edges::new();
        for (from, to) in edges {
            graph
                .entry(from.to_owned())
                .or_default()
                .insert(to.to_owned());
        }
        assert_eq!(components(&graph), [set(&["a", "b", "c"])]);
    }
}
