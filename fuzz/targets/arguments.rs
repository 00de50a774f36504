//! The arguments of a tool are read or refused in words; whatever they are, nothing panics.
//!
//! An input is the name of a tool, a line feed, and JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use turnroom::tools;

fuzz_target!(|input: &[u8]| {
    let Some(at) = input.iter().position(|byte| *byte == b'\n') else { return };
    let (Ok(name), Ok(Value::Object(given))) =
        (std::str::from_utf8(&input[..at]), serde_json::from_slice(&input[at + 1..]))
    else {
        return;
    };
    if let Some(Err(refused)) = tools::fuzzed(name, given) {
        let error = refused.to_json();
        let says = |field: &str| error["error"][field].as_str().is_some_and(|text| !text.is_empty());
        assert!(says("code") && says("message") && says("next"), "{error}");
    }
});
