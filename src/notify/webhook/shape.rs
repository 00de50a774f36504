//! What a webhook is sent, for whom reads it. Pure.

use http::Uri;
use http::uri::PathAndQuery;
use serde_json::{Value, json};

use crate::config::Format;
use crate::notify::notice::Notice;

/// What a webhook is sent, and where to.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    kind: Kind,
    uri: Uri,
}

#[derive(Clone, Debug)]
enum Kind {
    Json,
    /// To this topic.
    Ntfy(String),
    Slack,
}

impl Shape {
    /// The shape of a format, for the address in the settings.
    pub(super) fn new(format: Format, uri: Uri) -> Result<Self, &'static str> {
        match format {
            Format::Json => Ok(Self { kind: Kind::Json, uri }),
            Format::Slack => Ok(Self { kind: Kind::Slack, uri }),
            Format::Ntfy => {
                // A message as JSON goes to the server itself, and names its topic.
                let topic = uri.path().trim_matches('/').to_owned();
                if topic.is_empty() || topic.contains('/') {
                    return Err("must end in the topic of ntfy, such as https://ntfy.sh/my-topic");
                }
                let mut parts = uri.into_parts();
                parts.path_and_query = Some(PathAndQuery::from_static("/"));
                let uri = Uri::from_parts(parts).map_err(|_| "is no address")?;
                Ok(Self { kind: Kind::Ntfy(topic), uri })
            }
        }
    }

    /// Where to.
    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// What.
    pub(super) fn body(&self, notice: &Notice) -> Value {
        match &self.kind {
            Kind::Json => notice.json(),
            Kind::Ntfy(topic) => ntfy(topic, notice),
            Kind::Slack => slack(notice),
        }
    }
}

fn ntfy(topic: &str, notice: &Notice) -> Value {
    let (title, text) = (notice.title(), notice.text());
    let message = if text.is_empty() { &title } else { &text };
    let mut body = json!({ "topic": topic, "title": title, "message": message });
    // On a telephone, this machine's own address leads nowhere.
    if let Some(url) = notice.url().filter(|url| !is_of_this_machine(url)) {
        body["click"] = json!(url);
    }
    body
}

fn slack(notice: &Notice) -> Value {
    // Slack takes what stands in angle brackets for links and calls to people; what people said is neither.
    let plain = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let lines = [plain(&notice.title()), plain(&notice.text()), notice.url().unwrap_or_default().to_owned()];
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    json!({ "text": lines.join("\n"), "mrkdwn": false, "unfurl_links": false })
}

fn is_of_this_machine(url: &str) -> bool {
    let host = url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    host.is_some_and(|host| matches!(host.as_str(), "localhost" | "[::1]") || host.starts_with("127."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::tests::support::news;

    fn notice(url: &str) -> Notice {
        let mut item = news("design/question/1/@user");
        item.title = "@Alice asks in design".to_owned();
        item.body = "<!channel> a & b?".to_owned();
        item.url = Some(url.to_owned());
        Notice::one(item.into())
    }

    #[test]
    fn ntfy_gets_its_topic_in_the_body() {
        let uri = "https://ntfy.sh/my-topic".parse().unwrap();
        let shape = Shape::new(Format::Ntfy, uri).unwrap();
        assert_eq!(shape.uri(), "https://ntfy.sh/");
        let expected =
            json!({ "topic": "my-topic", "title": "@Alice asks in design", "message": "<!channel> a & b?" });
        assert_eq!(shape.body(&notice("http://127.0.0.1:8000/")), expected);
        assert_eq!(shape.body(&notice("https://hub.example/"))["click"], "https://hub.example/");
        assert!(Shape::new(Format::Ntfy, "https://ntfy.sh/".parse().unwrap()).is_err());
    }

    #[test]
    fn nobody_is_called_by_what_was_said() {
        let shape = Shape::new(Format::Slack, "https://hooks.slack.com/services/1".parse().unwrap()).unwrap();
        assert_eq!(
            shape.body(&notice("http://127.0.0.1:8000/"))["text"],
            "@Alice asks in design\n&lt;!channel&gt; a &amp; b?\nhttp://127.0.0.1:8000/"
        );
    }
}
