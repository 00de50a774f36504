//! Ids, keys and tokens from the operating system's generator, and how keys are stored.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters and digits that a person or a language model copies without a mistake (no 0/O, 1/l/I).
const ALPHABET: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
const KEY_LENGTH: usize = 10;
const TOKEN_BYTES: usize = 32;

/// A new id that nobody can guess.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the place that makes ids")]
pub fn id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// A new key of 10 characters.
#[must_use]
pub fn key() -> String {
    // The number of characters does not divide 256; the bias of a remainder is too small to matter here.
    bytes::<KEY_LENGTH>()
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]))
        .collect()
}

/// A new token of 256 bits, in hexadecimal.
#[must_use]
pub fn token() -> String {
    hex(&bytes::<TOKEN_BYTES>())
}

/// How a key is stored: nobody can read it back from the journal.
#[must_use]
pub fn hash(key: &str) -> String {
    hex(&Sha256::digest(key.trim().to_lowercase().as_bytes()))
}

/// Whether two secrets are equal, in a time that does not tell where they differ.
#[must_use]
pub fn equal(left: &str, right: &str) -> bool {
    left.as_bytes().ct_eq(right.as_bytes()).into()
}

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes any text");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_ten_characters_that_are_not_mistaken_for_each_other() {
        let key = key();
        assert_eq!(key.len(), KEY_LENGTH);
        assert!(!key.contains(['0', 'o', '1', 'l', 'i']), "{key}");
    }

    #[test]
    fn a_key_is_compared_by_its_hash_whatever_its_case_and_blanks() {
        assert!(equal(&hash(" ABC "), &hash("abc")));
        assert!(!equal(&hash("abc"), &hash("abd")));
    }
}
