//! The documents say what the code does: error codes and invariants.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

use crate::tidy::rust_files;

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a readable document")
}

#[test]
fn every_error_code_is_documented_and_no_other() {
    let text = document("docs/errors.md");
    let headings = text.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let documented: BTreeSet<String> = headings.map(str::to_owned).collect();
    assert_eq!(documented, codes());
}

#[test]
fn every_named_invariant_has_a_test_of_its_name() {
    let text = document("docs/ARCHITECTURE.md");
    let names = text.lines().filter_map(|line| line.strip_prefix("- **`")?.split_once("`**"));
    let invariants: BTreeSet<String> = names.map(|(name, _)| name.to_owned()).collect();
    assert_all_are_tests(&invariants);
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let text = document("docs/security.md");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Tests: ")).collect();
    assert_eq!(lines.len(), 5, "each threat but that of the same user has its tests");
    let names = lines.iter().flat_map(|line| line.split(", ")).map(|name| name.trim_matches('`').to_owned());
    assert_all_are_tests(&names.collect());
}

fn assert_all_are_tests(names: &BTreeSet<String>) {
    // `proptest!` hides functions from `syn`; their names stand in the text all the same.
    let sources: String =
        ["src", "tests"].iter().flat_map(|root| rust_files(root)).map(|file| file.text.as_str()).collect();
    let missing: Vec<_> = names.iter().filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty() && !names.is_empty(), "no test proves {missing:?}");
}

/// The codes of all errors: what the functions named `code` of the library give as text.
fn codes() -> BTreeSet<String> {
    let mut found = Codes::default();
    for source in rust_files("src") {
        found.visit_file(&syn::parse_file(&source.text).expect("Rust"));
    }
    found.codes
}

#[derive(Default)]
struct Codes {
    is_in_code: bool,
    codes: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Codes {
    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.is_in_code = item.sig.ident == "code";
        // Only what it does: its doc comment is text too.
        visit::visit_block(self, &item.block);
        self.is_in_code = false;
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        if self.is_in_code {
            self.codes.insert(text.value());
        }
    }
}
