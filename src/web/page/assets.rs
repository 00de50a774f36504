//! The files of the page. They are in the program; their addresses change with what they hold.

use sha2::{Digest, Sha256};

/// One file.
pub(in crate::web) struct Asset {
    name: &'static str,
    /// Its media type.
    pub(in crate::web) media_type: &'static str,
    /// What it holds.
    pub(in crate::web) text: &'static str,
}

/// How the page looks.
pub(in crate::web) static STYLE: Asset =
    Asset { name: "page.css", media_type: "text/css; charset=utf-8", text: include_str!("page.css") };

/// What the page does by itself.
pub(in crate::web) static SCRIPT: Asset =
    Asset { name: "page.js", media_type: "text/javascript; charset=utf-8", text: include_str!("page.js") };

/// What stands in the tab of a browser.
pub(in crate::web) static ICON: Asset =
    Asset { name: "icon.svg", media_type: "image/svg+xml", text: include_str!("icon.svg") };

impl Asset {
    /// Its address: it may be kept for ever.
    pub(in crate::web) fn address(&self) -> String {
        format!("/assets/{}/{}", self.mark(), self.name)
    }

    /// The file of an address below `/assets/`. One with another mark is an older version, which is gone.
    pub(in crate::web) fn find(mark: &str, name: &str) -> Option<&'static Self> {
        let known = [&STYLE, &SCRIPT, &ICON].into_iter().find(|asset| asset.name == name);
        known.filter(|asset| asset.mark() == mark)
    }

    fn mark(&self) -> String {
        let digest = Sha256::digest(self.text);
        let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(12);
        digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_under_its_own_mark_only() {
        for asset in [&STYLE, &SCRIPT, &ICON] {
            let address = asset.address();
            let (mark, name) = address.strip_prefix("/assets/").unwrap().split_once('/').unwrap();
            assert_eq!(Asset::find(mark, name).unwrap().text, asset.text);
            assert!(Asset::find("0123456789ab", name).is_none());
        }
        assert!(Asset::find("", "../page.rs").is_none());
    }
}
