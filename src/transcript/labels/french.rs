//! French, with the words of multiagent-mcp.

use super::super::view::Notice;
use super::{Ink, Labels};
use crate::room::Handle;
use crate::room::event::PuzzleStep;

pub(super) const LABELS: Labels = Labels {
    colon: " :",
    title: "Multi-Agent Room",
    file: "Fichier",
    topic: "Sujet",
    started: "Initialisé le",
    participants: "Participants",
    handle: "Identifiant",
    name: "Nom",
    status: "Statut",
    joined: "Rejoint le",
    floor: "Parole",
    queue: "File d'attente",
    gathering: "En attente des participants",
    paused: "En pause",
    closed: "Terminée",
    nothing_waits: "Rien ne vous attend.",
    work_for_people: "Tâches qui attendent une personne",
    puzzles_for_people: "Puzzles qui attendent une personne",
    asks: "interroge",
    since: "depuis",
    more: "de plus",
    latest: "Dernier message",
    conversation: "Fil de discussion",
    earlier: "Plus tôt",
    newest: "Suite",
    private: "Message Privé",
    puzzle: "Puzzle",
    system: "Système",
    expected: "attendu",
    active: "actif",
    away: "absent",
    left: "parti",
    via_mcp: "via MCP",
    via_terminal: "via le terminal",
    via_page: "via la page",
    via_note: "via la note",
    reply_title: "Répondre",
    reply_link: "Répondre ici",
    reply_place: "Vos mots",
    reply_choose: "*Cochez une réponse, ou écrivez ici et cochez « envoyer ».*",
    reply_write: "*Écrivez ici, puis cochez « envoyer ».*",
    reply_speak: "*Aucune question ne vous attend. Pour dire quelque chose, écrivez ici, puis cochez « envoyer ».*",
    reply_send: "envoyer",
    reply_unsent: "Non envoyé",
    reply_over: "*La conversation est close ; plus rien n'est pris ici.*",
    reply_unverified: "*Seuls les mots vérifiés comptent dans cette conversation, et ceux d'une note ne le sont pas. Répondez sur la page ou dans un terminal : `turnroom inbox` dit comment.*",
    reply_two_choices: "plusieurs réponses sont cochées ; cochez-en une",
    reply_empty: "rien n'est écrit ; écrivez ci-dessus, puis cochez à nouveau",
    reply_decide: "*Pour décider, cochez une décision ci-dessus, écrivez ici pourquoi, et cochez « envoyer ». Sans elle, ce que vous écrivez est dit dans la conversation.*",
    reply_said: "*Ce que vous écrivez ici est dit dans la conversation ; cela ne décide rien.*",
    reply_no_reason: "un rejet demande une raison : écrivez ci-dessus ce qu'il faut corriger, puis cochez « envoyer » à nouveau",
    gate_task: "Tâche",
    gate_pending: "attend votre décision",
    gate_approved: "est approuvée, et pas encore close",
    gate_proposes: "propose",
    gate_approve: "Approuver",
    gate_reject: "Rejeter",
    gate_close: "Clore",
    gate_elsewhere: "Seules les décisions vérifiées comptent ici, et celles d'une note ne le sont pas. Décidez sur la page ou dans un terminal :",
};

pub(super) fn said(notice: &Notice, ink: Ink) -> String {
    let at = |handle| ink.handle(handle);
    match notice {
        Notice::Joined { handle } => format!("{} est arrivé dans la conversation", at(handle)),
        Notice::Overdue { missing } => {
            format!(
                "{} ne sont pas encore arrivés ; une personne peut ouvrir sans eux : {}",
                ink.handles(missing),
                ink.code("turnroom start")
            )
        }
        Notice::Started { by } => format!("{} a ouvert la conversation sans les absents", at(by)),
        Notice::Left { handle } => format!("{} a quitté la conversation", at(handle)),
        Notice::Removed { handle } => format!("{} a été retiré ; l'identifiant est libre", at(handle)),
        Notice::TakenOver { handle } => format!("{} continue dans une autre session", at(handle)),
        Notice::Lapsed { handle } => format!("{} s'est tu trop longtemps ; le tour passe", at(handle)),
        Notice::Unanswered { handle } => {
            format!("{} a été appelé il y a longtemps et n'a pas encore répondu", at(handle))
        }
        Notice::Passed { by, to: Some(to), .. } => format!("{} a passé la parole à {}", at(by), at(to)),
        Notice::Passed { by, to: None, .. } => format!("{} a passé la parole", at(by)),
        Notice::TaskMoved { .. } => task_moved(notice, ink),
        Notice::Puzzle { puzzle, what, to, relieved } => puzzle_news(puzzle, what, (to, relieved), ink),
        Notice::Paused { by: Some(by) } => format!("{} a mis la conversation en pause", at(by)),
        Notice::Paused { by: None } => {
            "La conversation est en pause : les agents ont longtemps parlé sans intervention humaine"
                .to_owned()
        }
        Notice::Resumed { by } => format!("{} a mis fin à la pause", at(by)),
        Notice::Closed { by: Some(by), .. } => format!("{} a clos la conversation", at(by)),
        Notice::Closed { by: None, .. } => "La conversation est close".to_owned(),
        Notice::Kept { file } => format!(
            "La note avait été modifiée par quelqu'un ; sa version est gardée dans {}",
            ink.code(file)
        ),
        Notice::TaskStalled { task, handle, minutes } => stalled(task, handle, *minutes, ink),
        Notice::NoReplyNote { file } => {
            format!("Pas de note de réponse : {} existait déjà et reste telle quelle", ink.code(file))
        }
    }
}

/// What happened to a task.
fn task_moved(notice: &Notice, ink: Ink) -> String {
    let Notice::TaskMoved { task, version, content, is_proposed, status, to, .. } = notice else {
        return String::new();
    };
    let (task, content, status) = (ink.code(task), ink.code(content), ink.code(status));
    let proposed = if *is_proposed { " (proposée, non vérifiée)" } else { "" };
    let moved = if *version == 0 {
        format!("La tâche {task} est ici ; elle est {status}")
    } else {
        format!("Tâche {task}, entrée {version} : {content}{proposed} ; maintenant {status}")
    };
    let turn = to.as_ref().map(|to| format!(" ; c’est au tour de {}", ink.handle(to)));
    moved + &turn.unwrap_or_default()
}

fn stalled(task: &str, handle: &Handle, minutes: u64, ink: Ink) -> String {
    format!(
        "Tâche {} : rien depuis {minutes} {} ; c'est au tour de {}",
        ink.code(task),
        if minutes == 1 { "minute" } else { "minutes" },
        ink.handle(handle)
    )
}

/// What happened to a puzzle, and whose turn it is now.
fn puzzle_news(puzzle: &str, what: &PuzzleStep, (to, relieved): (&[Handle], &[Handle]), ink: Ink) -> String {
    puzzle_step(&ink.code(puzzle), what, ink) + &turns(to, relieved, ink)
}

/// What happened to a puzzle.
fn puzzle_step(puzzle: &str, what: &PuzzleStep, ink: Ink) -> String {
    let at = |handle: &Handle| ink.handle(handle);
    let did = |action: &str, by: Option<&Handle>| {
        let action = ink.code(action);
        by.map_or(action.clone(), |by| format!("{action} de {}", at(by)))
    };
    match what {
        PuzzleStep::Added { place, .. } => {
            format!("Le puzzle {puzzle} est ici ; il est {}", ink.code(&place.state))
        }
        PuzzleStep::Moved { from, place, action, by } => {
            let did = did(action, by.as_ref());
            format!("Puzzle {puzzle} : {} → {} par {did}", ink.code(from), ink.code(&place.state))
        }
        PuzzleStep::Asked { action, by, asked, .. } => {
            let did = did(action, by.as_ref());
            format!("Puzzle {puzzle} : {did} attend un mot de {}", ink.handles(asked))
        }
        PuzzleStep::Answered { action, by, pass, again, .. } => {
            let who = by.as_ref().map_or("un programme".to_owned(), &at);
            let did = ink.code(action);
            let said = if *pass { "laisse" } else { "ne laisserait pas" };
            let said = format!("Puzzle {puzzle} : {who} {said} passer {did}");
            again.as_ref().map_or(said.clone(), |again| format!("{said} ; {} doit le refaire", at(again)))
        }
        PuzzleStep::Refused { state, action, by: Some(by), .. } => {
            let (did, who) = (ink.code(action), at(by));
            format!("Le puzzle {puzzle} reste {} : {did} a été refusé par {who}", ink.code(state))
        }
        PuzzleStep::Refused { state, action, by: None, .. } => {
            let did = ink.code(action);
            format!("Puzzle {puzzle} : {did} a été refusé ; il reste {}", ink.code(state))
        }
        PuzzleStep::Removed => format!("Le puzzle {puzzle} a été retiré"),
    }
}

/// Whose turn it is now, and whose it was.
fn turns(to: &[Handle], relieved: &[Handle], ink: Ink) -> String {
    let turn = (!to.is_empty()).then(|| format!(" ; c’est au tour de {}", ink.handles(to)));
    let stop = (!relieved.is_empty()).then(|| format!(" ; {} peut s’arrêter", ink.handles(relieved)));
    turn.into_iter().chain(stop).collect()
}
