//! `turnroom answer`: a person answers a question. The first answer counts.

use clap::Args;
use serde_json::Value;

use super::ask;
use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::{Output, Person, words};
use super::{intake, show};
use crate::paths::DataFolder;

/// Answer a question that waits for you
#[derive(Debug, Args)]
#[command(after_help = "\
`turnroom inbox` lists the questions. The first answer counts: whoever comes later is told so, with exit code 1.

  turnroom answer review#12 2            the second choice
  turnroom answer review#12 'Keep it.'   your own words
  turnroom answer 12 yes                 if one room only has a question of this number")]
pub(super) struct Answer {
    /// Which question: room and number, the number, or its id in the inbox
    #[arg(value_name = "ROOM#N")]
    question: String,
    /// The number of a choice, a choice, or your own words; `-`: the text that is piped in
    #[arg(allow_hyphen_values = true, value_parser = words)]
    text: String,
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    output: Output,
}

/// A question as it was named.
#[derive(Debug, PartialEq, Eq)]
struct Named {
    room: Option<String>,
    number: u64,
}

impl Answer {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let (named, text) = (named(&self.question)?, intake::typed_or_piped(&self.text)?);
        let hub = Hub::find(folder)?;
        let inbox = hub.call(&Call::command("inbox")).await?;
        let question = find(&inbox, &named, &self.person.handle)?;
        let room = question.and_then(|found| found["room"].as_str()).or(named.room.as_deref());
        let call = Call::command("answer")
            .by_person()
            .set_some("room", room)
            .set("seq_id", named.number)
            .set("handle", self.person.handle.as_str())
            .set("content", chosen(question, text)?);
        let answer = hub.call(&call).await?;
        ask::print(&answer, self.output, show::said)?;
        Ok(if answer["posted"].is_object() { Ending::Done } else { Ending::Refused })
    }
}

/// Reads `review#12`, `#12`, `12`, or `review/question/12/@user`.
fn named(text: &str) -> Result<Named, Failure> {
    let (room, number) = match text.split('/').collect::<Vec<_>>().as_slice() {
        [room, "question", number, _] => (*room, *number),
        [_] => text.rsplit_once('#').unwrap_or(("", text)),
        _ => ("", ""),
    };
    let number = number.parse().map_err(|_| {
        let shown = clean::line(text);
        Failure::Usage(format!("`{shown}` names no question; give room and number, such as review#12"))
    })?;
    Ok(Named { room: Some(room.to_owned()).filter(|room| !room.is_empty()), number })
}

/// The question in the inbox; nothing, if a room was named and has no such question any more: the hub knows why.
fn find<'a>(inbox: &'a Value, named: &Named, person: &str) -> Result<Option<&'a Value>, Failure> {
    let items = inbox["items"].as_array().map_or(&[][..], Vec::as_slice);
    let is_named = |item: &&Value| {
        item["kind"] == "question"
            && item["seq_id"] == named.number
            && named.room.as_ref().is_none_or(|room| item["room"] == *room)
    };
    let found: Vec<&Value> = items.iter().filter(is_named).collect();
    let mut rooms: Vec<&str> = found.iter().filter_map(|item| item["room"].as_str()).collect();
    rooms.dedup();
    let number = named.number;
    match rooms.as_slice() {
        [] if named.room.is_none() => {
            Err(anyhow::anyhow!("no question with the number {number} waits; `turnroom inbox` lists them")
                .into())
        }
        [_, _, ..] => {
            let all: Vec<String> =
                rooms.iter().map(|room| clean::line(&format!("{room}#{number}"))).collect();
            let text = format!("several rooms have a question {number}; name one: {}", all.join(", "));
            Err(Failure::Usage(text))
        }
        // Several people may be asked by one message.
        _ => Ok(found.iter().find(|item| item["to"] == person).or(found.first()).copied()),
    }
}

/// The words of an answer: a choice, by its number or its words, or else the words themselves.
fn chosen(question: Option<&Value>, text: String) -> Result<String, Failure> {
    let choices = question.and_then(|question| question["choices"].as_array());
    let choices: Vec<&str> = choices.into_iter().flatten().filter_map(Value::as_str).collect();
    let wanted = text.trim();
    if let (false, Ok(number)) = (choices.is_empty(), wanted.parse::<usize>()) {
        let choice = number.checked_sub(1).and_then(|at| choices.get(at));
        let problem =
            || Failure::Usage(format!("there is no choice {number}; there are 1 to {}", choices.len()));
        return choice.map(ToString::to_string).ok_or_else(problem);
    }
    let same = choices.iter().find(|choice| choice.to_lowercase() == wanted.to_lowercase());
    Ok(same.map_or(text, ToString::to_string))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn inbox() -> Value {
        let question = |room: &str, number: u64, to: &str, choices: &[&str]| json!({ "kind": "question", "room": room, "seq_id": number, "to": to, "choices": choices });
        json!({ "items": [
            question("design", 12, "@user", &["Yes", "No"]),
            question("review", 12, "@user", &[]),
            question("review", 3, "@Carol", &["one"]),
            question("review", 3, "@user", &["two"]),
            { "kind": "paused", "room": "review" },
        ] })
    }

    #[test]
    fn a_question_can_be_named_in_each_form() {
        let of = |room: Option<&str>, number| Named { room: room.map(str::to_owned), number };
        assert_eq!(named("design#12").unwrap(), of(Some("design"), 12));
        assert_eq!(named("design/question/12/@user").unwrap(), of(Some("design"), 12));
        assert_eq!(named("12").unwrap(), of(None, 12));
        assert_eq!(named("#12").unwrap(), of(None, 12));
        for wrong in ["design", "design#", "design/paused/3", "", "#-1"] {
            assert!(matches!(named(wrong), Err(Failure::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn a_number_alone_must_mean_one_room() {
        let inbox = inbox();
        let find = |text: &str| find(&inbox, &named(text).unwrap(), "@user");
        assert!(matches!(find("12"), Err(Failure::Usage(text)) if text.contains("design#12, review#12")));
        assert_eq!(find("3").unwrap().unwrap()["choices"][0], "two");
        assert!(matches!(find("4"), Err(Failure::Other(_))));
        assert!(find("design#4").unwrap().is_none(), "the hub says what became of it");
    }

    #[test]
    fn a_choice_is_taken_by_number_or_words_and_other_words_stay() {
        let inbox = inbox();
        let choose = |text: &str| chosen(inbox["items"].get(0), text.to_owned());
        assert_eq!(choose("2").unwrap(), "No");
        assert_eq!(choose(" yes").unwrap(), "Yes");
        assert_eq!(choose("Yes, but later").unwrap(), "Yes, but later");
        assert!(matches!(choose("3"), Err(Failure::Usage(text)) if text.contains("1 to 2")));
        assert!(choose("0").is_err());
        assert_eq!(chosen(inbox["items"].get(1), "7".to_owned()).unwrap(), "7");
    }
}
