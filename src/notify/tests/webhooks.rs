//! Webhooks against a server.

use serde_json::Value;

use super::support::{House, Server, all, news, quick, silent};
use crate::config::{Format, Hidden, Notices, Webhook};
use crate::notify::channel::Channel;
use crate::notify::webhook::WebhookChannel;
use crate::notify::{Outcome, try_all};

fn settings(url: &str) -> Notices {
    let headers = [("authorization".to_owned(), Hidden::from("Bearer 123"))].into();
    let webhook = Webhook { url: url.into(), format: Format::Json, headers };
    Notices { webhook, ..silent() }
}

fn channel(settings: &Notices) -> Box<dyn Channel> {
    let made = WebhookChannel::new(&settings.webhook);
    Box::new(made.expect("an address").expect("it is wanted"))
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").expect("a head");
    serde_json::from_str(body).expect("JSON")
}

#[tokio::test]
async fn a_webhook_that_refuses_twice_gets_the_notice_once_also_over_a_restart() {
    let house = House::new();
    let mut server = Server::answering(&[503, 503]).await;
    let settings = settings(&server.url);
    let notifier = house.open(vec![channel(&settings)], &settings, quick()).await;
    notifier.waiting(all(&["a/1"]));
    server.next().await;
    notifier.close().await;

    let notifier = house.open(vec![channel(&settings)], &settings, quick()).await;
    notifier.waiting(all(&["a/1"]));
    server.next().await;
    let taken = server.next().await;
    assert!(taken.starts_with("POST /hook HTTP/1.1\r\n"), "{taken}");
    for header in ["content-type: application/json\r\n", "authorization: Bearer 123\r\n"] {
        assert!(taken.contains(header), "{taken}");
    }
    assert_eq!(body(&taken)["items"][0]["id"], "a/1");
    notifier.close().await;

    let notifier = house.open(vec![channel(&settings)], &settings, quick()).await;
    notifier.waiting(all(&["a/1", "a/2"]));
    let next = body(&server.next().await);
    assert_eq!(
        (&next["id"], &next["kind"], &next["text"]),
        (&"a/2".into(), &"question".into(), &"body of a/2".into())
    );
    notifier.close().await;
    assert!(server.requests.try_recv().is_err());
}

#[tokio::test]
async fn many_things_go_out_as_one_request() {
    let house = House::new();
    let mut server = Server::answering(&[]).await;
    let settings = settings(&server.url);
    let notifier = house.open(vec![channel(&settings)], &settings, quick()).await;
    notifier.waiting((0..1000).map(|number| news(&format!("a/{number}"))).collect());
    let body = body(&server.next().await);
    assert_eq!(body["count"], 1000);
    assert_eq!(body["items"].as_array().unwrap().len(), 40);
    notifier.close().await;
}

#[tokio::test]
async fn a_trial_tells_what_came_of_each_way() {
    let house = House::new();
    let mut server = Server::answering(&[404]).await;
    let folder = house.folder();
    let trials = try_all(&settings(&server.url), folder.path(), house.clock).await;
    assert_eq!(body(&server.next().await)["kind"], "test");
    let outcomes: Vec<_> = trials.iter().map(|trial| (trial.channel, &trial.outcome)).collect();
    let failed = Outcome::Failed("it answered 404 Not Found".to_owned());
    assert_eq!(outcomes, [("desktop", &Outcome::Off), ("webhook", &failed), ("command", &Outcome::Off)]);
}

#[tokio::test]
async fn a_server_without_a_certificate_that_the_system_knows_is_not_told() {
    let server = Server::answering(&[]).await;
    let settings = settings(&server.url.replace("http://", "https://"));
    // Where a system has no certificates, the way cannot work at all.
    if let Ok(Some(channel)) = WebhookChannel::new(&settings.webhook) {
        let notice = crate::notify::notice::Notice::one(news("a/1").into());
        assert!(channel.tell(&notice).await.is_err());
    }
}
