//! Parses the table of faults, `faults.txt`, and builds the kind of each row.

use std::sync::OnceLock;
use std::time::Duration;

use super::kind::{
    Answer, Display, DropPart, FaultKind, Input, KilledProcesses, MissingTree, PLAIN, Recorder,
};
use super::table::{FaultRow, Param, Shape, Values};
use super::when::{Calls, FaultDuration};
use crate::choices::Rotation;
use crate::prompt::Permission;
use crate::words::Words;

/// Returns the rows of all faults, in the order of the documentation.
pub fn rows() -> &'static [FaultRow] {
    static ROWS: OnceLock<Vec<FaultRow>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows: Vec<FaultRow> = Vec::new();
        for line in include_str!("faults.txt").lines() {
            if let Some(line) = line.strip_prefix("  ") {
                let param = param(line);
                rows.last_mut()
                    .into_iter()
                    .for_each(|row| row.params.push(param));
            } else if !line.is_empty() && !line.starts_with('#') {
                rows.push(row(line));
            }
        }
        rows
    })
}

/// Returns a column, or `None` for `-`.
fn optional(column: &'static str) -> Option<&'static str> {
    Some(column).filter(|column| *column != "-")
}

fn row(line: &'static str) -> FaultRow {
    let mut columns = line.split(" | ");
    let mut column = || columns.next().unwrap_or_else(|| unreachable!("{line}"));
    let (kind, name) = column().split_once(' ').unwrap_or(("call", ""));
    let on = optional(column()).unwrap_or("input").split('+');
    let on = on
        .filter_map(Calls::of_word)
        .fold(Calls::default(), Calls::and);
    FaultRow {
        name,
        on,
        moment: kind == "moment",
        lasts: match column() {
            "once" => FaultDuration::Once,
            "good" => FaultDuration::Good,
            seconds => FaultDuration::For(Duration::from_secs(
                seconds.trim_end_matches('s').parse().unwrap_or_default(),
            )),
        },
        example: column(),
        chaos: optional(column()).map(|chaos| chaos.trim_start_matches("chaos").trim_start()),
        about: column(),
        params: Vec::new(),
    }
}

fn param(line: &'static str) -> Param {
    let mut columns = line.split(" | ");
    let mut column = || columns.next().unwrap_or_else(|| unreachable!("{line}"));
    Param {
        name: column(),
        shape: match column() {
            "time" => Shape::Time,
            "range" => Shape::Range,
            "count" => Shape::Count,
            "percent" => Shape::Percent,
            "text" => Shape::Text,
            "word whole" => Shape::Word(&["whole"]),
            "word answer" => Shape::Word(Answer::WORDS),
            "word unseen" => Shape::Word(MissingTree::WORDS),
            "word recorder" => Shape::Word(Recorder::WORDS),
            "word input" => Shape::Word(Input::WORDS),
            "word permission" => Shape::Word(Permission::WORDS),
            "word rotation" => Shape::Word(Rotation::WORDS),
            "word display" => Shape::Word(Display::WORDS),
            "word killed_processes" => Shape::Word(KilledProcesses::WORDS),
            _ => unreachable!("{line}"),
        },
        default: optional(column()),
        about: column(),
    }
}

pub(super) fn make(name: &str, given: &Values) -> FaultKind {
    match name {
        "latency" => {
            let (least, most) = given.range("time");
            FaultKind::Latency { least, most }
        }
        "drop_text" => FaultKind::DropText(match given.count("last") {
            Some(n) => DropPart::Last(n),
            None => DropPart::Whole,
        }),
        "disconnect" => FaultKind::Disconnect(given.word("call", Answer::Unsent)),
        "short_scroll" => FaultKind::ShortScroll {
            part: given.percent("part"),
        },
        "missing_subtree" => FaultKind::MissingSubtree {
            of: given.text("of").to_owned(),
        },
        "stale_tree" => FaultKind::StaleTree {
            age: given.range("age").0,
        },
        "no_window" => FaultKind::NoWindow(given.word("tree", MissingTree::Refused)),
        "recording_fails" => FaultKind::RecordingFails(given.word("step", Recorder::Start)),
        "slow_start" => {
            let (least, most) = given.range("time");
            FaultKind::SlowStart { least, most }
        }
        "freeze" => FaultKind::Freeze(given.word("input", Input::Queued)),
        "permission" => FaultKind::Permission(given.word("name", Permission::Camera)),
        "rotate" => FaultKind::Rotate(given.word("to", Rotation::Landscape)),
        "fold" => FaultKind::Fold(given.word("to", Display::Inner)),
        "banner" => FaultKind::Banner {
            title: given.text("title").to_owned(),
            text: given.text("text").to_owned(),
        },
        "low_memory" => FaultKind::LowMemory(given.word("kills", KilledProcesses::Background)),
        "interrupt" => FaultKind::Interrupt {
            app: given.text("app").to_owned(),
        },
        _ => (PLAIN.iter().find(|(plain, _)| *plain == name)).map_or_else(
            || unreachable!("`{name}` makes no fault"),
            |(_, kind)| kind.clone(),
        ),
    }
}
