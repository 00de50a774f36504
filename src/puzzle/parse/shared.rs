//! What both spellings of a machine say alike: roles, policy, handles, and what turnroom adds to a state.

use serde_json::Value;

use super::Parser;
use super::fields::{Fields, below, listed, shown, text};
use crate::puzzle::limits::{MAX_HANDLES, MAX_RESOURCE, MAX_ROLES, MAX_TEXT};
use crate::puzzle::machine::{Machine, Policy, QuestionBy, Resource, State, StateId, Unavailable};
use crate::room::{Handle, one_line};

/// What a machine may say in both spellings.
pub(super) const TOP: [&str; 9] =
    ["id", "name", "description", "context", "roles", "guards", "room", "policy", "states"];

impl<'a> Parser<'a> {
    /// What states need before they can be read: roles and named guards.
    pub(super) fn first(&mut self, top: &Fields<'a>) {
        self.states.push(State::new(String::new(), String::new(), None));
        self.places.push(top.clone());
        if let Some(roles) = top.fields("roles", &mut self.faults) {
            self.roles(&roles);
        }
        if let Some(named) = top.fields("guards", &mut self.faults) {
            named.entries(&mut self.faults);
            self.named = Some(named.map);
        }
    }

    /// The machine, once its states are read.
    pub(super) fn last(&mut self, top: &Fields<'a>) -> Machine {
        self.unused_guards();
        let policy = self.policy(top);
        let context = top.fields("context", &mut self.faults).map(|context| context.map.clone());
        Machine {
            id: top.name("id", &mut self.faults),
            name: top.name("name", &mut self.faults),
            description: top.text("description", MAX_TEXT, &mut self.faults),
            room: top.name("room", &mut self.faults),
            context: context.unwrap_or_default(),
            roles: std::mem::take(&mut self.roles),
            policy,
            counted: std::mem::take(&mut self.counted),
            states: std::mem::take(&mut self.states),
        }
    }

    /// What turnroom adds to a state.
    pub(super) fn additions(&mut self, id: StateId, fields: &Fields<'_>) {
        let who = self.who(fields.get("who"), &fields.at("who"));
        let exit_guard = self.guards(fields.get("exitGuard"), &fields.at("exitGuard"));
        let enter_guard = self.guards(fields.get("enterGuard"), &fields.at("enterGuard"));
        let description = fields.text("description", MAX_TEXT, &mut self.faults);
        let resource =
            fields.fields("resource", &mut self.faults).and_then(|resource| self.resource(&resource));
        let state = &mut self.states[id.0];
        (state.who, state.exit_guard, state.enter_guard) = (who, exit_guard, enter_guard);
        (state.resource, state.description) = (resource, description);
    }

    /// Handles, or names of roles; one, or a list.
    pub(super) fn who(&mut self, value: Option<&Value>, path: &str) -> Vec<Handle> {
        let mut who = Vec::new();
        match value {
            None => {}
            Some(Value::Array(list)) if list.is_empty() => self.fault(path, "the list is empty"),
            Some(Value::Array(list)) if list.len() > MAX_HANDLES => {
                self.limit(path, format!("{} stand here, and {MAX_HANDLES} may", list.len()));
            }
            Some(Value::Array(list)) => {
                for (number, one) in list.iter().enumerate() {
                    self.one_of_who(one, below(path, &number.to_string()), &mut who);
                }
            }
            Some(one) => self.one_of_who(one, path.to_owned(), &mut who),
        }
        who
    }

    fn one_of_who(&mut self, value: &Value, path: String, who: &mut Vec<Handle>) {
        let Some(name) = text(value, path.clone(), MAX_TEXT, &mut self.faults) else { return };
        let found = if name.starts_with('@') {
            match Handle::parse(&name) {
                Ok(handle) => vec![handle],
                Err(problem) => return self.fault(path, problem.to_string()),
            }
        } else if let Some(handles) = self.roles.get(&name) {
            handles.clone()
        } else {
            let roles = listed(self.roles.keys().map(String::as_str));
            let problem =
                format!("there is no role `{}` (roles: {roles}); a handle begins with `@`", one_line(&name));
            return self.fault(path, problem);
        };
        for handle in found {
            if who.contains(&handle) {
                continue;
            }
            if who.len() == MAX_HANDLES {
                return self
                    .limit(path, format!("more than {MAX_HANDLES} handles stand here, with those of roles"));
            }
            who.push(handle);
        }
    }

    fn roles(&mut self, roles: &Fields<'_>) {
        if roles.map.len() > MAX_ROLES {
            let problem = format!("there are {} roles, and {MAX_ROLES} are allowed", roles.map.len());
            return self.limit(&roles.path, problem);
        }
        for (name, handles) in roles.entries(&mut self.faults) {
            let path = roles.at(name);
            if name.starts_with('@') {
                self.fault(&path, "a role is no handle; leave the `@` out");
            }
            let before = std::mem::take(&mut self.roles);
            // Only handles: a role in a role is none that is known.
            let handles = self.who(Some(handles), &path);
            self.roles = before;
            self.roles.insert(name.to_owned(), handles);
        }
    }

    fn policy(&mut self, top: &Fields<'_>) -> Policy {
        let mut policy = Policy::default();
        let Some(fields) = top.fields("policy", &mut self.faults) else { return policy };
        fields.only(&["unavailableGuard", "questionBy", "reviewer"], &mut self.faults);
        policy.reviewers = self.who(fields.get("reviewer"), &fields.at("reviewer"));
        match fields.get("unavailableGuard").map(|value| (value, value.as_str())) {
            None | Some((_, Some("refuse"))) => {}
            Some((_, Some("allow"))) => policy.unavailable = Unavailable::Allow,
            Some((other, _)) => {
                let problem = format!("it is {}; it must be `refuse` or `allow`", shown(other));
                self.fault(fields.at("unavailableGuard"), problem);
            }
        }
        if let Some(by) = fields.get("questionBy") {
            policy.question_by = self.question_by(by, &fields.at("questionBy"));
        }
        policy
    }

    fn question_by(&mut self, value: &Value, path: &str) -> Vec<QuestionBy> {
        let one = std::slice::from_ref(value);
        let list = value.as_array().map_or(one, Vec::as_slice);
        let mut question_by = Vec::new();
        for value in list {
            let by = match value.as_str() {
                Some("participant") => QuestionBy::Participant,
                Some("form") => QuestionBy::Form,
                Some("sampling") => QuestionBy::Sampling,
                _ => {
                    let problem =
                        format!("it names {}; it takes `participant`, `form`, `sampling`", shown(value));
                    self.fault(path, problem);
                    continue;
                }
            };
            if !question_by.contains(&by) {
                question_by.push(by);
            }
        }
        question_by
    }

    fn resource(&mut self, fields: &Fields<'_>) -> Option<Resource> {
        fields.only(&["text", "mimeType"], &mut self.faults);
        if fields.get("text").is_none() {
            self.fault(fields.at("text"), "it is missing");
        }
        let mime_type = fields.name("mimeType", &mut self.faults);
        let text = fields.text("text", MAX_RESOURCE, &mut self.faults)?;
        Some(Resource { text, mime_type })
    }
}
