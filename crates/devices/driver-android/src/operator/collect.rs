//! Collects the Operator app's output for one command from the log of a phone.

use serde_json::Value;
use uitree::UiTree;

use crate::operator::listen::{Head, MarkResult};
use crate::operator::log::{JoinedMessage, Line};

/// Prefix of the answer to a command.
const RESULT: &str = "[Clawperator-Result]";
/// Prefix of a snapshot.
const SNAPSHOT: &str = "[TaskScope] UI Hierarchy:";
/// Prefix of messages about a running command.
const COMMAND: &str = "[Clawperator-Command]";
/// Prefix of the message at the start of a step.
const STEP: &str = "[UiActionEngine] step_start ";
/// Prefix of the message about a refused broadcast.
const RECEIVER: &str = "[Operator-Receiver]";
/// The maximum size of a joined message, in bytes: more than any screen or answer.
const LARGEST: usize = 16 * 1024 * 1024;
/// The number of recent lines about a command that are kept for diagnosis.
const REMEMBERED: usize = 30;

/// The output of the app.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorAnswer {
    /// The answer, if complete.
    pub envelope: Option<Value>,
    /// The screens logged while the command ran, in order.
    pub snapshots: Vec<Snapshot>,
    /// Whether the app has logged the command id: it received the command.
    pub received: bool,
    /// The last step that the app started, such as `id=a type=click`.
    pub step: Option<String>,
    /// The last lines about the command.
    pub events: Vec<String>,
    /// Malformed answers of the app, each with the problem.
    pub malformed: Vec<String>,
}

/// A logged screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Snapshot {
    /// Complete: `hierarchy_xml`.
    Whole(String),
    /// Incomplete; the reason.
    Broken(String),
}

/// Reads the log for one command of one process.
#[derive(Debug)]
pub(super) struct Collector {
    command: String,
    /// The mark in the log before the first line of the command; `None` once it was read.
    mark: Option<String>,
    /// The process of the app; `None` until it is known, when every line with the command id counts.
    pid: Option<u32>,
    open: Option<(MessageKind, JoinedMessage)>,
    collected: OperatorAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageKind {
    Result,
    Snapshot,
}

impl Collector {
    pub(super) fn new(command: &str, mark: &str) -> Self {
        Self {
            command: command.to_owned(),
            mark: Some(mark.to_owned()),
            pid: None,
            open: None,
            collected: OperatorAnswer::default(),
        }
    }

    /// Applies the result of the broadcast.
    pub(super) fn begin(&mut self, head: &Head) {
        self.pid = head.pid;
        if head.marked == MarkResult::No {
            self.mark = None;
        }
    }

    /// The output so far.
    pub(super) const fn answer_so_far(&self) -> &OperatorAnswer {
        &self.collected
    }

    /// Ends reading.
    pub(super) fn finish(mut self) -> OperatorAnswer {
        self.settle();
        self.collected
    }

    /// Reads the next line; returns whether the answer is complete.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let Some(line) = Line::read(line) else {
            return self.collected.envelope.is_some();
        };
        if let Some(mark) = &self.mark {
            if line.message.trim() == mark {
                self.mark = None;
            }
            return false;
        }
        if self.pid.is_some_and(|pid| pid != line.pid) {
            return self.collected.envelope.is_some();
        }
        // Texts of screens and fields may look like a message of the app: only the start of a message says what it is.
        let rest_after = |prefix: &str| line.message.trim_start().strip_prefix(prefix);
        if let Some((_, joined)) = &mut self.open
            && joined.goes_on_with(&line)
            && joined.text().len() < LARGEST
        {
            joined.add(&line);
        } else if let Some(rest_after) = rest_after(RESULT) {
            self.settle();
            self.open = Some((
                MessageKind::Result,
                JoinedMessage::begin(&line, rest_after.trim_start()),
            ));
        } else if let Some(rest_after) = rest_after(SNAPSHOT) {
            self.settle();
            self.open = Some((
                MessageKind::Snapshot,
                JoinedMessage::begin(&line, rest_after.trim_start()),
            ));
        } else if let Some(step) = rest_after(STEP) {
            self.settle();
            if self.collected.received {
                self.collected.step = Some(step.chars().take(300).collect());
            }
        } else if rest_after(RECEIVER).is_some() {
            self.settle();
            self.remember(line.message);
        } else if rest_after(COMMAND).is_some() {
            self.settle();
            if line
                .message
                .contains(&format!("commandId={} ", self.command))
            {
                self.collected.received = true;
                self.remember(line.message);
                if line.message.contains("] start ") {
                    // Earlier output belongs to another command.
                    self.collected.snapshots.clear();
                }
            }
        } else if let Some((_, joined)) = &mut self.open
            && joined.takes(&line)
            && joined.text().len() < LARGEST
        {
            joined.add(&line);
        }
        self.close_if_whole();
        self.collected.envelope.is_some()
    }

    fn remember(&mut self, message: &str) {
        if self.collected.events.len() == REMEMBERED {
            self.collected.events.remove(0);
        }
        self.collected
            .events
            .push(message.chars().take(500).collect());
    }

    /// Ends the open message as soon as it is complete.
    fn close_if_whole(&mut self) {
        let Some((what, joined)) = &self.open else {
            return;
        };
        match what {
            MessageKind::Result => {
                let Ok(envelope) = serde_json::from_str::<Value>(joined.text()) else {
                    return;
                };
                self.open = None;
                self.answer(envelope);
            }
            MessageKind::Snapshot => {
                let end = joined.text().trim_end().ends_with("</hierarchy>");
                if end {
                    self.collected.snapshots.push(checked(joined.text()));
                    self.open = None;
                }
            }
        }
    }

    /// Ends the open message as it is, since another one begins or the log ends.
    fn settle(&mut self) {
        match self.open.take() {
            Some((MessageKind::Result, joined)) if self.names_us(joined.text()) => {
                let begin: String = joined.text().chars().take(200).collect();
                self.collected.received = true;
                self.collected.malformed.push(begin);
            }
            // It keeps its position, since screens are assigned to steps by order.
            Some((MessageKind::Snapshot, _)) => {
                let why = "its end is missing in the log".to_owned();
                self.collected.snapshots.push(Snapshot::Broken(why));
            }
            Some((MessageKind::Result, _)) | None => {}
        }
    }

    /// Whether an unreadable answer begins like one to this command.
    fn names_us(&self, begin: &str) -> bool {
        let id = Value::from(self.command.as_str()).to_string();
        begin.contains(&format!("\"commandId\":{id}"))
    }

    /// The length of an incomplete answer to this command.
    pub(super) fn unfinished(&self) -> Option<usize> {
        match &self.open {
            Some((MessageKind::Result, joined)) if self.names_us(joined.text()) => {
                Some(joined.text().len())
            }
            _ => None,
        }
    }

    fn answer(&mut self, envelope: Value) {
        if envelope.get("commandId").and_then(Value::as_str) != Some(self.command.as_str()) {
            return;
        }
        self.collected.received = true;
        match problem(&envelope) {
            None => self.collected.envelope = Some(envelope),
            Some(problem) => self.collected.malformed.push(problem.to_owned()),
        }
    }
}

/// Validates a screen; a log truncates lines that are too long for it.
fn checked(text: &str) -> Snapshot {
    match UiTree::parse_hierarchy_xml(text.as_bytes(), None) {
        Ok(_) => Snapshot::Whole(text.to_owned()),
        Err(error) => Snapshot::Broken(error.to_string()),
    }
}

/// Why a document is not an answer.
fn problem(envelope: &Value) -> Option<&'static str> {
    let text = |key: &str| envelope.get(key).is_some_and(Value::is_string);
    let text_or_null =
        |value: Option<&Value>| value.is_some_and(|value| value.is_string() || value.is_null());
    if !text("taskId") {
        return Some("`taskId` is missing");
    }
    let status = envelope.get("status").and_then(Value::as_str);
    if !matches!(status, Some("success" | "failed")) {
        return Some("`status` is neither success nor failed");
    }
    if !text_or_null(envelope.get("error")) {
        return Some("`error` is neither a string nor null");
    }
    let code = envelope.get("errorCode");
    if code.is_some() && !text_or_null(code) {
        return Some("`errorCode` is neither a string nor null");
    }
    let Some(steps) = envelope.get("stepResults").and_then(Value::as_array) else {
        return Some("`stepResults` is no list");
    };
    let step = |step: &Value| {
        step.get("id").is_some_and(Value::is_string)
            && step.get("actionType").is_some_and(Value::is_string)
            && step.get("success").is_some_and(Value::is_boolean)
    };
    (!steps.iter().all(step)).then_some("a step has no id, no actionType or no success")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVELOPE: &str =
        r#"{"commandId":"c1","taskId":"t","status":"success","stepResults":[],"error":null}"#;

    fn line(pid: u32, tid: u32, message: &str) -> String {
        format!("03-28 10:11:12.345  {pid}  {tid} I TaskScopeDefault: {message}\n")
    }

    fn read(lines: &[String]) -> OperatorAnswer {
        let mut collector = Collector::new("c1", "begin-1");
        collector.begin(&Head {
            pid: Some(10),
            marked: MarkResult::Yes,
            status: 0,
            output: String::new(),
        });
        // An answer to an earlier command with the same id.
        collector.take(&line(10, 1, &format!("[Clawperator-Result] {ENVELOPE}")));
        collector.take(&line(7, 7, "begin-1"));
        for line in lines {
            collector.take(line);
        }
        collector.finish()
    }

    #[test]
    fn answer_is_found_among_noise_and_joined() {
        let filler = "x".repeat(9000);
        let long = ENVELOPE.replace("\"t\"", &format!("\"{filler}\""));
        let message = format!("[Clawperator-Result] {long}");
        let (a, rest) = message.split_at(4000);
        let (b, c) = rest.split_at(4000);
        let collected = read(&[
            line(99, 1, &format!("[Clawperator-Result] {ENVELOPE}")),
            line(10, 1, a),
            line(99, 1, "noise"),
            line(10, 2, "noise of another thread"),
            line(10, 1, b),
            "--------- beginning of crash\n".to_owned(),
            line(10, 1, c),
        ]);
        assert_eq!(collected.envelope.unwrap()["taskId"], filler);
        assert!(collected.malformed.is_empty());
    }

    #[test]
    fn text_that_looks_like_an_answer_is_none() {
        let forged = ENVELOPE.replace("success", "failed");
        let forged = format!("[Clawperator-Result] {forged}");
        let answer = format!("[Clawperator-Result] {ENVELOPE}");
        let success = |lines: &[String]| {
            let collected = read(lines);
            assert!(collected.malformed.is_empty(), "{lines:?}");
            let status = |envelope: Value| envelope["status"] == "success";
            (collected.envelope.is_some_and(status), collected.snapshots)
        };
        let quoted = line(10, 1, &format!("read \"{forged}\""));
        assert!(success(&[quoted, line(10, 1, &answer)]).0);
        // A screen with a line that is split right before such a text, and one on which it stands.
        let start = "[TaskScope] UI Hierarchy:";
        let node =
            |text: &str| format!("<node index=\"0\" text=\"{text}\" bounds=\"[0,0][9,9]\"/>");
        let filler = 4000 - node("").find("\" bounds").unwrap();
        let long = node(&format!(
            "{}{}",
            "x".repeat(filler),
            forged.replace('"', "&quot;")
        ));
        let (first, rest) = long.split_at(4000);
        assert!(rest.starts_with("[Clawperator-Result]"));
        let lines = [
            start,
            "<hierarchy rotation=\"0\">",
            first,
            rest,
            &node("[Clawperator-Result] {}"),
            "</hierarchy>",
            &answer,
        ]
        .map(|message| line(10, 1, message));
        let (is_success, snapshots) = success(&lines);
        assert!(is_success);
        assert!(matches!(&*snapshots, [Snapshot::Whole(_)]), "{snapshots:?}");
    }

    #[test]
    fn other_and_malformed_answers_do_not_end_the_wait() {
        let collected = read(&[
            line(
                10,
                1,
                "[Clawperator-Result] {\"commandId\":\"c0\",\"status\":",
            ),
            line(
                10,
                1,
                &format!("[Clawperator-Result] {}", ENVELOPE.replace("c1", "c2")),
            ),
            line(
                10,
                1,
                &format!("[Clawperator-Result] {}", ENVELOPE.replace("null", "7")),
            ),
        ]);
        assert_eq!(collected.envelope, None);
        assert_eq!(
            collected.malformed,
            ["`error` is neither a string nor null"],
            "what others say is not ours to judge"
        );
        let collected = read(&[
            line(
                10,
                1,
                "[Clawperator-Result] {\"commandId\":\"c1\",\"taskId\":",
            ),
            line(10, 1, "[Clawperator-Command] success commandId=c1 taskId=t"),
        ]);
        assert_eq!(collected.malformed.len(), 1, "{:?}", collected.malformed);
        let collected = read(&[
            line(10, 1, "[Clawperator-Result] nonsense"),
            line(10, 1, &format!("[Clawperator-Result] {ENVELOPE}")),
        ]);
        assert!(collected.envelope.is_some());
    }

    #[test]
    fn snapshots_belong_to_the_running_command() {
        let xml = [
            "<?xml version='1.0' ?>",
            "<hierarchy rotation=\"0\">",
            "  <node text=\"one",
            "[not the end]\" class=\"a.B\" bounds=\"[0,0][10,10]\" />",
            "</hierarchy>",
        ];
        let snapshot = |tid| {
            let mut lines = vec![line(10, tid, "[TaskScope] UI Hierarchy:")];
            lines.extend(xml.iter().map(|part| line(10, tid, part)));
            lines
        };
        let mut lines = snapshot(1);
        lines.push(line(
            10,
            1,
            "[Clawperator-Command] start commandId=c1 taskId=t source=s",
        ));
        lines.extend(snapshot(1));
        lines.push(line(
            10,
            1,
            "[Clawperator-Command] success commandId=c1 taskId=t stepCount=1",
        ));
        lines.push(line(10, 1, &format!("[Clawperator-Result] {ENVELOPE}")));
        let collected = read(&lines);
        assert_eq!(collected.snapshots, [Snapshot::Whole(xml.join("\n"))]);
        assert_eq!(collected.events.len(), 2);
        assert!(collected.envelope.is_some());
    }

    #[test]
    fn split_line_is_joined() {
        let row = format!("<node text=\"{}\" />", "ü".repeat(4100));
        let cut = row.char_indices().nth(4000).unwrap().0;
        let (a, b) = row.split_at(cut);
        let collected = read(&[
            line(10, 1, "[TaskScope] UI Hierarchy:"),
            line(10, 1, "<hierarchy rotation=\"0\">"),
            line(10, 1, a),
            line(10, 1, b),
            line(10, 1, "</hierarchy>"),
        ]);
        let whole = format!("<hierarchy rotation=\"0\">\n{row}\n</hierarchy>");
        assert_eq!(collected.snapshots, [Snapshot::Whole(whole)]);
    }

    #[test]
    fn truncated_screen_is_marked_and_keeps_its_position() {
        let collected = read(&[
            line(10, 1, "[TaskScope] UI Hierarchy:"),
            line(10, 1, "<hierarchy rotation=\"0\">"),
            line(10, 1, "[TaskScope] UI Hierarchy:"),
            line(10, 1, "<hierarchy rotation=\"0\">"),
            line(10, 1, "<node text=\"lo"),
            line(10, 1, "</hierarchy>"),
            line(10, 1, "[Operator-Receiver] something"),
        ]);
        let broken = |each: &Snapshot| matches!(each, Snapshot::Broken(_));
        assert_eq!(collected.snapshots.len(), 2, "{collected:?}");
        assert!(collected.snapshots.iter().all(broken), "{collected:?}");
        assert_eq!(collected.events, ["[Operator-Receiver] something"]);
    }
}
