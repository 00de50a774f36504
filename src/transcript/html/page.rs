//! A whole conversation as one page that stands alone: nothing is loaded, and nothing of it acts.

use chrono::{DateTime, Utc};

use super::{escape, html};
use crate::room::Language;
use crate::transcript::clean;
use crate::transcript::labels::{Labels, notice_text};
use crate::transcript::view::{Entry, Head, Stage};

const STYLE: &str = include_str!("page.css");
/// A browser that opens it may do nothing but show it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page.
#[must_use]
pub fn page(head: &Head, entries: &[Entry]) -> String {
    let labels = Labels::of(head.language);
    let title = escaped(if head.topic.is_empty() { &head.room } else { &head.topic });
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        language(head.language)
    );
    page.push_str(&facts(head, labels));
    for entry in entries {
        page.push_str(&shown(entry, head, labels));
    }
    page + "</main>\n</body>\n</html>\n"
}

/// Where it comes from, when it began, and who took part.
fn facts(head: &Head, labels: &Labels) -> String {
    let names = head.participants.iter().map(|row| match row.name.as_str() {
        "" => row.handle.to_string(),
        name => format!("{} {name}", row.handle),
    });
    let participants: Vec<String> = names.collect();
    let mut facts = vec![
        (labels.file, escaped(&head.file)),
        (labels.started, moment(head.started)),
        (labels.participants, escaped(&participants.join(", "))),
    ];
    if head.stage == Stage::Closed {
        facts.push((labels.status, escaped(labels.closed)));
    }
    let colon = labels.colon;
    let lines: Vec<String> = facts
        .iter()
        .map(|(name, value)| format!("<dt>{name}{colon}</dt><dd dir=\"auto\">{value}</dd>\n"))
        .collect();
    format!("<dl>\n{}</dl>\n", lines.concat())
}

fn shown(entry: &Entry, head: &Head, labels: &Labels) -> String {
    match entry {
        Entry::Message { seq, at, sender, via, recipients, is_private, content } => {
            let to: Vec<String> = recipients.iter().map(ToString::to_string).collect();
            let to = if to.is_empty() { String::new() } else { format!(" ➔ {}", to.join(", ")) };
            let way = via.and_then(|via| labels.via_words(via)).map(|words| format!(" ({words})"));
            let names = escaped(&format!("{sender}{}{to}", way.unwrap_or_default()));
            let private = format!("🔒 [{}] ", labels.private);
            let (class, lock) = if *is_private { (" class=\"private\"", private.as_str()) } else { ("", "") };
            let (at, words) = (moment(*at), html(content));
            format!(
                "<article id=\"{seq}\"{class}>\n<h2>{lock}{names} {at} <span class=\"number\">· {seq}</span></h2>\n\
                 <div dir=\"auto\">\n{words}</div>\n</article>\n"
            )
        }
        Entry::Notice { seq, at, notice } => {
            let (at, text) = (moment(*at), escaped(&notice_text(notice, head.language)));
            format!("<div class=\"notice\" id=\"{seq}\"><p>🔔 {at} {text}</p></div>\n")
        }
    }
}

fn moment(at: DateTime<Utc>) -> String {
    let shown = at.format("%Y-%m-%d %H:%M:%S UTC");
    format!("<time datetime=\"{}\">{shown}</time>", at.format("%Y-%m-%dT%H:%M:%SZ"))
}

fn language(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::Fr => "fr",
        Language::Es => "es",
        Language::Zh => "zh",
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    escape(&clean::line(text), &mut safe);
    safe
}
