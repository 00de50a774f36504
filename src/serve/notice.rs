//! What the hub says at its start: where it is, and how to reach it.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::ServeOptions;
use super::bind::Bound;
use crate::web::as_host;

/// What there is to say.
#[derive(Debug)]
pub(super) struct Notice {
    url: String,
    transcripts: Vec<PathBuf>,
    /// A link that opens the page once.
    page: Option<String>,
    /// The token file, if callers need it.
    token: Option<PathBuf>,
    is_everywhere: bool,
}

impl Notice {
    /// For a hub that listens at `bound`.
    pub(super) fn new(options: &ServeOptions, bound: &Bound) -> Self {
        Self {
            url: url(&options.host, bound),
            transcripts: options.transcripts.clone(),
            page: None,
            token: (options.require_token || !bound.ip().is_loopback()).then(|| options.folder.token_file()),
            is_everywhere: bound.ip().is_unspecified(),
        }
    }

    /// With a link that opens the page once, if there is one to show.
    pub(super) fn with_page(self, page: Option<String>) -> Self {
        Self { page, ..self }
    }

    /// Where clients of this machine find the hub.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    fn text(&self) -> String {
        let url = &self.url;
        let transcripts: Vec<String> =
            self.transcripts.iter().map(|folder| folder.display().to_string()).collect();
        let page = match &self.page {
            Some(link) => {
                format!("  page         {link}\n               (works once; `turnroom open` gives another)\n")
            }
            None => format!("  page         {url}/\n               (`turnroom open` lets a browser in)\n"),
        };
        let where_it_is = format!(
            "turnroom {} listens\n{page}  MCP          {url}/mcp\n  MCP over SSE {url}/sse\n  transcripts  {}\n",
            env!("CARGO_PKG_VERSION"),
            transcripts.join(", "),
        );
        where_it_is + &self.token.as_ref().map_or_else(String::new, |token| self.how_to_show(token))
    }

    fn how_to_show(&self, token: &Path) -> String {
        let outside = "ADDRESS-OF-THIS-MACHINE";
        let url =
            if self.is_everywhere { self.url.replacen("127.0.0.1", outside, 1) } else { self.url.clone() };
        let token = token.display();
        let settings = json!({"mcpServers": {"turnroom": {
            "type": "http",
            "url": format!("{url}/mcp"),
            "headers": {"Authorization": "Bearer THE-TOKEN"},
        }}});
        format!(
            "  token        {token}\nEvery caller needs the token. In the settings of a client:\n  {settings}\n\
             Or for Claude Code:\n  claude mcp add --transport http turnroom {url}/mcp \
             --header \"Authorization: Bearer $(cat '{token}')\"\n"
        )
    }
}

fn url(host: &str, bound: &Bound) -> String {
    let host = if bound.ip().is_unspecified() { "127.0.0.1".to_owned() } else { as_host(host) };
    format!("http://{host}:{}", bound.port())
}

/// Says it. Nobody may be listening: that is no error.
pub(super) fn announce(output: &mut impl Write, notice: &Notice) {
    if let Err(error) = output.write_all(notice.text().as_bytes()).and_then(|()| output.flush()) {
        tracing::debug!(%error, "nobody reads where the hub listens");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice() -> Notice {
        Notice {
            url: "http://127.0.0.1:8000".to_owned(),
            transcripts: vec!["transcripts".into(), "/notes".into()],
            page: Some("http://127.0.0.1:8000/enter?code=c".to_owned()),
            token: None,
            is_everywhere: false,
        }
    }

    fn said(token: Option<&str>, is_everywhere: bool) -> String {
        let notice = Notice { token: token.map(PathBuf::from), is_everywhere, ..notice() };
        let mut output = Vec::new();
        announce(&mut output, &notice);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn on_this_machine_the_addresses_are_enough() {
        let text = said(None, false);
        assert!(text.contains("http://127.0.0.1:8000/mcp") && text.contains("transcripts, /notes"), "{text}");
        assert!(!text.contains("token"), "{text}");
    }

    #[test]
    fn where_no_link_is_shown_the_way_to_one_is() {
        let with = notice().text();
        assert!(with.contains("/enter?code=c") && with.contains("works once"), "{with}");
        let without = notice().with_page(None).text();
        assert!(without.contains("page         http://127.0.0.1:8000/\n"), "{without}");
        assert!(without.contains("`turnroom open`") && !without.contains("code="), "{without}");
    }

    #[test]
    fn beyond_this_machine_the_token_file_and_a_snippet_are_named_but_not_the_token() {
        let text = said(Some("/data/token"), true);
        for part in ["/data/token", "\"Authorization\":\"Bearer", "http://ADDRESS-OF-THIS-MACHINE:8000/mcp"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
