//! Notices as requests to somebody's server. Redirects are not followed, and of an answer only its head is read.

mod shape;

use std::time::Duration;

use async_trait::async_trait;
use http::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::timeout;

use super::channel::{BadChannel, Channel, Failure};
use super::notice::Notice;
use crate::config::Webhook;
use shape::Shape;

/// A server that needs longer for its answer is tried again later.
const PATIENCE: Duration = Duration::from_secs(10);
/// A server that wants more time until the next request is not believed.
const LONGEST: Duration = Duration::from_hours(1);
const AGENT: &str = concat!("turnroom/", env!("CARGO_PKG_VERSION"));
const JSON: &str = "application/json";

/// Somebody's server.
#[derive(Debug)]
pub(super) struct WebhookChannel {
    client: Client<HttpsConnector<HttpConnector>, String>,
    shape: Shape,
    headers: HeaderMap,
}

impl WebhookChannel {
    pub(super) const NAME: &str = "webhook";

    /// The server that the settings name, if they do.
    pub(super) fn new(settings: &Webhook) -> Result<Option<Self>, BadChannel> {
        if settings.url.reveal().is_empty() {
            return Ok(None);
        }
        let bad = |reason: &str| BadChannel(format!("`notices.webhook.url` {reason}"));
        let uri: Uri = settings.url.reveal().parse().map_err(|_| bad("is no address"))?;
        let client = client(&uri).map_err(BadChannel)?;
        let shape = Shape::new(settings.format, uri).map_err(bad)?;
        Ok(Some(Self { client, shape, headers: headers(settings)? }))
    }

    fn request(&self, notice: &Notice) -> Request<String> {
        let mut request = Request::new(self.shape.body(notice).to_string());
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = self.shape.uri().clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

#[async_trait]
impl Channel for WebhookChannel {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn tell(&self, notice: &Notice) -> Result<(), Failure> {
        let later = |reason: String| Failure::Later { reason, after: None };
        match timeout(PATIENCE, self.client.request(self.request(notice))).await {
            Ok(Ok(answer)) => judge(&answer),
            Ok(Err(error)) => Err(later(with_causes(&error))),
            Err(_) => Err(later(format!("it did not answer within {} s", PATIENCE.as_secs()))),
        }
    }
}

fn judge<T>(answer: &Response<T>) -> Result<(), Failure> {
    let status = answer.status();
    let reason = format!("it answered {status}");
    match status {
        _ if status.is_success() => Ok(()),
        // It has read the notice, and will not like it better the next time.
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
            Err(Failure::Refused(reason))
        }
        _ if status.is_redirection() => {
            let reason = format!("{reason}; redirects are not followed: set the address itself");
            Err(Failure::Later { reason, after: None })
        }
        _ => Err(Failure::Later { reason, after: asked_for(answer.headers()) }),
    }
}

/// How long the server wants to be left alone.
fn asked_for(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST))
}

/// A client that keeps no connection. The certificates of the system are read only where they are needed.
fn client(uri: &Uri) -> Result<Client<HttpsConnector<HttpConnector>, String>, String> {
    let tls = ClientConfig::builder_with_provider(ring::default_provider().into());
    let tls = tls.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    let tls = if uri.scheme_str() == Some("https") {
        let unread = |error| format!("the certificates of the system cannot be read: {error}");
        tls.with_native_roots().map_err(unread)?
    } else {
        tls.with_root_certificates(RootCertStore::empty())
    };
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls.with_no_client_auth())
        .https_or_http()
        .enable_http1()
        .build();
    Ok(Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector))
}

fn headers(settings: &Webhook) -> Result<HeaderMap, BadChannel> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    for (name, value) in &settings.headers {
        let bad = || BadChannel(format!("`notices.webhook.headers` has `{name}`, which is no header"));
        let key = HeaderName::try_from(name).map_err(|_| bad())?;
        let mut value = HeaderValue::try_from(value.reveal()).map_err(|_| bad())?;
        value.set_sensitive(true);
        if key != HOST {
            headers.insert(key, value);
        }
    }
    Ok(headers)
}

/// What went wrong, down to its first cause. Of the address it has no more than the host.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, after: &str) -> Response<()> {
        Response::builder().status(status).header(RETRY_AFTER, after).body(()).expect("an answer")
    }

    #[test]
    fn what_will_not_be_taken_is_not_sent_again() {
        assert!(judge(&answer(204, "")).is_ok());
        assert!(matches!(judge(&answer(400, "")), Err(Failure::Refused(_))));
        for status in [301, 401, 404, 500, 503] {
            assert!(
                matches!(judge(&answer(status, "x")), Err(Failure::Later { after: None, .. })),
                "{status}"
            );
        }
    }

    #[test]
    fn a_server_may_ask_for_time_within_reason() {
        let after = |text: &str| match judge(&answer(429, text)) {
            Err(Failure::Later { after, .. }) => after,
            other => panic!("{other:?}"),
        };
        assert_eq!(after("30"), Some(Duration::from_secs(30)));
        assert_eq!(after("99999999"), Some(LONGEST));
    }
}
