//! A commit that a record of a task names, and what it changes.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::BOARD;
use crate::hub::HubError;
use crate::transcript::plain_text;
use crate::web::page::address::Readable;
use crate::web::page::view::{CommitPage, Problem, diff_lines};
use crate::web::page::{Page, problem_page, refusal, shown, task_path};

/// A commit.
pub(in crate::web::page) async fn commit(
    State(page): State<Page>,
    Readable(Path((task, name))): Readable<Path<(String, String)>>,
) -> Response {
    match page.commit(&task, &name).await {
        Ok(Some(view)) => shown(&view),
        Ok(None) => problem_page(StatusCode::NOT_FOUND, "No such commit", not_there(&name)),
        Err(error) => refusal(error),
    }
}

impl Page {
    async fn commit(&self, task: &str, name: &str) -> Result<Option<CommitPage>, HubError> {
        let Some(commit) = self.hub.commit_of_task(task, name).await? else { return Ok(None) };
        let text = plain_text(&commit.text);
        Ok(Some(CommitPage {
            frame: self.frame_of(&format!("commit {name}"), BOARD).await,
            name: name.to_owned(),
            against: against(&commit.parents),
            id: commit.id,
            task: task.to_owned(),
            back: task_path(task),
            folder: commit.folder.display().to_string(),
            lines: diff_lines(&text),
            is_cut: commit.is_cut,
        }))
    }
}

/// Against what the changes of a commit with these parents are shown, where that is not the only one.
fn against(parents: &[String]) -> Option<String> {
    match parents {
        [] => Some("It has no parent here: all that it holds is shown as new.".to_owned()),
        [_] => None,
        [first, others @ ..] => {
            let from = others.join(", ");
            let words =
                format!("It is a merge: shown is what it changes in its first parent, {first}, from {from}.");
            Some(words)
        }
    }
}

fn not_there(name: &str) -> Problem {
    Problem {
        message: format!(
            "commit {name} is named by no record of this task, or is in no repository that is looked at, or several \
             commits there begin so"
        ),
        allowed: Vec::new(),
        next:
            "Name its repository in `repositories` of [tasks] in your config.toml, or look with `git show`."
                .to_owned(),
    }
}
