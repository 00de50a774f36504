//! One source file, read with `syn`: what it uses, and how long its functions are. Comments do not count.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::{self, Use};

/// One source file.
pub(crate) struct Source {
    /// Its path, from the root of the repository.
    pub(super) path: String,
    pub(crate) text: String,
    pub(super) uses: Vec<Use>,
    pub(super) functions: Vec<Function>,
    /// Lines of what is async.
    pub(super) waits: Vec<usize>,
    /// Names of called methods and macros, with their lines.
    pub(super) methods: Vec<(usize, String)>,
    pub(super) macros: Vec<(usize, String)>,
}

/// One function.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
    pub(super) is_test: bool,
}

/// Every file is read once for all tests.
static FILES: LazyLock<Vec<Source>> =
    LazyLock::new(|| ["src", "tests", "benches"].iter().flat_map(|root| read(root)).collect());

/// All files below a folder of the repository.
pub(crate) fn rust_files(folder: &str) -> impl Iterator<Item = &'static Source> {
    let folder = format!("{folder}/");
    FILES.iter().filter(move |source| source.path.starts_with(&folder))
}

fn read(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if let Ok(entries) = fs::read_dir(&path) {
            open.extend(entries.map(|entry| entry.expect("a readable folder").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name =
                path.strip_prefix(root).expect("a path below the root").to_str().expect("a name in Unicode");
            found.push(Source::parse(name, fs::read_to_string(&path).expect("a readable file")));
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

impl Source {
    /// Reads one file.
    pub(super) fn parse(path: &str, text: String) -> Self {
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path} is no Rust: {error}"));
        let source = Self {
            path: path.to_owned(),
            text,
            uses: Vec::new(),
            functions: Vec::new(),
            waits: Vec::new(),
            methods: Vec::new(),
            macros: Vec::new(),
        };
        let is_test = source.is_test_file();
        let mut reader = Reader { at: module_names(path), is_test, ours: Vec::new(), source };
        reader.visit_file(&file);
        let Reader { ours, mut source, .. } = reader;
        // What begins with a name of ours was seen where that name came in.
        source.uses.retain(|one| one.names.len() == 1 || !ours.contains(&one.names[0]));
        source
    }

    /// The top-level module that it belongs to.
    pub(super) fn module(&self) -> String {
        let below = self.path.strip_prefix("src/").unwrap_or(&self.path);
        below.split(['/', '.']).next().unwrap_or_default().to_owned()
    }

    /// Whether it holds tests only.
    pub(super) fn is_test_file(&self) -> bool {
        !self.path.starts_with("src/") || self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// Whether it is the root of the library.
    pub(super) fn is_lib(&self) -> bool {
        self.path == "src/lib.rs"
    }

    /// Whether it is the module at `path`, or a part of it.
    pub(super) fn is_below(&self, path: &str) -> bool {
        self.path.strip_prefix(path).is_some_and(|rest| rest.starts_with(['/', '.']))
    }
}

/// The names of the module that a file is, below the root of the crate.
fn module_names(path: &str) -> Vec<String> {
    let below = path.trim_start_matches("src/").trim_end_matches(".rs");
    if below == "lib" || below == "main" { Vec::new() } else { below.split('/').map(str::to_owned).collect() }
}

/// Walks through a file and notes what it finds.
struct Reader {
    at: Vec<String>,
    is_test: bool,
    /// Modules that the file declares, and names that it takes from this crate.
    ours: Vec<String>,
    source: Source,
}

impl Reader {
    fn note_use(&mut self, names: &[String], line: usize) {
        self.source.uses.push(Use::new(names, &self.at, line));
    }

    fn note_function(&mut self, name: &syn::Ident, from: usize, to: usize, attributes: &[syn::Attribute]) {
        let is_test = self.is_test || attributes.iter().any(|attribute| attribute.path().is_ident("test"));
        let function = Function { name: name.to_string(), line: from, lines: to - from + 1, is_test };
        self.source.functions.push(function);
    }

    fn note_signature(&mut self, signature: &syn::Signature) {
        if signature.asyncness.is_some() {
            self.source.waits.push(signature.span().start().line);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let was_test = self.is_test;
        self.is_test |= module.attrs.iter().any(is_for_tests);
        self.ours.push(module.ident.to_string());
        self.at.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.at.pop();
        self.is_test = was_test;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for names in paths::of_use(&item.tree) {
            self.note_use(&names, item.span().start().line);
            if let Some(one) = self.source.uses.last().filter(|one| one.module_of_ours().is_some()) {
                self.ours.extend(one.names.last().cloned());
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note_use(&names, path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        self.source.macros.push((call.span().start().line, name));
        for (names, line) in paths::of_tokens(call.tokens.clone()) {
            self.note_use(&names, line);
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.note_function(
            &item.sig.ident,
            item.sig.span().start().line,
            item.block.span().end().line,
            &item.attrs,
        );
        self.note_signature(&item.sig);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.note_function(
            &item.sig.ident,
            item.sig.span().start().line,
            item.block.span().end().line,
            &item.attrs,
        );
        self.note_signature(&item.sig);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.note_function(
            &item.sig.ident,
            item.sig.span().start().line,
            item.span().end().line,
            &item.attrs,
        );
        self.note_signature(&item.sig);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        self.source.waits.push(block.span().start().line);
        visit::visit_expr_async(self, block);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.source.methods.push((call.method.span().start().line, call.method.to_string()));
        visit::visit_expr_method_call(self, call);
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}

#[test]
fn comments_and_words_in_quotes_use_nothing() {
    let source = Source::parse(
        "src/room/x.rs",
        "//! crate::hub::Hub\nconst A: &str = \"crate::hub::Hub\"; // std::fs::read\n".to_owned(),
    );
    assert_eq!(source.uses.iter().filter(|one| one.names.len() > 1).count(), 0);
}

#[test]
fn a_module_may_be_called_like_a_crate() {
    let uses = |text: &str| {
        let source = Source::parse("src/room/x.rs", text.to_owned());
        source.uses.iter().filter(|one| one.is_below("open") && one.names.len() > 1).count()
    };
    assert_eq!(uses("mod open; use open::Open; use super::open; fn f() { open::that() }"), 0);
    assert_eq!(uses("use super::opened; fn f() { open::that() }"), 1);
}

#[test]
fn async_blocks_and_long_functions_are_seen() {
    let text =
        "//! x\nfn long() {\n\n\n}\nfn later() { let _ = async { 1 }; x.exists(); }\nasync fn soon() {}\n";
    let source = Source::parse("src/room/x.rs", text.to_owned());
    assert_eq!(source.functions[0].lines, 4);
    assert_eq!(source.waits, [6, 7]);
    assert_eq!(source.methods, [(6, "exists".to_owned())]);
}
