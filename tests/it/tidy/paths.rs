//! Paths that code names, wherever they stand: in `use` with groups, in types and expressions, inside macros.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::UseTree;

/// A path that code names, as far as it is known from the file alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The names in it; `crate`, `self` and `super` are resolved to `crate::…`.
    pub(super) names: Vec<String>,
    /// Where it stands.
    pub(super) line: usize,
}

impl Use {
    /// A path found in the module `at` (names below the crate's root).
    pub(super) fn new(names: &[String], at: &[String], line: usize) -> Self {
        Self { names: resolved(names, at), line }
    }

    /// The path as text.
    pub(super) fn text(&self) -> String {
        self.names.join("::")
    }

    /// Whether it is `path` or something in it.
    pub(super) fn is_below(&self, path: &str) -> bool {
        let mut names = self.names.iter();
        path.split("::").all(|wanted| names.next().is_some_and(|name| name == wanted))
    }

    /// The top-level module of this crate that it reaches into.
    pub(super) fn module_of_ours(&self) -> Option<String> {
        match self.names.as_slice() {
            [first, module, ..] if first == "crate" || first == "turnroom" => Some(module.clone()),
            _ => None,
        }
    }
}

fn resolved(names: &[String], at: &[String]) -> Vec<String> {
    let ups = names.iter().take_while(|name| *name == "super" || *name == "self").collect::<Vec<_>>();
    if ups.is_empty() {
        return names.to_vec();
    }
    let up = ups.iter().filter(|name| **name == "super").count();
    let base = &at[..at.len().saturating_sub(up)];
    ["crate".to_owned()]
        .into_iter()
        .chain(base.iter().cloned())
        .chain(names[ups.len()..].iter().cloned())
        .collect()
}

/// The paths of a `use`, each entry of a group by itself.
pub(super) fn of_use(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => prefixed(&path.ident.to_string(), of_use(&path.tree)),
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(rename) => vec![vec![rename.ident.to_string()]],
        UseTree::Glob(_) => vec![vec!["*".to_owned()]],
        UseTree::Group(group) => group.items.iter().flat_map(of_use).collect(),
    }
}

fn prefixed(name: &str, paths: Vec<Vec<String>>) -> Vec<Vec<String>> {
    paths.into_iter().map(|path| [vec![name.to_owned()], path].concat()).collect()
}

/// The paths among the tokens of a macro, and their lines.
pub(super) fn of_tokens(tokens: TokenStream) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons < 2 {
                    path.clear();
                }
                path.push(name.to_string());
                colons = 0;
                if path.len() > 1 {
                    found.push((path.clone(), name.span().start().line));
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                colons = if colons == 1 || punct.spacing() == Spacing::Joint { colons + 1 } else { 0 };
            }
            other => {
                path.clear();
                colons = 0;
                if let TokenTree::Group(group) = other {
                    found.extend(of_tokens(group.stream()));
                }
            }
        }
    }
    found
}

#[test]
fn grouped_imports_count_one_by_one() {
    let item: syn::ItemUse =
        syn::parse_str("use crate::{hub::Hub, room::{self, Handle as H}, tools::*};").unwrap();
    let found: Vec<String> = of_use(&item.tree).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::hub::Hub", "crate::room::self", "crate::room::Handle", "crate::tools::*"]);
}

#[test]
fn paths_inside_macros_count() {
    let tokens: TokenStream =
        "format!(\"{}\", [crate::hub::Hub::new(), std::fs::read(a ? b : c)])".parse().unwrap();
    let found: Vec<String> = of_tokens(tokens).into_iter().map(|(path, _)| path.join("::")).collect();
    assert!(found.contains(&"crate::hub".to_owned()) && found.contains(&"std::fs".to_owned()), "{found:?}");
    assert!(!found.iter().any(|path| path.contains("b::c")), "{found:?}");
}

#[test]
fn a_way_up_is_resolved_from_where_it_stands() {
    let at = ["room".to_owned(), "floor".to_owned()];
    let names = ["super", "super", "hub", "Hub"].map(str::to_owned).to_vec();
    assert_eq!(Use::new(&names, &at, 1).module_of_ours().unwrap(), "hub");
}
