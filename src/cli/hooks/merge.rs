//! Puts hooks into settings that hold other things too: what is not turnroom's stays as it is, in its order.

use anyhow::{Context, bail};
use serde_json::Value;

use super::ordered::Ordered;

/// The hooks that are wanted.
pub(super) struct Wanted(pub(super) Vec<Hook>);

/// One hook.
pub(super) struct Hook {
    /// When it runs.
    pub(super) event: &'static str,
    /// For which tools, if not for all.
    pub(super) matcher: Option<&'static str>,
    /// What is run.
    pub(super) handler: Value,
}

/// The settings with these hooks of turnroom and no others; without `wanted`, with none. `None`: nothing changes.
pub(super) fn merge(before: &str, wanted: Option<&Wanted>) -> anyhow::Result<Option<String>> {
    let is_new = before.trim().is_empty();
    if is_new && wanted.is_none() {
        return Ok(None);
    }
    let mut settings = if is_new { Ordered::object() } else { Ordered::parse(before)? };
    let wanted = wanted.map_or(&[][..], |wanted| &wanted.0);
    // Hooks that are as they should be stay where they are.
    if is_same(&take_out(&mut settings)?, wanted) {
        return Ok(None);
    }
    for hook in wanted {
        put_in(&mut settings, hook)?;
    }
    Ok(Some(settings.text(indent(before))))
}

/// A hook of turnroom as it stood there: event, matcher, handler.
type Found = (String, Option<String>, Value);

fn is_same(found: &[Found], wanted: &[Hook]) -> bool {
    let is_found = |hook: &Hook| {
        found.iter().any(|(event, matcher, handler)| {
            event == hook.event && matcher.as_deref() == hook.matcher && *handler == hook.handler
        })
    };
    found.len() == wanted.len() && wanted.iter().all(is_found)
}

/// Takes the hooks of turnroom out, and what is empty by it.
fn take_out(settings: &mut Ordered) -> anyhow::Result<Vec<Found>> {
    let mut found = Vec::new();
    let Some(hooks) = settings.entry("hooks") else { return Ok(found) };
    let events = hooks.fields().context("`hooks` in it is no object")?;
    for (event, groups) in events.iter_mut() {
        let groups = groups.items().with_context(|| format!("`hooks.{event}` in it is no list"))?;
        groups.retain_mut(|group| {
            let matcher = matcher(group);
            let Some(handlers) = group.entry("hooks").and_then(Ordered::items) else { return true };
            let ours = handlers.iter().filter(|handler| is_ours(handler));
            let before = found.len();
            found.extend(ours.map(|handler| (event.clone(), matcher.clone(), handler.value())));
            handlers.retain(|handler| !is_ours(handler));
            before == found.len() || !handlers.is_empty()
        });
    }
    events.retain(|(event, groups)| !groups.is_empty() || found.iter().all(|(of, ..)| of != event));
    if hooks.is_empty() && !found.is_empty() {
        settings.remove("hooks");
    }
    Ok(found)
}

/// For which tools a group is.
fn matcher(group: &Ordered) -> Option<String> {
    group.field("matcher").and_then(Ordered::as_text).map(str::to_owned)
}

fn put_in(settings: &mut Ordered, hook: &Hook) -> anyhow::Result<()> {
    let Some(groups) =
        settings.made("hooks", Ordered::object()).and_then(|hooks| hooks.made(hook.event, Ordered::list()))
    else {
        bail!("it holds no object at its top, or its `hooks` is none");
    };
    let groups = groups.items().context("the hooks of an event in it are no list")?;
    // Beside a hook of ours for the same tools, else in a group of its own.
    let is_its_group = |group: &&mut Ordered| {
        let is_for_the_same = matcher(group).as_deref() == hook.matcher;
        let is_ours_alone =
            matches!(group.field("hooks"), Some(Ordered::List(handlers)) if handlers.iter().all(is_ours));
        is_for_the_same && is_ours_alone
    };
    let handler = Ordered::of(&hook.handler, &["type", "command", "timeout", "asyncRewake"]);
    if let Some(handlers) =
        groups.iter_mut().find(is_its_group).and_then(|group| group.entry("hooks")?.items())
    {
        handlers.push(handler);
        return Ok(());
    }
    let mut group = Vec::new();
    group.extend(hook.matcher.map(|matcher| ("matcher".to_owned(), Ordered::text_of(matcher))));
    group.push(("hooks".to_owned(), Ordered::List(vec![handler])));
    groups.push(Ordered::Object(group));
    Ok(())
}

/// Whether a handler runs a hook of turnroom, wherever the program lies.
fn is_ours(handler: &Ordered) -> bool {
    let command = handler.field("command").and_then(Ordered::as_text).unwrap_or_default();
    let Some((program, words)) = command.rsplit_once(" hook ") else { return false };
    let name = program.split(" --data-dir ").next().unwrap_or_default().trim_end_matches('\'');
    let name = name.rsplit(['/', '\\', '\'']).next().unwrap_or_default();
    let is_event = ["stop", "wake", "note"].contains(&words.split(' ').next().unwrap_or_default());
    is_event && name.trim_end_matches(".exe") == "turnroom"
}

/// How deep the first line below the top is indented.
fn indent(text: &str) -> &str {
    let line = text.lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or("  x");
    let indent = &line[..line.len() - line.trim_start().len()];
    if indent.is_empty() { "  " } else { indent }
}
