//! A task as an agent does it: steps that name elements by their text on the screen.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use testkit::web::Web;

use super::session::{Reply, Session};

/// The tasks in `tasks.json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Task {
    pub(super) name: String,
    /// The app, or the path of the page.
    start: String,
    steps: Vec<Step>,
    /// The words of a line of the last screen, each.
    end: Vec<Vec<String>>,
}

/// An action, and the element that it acts on.
#[derive(Clone, Debug, Deserialize)]
struct Step {
    /// Words of the element's line.
    #[serde(default)]
    on: Option<String>,
    /// The part of that line, or of a line inside of it, if it is not the first one.
    #[serde(default)]
    part: Option<String>,
    #[serde(flatten)]
    action: Map<String, Value>,
}

/// When the agent requests changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObservePolicy {
    /// After every step.
    Always,
    /// If it does not know the element of the next step yet.
    WhereNeeded,
}

pub(super) fn all() -> Result<Vec<Task>, String> {
    let text = include_str!("../../tasks/tasks.json");
    serde_json::from_str(text).map_err(|error| format!("tasks.json: {error}"))
}

impl Task {
    pub(super) fn is_page(&self) -> bool {
        self.start.starts_with('/')
    }

    /// Does the task; returns the replies, that to opening the app first.
    pub(super) async fn run(
        &self,
        session: &mut Session,
        web: &Web,
        observed: ObservePolicy,
    ) -> Result<Vec<Reply>, String> {
        let open = match self.is_page() {
            true => json!({ "type": "open_uri", "uri": web.url(&self.start) }),
            false => json!({ "type": "open_app", "applicationId": self.start }),
        };
        let mut known = KnownLines::default();
        let first = session.act(&open, "screen").await?;
        known.add(&first.text);
        let mut replies = vec![first];
        for (at, step) in self.steps.iter().enumerate() {
            let action = step.action(&known)?;
            let next = self.steps.get(at + 1);
            let is_known = next.is_some_and(|next| next.action(&known).is_ok());
            let observe = match observed {
                ObservePolicy::WhereNeeded if is_known => "none",
                ObservePolicy::WhereNeeded | ObservePolicy::Always => "diff",
            };
            let (refused, reply) = act(session, action, observe).await?;
            known.add(&reply.text);
            replies.extend(refused);
            replies.push(reply);
        }
        let screen = session.screen().await?;
        for words in &self.end {
            let is_there = |line: &str| words.iter().all(|word| line.contains(word));
            if !screen.lines().any(is_there) {
                return Err(format!("no line with {words:?} in\n{screen}"));
            }
        }
        Ok(replies)
    }
}

/// Acts, and again on the nearest element if the reference is stale: its text has changed. Returns both replies.
async fn act(
    session: &mut Session,
    mut action: Value,
    observe: &str,
) -> Result<(Option<Reply>, Reply), String> {
    let refused = match session.act(&action, observe).await {
        Ok(reply) => return Ok((None, reply)),
        Err(refused) => refused,
    };
    let nearest = refused.split("nearest now: ").nth(1);
    let nearest = nearest.and_then(|rest| rest.split(',').next());
    let nearest = nearest.filter(|word| is_reference(word));
    let nearest = nearest.ok_or_else(|| refused.clone())?;
    action["matcher"] = json!({ "ref": nearest });
    let reply = session.act(&action, observe).await?;
    Ok((Some(Reply::new(refused)), reply))
}

/// The lines of the screens that the agent knows.
#[derive(Debug, Default)]
struct KnownLines {
    current: Vec<String>,
    earlier: Vec<Vec<String>>,
}

impl KnownLines {
    /// Adds what a reply shows: a whole screen, an earlier one again, or changes.
    fn add(&mut self, reply: &str) {
        let shown = reply.split("\nscreen data: ").nth(1);
        let again = shown.and_then(|shown| shown.split(" again, ").next());
        let is_whole = reply.contains("\nscreen data:\n");
        if is_whole || again.is_some() {
            self.earlier.push(self.current.clone());
        }
        // Lines as before are known from the screens before.
        if is_whole && !reply.contains(" lines as before\n") {
            self.current.clear();
        }
        if let Some(name) = again {
            let page_and_title = name.split_once(", ").filter(|_| name.starts_with("page "));
            let parts = match page_and_title {
                Some((page, title)) => vec![start_of_line(page), title.to_owned()],
                None => vec![start_of_line(name)],
            };
            let has_name = |screen: &&Vec<String>| {
                let has_line = |start: &String| {
                    let mut lines = screen.iter();
                    lines.any(|line| line.trim_start().starts_with(start))
                };
                parts.iter().all(has_line)
            };
            let earlier = self.earlier.iter().rev().find(has_name);
            self.current = earlier.cloned().unwrap_or_default();
        }
        let lines = (reply.lines()).map(|line| line.strip_prefix('+').unwrap_or(line));
        self.current.extend(lines.map(str::to_owned));
    }

    /// The reference behind these words on a line, and behind the part, inside of what the line shows or before the words.
    fn reference(&self, words: &str, part: Option<&str>) -> Option<&str> {
        let lines = self.current.iter().enumerate().rev();
        let mut found = lines.filter_map(|(at, line)| {
            let inside = self.current[at + 1..]
                .iter()
                .take_while(|next| indentation(next) > indentation(line));
            // Controls of a role that share a line have it once.
            let shared = words.split_once(' ').and_then(|(role, name)| {
                let begins = line.trim_start().split(' ').next() == Some(role);
                line.find(name).filter(|_| begins && name.starts_with('"'))
            });
            let rest = &line[line.find(words).or(shared)?..];
            let part = part.unwrap_or_default();
            let inside = inside.map(String::as_str);
            let mut texts = std::iter::once(rest).chain(inside).chain([line.as_str()]);
            let tail = texts.find_map(|text| Some(&text[text.find(part)?..]))?;
            tail.split(' ').find(|word| is_reference(word))
        });
        found.next()
    }
}

/// How the line begins that a part of a screen's name is from.
fn start_of_line(part: &str) -> String {
    match part.strip_prefix("page ") {
        Some(path) => format!("webview {path}"),
        None => part.to_owned(),
    }
}

/// How many spaces a line begins with.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_reference(word: &str) -> bool {
    let number = word.strip_prefix('e').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

impl Step {
    /// The action with the reference of its element.
    fn action(&self, known: &KnownLines) -> Result<Value, String> {
        let mut action = self.action.clone();
        if let Some(words) = &self.on {
            let reference = known.reference(words, self.part.as_deref());
            let lines = || known.current.join("\n");
            let reference =
                reference.ok_or_else(|| format!("no reference for {words:?} in\n{}", lines()))?;
            action.insert("matcher".to_owned(), json!({ "ref": reference }));
        }
        Ok(Value::Object(action))
    }
}
