//! Spanish.

use super::super::view::Notice;
use super::{Ink, Labels};
use crate::room::Handle;
use crate::room::event::PuzzleStep;

pub(super) const LABELS: Labels = Labels {
    colon: ":",
    title: "Sala multiagente",
    file: "Archivo",
    topic: "Tema",
    started: "Iniciada",
    participants: "Participantes",
    handle: "Identificador",
    name: "Nombre",
    status: "Estado",
    joined: "Llegada",
    floor: "Turno",
    queue: "Cola",
    gathering: "En espera de participantes",
    paused: "En pausa",
    closed: "Cerrada",
    nothing_waits: "Nada le espera.",
    work_for_people: "Tareas que esperan a una persona",
    puzzles_for_people: "Puzzles que esperan a una persona",
    asks: "pregunta a",
    since: "desde",
    more: "más",
    latest: "Último mensaje",
    conversation: "Conversación",
    earlier: "Antes",
    newest: "Continuación",
    private: "Mensaje privado",
    puzzle: "Puzzle",
    system: "Sistema",
    expected: "esperado",
    active: "activo",
    away: "ausente",
    left: "se fue",
    via_mcp: "por MCP",
    via_terminal: "por terminal",
    via_page: "por la página",
    via_note: "por nota",
    reply_title: "Responder",
    reply_link: "Responder aquí",
    reply_place: "Sus palabras",
    reply_choose: "*Marque una respuesta, o escriba aquí y marque «enviar».*",
    reply_write: "*Escriba aquí y marque «enviar».*",
    reply_speak: "*Ninguna pregunta le espera. Para decir algo, escriba aquí y marque «enviar».*",
    reply_send: "enviar",
    reply_unsent: "No enviado",
    reply_over: "*La conversación está cerrada; aquí ya no se toma nada.*",
    reply_unverified: "*En esta sala solo cuentan las palabras verificadas, y las de una nota no lo son. Responda en la página o en un terminal: `turnroom inbox` dice cómo.*",
    reply_two_choices: "hay varias respuestas marcadas; marque una",
    reply_empty: "no hay nada escrito; escriba arriba y marque de nuevo",
    reply_decide: "*Para decidir, marque arriba una decisión, escriba aquí por qué y marque «enviar». Sin ella, lo que escriba se dice en la sala.*",
    reply_said: "*Lo que escriba aquí se dice en la sala; no decide nada.*",
    reply_no_reason: "un rechazo necesita una razón: escriba arriba lo que hay que corregir y marque «enviar» de nuevo",
    gate_task: "Tarea",
    gate_pending: "espera su decisión",
    gate_approved: "está aprobada y aún no cerrada",
    gate_proposes: "propone",
    gate_approve: "Aprobar",
    gate_reject: "Rechazar",
    gate_close: "Cerrar",
    gate_elsewhere: "Aquí solo cuentan las decisiones verificadas, y las de una nota no lo son. Decida en la página o en un terminal:",
};

pub(super) fn said(notice: &Notice, ink: Ink) -> String {
    let at = |handle| ink.handle(handle);
    match notice {
        Notice::Joined { handle } => format!("{} se unió a la conversación", at(handle)),
        Notice::Overdue { missing } => {
            format!(
                "{} aún no se han unido; una persona puede empezar sin ellos: {}",
                ink.handles(missing),
                ink.code("turnroom start")
            )
        }
        Notice::Started { by } => format!("{} abrió la conversación sin los ausentes", at(by)),
        Notice::Left { handle } => format!("{} dejó la conversación", at(handle)),
        Notice::Removed { handle } => format!("{} fue retirado; el identificador queda libre", at(handle)),
        Notice::TakenOver { handle } => format!("{} sigue en otra sesión", at(handle)),
        Notice::Lapsed { handle } => format!("{} calló demasiado tiempo; el turno pasa", at(handle)),
        Notice::Unanswered { handle } => {
            format!("{} fue llamado hace mucho y aún no ha respondido", at(handle))
        }
        Notice::Passed { by, to: Some(to), .. } => format!("{} pasó el turno a {}", at(by), at(to)),
        Notice::Passed { by, to: None, .. } => format!("{} pasó el turno", at(by)),
        Notice::TaskMoved { .. } => task_moved(notice, ink),
        Notice::Puzzle { puzzle, what, to, relieved } => puzzle_news(puzzle, what, (to, relieved), ink),
        Notice::Paused { by: Some(by) } => format!("{} puso la conversación en pausa", at(by)),
        Notice::Paused { by: None } => {
            "La conversación está en pausa: los agentes han hablado mucho sin una persona".to_owned()
        }
        Notice::Resumed { by } => format!("{} terminó la pausa", at(by)),
        Notice::Closed { by: Some(by), .. } => format!("{} cerró la conversación", at(by)),
        Notice::Closed { by: None, .. } => "La conversación está cerrada".to_owned(),
        Notice::Kept { file } => {
            format!("Alguien había cambiado la nota; su versión se guarda en {}", ink.code(file))
        }
        Notice::TaskStalled { task, handle, minutes } => stalled(task, handle, *minutes, ink),
        Notice::NoReplyNote { file } => {
            format!("No hay nota de respuesta: {} ya existía y queda como está", ink.code(file))
        }
    }
}

/// What happened to a task.
fn task_moved(notice: &Notice, ink: Ink) -> String {
    let Notice::TaskMoved { task, version, content, is_proposed, status, to, .. } = notice else {
        return String::new();
    };
    let (task, content, status) = (ink.code(task), ink.code(content), ink.code(status));
    let proposed = if *is_proposed { " (propuesta, sin verificar)" } else { "" };
    let moved = if *version == 0 {
        format!("La tarea {task} está aquí; está {status}")
    } else {
        format!("Tarea {task}, registro {version}: {content}{proposed}; ahora {status}")
    };
    let turn = to.as_ref().map(|to| format!("; es el turno de {}", ink.handle(to)));
    moved + &turn.unwrap_or_default()
}

fn stalled(task: &str, handle: &Handle, minutes: u64, ink: Ink) -> String {
    format!(
        "Tarea {}: nada desde hace {minutes} {}; es el turno de {}",
        ink.code(task),
        if minutes == 1 { "minuto" } else { "minutos" },
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
            format!("El puzle {puzzle} está aquí; está {}", ink.code(&place.state))
        }
        PuzzleStep::Moved { from, place, action, by } => {
            let did = did(action, by.as_ref());
            format!("Puzle {puzzle}: {} → {} por {did}", ink.code(from), ink.code(&place.state))
        }
        PuzzleStep::Asked { action, by, asked, .. } => {
            let did = did(action, by.as_ref());
            format!("Puzle {puzzle}: {did} espera una palabra de {}", ink.handles(asked))
        }
        PuzzleStep::Answered { action, by, pass, again, .. } => {
            let who = by.as_ref().map_or("un programa".to_owned(), &at);
            let did = ink.code(action);
            let said = if *pass { "deja" } else { "no dejaría" };
            let said = format!("Puzle {puzzle}: {who} {said} pasar {did}");
            again.as_ref().map_or(said.clone(), |again| format!("{said}; {} tiene que repetirlo", at(again)))
        }
        PuzzleStep::Refused { state, action, by: Some(by), .. } => {
            let (did, who) = (ink.code(action), at(by));
            format!("El puzle {puzzle} sigue {}: {did} fue rechazado por {who}", ink.code(state))
        }
        PuzzleStep::Refused { state, action, by: None, .. } => {
            let did = ink.code(action);
            format!("Puzle {puzzle}: {did} fue rechazado; sigue {}", ink.code(state))
        }
        PuzzleStep::Removed => format!("El puzle {puzzle} fue retirado"),
    }
}

/// Whose turn it is now, and whose it was.
fn turns(to: &[Handle], relieved: &[Handle], ink: Ink) -> String {
    let turn = (!to.is_empty()).then(|| format!("; es el turno de {}", ink.handles(to)));
    let stop = (!relieved.is_empty()).then(|| format!("; {} puede parar", ink.handles(relieved)));
    turn.into_iter().chain(stop).collect()
}
