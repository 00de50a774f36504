//! `turnroom inbox`: what waits for people, in all rooms.

use std::collections::BTreeMap;
use std::io;

use clap::Args;
use serde_json::{Value, json};

use super::ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::follow::{Follower, ROUND_SECONDS};
use super::hub::Hub;
use super::options::{Looks, Output, seconds_value};
use super::{screen, show};
use crate::paths::DataFolder;

/// Show what waits for you in all rooms, and the command that does it
#[derive(Debug, Args)]
#[command(after_help = "\
With --watch, each new thing is printed as it comes, and a line when it is settled. With --json too, each is one line:
{\"event\": \"new\", \"item\": {…}} or {\"event\": \"settled\", \"id\": \"…\"}.

  turnroom inbox --watch")]
pub(super) struct Inbox {
    /// Go on, and print what is new
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    output: Output,
}

impl Inbox {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        if self.watch {
            return self.follow(folder).await;
        }
        let answer = Hub::find(folder)?.call(&Call::command("inbox")).await?;
        ask::print(&answer, self.output, |answer, _| show::inbox(answer, self.looks.look()))?;
        Ok(Ending::Done)
    }

    async fn follow(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let (mut follower, mut known) = (Follower::new(folder), Known::default());
        let mut is_first = true;
        loop {
            let call = Call::command("inbox")
                .set_some("known", known.revision.as_deref())
                .set("timeout_seconds", seconds_value(ROUND_SECONDS));
            let answer = follower.ask(&call).await?;
            let news = known.take(&answer);
            for one in &news {
                self.tell(one)?;
            }
            match (news.is_empty(), std::mem::take(&mut is_first)) {
                (true, false) => Follower::pause().await,
                (true, true) if !self.output.json => {
                    screen::complain("nothing waits for you; what comes is told here\n");
                }
                _ => {}
            }
        }
    }

    fn tell(&self, news: &News) -> io::Result<()> {
        let look = self.looks.look();
        match (news, self.output.json) {
            (News::Item(item), true) => {
                screen::print(&ask::json_line(&json!({ "event": "new", "item": item })))
            }
            (News::Settled { id, .. }, true) => {
                screen::print(&ask::json_line(&json!({ "event": "settled", "id": id })))
            }
            (News::Item(item), false) => screen::tell(&(show::inbox_item(item, look) + "\n")),
            (News::Settled { title, .. }, false) => screen::tell(&(show::settled(title, look) + "\n")),
        }
    }
}

/// What was told before.
#[derive(Debug, Default)]
struct Known {
    revision: Option<String>,
    /// Titles by ids.
    items: BTreeMap<String, String>,
}

/// What has changed.
#[derive(Debug, PartialEq)]
enum News {
    Item(Value),
    Settled { id: String, title: String },
}

impl Known {
    /// Takes an answer in; gives what is new in it, what is settled first.
    fn take(&mut self, answer: &Value) -> Vec<News> {
        self.revision = answer["revision"].as_str().map(str::to_owned);
        let items = answer["items"].as_array().map_or(&[][..], Vec::as_slice);
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let now: BTreeMap<String, String> =
            items.iter().map(|item| (text(item, "id"), text(item, "title"))).collect();
        let before = std::mem::replace(&mut self.items, now);
        let gone = before.iter().filter(|(id, _)| !self.items.contains_key(*id));
        let gone = gone.map(|(id, title)| News::Settled { id: id.clone(), title: title.clone() });
        let new =
            items.iter().filter(|item| !before.contains_key(&text(item, "id"))).cloned().map(News::Item);
        gone.chain(new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(ids: &[&str]) -> Value {
        let items: Vec<Value> =
            ids.iter().map(|id| json!({ "id": id, "title": format!("title of {id}") })).collect();
        json!({ "revision": ids.concat(), "items": items })
    }

    #[test]
    fn each_thing_is_told_once_when_it_comes_and_once_when_it_is_settled() {
        let mut known = Known::default();
        assert_eq!(known.take(&answer(&["a", "b"])).len(), 2);
        assert_eq!(known.revision.as_deref(), Some("ab"));
        assert_eq!(known.take(&answer(&["a", "b"])), []);
        let news = known.take(&answer(&["b", "c"]));
        assert!(matches!(&news[..], [News::Settled { id, title }, News::Item(item)]
            if id == "a" && title == "title of a" && item["id"] == "c"));
    }
}
