//! The check before every route: which `Host`, which `Origin`, and, beyond loopback, the bearer token.
//!
//! A page in a browser on this machine can send requests to loopback, also under a name that its own DNS points there.
//! So `Host` must be a name of ours and `Origin` absent or a page of this machine. Where a browser sends no `Origin`,
//! it says in `Sec-Fetch-Site` that a foreign page asks. No CORS header is ever sent.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::Access;
use super::body::Intake;
use super::page;
use crate::secret;

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// By which door a request came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// TCP: anybody who can reach the port.
    Tcp,
    /// The local socket: only this user.
    Local,
}

/// What a request over TCP must show.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Hosts,
    token: Arc<str>,
    /// Whether every route asks for the token, not only `/api`.
    is_strict: bool,
}

#[derive(Clone, Debug)]
enum Hosts {
    /// Only these names, of any port: a tunnel may change the port.
    Named(Vec<String>),
    /// Bound to all addresses, so every name of the machine is right. The token stands in for the check: a page of
    /// somebody else does not know it.
    Any,
}

impl Guard {
    /// For a listener that is bound to `address` because `host` was asked for.
    #[must_use]
    pub fn new(host: &str, address: IpAddr, token: Arc<str>) -> Self {
        let hosts = if address.is_unspecified() {
            Hosts::Any
        } else {
            let own = [as_host(host), as_host(&address.to_string())];
            let names: BTreeSet<String> = LOOPBACK.map(str::to_owned).into_iter().chain(own).collect();
            Hosts::Named(names.into_iter().collect())
        };
        Self { hosts, token, is_strict: !address.is_loopback() }
    }

    /// Asks for the token on every route, also on loopback: other users of the machine can reach the port.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// The names that rmcp shall accept as `Host`; empty is all.
    #[must_use]
    pub fn host_names(&self) -> Vec<String> {
        match &self.hosts {
            Hosts::Named(names) => names.clone(),
            Hosts::Any => Vec::new(),
        }
    }

    /// The origins that rmcp shall accept.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        self.origin_names().map(|name| format!("http://{name}:*")).collect()
    }

    /// Whether the request shows the token.
    #[must_use]
    pub fn has_token(&self, headers: &HeaderMap) -> bool {
        only(headers, header::AUTHORIZATION)
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .is_some_and(|(_, token)| secret::equal(token.trim(), &self.token))
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap, access: &Access) -> Result<(), Refused> {
        if !self.is_own_host(uri, headers) {
            return Err(Refused::Host);
        }
        let is_refused = if headers.contains_key(header::ORIGIN) {
            !self.is_own_origin(headers)
        } else {
            is_from_foreign_page(headers)
        };
        if is_refused {
            return Err(Refused::Origin);
        }
        // Browsers cannot show the token. The way in takes only links that work once; who has entered sees the page,
        // and nothing else.
        let path = uri.path();
        let may_pass = || path == page::WAY_IN || page::is_page(path) && access.has_entered(headers);
        if self.is_strict && !self.has_token(headers) && !may_pass() {
            return Err(Refused::Token);
        }
        Ok(())
    }

    fn is_own_host(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let host = if headers.contains_key(header::HOST) {
            only(headers, header::HOST)
        } else {
            uri.authority().map(Authority::as_str)
        };
        match (&self.hosts, host.and_then(host_of)) {
            (Hosts::Any, host) => host.is_some(),
            (Hosts::Named(names), Some(host)) => names.contains(&host),
            (Hosts::Named(_), None) => false,
        }
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let host =
            only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")).and_then(host_of);
        host.is_some_and(|host| self.origin_names().any(|name| name == host))
    }

    fn origin_names(&self) -> impl Iterator<Item = &str> {
        let (loopback, named): (&[&str], &[String]) = match &self.hosts {
            Hosts::Named(names) => (&[], names),
            Hosts::Any => (&LOOPBACK, &[]),
        };
        loopback.iter().copied().chain(named.iter().map(String::as_str))
    }
}

/// The layer around the whole router.
pub(super) async fn check(
    State((guard, access, intake)): State<(Arc<Guard>, Arc<Access>, Intake)>,
    Extension(entry): Extension<Entry>,
    request: Request,
    next: Next,
) -> Response {
    if entry == Entry::Tcp
        && let Err(refused) = guard.check(request.uri(), request.headers(), &access)
    {
        return refused.into_response();
    }
    match intake.take(request).await {
        Ok(request) => next.run(request).await,
        Err(refused) => refused,
    }
}

/// The layer around `/api`: the token, also on loopback, because any user of the machine can reach the port.
pub(super) async fn check_token(
    State(guard): State<Arc<Guard>>,
    Extension(entry): Extension<Entry>,
    request: Request,
    next: Next,
) -> Response {
    if entry == Entry::Tcp && !guard.has_token(request.headers()) {
        return Refused::Token.into_response();
    }
    next.run(request).await
}

#[derive(Clone, Copy, Debug)]
enum Refused {
    Host,
    Origin,
    Token,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::Host => {
                (StatusCode::FORBIDDEN, "this Host is not allowed; use the URL that `turnroom status` shows")
                    .into_response()
            }
            Self::Origin => (
                StatusCode::FORBIDDEN,
                "this Origin is not allowed; only pages of this machine may call the hub",
            )
                .into_response(),
            Self::Token => {
                let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
                (
                    StatusCode::UNAUTHORIZED,
                    challenge,
                    "a bearer token is needed: the content of the file `token` in the hub's data folder",
                )
                    .into_response()
            }
        }
    }
}

/// The value of a header that must not come twice.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

/// The host of `host:port`, in small letters; `None` for anything that is more than that.
fn host_of(authority: &str) -> Option<String> {
    if authority.contains('@') {
        return None;
    }
    let authority: Authority = authority.parse().ok()?;
    Some(authority.host().to_ascii_lowercase()).filter(|host| !host.is_empty())
}

/// A host as it stands in a URL: IPv6 in brackets.
#[must_use]
pub fn as_host(host: &str) -> String {
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    if bare.contains(':') { format!("[{bare}]") } else { bare }
}

/// Whether a browser says that a page of another site asks, and not a person who follows a link.
fn is_from_foreign_page(headers: &HeaderMap) -> bool {
    let says = |name: &str, value: &str| headers.get_all(name).iter().any(|said| said == value);
    let is_followed_link = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    says("sec-fetch-site", "cross-site") && !is_followed_link
}

#[cfg(test)]
mod tests;
