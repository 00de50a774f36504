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
    assert_all_are_tests(&invariants());
}

#[test]
fn every_invariant_that_the_code_names_is_documented() {
    let mark = "**Invariant (";
    let named: BTreeSet<String> = rust_files("src")
        .flat_map(|file| file.text.split(mark).skip(1))
        .map(|text| text.split_once(')').expect("a name ends").0.replace(' ', "_"))
        .collect();
    let documented = invariants();
    let missing: Vec<_> = named.difference(&documented).collect();
    assert!(missing.is_empty() && !named.is_empty(), "docs/ARCHITECTURE.md does not name {missing:?}");
}

/// The invariants that the document names.
fn invariants() -> BTreeSet<String> {
    let text = document("docs/ARCHITECTURE.md");
    let names = text.lines().filter_map(|line| line.strip_prefix("- **`")?.split_once("`**"));
    names.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let text = document("docs/security.md");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Tests: ")).collect();
    assert_eq!(lines.len(), 7, "each threat but that of the same user has its tests");
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

#[test]
fn every_test_that_the_table_of_faults_names_exists() {
    let rust: String =
        ["src", "tests"].iter().flat_map(|root| rust_files(root)).map(|file| file.text.as_str()).collect();
    let python = python_files(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").as_path());
    let exists =
        |name: &&str| rust.contains(&format!("fn {name}(")) || python.contains(&format!("def {name}("));
    for (id, cells) in faults() {
        let last = cells.last().expect("a row has cells");
        let names: Vec<_> = last.split('`').skip(1).step_by(2).collect();
        let missing: Vec<_> = names.iter().filter(|name| !exists(name)).collect();
        assert!(missing.is_empty(), "{id}: no test is called {missing:?}");
        let is_later = cells.iter().any(|cell| cell.contains("later:"));
        assert!(!names.is_empty() || is_later, "{id} has neither a test nor a later part");
        assert_eq!(cells.len(), 4, "{id} has another number of cells; a bar in one of them?");
    }
}

#[test]
fn every_reported_fault_stands_in_the_table_once() {
    let mut rows: Vec<String> = faults().into_iter().map(|(id, _)| id).collect();
    rows.sort_unstable();
    let mut reported: Vec<String> = FAULTS
        .iter()
        .flat_map(|(area, numbers)| numbers.iter().map(move |number| format!("{area}-{number:02}")))
        .collect();
    reported.sort_unstable();
    assert_eq!(rows, reported);
}

/// The faults that were reported, by area.
const FAULTS: [(&str, &[u8]); 12] = [
    ("wait", &[1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 14]),
    ("deliver", &[1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 15, 17, 18, 19, 20, 21, 22, 24]),
    ("dup", &[1, 2, 4, 5, 6, 7]),
    ("turn", &[1, 2, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19]),
    ("mention", &[1, 2, 3, 4, 5, 7, 9, 10]),
    ("ident", &[1, 2, 3, 4, 5, 9, 10, 11, 12]),
    ("net", &[1, 2, 4, 5, 7, 9, 10, 11, 13, 14, 15, 16]),
    ("store", &[1, 2, 3, 4, 6, 7, 9, 11, 13, 14, 15, 16]),
    ("cost", &[1, 3]),
    ("human", &[1, 2, 4, 6]),
    ("acp", &[1, 2, 4, 6, 7, 8, 9]),
    ("plat", &[1, 2, 3, 4, 6, 7]),
];

/// The rows of the tables of faults: the id, and the other cells.
fn faults() -> Vec<(String, Vec<String>)> {
    let text = document("docs/faults.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
    let cells = rows.map(|row| row.split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    let rows = cells.filter(|cells| cells[0] != "id");
    rows.map(|mut cells| (cells.remove(0), cells)).collect()
}

/// The text of all Python files below a folder.
fn python_files(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() && !entry.ends_with("node_modules") {
            text += &python_files(&entry);
        } else if entry.extension().is_some_and(|ending| ending == "py") {
            text += &fs::read_to_string(&entry).expect("text");
        }
    }
    text
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
