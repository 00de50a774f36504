//! Who may see the page, and whose words are a person's: whoever has the hub's human token, or came through a link
//! that works once.
//!
//! The token lies in the data folder and is shown to no agent. A browser never gets it, but two secrets made from it,
//! so that pages stay open over a restart of the hub; who makes the token anew closes them all. The cookie shows the
//! page; but cookies know no ports, so a browser shows it to every server of this machine. What a person says counts
//! as verified only with the key of the page, which a browser keeps for our own origin and sends nowhere by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::time::Instant;

use crate::secret;

/// Links that may be open at once; making more ends the oldest ones.
const MAX_LINKS: usize = 100;
/// How long a link works that a person asked for.
const LINK_LIFE: Duration = Duration::from_mins(10);
/// Shows the key of the page: our own script posts.
pub(super) const PAGE_HEADER: &str = "x-turnroom-page";
/// A browser forgets the cookie after so many seconds.
const COOKIE_LIFE: u32 = 400 * 24 * 3600;

/// The hub's human token.
#[derive(Clone, Debug)]
pub(super) struct HumanToken(Arc<str>);

impl HumanToken {
    pub(super) fn new(token: Arc<str>) -> Self {
        Self(token)
    }

    /// Whether this is the token, in a time that does not tell how much of it is right.
    pub(super) fn is(&self, shown: &str) -> bool {
        secret::equal(shown, &self.0)
    }

    fn derived(&self, purpose: &str) -> String {
        secret::hash(&format!("turnroom {purpose} {}", self.0))
    }
}

/// Who may see the page.
#[derive(Debug)]
pub struct Access {
    human: HumanToken,
    cookie_name: String,
    cookie: String,
    form: String,
    page: String,
    links: Mutex<HashMap<String, Link>>,
}

#[derive(Debug)]
struct Link {
    made: Instant,
    is_for_good: bool,
}

impl Access {
    /// Whoever shows this token is a person.
    #[must_use]
    pub fn new(token: Arc<str>) -> Self {
        let human = HumanToken::new(token);
        Self {
            // Cookies know no port: two hubs on one machine must not overwrite each other's.
            cookie_name: format!("turnroom-{}", &human.derived("name")[..8]),
            cookie: human.derived("cookie"),
            form: human.derived("form"),
            page: human.derived("page"),
            links: Mutex::default(),
            human,
        }
    }

    pub(super) fn human(&self) -> &HumanToken {
        &self.human
    }

    /// A link to the page that works once, whenever that is: the hub shows it at its start.
    #[must_use]
    pub fn first_link(&self, url: &str) -> String {
        self.make_link(url, None, true)
    }

    /// A link to the page, or to a room of it, that works once, for ten minutes.
    #[must_use]
    pub fn link(&self, url: &str, room: Option<&str>) -> String {
        self.make_link(url, room, false)
    }

    fn make_link(&self, url: &str, room: Option<&str>, is_for_good: bool) -> String {
        let code = secret::token();
        let mut links = self.links();
        links.retain(|_, link| link.is_for_good || link.made.elapsed() < LINK_LIFE);
        if links.len() >= MAX_LINKS {
            let ending = links.iter().filter(|(_, link)| !link.is_for_good);
            let oldest = ending.min_by_key(|(_, link)| link.made).map(|(code, _)| code.clone());
            oldest.and_then(|oldest| links.remove(&oldest));
        }
        links.insert(code.clone(), Link { made: Instant::now(), is_for_good });
        let room = room.map(|room| format!("&room={}", utf8_percent_encode(room, NON_ALPHANUMERIC)));
        let room = room.unwrap_or_default();
        format!("{url}/enter?code={code}{room}")
    }

    /// Uses a link up; gives the cookie to set, if it was good.
    pub(super) fn enter(&self, code: &str) -> Option<String> {
        let link = self.links().remove(code)?;
        let is_good = link.is_for_good || link.made.elapsed() < LINK_LIFE;
        is_good.then(|| {
            format!(
                "{}={}; Path=/; Max-Age={COOKIE_LIFE}; HttpOnly; SameSite=Lax",
                self.cookie_name, self.cookie
            )
        })
    }

    /// Whether the request comes from a browser that has entered.
    pub(super) fn has_entered(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.split_once('='));
        pairs
            .any(|(name, value)| name.trim() == self.cookie_name && secret::equal(value.trim(), &self.cookie))
    }

    /// What the script of the page shows with every act. It may stand in the fragment of the address to which a good
    /// link leads, and nowhere else: whoever has the cookie can read all other answers.
    pub(super) fn page_key(&self) -> &str {
        &self.page
    }

    /// Whether the script of our own page asks.
    pub(super) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let mut shown = headers.get_all(PAGE_HEADER).iter();
        let key = shown.next().and_then(|key| key.to_str().ok());
        shown.next().is_none() && key.is_some_and(|key| secret::equal(key, &self.page))
    }

    /// What every form of the page carries: a page of another origin cannot read it.
    pub(super) fn form_token(&self) -> &str {
        &self.form
    }

    /// Whether a form is one of ours.
    pub(super) fn is_form_of_ours(&self, shown: &str) -> bool {
        secret::equal(shown, &self.form)
    }

    fn links(&self) -> MutexGuard<'_, HashMap<String, Link>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn access() -> Access {
        Access::new("a token of a person that is long enough".into())
    }

    fn code(link: &str) -> &str {
        link.split_once("code=").unwrap().1.split('&').next().unwrap()
    }

    fn sent_back(cookie: &str) -> HeaderMap {
        let pair = format!("other=1; {}", cookie.split(';').next().unwrap());
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&pair).unwrap())])
    }

    #[test]
    fn a_link_opens_the_page_once() {
        let access = access();
        let link = access.link("http://127.0.0.1:8000", Some("design"));
        assert!(link.starts_with("http://127.0.0.1:8000/enter?code=") && link.ends_with("&room=design"));
        let cookie = access.enter(code(&link)).unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        assert!(access.has_entered(&sent_back(&cookie)));
        assert_eq!(access.enter(code(&link)), None);
    }

    #[test]
    fn a_guess_opens_nothing() {
        let access = access();
        let cookie = access.enter(code(&access.link("", None))).unwrap();
        let other = Access::new("another token of a person, also long enough".into());
        assert!(!other.has_entered(&sent_back(&cookie)));
        assert!(!access.has_entered(&HeaderMap::new()));
        assert_eq!(access.enter(""), None);
        assert!(!access.is_form_of_ours("") && access.is_form_of_ours(access.form_token()));
        assert!(!cookie.contains("a token of a person"));
    }

    #[test]
    fn only_the_key_of_the_page_shows_that_its_script_asks() {
        let access = access();
        let shown = |keys: &[&str]| -> bool {
            let name = header::HeaderName::from_static(PAGE_HEADER);
            let mut headers = HeaderMap::new();
            for key in keys {
                headers.append(&name, HeaderValue::from_str(key).unwrap());
            }
            access.is_own_page(&headers)
        };
        let key = access.page_key();
        assert!(shown(&[key]));
        for wrong in ["", &key[1..], access.form_token(), &access.cookie, "a token of a person"] {
            assert!(!shown(&[wrong]), "{wrong}");
        }
        assert!(!shown(&[]) && !shown(&[key, key]) && !shown(&["", key]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_link_that_was_asked_for_works_for_ten_minutes_and_the_first_until_it_is_used() {
        let access = access();
        let (first, later) = (access.first_link(""), access.link("", None));
        tokio::time::advance(LINK_LIFE).await;
        assert_eq!(access.enter(code(&later)), None);
        assert!(access.enter(code(&first)).is_some());
    }

    #[test]
    fn links_do_not_pile_up_and_do_not_end_the_first() {
        let access = access();
        let first = access.first_link("");
        for _ in 0..MAX_LINKS * 2 {
            let _ = access.link("", None);
        }
        assert!(access.links().len() <= MAX_LINKS);
        assert!(access.enter(code(&first)).is_some());
    }
}
