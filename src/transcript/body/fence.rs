//! Fenced code: which languages only show it, and whether a fence is closed.

/// Languages that no program is known to run, draw or evaluate in a note. `mermaid`, `dataview`, `query`,
/// `math` and the like are not among them.
const INERT: &[&str] = &[
    "",
    "ada",
    "apache",
    "asm",
    "awk",
    "bash",
    "bat",
    "c",
    "c#",
    "c++",
    "cc",
    "clj",
    "clojure",
    "cmake",
    "cmd",
    "coffee",
    "conf",
    "console",
    "cpp",
    "cs",
    "csharp",
    "css",
    "csv",
    "cuda",
    "cxx",
    "d",
    "dart",
    "diff",
    "docker",
    "dockerfile",
    "dotenv",
    "elixir",
    "elm",
    "env",
    "erl",
    "erlang",
    "ex",
    "exs",
    "f90",
    "fish",
    "fortran",
    "fs",
    "fsharp",
    "gdscript",
    "gitignore",
    "glsl",
    "go",
    "golang",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "haskell",
    "hcl",
    "hpp",
    "hs",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "jinja",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "julia",
    "kotlin",
    "kt",
    "kts",
    "less",
    "lisp",
    "log",
    "lua",
    "make",
    "makefile",
    "markdown",
    "matlab",
    "md",
    "mdx",
    "ml",
    "mysql",
    "ndjson",
    "nginx",
    "nim",
    "nix",
    "objc",
    "objectivec",
    "ocaml",
    "pascal",
    "patch",
    "perl",
    "pgsql",
    "php",
    "pl",
    "plain",
    "plaintext",
    "postgres",
    "postgresql",
    "powershell",
    "prisma",
    "prolog",
    "properties",
    "proto",
    "protobuf",
    "ps1",
    "pwsh",
    "py",
    "pycon",
    "python",
    "python3",
    "r",
    "rb",
    "regex",
    "ron",
    "rs",
    "rst",
    "ruby",
    "rust",
    "sass",
    "scala",
    "scheme",
    "scss",
    "sh",
    "shell",
    "shell-session",
    "sol",
    "solidity",
    "sql",
    "sqlite",
    "svelte",
    "swift",
    "systemd",
    "tcl",
    "terraform",
    "tex",
    "text",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "typescript",
    "vb",
    "verilog",
    "vhdl",
    "vim",
    "viml",
    "vue",
    "wasm",
    "wat",
    "wgsl",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Whether a fence with this info string only shows its code. A brace may hold a command for a viewer.
pub(super) fn is_inert(info: &str) -> bool {
    let language = info.split([' ', '\t', ',', ':']).next().unwrap_or_default().to_ascii_lowercase();
    !info.contains('{') && INERT.contains(&language.as_str())
}

/// Whether what follows the last code of a fenced block closes it.
pub(super) fn is_closed(rest: &str) -> bool {
    rest.contains("```") || rest.contains("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programming_languages_only_show() {
        for info in
            ["", "rust", "Rust", "rust,ignore", "ts title=\"a.ts\"", "rust:src/main.rs", "c++", "json"]
        {
            assert!(is_inert(info), "{info}");
        }
    }

    #[test]
    fn what_a_viewer_runs_or_draws_is_not_inert() {
        for info in
            ["mermaid", "dataviewjs", "dataview", "tasks", "query", "math", "geojson", "js {cmd=true}", "{r}"]
        {
            assert!(!is_inert(info), "{info}");
        }
    }

    #[test]
    fn the_list_is_sorted_so_that_nothing_stands_twice() {
        assert!(INERT.is_sorted());
    }
}
