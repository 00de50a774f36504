//! Chinese.

use super::super::view::Notice;
use super::{Ink, Labels};
use crate::room::Handle;
use crate::room::event::PuzzleStep;

pub(super) const LABELS: Labels = Labels {
    colon: "：",
    title: "多智能体房间",
    file: "文件",
    topic: "主题",
    started: "开始于",
    participants: "参与者",
    handle: "标识",
    name: "名称",
    status: "状态",
    joined: "加入于",
    floor: "发言权",
    queue: "队列",
    gathering: "等待参与者",
    paused: "已暂停",
    closed: "已关闭",
    nothing_waits: "没有等待您的事项。",
    work_for_people: "等待人处理的任务",
    puzzles_for_people: "等待人处理的状态机",
    asks: "询问",
    since: "自",
    more: "更多",
    latest: "最新",
    conversation: "对话",
    earlier: "更早",
    newest: "后续",
    private: "私信",
    puzzle: "状态机",
    system: "系统",
    expected: "未到",
    active: "在场",
    away: "离开",
    left: "已退出",
    via_mcp: "经 MCP",
    via_terminal: "经终端",
    via_page: "经网页",
    via_note: "经笔记",
    reply_title: "回复",
    reply_link: "在此回复",
    reply_place: "您的话",
    reply_choose: "*勾选一个答案，或在此书写并勾选“发送”。*",
    reply_write: "*在此书写，然后勾选“发送”。*",
    reply_speak: "*没有等待您的问题。要发言，请在此书写，然后勾选“发送”。*",
    reply_send: "发送",
    reply_unsent: "未发送",
    reply_over: "*对话已关闭；此处不再接收内容。*",
    reply_unverified: "*此房间只认可经过验证的话，笔记中的话不算。请在网页或终端中回复：`turnroom inbox` 会说明方法。*",
    reply_two_choices: "勾选了多个答案；请只选一个",
    reply_empty: "尚未书写；请在上方书写后再勾选",
    reply_decide: "*要作决定，请在上方勾选一项决定，在此写明原因，并勾选“发送”。未勾选决定时，您写的话会发到房间里。*",
    reply_said: "*您在此写的话会发到房间里，不会作出任何决定。*",
    reply_no_reason: "驳回需要理由：请在上方写明需要修改之处，然后再次勾选“发送”",
    gate_task: "任务",
    gate_pending: "等待您的决定",
    gate_approved: "已批准，尚未关闭",
    gate_proposes: "提议",
    gate_approve: "批准",
    gate_reject: "驳回",
    gate_close: "关闭",
    gate_elsewhere: "此处只认可经过验证的决定，笔记中的决定不算。请在网页或终端中决定：",
};

pub(super) fn said(notice: &Notice, ink: Ink) -> String {
    let at = |handle| ink.handle(handle);
    match notice {
        Notice::Joined { handle } => format!("{} 加入了对话", at(handle)),
        Notice::Overdue { missing } => {
            format!("{} 尚未加入；可由人不等他们而开始：{}", ink.handles(missing), ink.code("turnroom start"))
        }
        Notice::Started { by } => format!("{} 不等缺席者，开始了对话", at(by)),
        Notice::Left { handle } => format!("{} 退出了对话", at(handle)),
        Notice::Removed { handle } => format!("{} 已被移除；标识可再用", at(handle)),
        Notice::TakenOver { handle } => format!("{} 在另一会话中继续", at(handle)),
        Notice::Lapsed { handle } => format!("{} 沉默过久；轮到下一位", at(handle)),
        Notice::Unanswered { handle } => format!("{} 早已被点名，至今没有回应", at(handle)),
        Notice::Passed { by, to: Some(to), .. } => format!("{} 将发言权交给 {}", at(by), at(to)),
        Notice::Passed { by, to: None, .. } => format!("{} 交出了发言权", at(by)),
        Notice::TaskMoved { .. } => task_moved(notice, ink),
        Notice::Puzzle { puzzle, what, to, relieved } => puzzle_news(puzzle, what, (to, relieved), ink),
        Notice::Paused { by: Some(by) } => format!("{} 暂停了对话", at(by)),
        Notice::Paused { by: None } => "对话已暂停：智能体已长时间交谈而无人参与".to_owned(),
        Notice::Resumed { by } => format!("{} 结束了暂停", at(by)),
        Notice::Closed { by: Some(by), .. } => format!("{} 关闭了对话", at(by)),
        Notice::Closed { by: None, .. } => "对话已关闭".to_owned(),
        Notice::Kept { file } => format!("有人改动了笔记；其版本保存在 {}", ink.code(file)),
        Notice::TaskStalled { task, handle, minutes } => stalled(task, handle, *minutes, ink),
        Notice::NoReplyNote { file } => {
            format!("没有回复笔记：{} 已存在，保持不变", ink.code(file))
        }
    }
}

/// What happened to a task.
fn task_moved(notice: &Notice, ink: Ink) -> String {
    let Notice::TaskMoved { task, version, content, is_proposed, status, to, .. } = notice else {
        return String::new();
    };
    let (task, content, status) = (ink.code(task), ink.code(content), ink.code(status));
    let proposed = if *is_proposed { "（提议，未经核实）" } else { "" };
    let moved = if *version == 0 {
        format!("任务 {task} 在此；状态 {status}")
    } else {
        format!("任务 {task}，第 {version} 条记录：{content}{proposed}；现在 {status}")
    };
    let turn = to.as_ref().map(|to| format!("；轮到 {}", ink.handle(to)));
    moved + &turn.unwrap_or_default()
}

fn stalled(task: &str, handle: &Handle, minutes: u64, ink: Ink) -> String {
    format!("任务 {}：{minutes} 分钟没有动静；轮到 {}", ink.code(task), ink.handle(handle))
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
        by.map_or(action.clone(), |by| format!("{} 的 {action}", at(by)))
    };
    match what {
        PuzzleStep::Added { place, .. } => format!("状态机 {puzzle} 在此；状态 {}", ink.code(&place.state)),
        PuzzleStep::Moved { from, place, action, by } => {
            let did = did(action, by.as_ref());
            format!("状态机 {puzzle}：{} → {}（{did}）", ink.code(from), ink.code(&place.state))
        }
        PuzzleStep::Asked { action, by, asked, .. } => {
            let did = did(action, by.as_ref());
            format!("状态机 {puzzle}：{did} 等待 {} 的意见", ink.handles(asked))
        }
        PuzzleStep::Answered { action, by, pass, again, .. } => {
            let who = by.as_ref().map_or("程序".to_owned(), &at);
            let did = ink.code(action);
            let said = if *pass { "同意" } else { "不同意" };
            let said = format!("状态机 {puzzle}：{who} {said} {did}");
            again.as_ref().map_or(said.clone(), |again| format!("{said}；{} 须再做一次", at(again)))
        }
        PuzzleStep::Refused { state, action, by: Some(by), .. } => {
            let (did, who) = (ink.code(action), at(by));
            format!("状态机 {puzzle} 仍为 {}：{did} 被 {who} 拒绝", ink.code(state))
        }
        PuzzleStep::Refused { state, action, by: None, .. } => {
            let did = ink.code(action);
            format!("状态机 {puzzle}：{did} 被拒绝；仍为 {}", ink.code(state))
        }
        PuzzleStep::Removed => format!("状态机 {puzzle} 已移除"),
    }
}

/// Whose turn it is now, and whose it was.
fn turns(to: &[Handle], relieved: &[Handle], ink: Ink) -> String {
    let turn = (!to.is_empty()).then(|| format!("；轮到 {}", ink.handles(to)));
    let stop = (!relieved.is_empty()).then(|| format!("；{} 可以停止", ink.handles(relieved)));
    turn.into_iter().chain(stop).collect()
}
